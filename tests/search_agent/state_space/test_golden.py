"""The golden trajectory: every event of one two-hop search, so that a change of course is seen.

After a change of prompts or workflow renew it and read the difference:
``python -m tests.search_agent.state_space.test_golden``
"""

import tempfile
from pathlib import Path

from corpora.canonical_json import canonical_json
from tests.search_agent.conftest import ToyCorpus
from tests.search_agent.scripted_search import TWO_HOPS, ScriptedSearch, add_korren_documents

GOLDEN = Path(__file__).parents[2] / "golden" / "search.jsonl"
RENEW = f"renew with: python -m {'.'.join(Path(__file__).with_suffix('').parts[-4:])}"


def trajectory(folder: Path) -> list[str]:
    """The events without times and hashes, one canonical line each."""
    corpus = ToyCorpus(folder / "corpus")
    add_korren_documents(corpus)
    search = ScriptedSearch(corpus.open(), corpus.source_root, folder)
    search.ask(TWO_HOPS)
    search.model.assert_finished()
    return [
        canonical_json({"seq": event.seq, "kind": event.kind, "data": event.data})
        for event in search.recorded()
    ]


def test_the_two_hop_search_goes_as_it_did(tmp_path):
    now = trajectory(tmp_path)
    then = GOLDEN.read_text(encoding="utf-8").splitlines()
    for new, old in zip(now, then, strict=False):
        assert new == old, RENEW
    assert len(now) == len(then), RENEW


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        GOLDEN.write_text("\n".join(trajectory(Path(folder))) + "\n", encoding="utf-8")
