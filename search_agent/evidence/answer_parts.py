"""Answer parts: the facts every rendering states, as plain unescaped text in the reader's words."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from search_agent.evidence.numbering import references
from search_agent.evidence.records import Citation, Claim, UnmetClue
from search_agent.final_result import FinalResult, Termination

_ABSTENTIONS: dict[Termination, str] = {
    "cancelled": "interrupted",
    **dict.fromkeys(("time_limit", "actions_explored_limit", "fail_limit"), "cut_short"),
}


def abstention_word(termination: Termination) -> str:
    """Key of what is said without an answer: ``abstained`` only where the search came to its end,
    since there may be more to find after an interruption or a limit.
    """
    return _ABSTENTIONS.get(termination, "abstained")


def headline(result: FinalResult, words: Mapping[str, str]) -> str:
    """What the result is: an answer, a guess, an abstention or an error."""
    if result.status == "abstained":
        return words[abstention_word(result.termination)]
    if result.status == "error":
        return words["error"]
    return words["guess"] if result.status == "guess" else words["answer"]


def claim_mark(claim: Claim, words: Mapping[str, str]) -> str:
    """Label and score of a claim, and what its quotes lack."""
    if not claim.citations:
        return words["uncited"]
    if claim.support is None:
        return words["unchecked"]
    parts = [f"{words[claim.label]} ({claim.support.score:.2f})"]
    if claim.support.missing:
        parts.append(f"{words['missing']}: {', '.join(claim.support.missing)}")
    return "; ".join(parts)


def reference_head(citation: Citation, words: Mapping[str, str]) -> str:
    """Title, date, page and heading path: where a person would look."""
    parts = [citation.title or words["untitled"]]
    if citation.date:
        parts.append(citation.date)
    if citation.page is not None:
        page = f"{words['page']} {citation.page}"
        parts.append(page if words["page"] == "p." else f"{page} 页")
    if citation.heading_path:
        parts.append(" > ".join(citation.heading_path))
    return ", ".join(parts)


def reference_source(citation: Citation, words: Mapping[str, str]) -> str:
    """URI, 12 digits of the source's hash, and what the check of the source found."""
    text = f"{citation.uri} · sha256 {citation.source_sha256[:12]}"
    if not citation.exists:
        why = words["changed"] if citation.source_check == "changed" else words["gone"]
        return f"{text} · {words['not_verified']}: {why}"
    return f"{text} · {words['absent']}" if citation.source_check == "absent" else text


def show_command(result: FinalResult, number: int, citation: Citation) -> str:
    """The command that prints the cited text."""
    target = f"{citation.doc_id}:{citation.start}-{citation.end}"
    if result.run_dir:
        target = f"{Path(result.run_dir).name}#{number}"
    return f"deepsearch show {target}"


def clue_line(clue: UnmetClue, words: Mapping[str, str]) -> str:
    """A condition that was not confirmed, and how it stands."""
    return f"{clue.clue} ({words['unmet' if clue.status == 'unmet' else 'contradicted_clue']})"


def about(result: FinalResult, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Both rates, cost, end and identity of the search, as (name, value)."""
    citations = [citation for claim in result.claims for citation in claim.citations]
    rows = [
        (
            words["citations_exist"],
            _rate([citation.exists for citation in citations], result.rates.citations_exist, words),
        ),
        (
            words["claims_supported"],
            _rate(
                [claim.label == "supported" for claim in result.claims],
                result.rates.claims_supported,
                words,
            ),
        ),
        (
            words["tokens"],
            words["tokens_value"].format(
                evaluated=result.usage.prompt_evaluated,
                reused=result.usage.prompt_reused,
                completion=result.usage.completion,
            ),
        ),
        (words["seconds"], f"{result.seconds:.1f}"),
        (words["ended"], f"{words[f'end_{result.termination}']} ({result.termination})"),
        (words["model"], f"{result.model.name} · sha256 {result.model.sha256[:12]}"),
        (words["index"], f"{result.index.corpus} · {result.index.fingerprint[:12]}"),
        (words["seed"], str(result.seed)),
    ]
    if result.flags:
        rows.append((words["flags"], ", ".join(result.flags)))
    return rows


def reference_rows(
    result: FinalResult, words: Mapping[str, str]
) -> list[tuple[int, Citation, str, str, str]]:
    """(number, citation, head, source, show command) of each reference."""
    return [
        (
            number,
            citation,
            reference_head(citation, words),
            reference_source(citation, words),
            show_command(result, number, citation),
        )
        for number, citation in references(result.claims)
    ]


def _rate(passed: Sequence[bool], rate: float | None, words: Mapping[str, str]) -> str:
    if rate is None or not passed:
        return words["nothing_to_count"]
    return f"{sum(passed)} {words['of']} {len(passed)} ({rate:.2f})"
