"""answer_html: a final result as one self-contained page, without script and without references to
anything outside it.
"""

from collections.abc import Mapping
from html import escape

from corpora.store import DocumentStore
from search_agent.evidence.answer_parts import (
    about,
    claim_mark,
    clue_line,
    headline,
    reference_rows,
)
from search_agent.evidence.numbering import number_by_claim
from search_agent.evidence.records import Citation
from search_agent.evidence.strings import language_of, strings_for
from search_agent.final_result import FinalResult

CONTEXT_CHARS = 200
_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#1b1b1b;background:#fff}
.answer{font-size:1.3rem;font-weight:600}
.status{font-weight:600}
.guess,.abstained,.error,.unsupported,.contradicted,.uncited,.broken{color:#a02000}
.partial,.unchecked{color:#7a5a00}
.supported{color:#1d6b2f}
blockquote{margin:.4rem 0;padding:.4rem .8rem;border-left:3px solid #ccc;white-space:pre-wrap}
mark{background:#fff2a8}
li:target{background:#f3f7ff}
.around{color:#777}
code{font-size:.85rem}
small{color:#555;overflow-wrap:anywhere}
"""


def answer_html(
    result: FinalResult, *, store: DocumentStore | None = None, context: int = CONTEXT_CHARS
) -> str:
    """The page; with a store, each quote stands between ``context`` code points of its document."""
    words = strings_for(result.question)
    question = escape(result.question)
    body = [f"<h1>{question}</h1>"]
    body.append(f'<p class="status {result.status}">{escape(headline(result, words))}</p>')
    if result.answer is not None:
        body.append(f'<p class="answer">{escape(result.answer)}</p>')
    if result.status == "error" and (result.error or result.message):
        body.append(f"<p>{escape(result.error or result.message)}</p>")
    body += _claims(result, words)
    body += _references(result, words, store, context)
    if result.unmet_clues:
        body.append(f"<h2>{escape(words['unmet_clues'])}</h2><ul>")
        body += [f"<li>{escape(clue_line(clue, words))}</li>" for clue in result.unmet_clues]
        body.append("</ul>")
    body.append(f"<h2>{escape(words['about'])}</h2><dl>")
    body += [f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in about(result, words)]
    body.append("</dl>")
    # the policy makes a browser refuse whatever escaping might have missed
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{language_of(result.question)}">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{question}</title><style>{_STYLE}</style></head>",
            "<body>",
            *body,
            "</body></html>",
            "",
        ]
    )


def _claims(result: FinalResult, words: Mapping[str, str]) -> list[str]:
    if not result.claims:
        return []
    lines = [f"<h2>{escape(words['claims'])}</h2><ul>"]
    for claim, numbered in zip(result.claims, number_by_claim(result.claims), strict=True):
        marks = "".join(f'<a href="#ref-{number}">[{number}]</a>' for number, _ in numbered)
        kind = claim.label if claim.citations else "uncited"
        mark = f'<span class="{kind}">{escape(claim_mark(claim, words))}</span>'
        lines.append(f"<li>{escape(claim.text)} {marks} {mark}</li>")
    return [*lines, "</ul>"]


def _references(
    result: FinalResult, words: Mapping[str, str], store: DocumentStore | None, context: int
) -> list[str]:
    rows = reference_rows(result, words)
    if not rows:
        return []
    lines = [f"<h2>{escape(words['references'])}</h2><ol>"]
    for number, citation, head, source, command in rows:
        before, after = _around(citation, store, context)
        kind = "" if citation.exists else ' class="broken"'
        lines.append(
            f'<li id="ref-{number}" value="{number}">{escape(head)}'
            f'<blockquote><span class="around">{escape(before)}</span>'
            f"<mark>{escape(citation.quote)}</mark>"
            f'<span class="around">{escape(after)}</span></blockquote>'
            f"<small{kind}>{escape(source)}</small><br><code>{escape(command)}</code></li>"
        )
    return [*lines, "</ol>"]


def _around(citation: Citation, store: DocumentStore | None, context: int) -> tuple[str, str]:
    """Text before and after the quote; nothing where the stored text is not the cited one."""
    document = store.document(citation.doc_id) if store is not None else None
    if document is None or document.text[citation.start : citation.end] != citation.quote:
        return "", ""
    before = document.text[max(0, citation.start - context) : citation.start]
    return before, document.text[citation.end : citation.end + context]
