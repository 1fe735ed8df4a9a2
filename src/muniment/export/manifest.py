"""What an exported record says of itself: format, origin, and each table's columns, counts and digests.

Sealed with the organisation's key: nobody without it can alter the record and have it taken for whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from muniment.domain.errors import Malformed, Usage
from muniment.domain.identity import keyed_digest
from muniment.domain.regex import regex
from muniment.domain.times import parse_instant
from muniment.domain.values import dump

__all__ = ["MANIFEST", "Block", "Manifest", "Table", "proof_of", "read_manifest", "sealed"]

MANIFEST: Final = "muniment-record.json"
FORMAT: Final = "muniment-record"
VERSION: Final = 1
_FILE: Final = regex(r"[a-z_]+-[0-9a-f]{16}\.jsonl")
_NAME: Final = regex(r"[a-z][a-z0-9_]*")
_PROOF: Final = "exported record"


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows that follow each other in a file, and the digest of their lines."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its file, the columns of each line, and its rows block by block."""

    table: str
    file: str
    columns: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(block.rows for block in self.blocks)

    @property
    def bytes(self) -> int:
        """How long its file is."""
        return sum(block.bytes for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The whole record. `key` is there if it was asked for; by `proof` a key given is known for the same."""

    made_by: str
    tenant: str
    chained_as: str
    created_at: datetime
    exported_at: datetime
    proof: str
    key: bytes | None
    tables: tuple[Table, ...]
    seal: str = ""

    def text(self) -> str:
        """As it is written."""
        return json.dumps(self._content(), indent=1, ensure_ascii=False) + "\n"

    def _content(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_by": self.made_by,
            "tenant": self.tenant,
            "chained_as": self.chained_as,
            "created_at": dump(self.created_at),
            "exported_at": dump(self.exported_at),
            "proof": self.proof,
            "key": None if self.key is None else self.key.hex(),
            "tables": [
                {
                    "table": one.table,
                    "file": one.file,
                    "rows": one.rows,
                    "bytes": one.bytes,
                    "columns": list(one.columns),
                    "blocks": [[block.rows, block.bytes, block.sha256] for block in one.blocks],
                }
                for one in self.tables
            ],
            "seal": self.seal,
        }


def proof_of(key: bytes) -> str:
    """By which a key is known for the same without being told."""
    return keyed_digest(key, _PROOF).hex()


def sealed(manifest: Manifest, key: bytes) -> Manifest:
    """The manifest with a seal that only who has the key can make."""
    bare = replace(manifest, seal="", key=None)
    return replace(manifest, seal=keyed_digest(key, _PROOF, bare.text()).hex())


def read_manifest(folder: Path) -> Manifest:
    """The manifest in a folder. Usage where there is none, Malformed for one that cannot be used."""
    file = folder / MANIFEST
    if not file.is_file():
        what = "holds no exported record" if folder.is_dir() else "does not exist"
        raise Usage(f"folder {str(folder)!r} {what}; make one with: muniment export DIR --record")
    try:
        said = json.loads(file.read_bytes())
    except ValueError as error:
        raise Malformed(f"{str(file)!r} is cut off or was altered ({error}); export it again") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise Malformed(f"{str(file)!r} is no {FORMAT}; name a folder that muniment export --record made")
    if said.get("version") != VERSION:
        raise Malformed(
            f"{str(file)!r} has version {said.get('version')!r}, and this muniment reads {VERSION}: "
            "import it with the version that made it"
        )
    try:
        return _manifest(said)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"{str(file)!r} was altered: {error!r}; export the record again") from None


def _manifest(said: Mapping[str, Any]) -> Manifest:
    return Manifest(
        made_by=str(said["made_by"]),
        tenant=str(said["tenant"]),
        chained_as=str(said["chained_as"]),
        created_at=parse_instant(said["created_at"]),
        exported_at=parse_instant(said["exported_at"]),
        proof=str(said["proof"]),
        key=None if said["key"] is None else bytes.fromhex(said["key"]),
        tables=tuple(_table(one) for one in said["tables"]),
        seal=str(said["seal"]),
    )


def _table(said: Mapping[str, Any]) -> Table:
    columns: Sequence[str] = said["columns"]
    named = all(_NAME.fullmatch(one) for one in (said["table"], *columns))
    if not named or not _FILE.fullmatch(said["file"]):
        raise ValueError(f"{said['table']!r} in {said['file']!r}")
    blocks = tuple(Block(int(rows), int(size), str(digest)) for rows, size, digest in said["blocks"])
    if any(block.rows < 1 or block.bytes < 1 for block in blocks):
        raise ValueError(f"an empty block of {said['table']!r}")
    return Table(said["table"], said["file"], tuple(columns), blocks)
