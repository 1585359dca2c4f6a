"""Ruled tables of PDFs: a row is a segment, a cell is between bars."""

from fpdf import FPDF

from tests.ingest.pdf_pages import LEFT, TOP, column, draw, ingested, new_page
from tests.ingest.workbench import Workbench

ROWS = [
    ("Village", "Households", "Delivered 2023, m³"),
    ("Dunmarrow", "141", "1,374"),
    ("Upper Brake", "47", "428"),
]


def table_pdf(rows: list[tuple[str, ...]], **style: object) -> FPDF:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Times", size=11)
    pdf.cell(text="Water reached the meters of all villages.", new_x="LMARGIN", new_y="NEXT")
    with pdf.table(**style) as table:  # type: ignore[arg-type]
        for row in rows:
            table.row(row)
    pdf.cell(text="The rest is leakage.")
    return pdf


def test_a_row_is_a_segment_that_knows_its_header_and_its_place(bench: Workbench):
    ingested(bench, table_pdf(ROWS))

    found = bench.segments("a.pdf")

    assert [(segment.kind, text) for segment, text in found] == [
        ("sentence", "Water reached the meters of all villages."),
        ("table_row", "Village | Households | Delivered 2023, m³"),
        ("table_row", "Dunmarrow | 141 | 1,374"),
        ("table_row", "Upper Brake | 47 | 428"),
        ("sentence", "The rest is leakage."),
    ]
    header = found[1][0].segment_id
    cells = [segment.table for segment, _ in found if segment.table]
    assert [(cell.row, cell.header_segment) for cell in cells] == [
        (0, None),
        (1, header),
        (2, header),
    ]
    dunmarrow = found[2][0]
    assert len(dunmarrow.boxes) == 3
    assert [box.x0 for box in dunmarrow.boxes] == sorted(box.x0 for box in dunmarrow.boxes)
    assert len({box.y0 for box in dunmarrow.boxes}) == 1


def test_a_cell_of_several_lines_is_one_cell(bench: Workbench):
    long = "It was examined in the second week of August and found to hold more lime than we like."
    rows = [("Sample", "Finding"), ("Old Marjory", long), ("Pell Shoulder", "without a finding")]

    assert ingested(bench, table_pdf(rows, col_widths=(30, 40), width=90))[1:4] == [
        "Sample | Finding",
        f"Old Marjory | {long}",
        "Pell Shoulder | without a finding",
    ]


def test_empty_cells_keep_their_place(bench: Workbench):
    rows = [("Work", "Boots", "Harness"), ("sweeping", "yes", ""), ("climbing", "", "yes")]

    assert ingested(bench, table_pdf(rows))[1:4] == [
        "Work | Boots | Harness",
        "sweeping | yes |",
        "climbing |  | yes",
    ]


def test_a_cell_that_spans_columns_is_one_cell(bench: Workbench):
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Times", size=11)
    with pdf.table() as table:
        row = table.row()
        row.cell("Water of the year 2023 in cubic metres", colspan=3, align="C")
        for cells in ROWS:
            table.row(cells)

    assert ingested(bench, pdf)[:2] == [
        "Water of the year 2023 in cubic metres",
        "Village | Households | Delivered 2023, m³",
    ]


def test_lines_between_the_cells_alone_make_a_table_too(bench: Workbench):
    texts = ingested(bench, table_pdf(ROWS, borders_layout="INTERNAL"))

    assert "Dunmarrow | 141 | 1,374" in texts


def test_a_table_goes_on_over_the_page_and_its_header_counts_once(bench: Workbench):
    rows = [("Station", "Nets"), *((f"Station {n}", str(n)) for n in range(1, 70))]
    texts = ingested(bench, table_pdf(rows))

    found = [(s, t) for s, t in bench.segments("a.pdf") if s.table is not None]

    assert texts.count("Station | Nets") == 3 == len({s.page for s, _ in found})
    assert [s.role for s, t in found if t == "Station | Nets"] == ["body", "header", "header"]
    (header,) = (s for s, t in found if t == "Station | Nets" and s.role == "body")
    last = next(s for s, t in found if t == "Station 69 | 69")
    assert last.table is not None
    assert (last.table.row, last.table.header_segment) == (69, header.segment_id)


def test_a_frame_around_prose_is_no_table(bench: Workbench):
    pdf = new_page()
    pdf.rect(LEFT - 5, TOP - 15, 300, 60)
    draw(pdf, column(LEFT, ["Whoever reads this frame finds", "one sentence in it."]))

    (segment,) = [s for s, _ in bench.segments("a.pdf")] if ingested(bench, pdf) else []

    assert segment.kind == "sentence"


def test_the_axes_of_a_drawing_are_no_table(bench: Workbench):
    pdf = new_page()
    for step in range(6):
        pdf.line(LEFT, TOP + 40 * step, LEFT + 300, TOP + 40 * step)
        pdf.line(LEFT + 60 * step, TOP, LEFT + 60 * step, TOP + 200)
    draw(pdf, [(LEFT - 30, TOP + 40 * step, f"{5 - step}0") for step in range(6)])
    draw(pdf, [(LEFT, TOP + 240, "Litres of each night of the month.")])
    ingested(bench, pdf)

    assert not any(segment.kind == "table_row" for segment, _ in bench.segments("a.pdf"))


def test_lines_drawn_from_right_to_left_and_upwards_make_cells_too(bench: Workbench):
    pdf = new_page()
    left, middle, right = LEFT, LEFT + 120, LEFT + 240
    heights = [TOP - 10, TOP + 10, TOP + 30]
    for y in heights:
        pdf.line(right, y, left, y)
    for x in (left, middle, right):
        pdf.line(x, heights[-1], x, heights[0])
    draw(pdf, [(left + 4, TOP, "Village"), (middle + 4, TOP, "Households")])
    draw(pdf, [(left + 4, TOP + 20, "Dunmarrow"), (middle + 4, TOP + 20, "141")])

    assert ingested(bench, pdf) == ["Village | Households", "Dunmarrow | 141"]
