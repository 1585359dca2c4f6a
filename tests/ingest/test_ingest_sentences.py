"""Where sentences end: the text is written with ``|`` at each end that is wanted."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sentences import sentence_spans

CASES = {
    "en": [
        "It works.|Does it?|Yes!",
        "Dr. Smith met Mrs. Jones at 3 p.m. on Monday.|They left.",
        "See e.g. Fig. 3 and Sec. 2.1, i.e. the last one.|Then stop.",
        "J. R. R. Tolkien wrote it.|It sold well.",
        "Pi is 3.14 and v2.0.1 is out.|Get it.",
        "He moved to the U.S. in 1990.|The U.S. Army came.",
        "He lived in the U.S.|The war ended.",
        "Apples, pears, etc. are fruit.|Apples, pears, etc.|Then more.",
        "“Stop!” he said.|“Go.”|She went.",
        "He said (loudly.)|Then left.",
        "Wait ... and see.|Well...|Fine.",
        "Yahoo! is a company.|Really.",
        "It cost No. 5 dearly.|He said no.|Then left.",
        "Smith et al. found it.[12]|Later work agreed.",
        "Acme Inc. sells it.|Acme Inc.|The firm grew.",
        "Line one\ngoes on.|Next.",
        "1. Introduction to it.|2. Methods of it.",
        "Visit example.com today.|Ok.",
        "Contents . . . . . 12",
        "Error handling. . . . . 22",
    ],
    "de": [
        "Das gilt z. B. für Nr. 5.|Es gilt bzw. galt.",
        "Am 3. Oktober 1990 war es so weit.|Danach nicht.",
        "Im 19. Jahrhundert lebte Dr. Meier.|Er starb 1890.|Dann kam Ruhe.",
        "Vgl. Abb. 4, d. h. die letzte.|Ende.",
        "Er wurde 12.|Danach wurde er 13.",
        "„Halt!“ rief er.|„Nein.“|Sie ging.",
        "Äpfel, Birnen usw. sind Obst.|Äpfel usw.|Dann mehr.",
    ],
    "fr": [
        "M. Dupont est là.|Il part.",
        "Cf. p. 12 et fig. 3.|Fin.",
        "« Non ! » dit-il.|Elle rit.",
    ],
    "es": [
        "El Sr. García llegó.|¿Qué hizo?|¡Nada!",
        "Véase la pág. 4.|Fin.",
    ],
    "zh": [
        "今天下雨。|明天呢？|晴天！",
        "他说：“走吧。”|她走了。",
        "第一，检查电压；|第二，记录温度。",
        "版本3.5已发布。|请更新!|好的?|是。",
    ],
    "ja": ["「行こう。」|彼は言った。|終わり！"],
}


@pytest.mark.parametrize(
    ("language", "marked"), [(language, text) for language in CASES for text in CASES[language]]
)
def test_sentences_end_where_a_reader_ends_them(language: str, marked: str) -> None:
    wanted = marked.split("|")
    separator = "" if language in {"zh", "ja"} else " "
    text = separator.join(wanted)

    found = [text[a:b] for a, b in sentence_spans(text, 0, len(text), language=language)]

    assert found == wanted


@given(
    st.text(alphabet=st.sampled_from("aB1 .!?。；…\n\"'”(u.S"), max_size=200),
    st.sampled_from(list(CASES)),
)
def test_spans_are_ordered_trimmed_and_cover_all_but_blanks(text: str, language: str) -> None:
    spans = list(sentence_spans(text, 0, len(text), language=language))

    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    kept = "".join(text[a:b] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())
