"""Answers as tokens: the form in which answers are compared, for alphabets and for Chinese.

Lower-cased, punctuation and English articles removed, blanks collapsed; each CJK character is a
token of its own.

Source: the evaluation scripts of SQuAD 1.1 and HotpotQA (order: lower case, punctuation, articles,
blanks). They strip ASCII punctuation only; here Unicode's is stripped too, so that ``“Rush”`` and
``北京。`` match.
"""

import re
import string
import unicodedata

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)


def answer_tokens(text: str) -> list[str]:
    """The tokens of an answer.

    >>> answer_tokens("The  Beatles!")
    ['beatles']
    >>> answer_tokens("北京 (Peking)")
    ['北', '京', 'peking']
    """
    lowered = unicodedata.normalize("NFKC", text).lower()
    kept = "".join(character for character in lowered if not _is_punctuation(character))
    # Characters that punctuation held apart may compose now.
    composed = unicodedata.normalize("NFKC", kept)
    return _TOKEN.findall(_ARTICLE.sub(" ", composed))


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character).startswith("P")
