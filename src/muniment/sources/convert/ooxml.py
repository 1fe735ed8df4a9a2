"""An Office file as its parts: opened within limits, its XML read without entities."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from muniment.sources.convert.made import Failed, Limits

__all__ = ["Package", "on", "open_package", "properties_of"]

_MOST_PARTS = 20_000
_RATIO = 250  # unpacked to packed, of a part large enough to matter
_LARGE = 32 * 1024**2
_TARGET = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_CORE = {
    "{http://purl.org/dc/elements/1.1/}title": "title",
    "{http://purl.org/dc/elements/1.1/}creator": "author",
    "{http://purl.org/dc/terms/}created": "created",
    "{http://purl.org/dc/terms/}modified": "modified",
}
_OFF = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Package:
    """The parts of a file by name."""

    archive: zipfile.ZipFile

    def names(self, prefix: str, suffix: str = ".xml") -> list[str]:
        """Parts whose names begin and end so, in order."""
        return sorted(n for n in self.archive.namelist() if n.startswith(prefix) and n.endswith(suffix))

    def xml(self, name: str) -> ET.Element | None:
        """A part's outermost element; None where there is no such part."""
        try:
            raw = self.archive.read(name)
        except KeyError:
            return None
        return ET.fromstring(raw)  # noqa: S314  # `open_package` refused what declares a document type

    def targets(self, name: str) -> dict[str, str]:
        """What a part leads to inside the file, by relation id."""
        folder, base = posixpath.split(name)
        root = self.xml(f"{folder}/_rels/{base}.rels")
        if root is None:
            return {}
        return {
            one.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, one.get("Target", ""))).lstrip(
                "/"
            )
            for one in root.iter(_TARGET)
            if one.get("TargetMode") != "External"
        }


def open_package(data: bytes, limits: Limits) -> Package | Failed:
    """The file's parts, or why it is not safe to unpack them."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS:
        return Failed(f"it has {len(parts)} parts; {_MOST_PARTS} is the limit")
    if any(part.flag_bits & 1 for part in parts):
        return Failed("it is encrypted: save a copy of it without a password")
    whole = sum(part.file_size for part in parts)
    if whole > limits.unpacked or any(_swells(part) for part in parts):
        return Failed(f"it unpacks to {whole} bytes, far more than a document of its size holds")
    if any(_declares(archive, part.filename) for part in parts):
        return Failed("its XML declares a document type, which no Office program writes")
    return Package(archive)


def _swells(part: zipfile.ZipInfo) -> bool:
    return part.file_size > _LARGE and part.file_size > _RATIO * max(part.compress_size, 1)


def _declares(archive: zipfile.ZipFile, name: str) -> bool:
    """Whether a part begins with a document type: entities are declared there, and nowhere else."""
    if not name.endswith((".xml", ".rels", ".vml")):
        return False
    with archive.open(name) as part:
        begins = part.read(4096)
    return b"<!DOCTYPE" in begins.replace(b"\0", b"")


def on(element: ET.Element | None, attribute: str) -> bool:
    """Whether a switch such as `<w:vanish/>` is there and not turned off."""
    return element is not None and element.get(attribute, "1") not in _OFF


def properties_of(package: Package) -> dict[str, object]:
    """What the file's own properties say. Nobody sees them: they are no title and no author of ours."""
    root = package.xml("docProps/core.xml")
    found = _said(root) if root is not None else ()
    return dict(found)


def _said(root: ET.Element) -> Iterator[tuple[str, object]]:
    for one in root:
        name = _CORE.get(one.tag)
        if name is not None and one.text and one.text.strip():
            yield name, one.text.strip()[:500]
