"""Sound turned into words: by a server that speaks like OpenAI's, or by faster-whisper where it is here.

Nothing is sent anywhere unless MUNIMENT_TRANSCRIBER names an address, and no model is fetched: one that is
on this machine is used, or none. Who speaks neither of them says, and what one calls `SPEAKER_01` is nobody.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from hashlib import sha256
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from muniment import clock as real
from muniment.domain.errors import Unavailable
from muniment.settings import starting
from muniment.sources.http import Site
from muniment.sources.meetings.cues import Cues, read_cues
from muniment.sources.meetings.meeting import UNKNOWN
from muniment.sources.wire import told

__all__ = ["Served", "Transcriber", "configured", "heard"]

_VARIABLE: Final = "MUNIMENT_TRANSCRIBER"
_LIBRARY: Final = "faster_whisper"
_LONGEST: Final = 99 * 3600.0  # seconds; a time that is none of a recording is read as its beginning
_REPLY: Final = 64 * 1024 * 1024


class Transcriber(Protocol):
    """Whoever hears what is said."""

    @property
    def name(self) -> str:
        """As what it is named beside what it heard."""
        ...

    def transcribe(self, path: Path) -> bytes:
        """What was said, as `verbose_json` or as cues. Unavailable says why there is nothing."""
        ...


def configured(environment: Mapping[str, str] | None = None) -> Transcriber | None:
    """The one that the surroundings mean; None where nobody set one up."""
    said = starting(_VARIABLE, environment)
    model = said.get(f"{_VARIABLE}_MODEL")
    if address := said.get(_VARIABLE):
        return Served(address, model or "whisper-1", said.get(f"{_VARIABLE}_KEY", ""))
    return _Local(model or "base") if find_spec(_LIBRARY) is not None else None


@dataclass(frozen=True, slots=True)
class Served:
    """A server; the key goes to it and nowhere else."""

    address: str
    name: str
    key: str = field(default="", repr=False)
    seconds: float = 600.0
    patience: float = 60.0

    def transcribe(self, path: Path) -> bytes:
        """One file in one request. Usage for an address that is none."""
        base = self.address.rstrip("/")
        credentials = partial(_authorised, self.key)
        site = Site(
            base,
            credentials,
            seconds=self.seconds,
            longest=10 * self.seconds,
            most=_REPLY,
            patience=self.patience,
            wait=real.wait,
        )
        fields = {"model": self.name, "response_format": "verbose_json"}
        kind, content = _form(fields, f"sound{path.suffix.lower()}", path.read_bytes())
        asked = {"content-type": kind}
        return site.send("POST", f"{base}/audio/transcriptions", headers=asked, content=content).body


def _authorised(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


def _form(fields: Mapping[str, str], name: str, sound: bytes) -> tuple[str, bytes]:
    """The fields and the file as a form; its name on this machine is not told, only what ends it."""
    mark = sha256(sound).hexdigest()
    parts = [
        f'--{mark}\r\ncontent-disposition: form-data; name="{field_}"\r\n\r\n{value}\r\n'.encode()
        for field_, value in fields.items()
    ]
    head = f'--{mark}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n'
    parts.append(f"{head}content-type: application/octet-stream\r\n\r\n".encode())
    return f"multipart/form-data; boundary={mark}", b"".join((*parts, sound, f"\r\n--{mark}--\r\n".encode()))


@dataclass(frozen=True, slots=True)
class _Local:
    """The package of the extra `audio`, with a model that is here: a folder, or one fetched before."""

    name: str

    def transcribe(self, path: Path) -> bytes:
        """All of it, on this machine."""
        library = import_module(_LIBRARY)  # heavy, and of an extra
        try:
            model = library.WhisperModel(self.name, local_files_only=True)
            segments, _ = model.transcribe(str(path))
            found = [{"start": one.start, "end": one.end, "text": one.text} for one in segments]
        except (OSError, RuntimeError, ValueError) as error:
            raise Unavailable(f"faster-whisper with model {self.name!r}: {str(error)[:200]}") from None
        return json.dumps({"segments": found}).encode()


# What came back


def heard(reply: bytes) -> Cues:
    """Who said what when; whoever nobody names is an unknown speaker. Never raises."""
    text = reply.decode("utf-8", "replace").replace("\0", "")
    try:
        said = told.as_object(json.loads(text))
    except (ValueError, RecursionError):
        return read_cues(text)
    return read_cues(_cues(_segments(said)))


def _segments(said: told.Object) -> list[tuple[float, float, str]]:
    """Each part with when it was said; a server that gives the words alone says them all at once."""
    listed = said.get("segments")
    found = [told.as_object(one) for one in listed] if isinstance(listed, list) else []
    if not any(one.get("text") for one in found):
        found = [{"text": said.get("text"), "end": said.get("duration")}]
    return [
        (_second(one.get("start")), _second(one.get("end")), text)
        for one in found
        if isinstance(text := one.get("text"), str)
    ]


def _second(said: object) -> float:
    is_time = isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said < _LONGEST
    return float(said) if is_time else 0.0  # type: ignore[arg-type]  # checked above


def _cues(segments: Iterable[tuple[float, float, str]]) -> str:
    blocks = (
        f"{_clock(start)} --> {_clock(max(start, end))}\n<v {UNKNOWN}>{escape(' '.join(text.split()))}</v>"
        for start, end, text in segments
        if text.strip()
    )
    return "\n\n".join(("WEBVTT", *blocks)) + "\n"


def _clock(seconds: float) -> str:
    whole = timedelta(milliseconds=round(seconds * 1000))
    minutes, rest = divmod(whole.total_seconds(), 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours:02}:{minutes:02}:{rest:06.3f}"
