"""Records, source code and reStructuredText: what a line of the file is, a citation shows."""

import json

from tests.ingest.workbench import Workbench


def test_each_record_of_json_lines_is_one_segment_of_key_and_value_lines(
    bench: Workbench,
) -> None:
    records = [
        {"id": 1, "part": "seal", "maker": {"name": "Weir", "town": "Korren"}, "tags": ["a", "b"]},
        {"id": 2, "part": "ring", "sizes": [{"mm": 4}, {"mm": 5.5}], "old": None, "used": True},
    ]
    bench.write("parts.jsonl", "\n".join(json.dumps(record) for record in records))

    bench.ingest()

    assert [t for _, t in bench.segments("parts.jsonl")] == [
        "id: 1\npart: seal\nmaker.name: Weir\nmaker.town: Korren\ntags: a, b",
        "id: 2\npart: ring\nsizes[0].mm: 4\nsizes[1].mm: 5.5\nold: null\nused: true",
    ]


def test_a_long_record_is_cited_line_by_line_and_sentence_by_sentence(bench: Workbench) -> None:
    words = "The pump ran well. " * 40 + "Then it stopped."
    bench.write("log.json", json.dumps([{"title": "A year", "text": words}]))

    bench.ingest()

    found = [t for _, t in bench.segments("log.json")]
    assert found[:3] == ["title: A year", "text: The pump ran well.", "The pump ran well."]
    assert found[-1] == "Then it stopped."


def test_lists_of_records_inside_an_object_stand_below_their_key(bench: Workbench) -> None:
    bench.write("plant.json", json.dumps({"name": "Korren", "pumps": [{"id": 1}, {"id": 2}]}))

    bench.ingest()

    assert [(t, s.heading_path) for s, t in bench.segments("plant.json")] == [
        ("name: Korren", ()),
        ("pumps", ()),
        ("id: 1", ("pumps",)),
        ("id: 2", ("pumps",)),
    ]


def test_faulty_json_keeps_what_can_be_read_and_says_what_cannot(bench: Workbench) -> None:
    bench.write("lines.jsonl", '{"a": 1}\nnot json\n{"a": 2}\n')
    bench.write("comment.json", '{\n  // the port\n  "port": 80\n}\n')
    bench.write("none.jsonl", "not json\n")
    bench.write("deep.json", "[" * 100_000)
    bench.write("deep.jsonl", '{"a": 1}\n' + "[" * 100_000 + "\n")
    bench.write("lines.json", '{"a": 1}\n{"a": 2}\n')

    report = bench.ingest()

    assert {p.path: (p.state, p.reason.partition(" (")[0]) for p in report.problems} == {
        "comment.json": ("partial", "not JSON"),
        "deep.json": ("corrupt", "nested too deep for the json reader"),
        "deep.jsonl": ("partial", "line 2: nested too deep"),
        "lines.jsonl": ("partial", "line 2: not JSON"),
        "none.jsonl": ("corrupt", "line 1: not JSON"),
    }
    assert [t for _, t in bench.segments("lines.jsonl")] == ["a: 1", "a: 2"]
    assert [t for _, t in bench.segments("lines.json")] == ["a: 1", "a: 2"]
    assert '"port": 80' in bench.document("comment.json").text


def test_source_code_is_itself_in_groups_that_begin_at_the_margin(bench: Workbench) -> None:
    source = (
        '"""Pumps."""\n\n\ndef start() -> None:\n    run()\n\n    wait()\n\n\n'
        "# stops it\ndef stop() -> None:\n    halt()\n"
    )
    bench.write("pump.py", source)

    bench.ingest()

    assert bench.document("pump.py").text == source
    assert [(s.kind, t) for s, t in bench.segments("pump.py")] == [
        ("code", '"""Pumps."""'),
        ("code", "def start() -> None:\n    run()\n\n    wait()"),
        ("code", "# stops it\ndef stop() -> None:\n    halt()"),
    ]


def test_rst_is_itself_with_headings_items_code_and_hidden_comments(bench: Workbench) -> None:
    source = """\
=====
Pumps
=====

:date: 2021-02-03

Every pump has *one* motor. It is
of brass.

Care
----

.. a comment nobody sees

.. note:: Mind the step.

   It is high.

* oil
* a wrench

Run it so::

    $ pump start

    $ pump stop

.. code-block:: python
   :linenos:

   start()

+------+-------+
| Part | Price |
+------+-------+

.. _target: https://example.org
.. [1] A footnote.

Parts
=====

The end.
"""
    bench.write("pumps.rst", source)

    bench.ingest()

    assert bench.document("pumps.rst").text == source
    found = bench.segments("pumps.rst")
    care = ("Pumps", "Care")
    assert [(s.kind, t, s.heading_path, s.hidden, s.role) for s, t in found] == [
        ("heading", "Pumps", (), False, "body"),
        ("sentence", ":date: 2021-02-03", ("Pumps",), False, "body"),
        ("sentence", "Every pump has *one* motor.", ("Pumps",), False, "body"),
        ("sentence", "It is\nof brass.", ("Pumps",), False, "body"),
        ("heading", "Care", ("Pumps",), False, "body"),
        ("sentence", ".. a comment nobody sees", care, True, "body"),
        ("sentence", "Mind the step.", care, False, "body"),
        ("sentence", "It is high.", care, False, "body"),
        ("list_item", "oil", care, False, "body"),
        ("list_item", "a wrench", care, False, "body"),
        ("sentence", "Run it so::", care, False, "body"),
        ("code", "    $ pump start\n\n    $ pump stop", care, False, "body"),
        ("code", "   start()", care, False, "body"),
        ("code", "+------+-------+\n| Part | Price |\n+------+-------+", care, False, "body"),
        ("sentence", "A footnote.", care, False, "note"),
        ("heading", "Parts", care, False, "body"),
        ("sentence", "The end.", (*care, "Parts"), False, "body"),
    ]
    assert bench.document("pumps.rst").date == "2021-02-03"
