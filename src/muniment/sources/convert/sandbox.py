"""A conversion in a process of its own, held to its limits; what it died of is the reason."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict

from muniment.sources.convert.made import Apart, Failed, Limits, Made
from muniment.sources.convert.sniff import Format, lacking

__all__ = ["convert"]

_WORKER = "muniment.sources.convert.worker"
_TOLD = 200  # characters of what a process said last
_MIB = 1024**2


def convert(data: bytes, made: Format, limits: Limits | None = None) -> Made | Failed:
    """What the bytes of this format say, or why that could not be found out."""
    wanted = lacking(made)
    if wanted is not None:
        return Failed(wanted)
    held_to = limits or Limits()
    command = [sys.executable, "-m", _WORKER, made.name, json.dumps(asdict(held_to))]
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=held_to.seconds,
            env=_surroundings(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Failed(f"reading it took longer than {held_to.seconds} seconds")
    return _outcome(done, held_to)


def _surroundings() -> dict[str, str]:
    """Where our modules are, and nothing else of what this process knows: no credential, no proxy.

    One thread: each one more takes address space, which is what memory is limited by.
    """
    where = os.pathsep.join(path for path in sys.path if path)
    return {"PYTHONPATH": where, "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _outcome(done: subprocess.CompletedProcess[bytes], limits: Limits) -> Made | Failed:
    if done.returncode:
        return Failed(_died_of(done, limits))
    said = json.loads(done.stdout)
    if "reason" in said:
        return Failed(said["reason"])
    apart = tuple(Apart(**one) for one in said["apart"])
    return Made(said["body"], said["title"], said["properties"], tuple(said["notes"]), apart)


def _died_of(done: subprocess.CompletedProcess[bytes], limits: Limits) -> str:
    last = (done.stderr.decode("utf-8", "replace").strip().splitlines() or [""])[-1].strip()[:_TOLD]
    if last.startswith("MemoryError"):
        return f"reading it takes more than {limits.memory // _MIB} MiB of memory"
    if done.returncode == -signal.SIGXCPU:
        return f"reading it took longer than {limits.seconds} seconds"
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return f"its reader died of {name}: the file is damaged, or takes more memory than is allowed"
    return f"it is damaged: {last}"
