"""`python -m evals replay`: the gate by itself."""

from __future__ import annotations

import sys

from evals.replay.gate import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
