"""Nasty texts, tables and pages (cases 13 to 16, 23 and 24)."""

import base64

from tests.ingest.nasty_file import Nasty

CITED = "This sentence is cited."


def nasty_texts() -> list[Nasty]:
    emoji = "😀👩‍👩‍👧 𝔐𝔞𝔱𝔥 𝟙𝟚𝟛. "
    controls = "Soft\u00adhyphen, zero\u200dwidth, mark\ufeffinside, full\uff11\uff12 width."
    return [
        Nasty(path="13 emoji.txt", content=(emoji * 50 + CITED).encode(), ends="ok", holds=CITED),
        Nasty(
            path="14 scripts.txt",
            content=(
                "المادة 12 من العقد ABC 345.\n\nסעיף 7 בחוזה XYZ.\n\n"
                "縦書きの文章です。二つ目の文。\n\nภาษาไทยไม่มีช่องว่างระหว่างคำ\n"
            ).encode(),
            ends="ok",
            holds="縦書きの文章です。",
        ),
        Nasty(
            path="15 decomposed.txt",
            content="Pru\u0308fung der Anlage.".encode(),
            ends="ok",
            holds="Prüfung der Anlage.",
        ),
        Nasty(path="15 controls.txt", content=controls.encode(), ends="ok", holds=controls),
        Nasty(
            path="15 surrogates.txt",
            content=b"Before \xed\xa0\x80 and \x00 after the damage, in a long enough line.",
            ends="ok|partial|unsupported",
        ),
        Nasty(
            path="16 windows.csv",
            content='Teil;Preis\n"Große ""Dichtung""\nmit Zeile";4,50\n'.encode("cp1252"),
            ends="ok",
            holds='Große "Dichtung"',
        ),
        Nasty(
            path="16 ragged.csv",
            content=b"a,b\n1\n1,2,3,4\n,,\nlast,row\n",
            ends="ok",
            holds="last",
        ),
        Nasty(path="16 one line.csv", content=b"word," * 1_000_000, ends="ok|crashed|refused"),
        Nasty(path="16 one word.txt", content=b"word" * 1_000_000, ends="ok"),
        Nasty(
            path="16 bad line.jsonl",
            content=b'{"a": "First record."}\n{"a": \n'
            + b"[" * 100_000
            + b'\n{"a": "Last record."}\n',
            ends="partial",
            says="line 2",
            holds="Last record.",
        ),
        Nasty(path="16 deep.json", content=b"[" * 100_000, ends="corrupt", says="nested too deep"),
        Nasty(
            path="23 deep.html",
            content=b"<div>" * 100_000 + b"Deep words." + b"</div>" * 100_000,
            ends="refused",
            says="5000 are allowed",
        ),
        Nasty(
            path="23 inline image.html",
            content=b'<p>Around the picture.</p><img src="data:image/png;base64,'
            + base64.b64encode(bytes(6_000_000))
            + b'">',
            ends="ok",
            holds="Around the picture.",
        ),
        Nasty(
            path="23 lying charset.html",
            content="<html><meta charset=iso-8859-1><p>Prüfung der Anlage.</p></html>".encode(),
            ends="ok",
            holds="Prüfung der Anlage.",
        ),
        Nasty(
            path="23 script only.html",
            content=b"<html><script>document.write('Written words.')</script></html>",
            ends="empty",
            hides="Written words.",
        ),
        Nasty(
            path="23 layout.html",
            content=b"<html><table><tr><td><table><tr><td>Inner cell.</td></tr></table></td>"
            b"<td>Outer cell.</td></tr></table></html>",
            ends="ok",
            holds="Outer cell.",
        ),
        Nasty(
            path="24 unclosed.md",
            content=b"---\ntitle: Front\n---\n# Head\n\n<div>HTML.</div>\n\n```\nnever closed\n",
            ends="ok",
            holds="never closed",
        ),
        Nasty(path="24 long line.md", content=b"long words " * 100_000, ends="ok"),
        Nasty(
            path="24 input.tex",
            content=b"\\documentclass{article}\\input{/etc/passwd}\\newcommand{\\me}{I}"
            b"\\begin{document}\\me{} write.\\end{document}",
            ends="ok",
            hides="root:",
        ),
        Nasty(path="24 minified.js", content=b"a=function(){return b};" * 20_000, ends="ok"),
        Nasty(
            path="24 binary.rtf",
            content=b"{\\rtf1\\ansi Before.{\\pict\\bin9 }}}{{{\\\\}} \\u-10179?\\u-8704? Z.\\par}",
            ends="ok|partial",
            holds="Before.",
        ),
        Nasty(
            path="24 no header.rtf",
            content=b"\\pard Words without a header.\\par",
            ends="ok|corrupt",
        ),
    ]
