"""How bytes become text: marks, UTF-8, what the file says, and the code pages of old systems."""

import pytest

from ingest.charset import declared_charset, decode_bytes
from tests.ingest.workbench import Workbench


def decoded(content: bytes, declared: str = "") -> str:
    found = decode_bytes(content, declared=declared)
    assert found is not None
    return found.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfmark", "mark"),
        ("Zürich".encode("utf-16"), "Zürich"),
        ("Zürich".encode("utf-32"), "Zürich"),
        ("Zürich".encode(), "Zürich"),
        ("Grüße aus Zürich".encode("utf-16-le"), "Grüße aus Zürich"),
        ("Grüße aus Zürich".encode("utf-16-be"), "Grüße aus Zürich"),
    ],
)
def test_marks_and_unicode_come_first(content: bytes, text: str) -> None:
    assert decoded(content) == text
    assert decoded(content, "iso-8859-5") == text


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("cp1252", "Worte für uns."),
        ("cp1252", "Größe: 5 mm"),
        ("cp1252", "Überprüfung der Höhe, Straße gesperrt, Käufer zahlt 5 € netto."),
        ("cp1252", "Er sagte „ja“ – gut, § 3 bei 5 °C"),
        ("cp1252", "Pièce à changer: détail du modèle"),
        ("cp1252", "La pompe doit être contrôlée à chaque arrêt, le joint usé remplacé."),
        ("cp1252", "El niño llega mañana. ¿Está cerrada la válvula?"),
        ("cp1252", "A instalação não está concluída; a manutenção é amanhã."),
        ("cp1252", "Smörgåsbord på Åland"),
        ("cp1250", "Zażółć gęślą jaźń"),
        ("cp1250", "Pompa działa dobrze, proszę sprawdzić uszczelkę."),
        (
            "cp1250",
            "Čerpadlo běží dobře a není třeba na něm nic dalšího měnit ani opravovat před zimou.",
        ),
        (
            "cp1250",
            "A szivattyú jól működik, a tömítés új, és a szelep is jól működött egész évben.",
        ),
        (
            "cp1254",
            "Pompa iyi çalışıyor, conta bugün değiştirildi ve vana kapalıdır, her şey doğru.",
        ),
        ("cp1251", "Насос 5 работает хорошо, клапан закрыт."),
        ("gb18030", "水泵运行正常。"),
        ("cp932", "ポンプは正常です。"),
    ],
)
def test_texts_of_old_systems_are_read_in_their_code_page(charset: str, text: str) -> None:
    assert decoded(text.encode(charset)) == text


def test_utf8_with_a_damaged_byte_is_utf8_still() -> None:
    text = "Für die Größe der Türöffnung gilt: Überprüfung."

    assert decoded(text.encode().replace(b"ffnung", b"\xff")) == text.replace("ffnung", "\ufffd")
    assert decoded(text.encode() + "ü".encode()[:1]) == text + "\ufffd"


def test_a_text_is_read_in_the_charset_it_names_unless_it_plainly_is_in_another() -> None:
    page = '<meta charset="koi8-r"><p>Насос</p>'

    assert declared_charset(page.encode("koi8-r")) == "koi8-r"
    assert decoded(page.encode("koi8-r"), "koi8-r") == page
    assert decoded(page.encode(), "koi8-r") == page
    assert decoded(page.encode("cp1251"), "no-such-charset") != ""
    assert declared_charset(b"<?xml version='1.0' encoding='EUC-JP'?>") == "EUC-JP"


def test_an_html_page_and_a_text_in_utf16_without_a_mark_are_read(bench: Workbench) -> None:
    bench.write("a.html", '<meta charset="koi8-r"><p>Насос стоит.</p>'.encode("koi8-r"))
    bench.write("b.txt", "The pump is green.".encode("utf-16-le"))

    bench.ingest()

    assert bench.document("a.html").text == "Насос стоит."
    assert bench.document("b.txt").text == "The pump is green."
