"""Peers side by side, each in an environment of its own: `python -m benchmarks.peers`."""
