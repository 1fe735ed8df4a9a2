"""Generated mail and chat with standing phrases in it, and private words carried into wider places."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.company import word
from tests.worlds import Event, member, person, said

__all__ = ["Leak", "Leaks", "leaks"]

PEOPLE = tuple(f"user:p{number}" for number in range(40))
CHANNELS = 14
STYLES = ("forward", "paste", "edited", "sentence", "quoted")
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 600)]
# What stands in many texts, or in a few, and tells nothing of where it came from.
EVERYWHERE = (
    "This message and its attachments are confidential and meant for the addressee alone, please delete it.",
    "Please let me know if you have any questions or comments about this, I am happy to help.",
    "Thank you for your patience while we look into this and get back to you with an answer.",
    "Das ist eine automatisch erzeugte Nachricht, bitte antworten Sie nicht auf diese Adresse.",
    "本邮件及其附件可能含有保密信息，仅供指定收件人使用，如误收请立即删除并通知发件人。",
)
REPORT = (
    "Weekly report of the {name} desk: all systems ran as they should, {n} tickets closed and {m} are open."
)
SIGNED = "\n-- \n{who} of the Fernkiel trading company, at the old harbour, second floor on the left"


@dataclass(frozen=True, slots=True)
class Leak:
    """Words of one item in another that others can read."""

    origin: str
    to: str
    style: str


@dataclass(frozen=True, slots=True)
class Leaks:
    """A record's events, and what of it was carried where."""

    events: Sequence[Event]
    planted: Sequence[Leak]


def leaks(draw: random.Random, *, ordinary: int = 2000, planted: int = 240) -> Leaks:
    """Ordinary messages, of which some are taken elsewhere later."""
    world = _World(draw)
    events = list(world.people())
    private: list[tuple[str, str, frozenset[str]]] = []
    for number in range(ordinary):
        event, readers = world.ordinary(number)
        events.append(event)
        if len(readers) <= 4:
            private.append((str(event["id"]), str(event["body"]), readers))
    found = []
    for number, (id_, body, readers) in enumerate(draw.sample(private, planted)):
        style = STYLES[number % len(STYLES)]
        events.append(world.carried(f"leak{number}", style, body, readers))
        found.append(Leak(f"chat:{id_}", f"chat:leak{number}", style))
    draw.shuffle(events)
    return Leaks(events, found)


class _World:
    """People, the groups they are in, and how they write."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        sizes = [draw.randint(5, 25) for _ in range(CHANNELS)]
        self.channels = [frozenset(draw.sample(PEOPLE, size)) for size in sizes]

    def people(self) -> Iterator[Event]:
        """Everybody, and who is in which channel."""
        yield from (person(one) for one in PEOPLE)
        for number, members in enumerate(self.channels):
            yield member(f"group:chat:c{number}", *sorted(members), source="chat")

    def ordinary(self, number: int) -> tuple[Event, frozenset[str]]:
        """A message in a channel, or between a few, with what people write every day."""
        draw = self.draw
        write = self.chinese if draw.random() < 0.2 else self.sentence
        parts = [write() for _ in range(draw.randint(1, 6))]
        if draw.random() < 0.3:
            parts.append(draw.choice(EVERYWHERE))
        if draw.random() < 0.1:
            name = draw.choice(("billing", "harbour", "support"))
            parts.insert(0, REPORT.format(name=name, n=draw.randint(3, 90), m=draw.randint(3, 90)))
        if draw.random() < 0.4:
            parts.append(SIGNED.format(who=draw.choice(PEOPLE)))
        return self.message(f"m{number}", " ".join(parts), hours=draw.random() * 1000)

    def message(self, id_: str, body: str, hours: float) -> tuple[Event, frozenset[str]]:
        """In a channel, or to a few."""
        draw = self.draw
        if draw.random() < 0.5:
            channel = draw.randrange(CHANNELS)
            return said(id_, body, hours, audience=[[f"group:chat:c{channel}"]]), self.channels[channel]
        few = draw.sample(PEOPLE, draw.randint(2, 4))
        return said(id_, body, hours, audience=[sorted(few)], kind="email"), frozenset(few)

    def sentence(self) -> str:
        """Eight to twenty words, common ones often."""
        draw = self.draw
        ranks = [
            min(int(draw.paretovariate(0.7)) + draw.randint(0, 40), 40_000)
            for _ in range(draw.randint(8, 20))
        ]
        return " ".join(word(rank) for rank in ranks).capitalize() + "."

    def chinese(self) -> str:
        """Twelve to thirty characters."""
        draw = self.draw
        return "".join(draw.choice(HAN) for _ in range(draw.randint(12, 30))) + "。"

    def carried(self, id_: str, style: str, body: str, readers: frozenset[str]) -> Event:
        """The words of a private message where others can read them."""
        draw = self.draw
        text = body.split("\n-- ", maxsplit=1)[0]
        for one in EVERYWHERE:
            text = text.replace(one, "").strip()
        text = text.split(" are open. ")[-1]
        channel = draw.choice([n for n, members in enumerate(self.channels) if members - readers])
        return said(
            id_, self.as_style(style, text), 1100 + draw.random() * 100, audience=[[f"group:chat:c{channel}"]]
        )

    def as_style(self, style: str, text: str) -> str:
        """How somebody carries a text on."""
        draw = self.draw
        words = text.split(" ")
        match style:
            case "forward":
                return f"{self.sentence()}\n\n---------- Forwarded message ---------\nFrom: Ann\n\n{text}"
            case "paste":
                return f"{self.sentence()} {text} {self.sentence()}"
            case "edited":
                changed = draw.sample(range(len(words)), max(1, len(words) // 15))
                return " ".join(
                    word(draw.randint(50, 999)) if n in changed else one for n, one in enumerate(words)
                )
            case "sentence":
                longest = max(text.split(". "), key=len)
                return f"{self.sentence()} {longest}. {self.sentence()}"
            case _:
                lines = (" ".join(words[start : start + 9]) for start in range(0, len(words), 9))
                return f"{self.sentence()}\n\n" + "\n".join(f"> {line}" for line in lines)
