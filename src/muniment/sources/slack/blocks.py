"""What blocks and attachments say, as lines of text.

People write rich text; apps write sections, headers and fields, and often nothing else. What Slack itself
unfolds from a link is somebody else's text, comes and goes without an edit, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from muniment.sources.slack.markup import readable
from muniment.sources.slack.names import Names
from muniment.sources.slack.shapes import Shape, flag, objects, text

__all__ = ["attachments_text", "blocks_text", "files_text", "is_unfurled"]

_DEEP = 20  # lists in quotes in lists; nobody writes deeper
_UNFURLED = ("from_url", "original_url", "app_unfurl_url")


def blocks_text(message: Shape, names: Names) -> str:
    """Everything that is written in a message's blocks."""
    return _lines(line for block in objects(message, "blocks") for line in _block(block, names))


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(line for line in (line.rstrip() for line in lines) if line)


def _block(block: Shape, names: Names) -> Iterator[str]:
    kind = text(block, "type")
    if kind == "rich_text":
        yield _rich(block, names, 0)
        return
    yield _written(block.get("text"), names)
    for one in (*objects(block, "fields"), *objects(block, "elements")):
        # Buttons and menus have a `text` too, but it is a label and nobody said it.
        if kind not in ("actions", "input"):
            yield _written(one, names)
    if kind in ("image", "video"):
        yield _written(block.get("title"), names) or text(block, "alt_text")


def _written(value: object, names: Names) -> str:
    """A text object: Slack's markup, or plain."""
    match value:
        case {"type": "mrkdwn", "text": str(said)}:
            return readable(said, names)
        case {"type": "plain_text", "text": str(said)}:
            return said
    return ""


def _rich(element: Shape, names: Names, depth: int) -> str:
    """Rich text: sections, lists, quotes and code hold pieces, each said as its kind is."""
    if depth > _DEEP:
        return ""
    inside = objects(element, "elements")
    kind = text(element, "type")
    said = [_rich(one, names, depth + 1) if "elements" in one else _piece(one, names) for one in inside]
    if kind == "rich_text":
        return _lines(said)
    if kind == "rich_text_list":
        return "\n".join(f"- {one}" for one in said)
    joined = "".join(said)
    return "\n".join(f"> {line}" for line in joined.split("\n")) if kind == "rich_text_quote" else joined


def _piece(piece: Shape, names: Names) -> str:
    match text(piece, "type"):
        case "text":
            return text(piece, "text")
        case "link":
            url, label = text(piece, "url"), text(piece, "text")
            return f"{label} ({url})" if label and label != url else url
        case "user":
            user = text(piece, "user_id")
            return f"@{names.person(user) or user}"
        case "channel":
            channel = text(piece, "channel_id")
            return f"#{names.channels.get(channel, channel)}"
        case "usergroup":
            return f"@{text(piece, 'usergroup_id')}"
        case "broadcast":
            return f"@{text(piece, 'range')}"
        case "emoji":
            return f":{text(piece, 'name')}:"
        case "date":
            return text(piece, "fallback")
    return text(piece, "text")


def is_unfurled(attachment: Shape) -> bool:
    """Whether Slack made it from a link, or from a message that was shared."""
    marked = flag(attachment, "is_msg_unfurl") or flag(attachment, "is_app_unfurl")
    return marked or any(text(attachment, name) for name in _UNFURLED)


def attachments_text(message: Shape, names: Names) -> str:
    """What apps attached: the old form of blocks, in which many still write everything they say."""
    own = (one for one in objects(message, "attachments") if not is_unfurled(one))
    return _lines(line for one in own for line in _attached(one, names))


def _attached(attachment: Shape, names: Names) -> Iterator[str]:
    said = [readable(text(attachment, name), names) for name in ("pretext", "author_name", "title", "text")]
    said += [_field(field, names) for field in objects(attachment, "fields")]
    said.append(blocks_text(attachment, names))
    if any(said):
        yield from said
        return
    yield readable(text(attachment, "fallback"), names)


def _field(field: Shape, names: Names) -> str:
    title, value = readable(text(field, "title"), names), readable(text(field, "value"), names)
    return f"{title}: {value}" if title and value else title or value


def files_text(message: Shape) -> str:
    """A line for each file: what somebody called it. One that was deleted has no name left."""
    return _lines(_file(one) for one in objects(message, "files"))


def _file(file: Shape) -> str:
    if text(file, "mode") == "tombstone":
        return ""
    title, name = text(file, "title").strip(), text(file, "name").strip()
    shown = title or name
    if not shown:
        return ""
    what = "Canvas" if text(file, "filetype") in ("quip", "canvas") else "File"
    return f"{what}: {title} ({name})" if title and name and title != name else f"{what}: {shown}"
