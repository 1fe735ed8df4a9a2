"""Everything taken from the environment, read once, here and nowhere else."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Settings", "starting", "variable"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the surroundings say. Absent values are None and mean the documented default.

    `replicas` are URLs of standbys of the database, parted by spaces;
    `pg_bin` is a folder of PostgreSQL programs; `state_dir` is where root's servers keep their files;
    `runtime_dir` a short path for sockets; `embedder` is MUNIMENT_EMBEDDER; `colour` is off where NO_COLOR or
    a dumb terminal says so. `model` is every MUNIMENT_MODEL… as it is said, a key among them, and `embedding`
    every MUNIMENT_EMBEDDER_…: `ModelUse.read` and `EmbedderUse.read` make sense of them.
    """

    login: str
    org: str | None = None
    database_url: str | None = None
    replicas: tuple[str, ...] = field(default=(), repr=False)
    key: bytes | None = None
    pg_bin: Path | None = None
    state_dir: Path | None = None
    runtime_dir: Path | None = None
    embedder: str = "auto"
    embedding: Mapping[str, str] = field(default_factory=dict, repr=False)
    colour: bool = True
    model: Mapping[str, str] = field(default_factory=dict, repr=False)
    serving: Mapping[str, str] = field(default_factory=dict)

    @property
    def embedders(self) -> Mapping[str, str]:
        """What is said of embedders, each under its variable."""
        return {**self.embedding, "MUNIMENT_EMBEDDER": self.embedder}

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings of this process."""
        said = os.environ if environment is None else environment
        key = said.get("MUNIMENT_KEY")
        return cls(
            login=said.get("MUNIMENT_USER") or _login(),
            org=said.get("MUNIMENT_ORG"),
            database_url=said.get("MUNIMENT_DATABASE_URL"),
            replicas=tuple(said.get("MUNIMENT_REPLICAS", "").split()),
            key=key.encode() if key else None,
            pg_bin=_path(said.get("MUNIMENT_PG_BIN")),
            state_dir=_path(said.get("MUNIMENT_STATE_DIR")),
            runtime_dir=_path(said.get("XDG_RUNTIME_DIR")),
            embedder=said.get("MUNIMENT_EMBEDDER") or "auto",
            embedding={name: value for name, value in said.items() if name.startswith("MUNIMENT_EMBEDDER_")},
            colour=not said.get("NO_COLOR") and said.get("TERM") != "dumb",
            model={name: value for name, value in said.items() if name.startswith("MUNIMENT_MODEL")},
            serving={name: value for name, value in said.items() if name.startswith("MUNIMENT_OIDC_")},
        )


def variable(name: str) -> str | None:
    """What the environment says now: a secret is read when it is needed, as whoever renews it expects."""
    return os.environ.get(name)


def starting(name: str, environment: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """A variable and those that begin like it, as they are now.

    Such as MUNIMENT_TRANSCRIBER_KEY and MUNIMENT_TRANSCRIBER_MODEL.
    """
    said = os.environ if environment is None else environment
    return {one: value for one, value in said.items() if one == name or one.startswith(f"{name}_")}


def _path(said: str | None) -> Path | None:
    return Path(said) if said else None


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such account, as in some containers
        return f"uid-{os.getuid()}"
