"""The command demo: an invented company's record, built and then asked as different people."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from muniment.domain.errors import Malformed, Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import is_org, open_at
from muniment.surfaces.cli.out import Line, Look, put_json, say, show
from muniment.surfaces.cli.stage import Stage
from muniment.surfaces.cli.walk import STEPS, Step, build

__all__ = ["demo"]


def demo(
    call: Call,
    *,
    folder: Annotated[
        str | None,
        typer.Option(
            "--dir",
            metavar="DIR",
            help="Keep the record in this new or empty folder. [default: a temporary one]",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Walk through the record of a small invented company.

    Exit 1 where a step did not show what it promised.
    """
    files = _files()
    with _place(folder) as where, open_at(where, Call(debug=call.debug)) as org:
        stage = Stage(org, files, quiet=call.json)
        began = perf_counter()
        stage.tell(
            *(Line(f"$ {typed}{where}", Look.PROMPT) for typed in ("muniment init ", "export MUNIMENT_ORG="))
        )
        build(stage)
        built = perf_counter() - began
        stage.tell(Line(), Line(f"built in {built:.1f} s; {_meaning(stage)}", Look.FAINT))
        results = [(step, _take(stage, number, step)) for number, step in enumerate(STEPS, 1)]
    return _conclude(call, folder, results)


def _files() -> Path:
    """The folder demo/ of the checkout this runs from."""
    files = Path(__file__).resolve().parents[4] / "demo"
    if not (files / "company").is_dir():
        raise Malformed(
            "the demo's files are in the repository, not in an installed package; clone it and run make demo"
        )
    return files


@contextmanager
def _place(folder: str | None) -> Iterator[str]:
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="muniment-demo-") as made:
            yield str(Path(made) / "fernkiel")
    elif is_org(folder):
        raise Usage(f"folder {folder!r} holds an organisation already; name a new or an empty one")
    else:
        yield folder


def _meaning(stage: Stage) -> str:
    found = next(one for one in stage.org.doctor() if one.name == "vectors")
    if found.state == "good":
        return f"search goes by words and by meaning ({found.what})"
    return f"{found.what}: {found.advice}"


def _take(stage: Stage, number: int, step: Step) -> list[str]:
    """One step, and what it promised and did not show."""
    stage.tell(Line(), Line(f"── {number} · {step.title}", Look.STRONG), Line(step.shows, Look.FAINT))
    faults = step.take(stage)
    for fault in faults:
        say(f"muniment: step {number} failed: {fault}", Look.ALERT)
    return faults


def _conclude(call: Call, folder: str | None, results: list[tuple[Step, list[str]]]) -> int:
    failed = [step for step, faults in results if faults]
    if call.json:
        steps: list[object] = [
            {"title": step.title, "ok": not faults, "faults": faults} for step, faults in results
        ]
        put_json({"ok": not failed, "steps": steps})
    elif failed:
        say(f"muniment: {len(failed)} of {len(results)} steps did not show what they promised", Look.ALERT)
    else:
        kept = "" if folder is None else f" The record is in {folder}: ask it yourself with --org {folder}."
        show([Line(), Line(f"All {len(results)} steps showed what they promised.{kept}", Look.STRONG)])
    return Exit.FAILED if failed else Exit.DONE
