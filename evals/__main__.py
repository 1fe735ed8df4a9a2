"""Figures, through the public surface only: `python -m evals handbook`, `peps`, `demo` or `locomo`.

Public data is read from the folder `MUNIMENT_SHARED_DATA` names, `../shared/data` if it names none, and never
copied. A set that is not there is skipped with a message.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import muniment
from evals import documents, locomo
from evals.shared import NotHere, Report, settings

SETS: dict[str, Callable[[muniment.Org], Report]] = {
    "demo": documents.demo,
    "handbook": documents.handbook,
    "peps": documents.peps,
    "locomo": locomo.run,
}


def main(arguments: Sequence[str]) -> int:
    """Run the sets named, all of them if none is; print a report each."""
    for name in arguments or SETS:
        with tempfile.TemporaryDirectory() as folder:
            # An unprivileged server must be able to enter it.
            Path(folder).chmod(0o711)
            try:
                with muniment.open(Path(folder) / "org", settings=settings(Path(folder))) as org:
                    print(SETS[name](org).text())
            except NotHere as missing:
                print(f"{name}: skipped: {missing}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
