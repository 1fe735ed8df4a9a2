"""Documents made by hand for tests: a PDF and a Word file, byte by byte."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATED = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def pdf(*pages: str, info: str = "", annotations: Sequence[str] = ()) -> bytes:
    """A PDF whose pages are these content streams, in Helvetica, with annotations on the first."""
    kids = [4 + 2 * at for at in range(len(pages))]
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{one} 0 R' for one in kids)}] >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    for kid, content in zip(kids, pages, strict=True):
        pinned = f"/Annots [{' '.join(annotations)}]" if kid == 4 and annotations else ""
        objects[kid] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {kid + 1} 0 R {pinned} "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects[kid + 1] = f"<< /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream"
    last = max(objects) + 1
    objects[last] = f"<< {info} >>"
    return _file(objects, last)


def _file(objects: dict[int, str], info: int) -> bytes:
    made = b"%PDF-1.7\n"
    places = {}
    for number in sorted(objects):
        places[number] = len(made)
        made += f"{number} 0 obj\n{objects[number]}\nendobj\n".encode("latin-1")
    table = "".join(f"{places[number]:010} 00000 n \n" for number in sorted(places))
    size = len(places) + 1
    tail = f"trailer\n<< /Size {size} /Root 1 0 R /Info {info} 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + f"xref\n0 {size}\n0000000000 65535 f \n{table}{tail}".encode("latin-1")


def line(text: str, y: float, *, x: float = 72, size: float = 11, before: str = "") -> str:
    """One line of text on a page; `before` sets its colour or how it is drawn."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"q {before} BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET Q\n"


def docx(body: str, **parts: str) -> bytes:
    """A Word file of this WordprocessingML; `parts` are others of its parts, such as `comments`."""
    made = io.BytesIO()
    names = {name: f"word/{name}.xml" for name in parts}
    kinds = "".join(
        f'<Override PartName="/{path}" ContentType="application/vnd.openxmlformats-officedocument.'
        f'wordprocessingml.{name.rstrip("0123456789")}+xml"/>'
        for name, path in names.items()
    )
    links = "".join(
        f'<Relationship Id="r{at}" Type="{_OFFICE}/{name.rstrip("0123456789")}" Target="{name}.xml"/>'
        for at, name in enumerate(names)
    )
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
            f'officedocument.wordprocessingml.document.main+xml"/>{kinds}</Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELATED}"><Relationship Id="r1" Type="{_OFFICE}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels", f'<Relationships xmlns="{_RELATED}">{links}</Relationships>'
        )
        archive.writestr("word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>")
        for name, xml in parts.items():
            archive.writestr(names[name], xml)
    return made.getvalue()


def paragraph(*runs: str, look: str = "") -> str:
    """A paragraph of runs; plain words become one."""
    inner = "".join(one if one.startswith("<") else run(one) for one in runs)
    return f"<w:p><w:pPr>{look}</w:pPr>{inner}</w:p>"


def run(text: str, look: str = "") -> str:
    """A run that looks like this."""
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def inserted(text: str) -> str:
    """Words somebody proposes to add."""
    return f'<w:ins w:id="1" w:author="Bo">{run(text)}</w:ins>'


def deleted(text: str) -> str:
    """Words somebody proposes to strike."""
    return f'<w:del w:id="2" w:author="Bo"><w:r><w:delText>{text}</w:delText></w:r></w:del>'
