"""render_answer: a final result for a terminal."""

import io
import unicodedata

from rich.console import Console
from rich.text import Text

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

_LABEL_STYLES = {
    "supported": "green",
    "partial": "yellow",
    "unchecked": "yellow",
    "unsupported": "red",
    "contradicted": "red",
}


def render_answer(result: FinalResult, *, is_coloured: bool = True) -> str:
    """Answer, claims, references and cost; long lines are left to the terminal to wrap.

    Control characters of documents and models become U+FFFD, so that corpus text cannot drive the
    reader's terminal.
    """
    words = strings_for(result.question)
    lines = [
        Text(headline(result, words), style="bold" if result.status == "answered" else "bold red")
    ]
    if result.answer is not None:
        lines.append(Text(_plain(result.answer), style="bold"))
    if result.status == "error" and (result.error or result.message):
        lines.append(Text(_plain(result.error or result.message), style="red"))
    for claim, numbered in zip(result.claims, number_by_claim(result.claims), strict=True):
        marks = "".join(f"[{number}]" for number, _ in numbered)
        style = _LABEL_STYLES[claim.label] if claim.citations else "red"
        line = Text.assemble("- ", _plain(claim.text), f" {marks} ")
        lines.append(line.append(_plain(claim_mark(claim, words)), style=style))
    rows = reference_rows(result, words)
    if rows:
        lines.append(Text("\n" + words["references"], style="bold"))
    for number, citation, head, source, command in rows:
        lines.append(Text(f"[{number}] {_plain(head)}"))
        quote = " ".join(_plain(citation.quote).split())
        lines.append(Text(f"    “{quote}”", style="italic"))
        lines.append(Text(f"    {_plain(source)}", style="dim" if citation.exists else "red"))
        lines.append(Text(f"    {command}", style="cyan"))
    if result.unmet_clues:
        lines.append(Text("\n" + words["unmet_clues"], style="bold"))
        lines += [Text(f"- {_plain(clue_line(clue, words))}") for clue in result.unmet_clues]
    lines.append(Text(""))
    lines += [Text(f"{name}: {_plain(value)}", style="dim") for name, value in about(result, words)]
    return _print(lines, is_coloured=is_coloured)


def _print(lines: list[Text], *, is_coloured: bool) -> str:
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=is_coloured,
        color_system="standard" if is_coloured else None,
        legacy_windows=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return buffer.getvalue().rstrip("\n")


def _plain(text: str) -> str:
    return "".join(
        "\ufffd" if unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" else c for c in text
    )
