"""The demo company's rules as a folder of documents holds them, one of them in Word and one in PDF."""

from __future__ import annotations

import textwrap
from pathlib import Path
from xml.sax.saxutils import escape
from zipfile import ZipFile, ZipInfo

WORD = "expense-policy"
PAPER = "home-office"
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DOCUMENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def policies(folder: Path, company: Path) -> None:
    """Every rule: those two as others write them, the rest as they are."""
    folder.mkdir(exist_ok=True)
    for rule in sorted(company.iterdir()):
        text = rule.read_text(encoding="utf-8")
        if rule.stem == WORD:
            word(folder / f"{WORD}.docx", text.partition("---\n# ")[2])
        elif rule.stem == PAPER:
            head, _, body = text.partition("\n\n")
            paper(folder / f"{PAPER}.pdf", head.partition("Title: ")[2].partition("\n")[0], body)
        else:
            (folder / rule.name).write_text(text, encoding="utf-8")


def word(path: Path, markdown: str) -> None:
    """A Word document with a title, headings and paragraphs."""
    title, _, body = markdown.partition("\n")
    parts = [_styled(title, "Heading1")]
    for block in body.strip().split("\n\n"):
        is_heading = block.startswith("## ")
        parts.append(_styled(block.removeprefix("## "), "Heading2" if is_heading else "Normal"))
    types = (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_DOCUMENT}"/></Types>'
    )
    links = (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
    )
    document = f'<w:document xmlns:w="{_MAIN}"><w:body>{"".join(parts)}</w:body></w:document>'
    with ZipFile(path, "w") as archive:
        for name, text in (
            ("[Content_Types].xml", types),
            ("_rels/.rels", links),
            ("word/document.xml", document),
        ):
            archive.writestr(ZipInfo(name, (2025, 7, 1, 8, 0, 0)), text)


def _styled(text: str, style: str) -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>'
    return f'<w:p>{look}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def paper(path: Path, title: str, body: str) -> None:
    """A page in Helvetica: the title large, a blank line between paragraphs."""
    content, y = _set(title, 740, 18), 705
    for block in body.strip().split("\n\n"):
        for line in textwrap.wrap(" ".join(block.split()), 92):
            content += _set(line, y, 11)
            y -= 14
        y -= 14
    path.write_bytes(_pdf(content, title))


def _set(text: str, y: int, size: int) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf 72 {y} Td ({escaped}) Tj ET\n"


def _pdf(content: str, title: str) -> bytes:
    fonts = "/Resources << /Font << /F1 3 0 R >> >>"
    page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R {fonts} >>"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        page,
        f"<< /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream",
        f"<< /Title ({title}) >>",
    )
    made, places = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{one}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"trailer\n<< /Size {size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + f"xref\n0 {size}\n0000000000 65535 f \n{table}{tail}".encode()
