"""answer_markdown: a final result as ``answer.md``; words of documents and models are escaped."""

import re

from search_agent.evidence.answer_parts import (
    about,
    claim_mark,
    clue_line,
    headline,
    reference_rows,
)
from search_agent.evidence.numbering import number_by_claim
from search_agent.evidence.strings import strings_for
from search_agent.final_result import FinalResult

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$])")
_BLOCK_START = re.compile(r"^(\d*)(?=#{1,6}\s|[-+]\s|[.)]\s|={3,}|-{3,})")


def answer_markdown(result: FinalResult) -> str:
    """Answer, claims with marks and labels, references, unmet clues, both rates and the cost."""
    words = strings_for(result.question)
    lines = [f"# {escape_markdown(result.question)}", ""]
    lines += [f"**{words['answer'] if result.status == 'answered' else headline(result, words)}**"]
    if result.answer is not None:
        lines += ["", escape_markdown(result.answer)]
    if result.status == "error" and (result.error or result.message):
        lines += ["", escape_markdown(result.error or result.message)]
    if result.claims:
        lines += ["", f"## {words['claims']}", ""]
        for claim, numbered in zip(result.claims, number_by_claim(result.claims), strict=True):
            marks = "".join(f"[{number}]" for number, _ in numbered)
            text = escape_markdown(claim.text)
            lines.append(f"- {text} {marks} *{escape_markdown(claim_mark(claim, words))}*")
    rows = reference_rows(result, words)
    if rows:
        lines += ["", f"## {words['references']}", ""]
        for number, citation, head, source, command in rows:
            lines.append(f"{number}. {escape_markdown(head)}")
            lines += [f"   > {line}" for line in _quote_lines(citation.quote)]
            lines += ["", f"   {escape_markdown(source)}", "", f"   `{command}`", ""]
    if result.unmet_clues:
        lines += ["", f"## {words['unmet_clues']}", ""]
        lines += [f"- {escape_markdown(clue_line(clue, words))}" for clue in result.unmet_clues]
    lines += ["", f"## {words['about']}", ""]
    lines += [f"- {name}: {escape_markdown(value)}" for name, value in about(result, words)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def escape_markdown(text: str) -> str:
    """The text on one line, without meaning to Markdown."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _BLOCK_START.sub(r"\1\\", line)


def _quote_lines(quote: str) -> list[str]:
    return [escape_markdown(line) for line in quote.splitlines() if line.strip()]
