"""Near-duplicates: groups of documents that say almost the same, and which of each would be kept.

They are told, no more: all stay searchable. Candidates are found by banding: of 32 bands of 4
signature entries, two texts that have 0.8 of their triples in common share one but for a chance of
10⁻⁷; each candidate is then compared whole.
"""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ingest.minhash import N_HASHES, likeness, signature_of
from ingest.report import NearDuplicate
from ingest.writer import StoreWriter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROWS_PER_BAND = 4


class _Described(NamedTuple):
    """What of a document decides whether it survives."""

    path: str
    date: str
    n_chars: int
    supersedes: str


def near_duplicates(writer: StoreWriter, *, least: float) -> list[NearDuplicate]:
    """Documents at least ``least`` alike, by survivor and path; none where ``least`` is 0.

    Signatures that are missing, as after an ingest by an earlier version, are made and stored.
    """
    if least == 0:
        return []
    described, signatures = _signed(writer)
    if len(described) < 2:
        return []
    found = []
    for group in _groups(signatures, least):
        members = [described[index] for index in group]
        order = sorted(range(len(group)), key=lambda n: _rank(members[n], members))
        survivor = members[order[0]]
        for n in order[1:]:
            alike = likeness(signatures[group[order[0]]], signatures[group[n]])
            duplicate = NearDuplicate(
                path=members[n].path,
                survivor=survivor.path,
                similarity=round(alike, 2),
                reason=_reason(survivor, members[n]),
            )
            found.append(duplicate)
    return sorted(found, key=lambda each: (each.survivor, each.path))


def _signed(writer: StoreWriter) -> "tuple[list[_Described], NDArray[np.uint32]]":
    import numpy as np

    described: list[_Described] = []
    signatures = bytearray()
    new: dict[str, bytes] = {}
    for row, stored in writer.signatures():
        signature = stored
        if signature is None:
            signature = new[row["doc_id"]] = signature_of(writer.text(row["doc_id"]))
        if signature:
            superseded = json.loads(row["metadata"]).get("supersedes", "")
            path = row["uri"].removeprefix("corpus:///")
            superseded = superseded.removeprefix("corpus:///")
            described.append(_Described(path, row["date"] or "", row["n_chars"], superseded))
            signatures += signature
    if new:
        with writer.transaction():
            for doc_id, signature in new.items():
                writer.save_signature(doc_id, signature)
    packed = np.frombuffer(signatures, dtype="<u4").reshape(-1, N_HASHES)
    return described, packed  # (n, N_HASHES) uint32


def _groups(signatures: "NDArray[np.uint32]", least: float) -> list[list[int]]:
    """Indices of documents that are alike, directly or over others, each group ascending."""
    leaders = list(range(len(signatures)))

    def leader(index: int) -> int:
        while leaders[index] != index:
            leaders[index] = leaders[leaders[index]]
            index = leaders[index]
        return index

    for one, other in _candidates(signatures):
        first, second = sorted((leader(one), leader(other)))
        if first != second and likeness(signatures[one], signatures[other]) >= least:
            leaders[second] = first
    groups: dict[int, list[int]] = {}
    for index in range(len(signatures)):
        groups.setdefault(leader(index), []).append(index)
    return [group for group in groups.values() if len(group) > 1]


def _candidates(signatures: "NDArray[np.uint32]") -> Iterator[tuple[int, int]]:
    """Neighbours among the documents that share a band."""
    import numpy as np

    for start in range(0, N_HASHES, _ROWS_PER_BAND):
        band = np.ascontiguousarray(signatures[:, start : start + _ROWS_PER_BAND])
        keys = band.view(np.dtype((np.void, band.dtype.itemsize * _ROWS_PER_BAND))).ravel()
        order = np.argsort(keys, kind="stable")
        same = np.flatnonzero(keys[order[1:]] == keys[order[:-1]])
        yield from zip(order[same].tolist(), order[same + 1].tolist(), strict=True)


def _rank(one: _Described, group: list[_Described]) -> tuple[bool, str, int, str]:
    """Less is better: not superseded, newer, longer, first by path."""
    is_superseded = any(other.supersedes == one.path for other in group)
    newest_first = "".join(chr(0x10FFFF - ord(digit)) for digit in one.date) or "\U0010ffff"
    return is_superseded, newest_first, -one.n_chars, one.path


def _reason(survivor: _Described, other: _Described) -> str:
    if survivor.supersedes == other.path:
        return "corpus.toml says that the survivor supersedes it"
    if survivor.date != other.date:
        return f"the survivor is dated {survivor.date}, this one {other.date or 'not at all'}"
    if survivor.n_chars != other.n_chars:
        return f"the survivor is longer: {survivor.n_chars} characters against {other.n_chars}"
    return "the survivor comes first by path"
