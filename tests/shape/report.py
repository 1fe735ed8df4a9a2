"""One line on how long our functions are: `python -m tests.shape.report`."""

from statistics import median

from tests.shape.source import Source, length
from tests.shape.tree import package_sources


def lengths(sources: tuple[Source, ...]) -> list[tuple[int, str]]:
    return sorted((length(f), f"{source.name}:{f.name}") for source in sources for f in source.functions())


def report(sources: tuple[Source, ...]) -> str:
    measured = lengths(sources)
    if not measured:
        return "shape: no functions yet"
    longest, where = measured[-1]
    middle = median(lines for lines, _ in measured)
    return f"shape: {len(measured)} functions, median {middle:g} lines, longest {longest} ({where})"


if __name__ == "__main__":
    print(report(package_sources()))  # noqa: T201 - it is run to be read
