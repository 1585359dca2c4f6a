"""Discovered clues: the two formats, what a bad entry is told, and when an elimination binds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_agent.state_space.clues import (
    binding_eliminations,
    check_blacklist,
    check_report,
    eliminations_of,
    merge_repeats,
    parse_elimination,
    render_elimination,
    render_report,
    rewrite_sources,
    rules_out,
)
from search_agent.state_space.records import Assumption, Elimination, State, Variable

GOOD_ELIMINATION = (
    "ELIMINATES: Oda Brandt - joined the survey in 1915, the catalogue is of 1911"
    " [assumes 2=Korren Isles] | Sources: S52"
)
GOOD_REPORT = (
    "REPORT: History: Began with island botanists of 1900-1920; Piet Aldana dropped, his survey is"
    ' of the mainland [S31]. Candidate: Ilse Varga, met through "Korren Isles flora catalogue"; the'
    " 1911 catalogue names her [S40], the press ledger lists her diary [S44]; a query for other"
    " cataloguers gave none. | Sources: S31, S40, S44"
)
PERSON = Variable(id=1, type="Person", question_clues=("catalogued the flora of [V2]",))


def words(text: str) -> int:
    return len(text.split())


def report_faults(
    *entries: str, previous: Variable = PERSON, candidate: str | None = "Ilse Varga"
) -> list[str]:
    return check_report(
        entries, previous=previous, candidate=candidate, count_tokens=words, limit=80
    )


def eliminates(text: str, variable_id: int = 1) -> Elimination:
    parsed = parse_elimination(text, variable_id=variable_id)
    assert isinstance(parsed, Elimination), parsed
    return parsed


def test_the_documented_elimination_is_read_into_its_parts() -> None:
    assert parse_elimination(GOOD_ELIMINATION, variable_id=1) == Elimination(
        variable_id=1,
        candidate="Oda Brandt",
        reason="joined the survey in 1915, the catalogue is of 1911",
        sources=("S52",),
        assumptions=(Assumption(2, "Korren Isles"),),
    )
    assert check_blacklist([GOOD_ELIMINATION], variable_id=1) == []


def test_the_documented_bad_elimination_lacks_exactly_three_parts() -> None:
    assert check_blacklist(["Brandt is probably not right"], variable_id=1) == [
        "entry 1 lacks `ELIMINATES:` at its start, the separator ` - ` before its reason,"
        " `| Sources:` with at least one id"
    ]


@pytest.mark.parametrize(
    ("entry", "lacks"),
    [
        ("ELIMINATES: Brandt - too late", "`| Sources:` with at least one id"),
        ("ELIMINATES: Brandt - too late | Sources: ", "`| Sources:` with at least one id"),
        ("ELIMINATES: Brandt too late | Sources: S1", "the separator ` - ` before its reason"),
        ("ELIMINATES: - too late | Sources: S1", "a target"),
        ("ELIMINATES: Brandt - | Sources: S1", "a reason"),
        ("Brandt - too late | Sources: S1", "`ELIMINATES:` at its start"),
        (
            "ELIMINATES: Brandt - late [assumes the island] | Sources: S1",
            "a readable `[assumes <id>=<value>]`",
        ),
        (
            "ELIMINATES: Brandt - late [assumes 2=Korren | Sources: S1",
            "a readable `[assumes <id>=<value>]`",
        ),
    ],
)
def test_a_bad_elimination_is_told_the_one_part_it_lacks(entry: str, lacks: str) -> None:
    assert parse_elimination(entry, variable_id=1) == [lacks]


def test_faults_carry_the_number_of_their_entry() -> None:
    entries = [GOOD_ELIMINATION, "ELIMINATES: Brandt - too late"]
    assert check_blacklist(entries, variable_id=1) == [
        "entry 2 lacks `| Sources:` with at least one id"
    ]


@pytest.mark.parametrize("dash", ["-", "–", "—"])
def test_each_of_the_three_dashes_separates_target_and_reason(dash: str) -> None:
    entry = eliminates(f"ELIMINATES: Jean-Luc Brandt {dash} dead - in 1900 | Sources: S1")
    assert (entry.candidate, entry.reason) == ("Jean-Luc Brandt", "dead - in 1900")


PARTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1).filter(
    lambda text: bool(text.strip())
)


@settings(deadline=None)
@given(target=PARTS, reason=PARTS, value=PARTS)
def test_whatever_the_parts_say_a_rendered_elimination_is_read_as_one(
    target: str, reason: str, value: str
) -> None:
    entry = render_elimination(target, reason, ["S1", "D2"], [(2, value)])
    parsed = parse_elimination(entry, variable_id=1)
    if isinstance(parsed, Elimination):
        assert parsed.sources == ("S1", "D2")
        assert [a.variable_id for a in parsed.assumptions] == [2]
    else:  # a target or reason made of nothing but dashes cannot be told from the separator
        assert {" ".join(target.split())[0], " ".join(reason.split())[-1]} & set("-–—")


def test_a_separator_inside_a_target_survives_rendering() -> None:
    entry = eliminates(render_elimination("Varga - Sohn", "a firm", ["S1"]))
    assert rules_out(entry, "Varga - Sohn")


def test_repeats_of_a_target_are_merged_and_their_sources_united() -> None:
    entries = [
        "ELIMINATES: Oda Brandt - too late | Sources: S1",
        "ELIMINATES: Piet Aldana - mainland | Sources: S3",
        "ELIMINATES: “oda  brandt” - born 1900 | Sources: S2, S1",
        "ELIMINATES: Oda Brandt - elsewhere [assumes 2=Korren Isles] | Sources: S4",
    ]
    assert merge_repeats(entries, 1) == [
        "ELIMINATES: Oda Brandt - too late | Sources: S1, S2",
        "ELIMINATES: Piet Aldana - mainland | Sources: S3",
        "ELIMINATES: Oda Brandt - elsewhere [assumes 2=Korren Isles] | Sources: S4",
    ]


@pytest.mark.parametrize(
    ("target", "candidate", "is_ruled_out"),
    [
        ("Oda Brandt", "Oda Brandt", True),
        ("“ODA  brandt”.", "Oda Brandt", True),
        ("Piet Aldana; Oda Brandt", "Oda Brandt", True),
        ("Piet Aldana; Oda Brandt", "Piet Aldana; Oda Brandt", True),
        ("Oda Brandt (botanist)", "Oda Brandt", True),
        ("Piet Aldana (d. 1899); Oda Brandt (botanist)", "Oda Brandt", True),
        ("奥达·布兰特（植物学家）；皮特", "奥达·布兰特", True),
        ("Oda Brandt", "Oda Brandt Jr", False),
        ("any mainland botanist", "Oda Brandt", False),
        ("Brandt", "Oda Brandt", False),
    ],
)
def test_a_target_rules_out_names_whole_in_a_list_and_without_parenthesis(
    target: str, candidate: str, is_ruled_out: bool
) -> None:
    entry = Elimination(variable_id=1, candidate=target, reason="r", sources=("S1",))
    assert rules_out(entry, candidate) is is_ruled_out


def test_an_elimination_binds_while_its_assumption_holds_and_always_without_one() -> None:
    clues = (GOOD_ELIMINATION, "ELIMINATES: Piet Aldana - mainland | Sources: S31")
    person = Variable(id=1, type="Person", question_clues=("c",), discovered_clues=clues)

    def state(island: str | None) -> State:
        place = Variable(id=2, type="Island", question_clues=("c",), candidate=island)
        return State(state=(person, place), answer_variable=1)

    def binding(island: str | None) -> list[str]:
        return [item.candidate for item in binding_eliminations(state(island))]

    assert [item.candidate for item in eliminations_of(state(None))] == [
        "Oda Brandt",
        "Piet Aldana",
    ]
    assert binding("korren isles") == ["Oda Brandt", "Piet Aldana"]
    assert binding("Halden") == ["Piet Aldana"]
    assert binding(None) == ["Piet Aldana"]


def test_search_wide_eliminations_come_after_those_of_the_branch() -> None:
    wide = Elimination(
        variable_id=1, candidate="Rasmus Lind", reason="r", sources=("S9",), scope="search"
    )
    state = State(state=(PERSON,), answer_variable=1)
    assert binding_eliminations(state, [wide]) == [wide]


def test_the_documented_report_passes() -> None:
    assert report_faults(GOOD_REPORT) == []


def test_the_documented_bad_report_has_exactly_four_faults() -> None:
    assert report_faults("REPORT: Varga fits best, see the catalogue", "Aldana is out") == [
        "2 entries; exactly one is allowed",
        "`History:` is missing",
        "`Candidate:` is missing",
        "no sources",
    ]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("History: a Candidate: Ilse Varga | Sources: S1", "`REPORT:` is missing at the start"),
        (
            "REPORT: History: a History: b Candidate: Ilse Varga | Sources: S1",
            "`History:` stands 2 times",
        ),
        (
            "REPORT: Candidate: Ilse Varga History: a | Sources: S1",
            "`History:` must come before `Candidate:`",
        ),
        ("REPORT: History: Candidate: Ilse Varga | Sources: S1", "`History:` is blank"),
        (
            "REPORT: History: a Candidate: the cataloguer | Sources: S1",
            "`Candidate:` does not name the candidate 'Ilse Varga'",
        ),
        ("REPORT: History: a Candidate: Ilse Varga | Sources:", "no sources"),
        ("REPORT: History: a Candidate: Ilse Varga", "no sources"),
        (
            f"REPORT: History: {'a ' * 80} Candidate: Ilse Varga | Sources: S1",
            f"{1 + 1 + 80 + 1 + 2 + 3} tokens; at most 80 are allowed",
        ),
    ],
)
def test_a_bad_report_is_told_its_one_fault(entry: str, fault: str) -> None:
    assert report_faults(entry) == [fault]


def test_no_report_at_all_is_a_fault() -> None:
    assert report_faults() == ["no entry; exactly one `REPORT:` entry is needed"]


def test_a_variable_without_candidate_has_a_report_with_a_blank_candidate_part() -> None:
    blank = render_report("Registers searched, none named.", "", ["S1"])
    assert report_faults(blank, candidate=None) == []
    assert report_faults(GOOD_REPORT, candidate=None) == [
        "`Candidate:` must be blank while the variable has no candidate"
    ]


def test_a_previous_report_pasted_into_history_is_refused() -> None:
    before = Variable(
        id=1,
        type="Person",
        question_clues=("c",),
        candidate="Ilse Varga",
        discovered_clues=(render_report("Began with botanists.", "Ilse Varga, by S2", ["S2"]),),
    )
    repeated = ["`History:` repeats the previous report; rewrite it shorter"]
    pasted = render_report(
        "Began with botanists. Ilse Varga, by S2 Then the ledger.", "Ilse Varga, by S3", ["S3"]
    )
    rewritten = render_report("Botanists first, then the ledger.", "Ilse Varga, by S3", ["S3"])
    assert report_faults(pasted, previous=before) == repeated
    assert report_faults(before.discovered_clues[0], previous=before) == repeated
    assert report_faults(rewritten, previous=before) == []


def test_a_changed_candidate_needs_a_history_that_names_the_old_one() -> None:
    before = Variable(id=1, type="Person", question_clues=("c",), candidate="Piet Aldana")
    silent = render_report("Botanists searched.", "Ilse Varga, by S2", ["S2"])
    naming = render_report("PIET ALDANA was of the mainland.", "Ilse Varga, by S2", ["S2"])
    assert report_faults(silent, previous=before) == [
        "`History:` does not say why 'Piet Aldana' was dropped"
    ]
    assert report_faults(naming, previous=before) == []


def test_markers_inside_the_parts_do_not_break_a_rendered_report() -> None:
    entry = render_report("History: of the press", "Candidate: Ilse Varga | Sources: none", ["S2"])
    assert report_faults(entry) == []


@pytest.mark.parametrize(
    ("sources", "rewritten"),
    [
        ("corpus:///ledger.txt, S4", "D7, S4"),
        ("ledger of the HALDEN press", "D7"),
        ("Flora, Fauna, and Fungi, S4", "D9, S4"),
        ("S4, S4", "S4"),
        ("unknown.pdf", "unknown.pdf"),
    ],
)
def test_a_uri_or_title_of_a_seen_document_becomes_its_id(sources: str, rewritten: str) -> None:
    aliases = {
        "corpus:///ledger.txt": "D7",
        "Ledger of the Halden Press": "D7",
        "Flora, Fauna, and Fungi": "D9",
    }
    entry = f"ELIMINATES: Brandt - late | Sources: {sources}"
    assert rewrite_sources(entry, aliases) == f"ELIMINATES: Brandt - late | Sources: {rewritten}"
