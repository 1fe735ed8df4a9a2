"""Commands that run the record: status, doctor, worker, rebuild."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.surfaces.cli import desk as looks
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk, opened
from muniment.surfaces.cli.out import put_json, say, show
from muniment.surfaces.cli.tables import put_table
from muniment.surfaces.cli.watching import repeat

__all__ = ["doctor", "rebuild", "status", "worker"]


def status(call: Call) -> int:
    """Show how the record stands: sources, work that waits, and what is stuck. For stewards."""
    with desk(call) as steward:
        found = steward.status()
    if call.json:
        put_json(found)
        return Exit.DONE
    put_table(looks.SOURCES, looks.sources(found))
    show(looks.standing(found))
    return Exit.DONE


def doctor(call: Call) -> int:
    """Check installation, database and record, and say what to do about each fault.

    Exit 1 where something is broken.
    """
    with opened(call) as org:
        found = org.doctor()
    broken = any(one.state == "broken" for one in found)
    if call.json:
        put_json({"ok": not broken, "checks": [one.model_dump() for one in found]})
    else:
        show(looks.checks(found))
    return Exit.FAILED if broken else Exit.DONE


def worker(
    call: Call,
    *,
    once: Annotated[bool, typer.Option("--once", help="Stop when nothing is due.")] = False,
) -> int:
    """Compile what was accepted, pull live sources when they are due, give vectors, until stopped.

    Several may run at once, also beside the commands.
    """
    with opened(call) as org:
        if once:
            done = 0
            while worked := org.work():
                done += worked
            say(f"worked through {done:,}, and nothing more is due")
            return Exit.DONE
        repeat(org.work, "working; stop with ctrl-c")
    say("stopped")
    return Exit.DONE


def rebuild(call: Call) -> int:
    """Make everything derived anew from what was handed in. For stewards.

    Readers see the old until it is done; no answer should change. Vectors come with the next sync.
    """
    with desk(call) as steward:
        done = steward.rebuild()
        found = steward.status()
    if call.json:
        put_json({"rebuilt": done, "waiting": found.queue.waiting, "vectors_behind": found.vectors_behind})
    else:
        show(looks.rebuilt(done, found))
    return Exit.DONE
