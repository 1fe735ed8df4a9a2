"""The process that converts one file: bytes in, JSON out. Its limits are set before it looks at anything."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable

from muniment.sources.convert.made import Failed, Limits, Made, bounded

__all__ = ["main"]


def main(name: str, said: str) -> None:
    """Converts what stands on standard input. What it raises is read by whoever started it."""
    limits = Limits(**json.loads(said))
    _hold(limits)
    sys.stdout.write(json.dumps(_told(_reader(name)(sys.stdin.buffer.read(), limits), limits)))


def _hold(limits: Limits) -> None:
    """A process that cannot take more, write a file, or leave its memory behind where it dies."""
    for what, most in (
        (resource.RLIMIT_AS, limits.memory),
        (resource.RLIMIT_CPU, limits.seconds + 1),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _reader(name: str) -> Callable[[bytes, Limits], Made | Failed]:
    """Each imports a heavy library, and only one of them is needed."""
    match name:
        case "pdf":
            from muniment.sources.convert.pdf import read  # noqa: PLC0415  # the reason above
        case "docx":
            from muniment.sources.convert.docx import read  # noqa: PLC0415  # the reason above
        case "xlsx":
            from muniment.sources.convert.xlsx import read  # noqa: PLC0415  # the reason above
        case "pptx":
            from muniment.sources.convert.pptx import read  # noqa: PLC0415  # the reason above
        case _:
            raise ValueError(f"format {name!r} is unknown")
    return read


def _told(found: Made | Failed, limits: Limits) -> dict[str, object]:
    if isinstance(found, Failed):
        return {"reason": found.reason}
    if len(found.body) > limits.characters:
        return {"reason": f"its text has {len(found.body)} characters; {limits.characters} is the limit"}
    apart, counts = bounded(list(found.apart))
    if not found.body.strip():
        return {"reason": "; ".join(("it shows no text", *found.notes, *counts))}
    return {
        "body": found.body,
        "title": found.title,
        "properties": dict(found.properties),
        "notes": [*found.notes, *counts],
        "apart": [one.as_json() for one in apart],
    }


if __name__ == "__main__":
    main(*sys.argv[1:3])
