"""Every command, in the order and the groups a newcomer meets them in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from muniment.surfaces.cli import (
    accounts,
    asking,
    audit,
    authorising,
    backing,
    connecting,
    demo,
    disclosure,
    distilling,
    entities,
    erasing,
    evaluating,
    exporting,
    filling,
    graph,
    incidents,
    looking,
    models,
    reviewing,
    rights,
    running,
    serving,
    sources,
    tasks,
    telling,
    tokens,
    widening,
)
from muniment.surfaces.cli.everywhere import Command, everywhere, gather

__all__ = ["COMMANDS", "PROGRAM", "name_of"]

Example = tuple[Command, str]
WIDTH = 96  # of help, whatever the terminal: what is printed is a golden file

COMMANDS: dict[str, Sequence[Example]] = {
    "Fill the record": (
        (filling.init, "muniment init ./acme"),
        (filling.add, "muniment add chat.jsonl policies/ --source policies --audience '*'"),
        (filling.sync, "muniment sync --watch"),
        (filling.quarantine, "muniment quarantine replay 12 13"),
        (connecting.connect, "muniment connect jsonl --source ci --set url=https://ci.example/events"),
        (connecting.pull, "muniment pull slack --sweep"),
        (
            authorising.authorise,
            "muniment authorise crm.json --at https://crm.example/oauth --client us --secret env:CRM_SECRET",
        ),
    ),
    "Ask": (
        (asking.ask, 'muniment ask "When does Acme renew?" --as user:ann'),
        (asking.context, 'muniment context "Prepare the renewal call with Acme" --budget 1500'),
        (asking.search, 'muniment search "renewal discount" --limit 5 --unit passage'),
        (tasks.task, 'muniment task "Write what Acme has to be told of its renewal" --tools tools.yaml'),
    ),
    "Look": (
        (looking.pages, "muniment pages --as user:ann"),
        (looking.page, "muniment page acme"),
        (looking.timeline, "muniment timeline acme --as-of 2026-06-30"),
        (graph.locate, 'muniment locate "waiting period water damage" --as user:ann'),
        (graph.expand, "muniment expand policies:travel-2025 --edge superseded_by"),
        (looking.explain, "muniment explain c_5f0c…"),
        (looking.history, "muniment history 9b1d…"),
        (looking.conflicts, "muniment conflicts --json"),
    ),
    "Accounts": (
        (accounts.handoff, "muniment handoff acme --budget 2000"),
        (accounts.commitments, "muniment commitments acme --ics > acme.ics"),
        (accounts.landmines, "muniment landmines acme"),
    ),
    "Investigate": (
        (incidents.incident, "muniment incident open --alert alerts:a-3101 --audience group:sre"),
        (incidents.topology, "muniment topology checkout --at 2026-02-17"),
        (incidents.unused, "muniment unused"),
        (incidents.duplicates, "muniment duplicates"),
    ),
    "Hand in": (
        (telling.remember, 'muniment remember "Acme wants the renewal in euros" --evidence c_5f0c…'),
        (telling.report, 'muniment report c_5f0c… "the discount ended in March"'),
        (accounts.checkpoint, """muniment checkpoint renewal '{"done": ["draft"], "next": "legal"}'"""),
        (accounts.resume, "muniment resume renewal"),
    ),
    "Decide": (
        (reviewing.review, "muniment review approve c_5f0c… --seen 43d128e6dc38"),
        (reviewing.stale, "muniment stale"),
        (entities.entities, 'muniment entities merge "Acme GmbH" "ACME Corp" --reason "one contract"'),
        (entities.aliases, "muniment aliases set aliases.yaml"),
        (distilling.distil, "muniment distil --limit 200 --spend 0.50"),
    ),
    "Who may read": (
        (rights.members, "muniment members add user:ann"),
        (rights.grant, "muniment grant user:ann read slack:C042"),
        (rights.revoke, "muniment revoke user:ann steward"),
        (rights.who_can, "muniment who-can slack:C042 --at 2026-05-01"),
        (disclosure.disclosure, "muniment disclosure check disclosure.yaml"),
        (sources.sources, "muniment sources set slack --verify-within 24h"),
        (widening.widened, "muniment widened --since 2026-06-01"),
        (tokens.token, "muniment token create --as user:ann --agent agent:claude --expires 30d"),
    ),
    "Take out": (
        (erasing.erase, "muniment erase slack:m7 --dry-run"),
        (erasing.hold, 'muniment hold add slack:C042 --reason "case 12/26"'),
        (erasing.revert, "muniment revert --source crm --since 2026-05-01 --dry-run"),
    ),
    "Take elsewhere": (
        (exporting.export, "muniment export ./wiki --as user:ann"),
        (exporting.import_, "muniment init ./new && muniment import ./record --org ./new"),
    ),
    "Keep it": (
        (backing.backup, "muniment backup /backups/2026-12-01 --key-file ~/acme.key"),
        (backing.restore, "muniment restore /backups/2026-12-01 ./acme --erasures erasures.jsonl"),
    ),
    "Run it": (
        (running.status, "muniment status"),
        (running.doctor, "muniment doctor --org ./acme"),
        (serving.serve, "muniment serve --host 0.0.0.0 --port 8765"),
        (running.worker, "muniment worker --org postgresql://db.example/acme"),
        (serving.mcp, "muniment mcp --as user:ann --agent agent:claude"),
        (running.rebuild, "muniment rebuild"),
        (evaluating.eval_, "muniment eval questions.jsonl --as user:ann --budget 1500 --at-least 0.8"),
        (models.models, "muniment models cost --since 2026-06-01 --by-run"),
        (audit.audit, "muniment audit verify --head heads.txt"),
        (demo.demo, "muniment demo --dir ./fernkiel"),
    ),
}
_TYPE = re.compile(r" <.*>\Z")
_EPILOG = """\
\b
Example:
  {example}

Every command also takes, see muniment --help: --org --tenant --as --agent --hearers --as-of
--known-at --json --debug"""
_EXITS = """\
\b
Exit codes:
  0  done or answered, empty lists too
  1  failed
  2  the command was put wrongly, or a path does not exist
  3  not found, and a named thing that is missing or not for you
  4  out of scope: nothing that you may read is about this
  5  done, and some of the input is in quarantine

\b
Example:
  muniment init ./acme && cd ./acme
  muniment add ../policies --source policies --audience '*'
  muniment ask "What is the hotel limit per night?" """


class Plain(TyperCommand):
    """Arguments by the name they are explained under, without typer's braces and types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # type: ignore[explicit-override]  # 3.12
        """Called by typer while it writes help."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # type: ignore[explicit-override]  # 3.12
        """Called by typer while it writes help."""
        records: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                records[parameter.param_type_name].append((_TYPE.sub("", record[0]), record[1]))
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            if records[kind]:
                with formatter.section(title):
                    formatter.write_dl(records[kind])


class Grouped(TyperGroup):
    """Commands listed under what they are for, rather than all in one column."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # type: ignore[explicit-override]  # 3.12
        """Called by typer while it writes help."""
        listed = self.list_commands(ctx)
        for title, commands in COMMANDS.items():
            names = [name for command, _ in commands if (name := name_of(command)) in listed]
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(WIDTH)) for name in names])


def name_of(command: Command) -> str:
    """As it is typed."""
    return command.__name__.strip("_").replace("_", "-")


def _build() -> Any:
    program = typer.Typer(
        cls=Grouped,
        rich_markup_mode=None,
        add_completion=False,
        context_settings={
            "terminal_width": WIDTH,
            "max_content_width": WIDTH,
            "help_option_names": ["-h", "--help"],
        },
        help="A governed record of what an organisation knows: every answer cited, dated, for who asks.",
        epilog=_EXITS,
    )
    program.callback()(gather())
    for command, example in (each for commands in COMMANDS.values() for each in commands):
        program.command(name_of(command), cls=Plain, epilog=_EPILOG.format(example=example))(
            everywhere(command)
        )
    return get_command(program)


PROGRAM = _build()
