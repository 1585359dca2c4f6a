"""EvidenceLedger: short ids in order of first sight."""

import threading

from search_agent.evidence.ledger import EvidenceLedger


def test_ids_count_from_one_in_order_of_first_sight(corpus, shown):
    corpus.add("a.txt", "Halden one.", "Halden two.")
    corpus.add("b.txt", "Other text.", "Halden three.")
    ledger = shown(corpus.open())
    assert [item.segment_id for item in ledger.in_order] == ["S1", "S2", "S3", "S4"]
    assert {item.document_id for item in ledger.in_order} == {"D1", "D2"}
    assert len(ledger) == 4


def test_the_text_is_the_document_between_the_offsets(corpus, shown):
    corpus.add("a.txt", "Halden 🏔️ Pressé.", "由哈尔登出版社印刷。Halden", "𝔘nd Halden")
    searcher = corpus.open()
    text = next(searcher.store.documents()).text
    ledger = shown(searcher)
    assert [item.text for item in ledger.in_order] == text.split("\n")
    assert all(item.text == text[item.start : item.end] for item in ledger.in_order)


def test_a_segment_seen_again_keeps_its_id_and_its_first_query(corpus, shown):
    corpus.add("a.txt", "Halden one.")
    searcher = corpus.open()
    ledger = shown(searcher)
    (hit,) = searcher.search(["one"], k=1)[0]
    again = ledger.register(
        hit, hit.segments[0], action_id="later", call_id="c2", tool="retrieve", query="one"
    )
    assert again is ledger.get("S1")
    assert again.query == "halden"
    assert len(ledger) == 1


def test_two_ledgers_share_nothing(corpus, shown):
    corpus.add("a.txt", "Halden one.")
    searcher = corpus.open()
    shown(searcher)
    assert len(EvidenceLedger()) == 0
    assert EvidenceLedger().get("S1") is None


def test_a_restored_ledger_goes_on_counting(corpus, shown):
    corpus.add("a.txt", *(f"Halden {number}." for number in range(120)))
    corpus.add("b.txt", "Only here.")
    searcher = corpus.open()
    ledger = shown(searcher)
    resumed = EvidenceLedger()
    resumed.restore(ledger.in_order)
    assert resumed.in_order == ledger.in_order
    (hit,) = searcher.search(["only"], k=1)[0]
    new = resumed.register(
        hit, hit.segments[0], action_id="a", call_id="c", tool="retrieve", query="only"
    )
    assert (new.segment_id, new.document_id) == ("S121", "D2")


def test_aliases_lead_from_uri_and_title_to_the_document(corpus, shown):
    corpus.add("a.txt", "Halden one.", title="Ledger")
    corpus.add("b.txt", "Halden two.", title="Ledger")
    corpus.add("c.txt", "Halden three.", title="Diary")
    ledger = shown(corpus.open())
    documents = {item.uri: item.document_id for item in ledger.in_order}
    assert ledger.aliases() == {**documents, "Diary": documents["corpus:///c.txt"]}


def test_threads_never_share_an_id(corpus):
    corpus.add("a.txt", *(f"Halden {number}." for number in range(60)))
    hits = corpus.open().search(["halden"], k=100)[0]
    ledger = EvidenceLedger()

    def register_all() -> None:
        for hit in hits:
            for segment in hit.segments:
                ledger.register(
                    hit, segment, action_id="a", call_id="c", tool="retrieve", query="halden"
                )

    threads = [threading.Thread(target=register_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [item.segment_id for item in ledger.in_order] == [f"S{n}" for n in range(1, 61)]
    assert len({(item.start, item.end) for item in ledger.in_order}) == 60
