"""A source text as a Word document."""

import io

from corpora.build_demo.archive import rewrite_zip
from corpora.build_demo.block import Block
from corpora.build_demo.targets import Target


def write_docx(blocks: list[Block], target: Target) -> bytes:
    """A document with real heading styles, bullet lists and grid tables; numbers are typed out."""
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.enum.text import WD_BREAK

    document = docx.Document()
    # The library's template holds 0.8 MB of table styles nobody uses here.
    for style in list(document.styles):
        if style.type == WD_STYLE_TYPE.TABLE and style.name not in {"Normal Table", "Table Grid"}:
            style.delete()
    for key, relation in list(document.part.rels.items()):
        if relation.reltype.endswith("/stylesWithEffects"):
            document.part.rels.pop(key)
    properties = document.core_properties
    properties.title, properties.author = blocks[0].text, target.author
    properties.comments = ""
    properties.created = properties.modified = target.time
    for block in blocks:
        match block.kind:
            case "heading":
                document.add_heading(block.text, level=block.level)
            case "table":
                table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
                for cells, texts in zip(table.rows, block.rows, strict=True):
                    for cell, text in zip(cells.cells, texts, strict=True):
                        cell.text = text
            case "page_break":
                document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
            case "item" if block.marker == "•":
                document.add_paragraph(block.text, style="List Bullet")
            case _:
                document.add_paragraph(block.line)
    buffer = io.BytesIO()
    document.save(buffer)
    return rewrite_zip(buffer.getvalue(), modified=target.time)
