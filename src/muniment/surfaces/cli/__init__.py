"""The command line."""

from muniment.surfaces.cli.entry import main

__all__ = ["main"]
