"""The checkout's files, and checks on any text in it."""

import gc
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.shape import budgets
from tests.shape.source import PACKAGE, ROOT, Source

CHECKERS = "tests/shape/"  # they name what they refuse


@cache
def tracked() -> tuple[str, ...]:
    """Files in the repository, or about to be; without git, all but hidden folders and leftovers."""
    asked = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        return tuple(sorted(_walked()))
    return tuple(sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file()))


def _walked() -> Iterator[str]:
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        hidden = any(p.startswith(".") and p not in {".ci", ".github", ".gitignore"} for p in parts)
        if path.is_file() and not hidden and not {"__pycache__", "build", "dist"} & set(parts):
            yield "/".join(parts)


def text_of(name: str) -> str | None:
    """The file's text; None where it is not text."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


@cache
def package_sources() -> tuple[Source, ...]:
    return _parsed(PACKAGE)


@cache
def test_sources() -> tuple[Source, ...]:
    return _parsed(ROOT / "tests")


def _parsed(folder: Path) -> tuple[Source, ...]:
    """The trees stay, so the collector is kept from walking all of them each time there are more."""
    paths = sorted(folder.rglob("*.py"))
    gc.disable()
    try:
        return tuple(
            Source.parse(p.relative_to(folder).as_posix(), p.read_text(encoding="utf-8")) for p in paths
        )
    finally:
        gc.freeze()
        gc.enable()


def sql_files(folder: str = "") -> Iterator[tuple[str, str]]:
    for path in sorted((PACKAGE / "sql" / folder).rglob("*.sql")):
        yield path.relative_to(PACKAGE / "sql").as_posix(), path.read_text(encoding="utf-8")


def rooms(package: Path) -> list[Path]:
    return sorted(
        folder
        for folder in package.iterdir()
        if folder.name not in budgets.NOT_ROOMS and folder.is_dir() and any(folder.glob("*.py"))
    )


def room_without_story(room: Path) -> list[str]:
    readme = room / "README.md"
    if not readme.is_file():
        return [f"{room.name}: no README.md"]
    if not re.search(r"\bNever\b", readme.read_text(encoding="utf-8")):
        return [f"{room.name}/README.md: does not say what the room does: 'Never …'"]
    return []


_LINK = re.compile(r"\]\(([^()\s]+)\)")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def dead_links(name: str, text: str) -> list[str]:
    """Relative links of a Markdown file that lead to nothing in the checkout."""
    if not name.endswith(".md") or name.startswith("demo/company/"):
        return []
    place = (ROOT / name).parent
    links = [link for link in _LINK.findall(_CODE.sub("", text)) if "://" not in link]
    return [
        f"{name}: {link!r} leads nowhere"
        for link in links
        if not link.startswith("#") and not (place / link.partition("#")[0]).exists()
    ]


def machine_paths(name: str, text: str) -> list[str]:
    if name.startswith("tests/"):
        return []
    return _found(name, text, budgets.MACHINE_PATHS, "a path of one machine")


def registry_hosts(name: str, text: str) -> list[str]:
    return _found(
        name, text, [re.escape(host) for host in budgets.REGISTRY_HOSTS], "the host of a package index"
    )


def banned_words(name: str, text: str) -> list[str]:
    if name.startswith(CHECKERS):
        return []
    return [
        fault for pattern, why in budgets.BANNED_WORDS.items() for fault in _found(name, text, [pattern], why)
    ]


def _found(name: str, text: str, patterns: list[str] | tuple[str, ...], why: str) -> list[str]:
    return [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()!r}: {why}"
        for pattern in patterns
        for match in re.finditer(pattern, text)
    ]
