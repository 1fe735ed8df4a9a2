"""Every command, in the order and the groups a newcomer meets them in: where it is and what it does.

Said here and not asked of the commands, so that help needs none of them and a command none of the others.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LISTED", "Listed"]


class Listed(NamedTuple):
    """A command: its module and function, the first sentence of its help, and an example."""

    at: str
    says: str
    example: str

    @property
    def name(self) -> str:
        """As it is typed."""
        return self.at.partition(":")[2].strip("_").replace("_", "-")


LISTED: dict[str, tuple[Listed, ...]] = {
    "Fill the record": (
        Listed(
            "filling:init",
            "Make an organisation's record, with you as its steward.",
            "muniment init ./acme",
        ),
        Listed(
            "filling:add",
            "Take in files and folders: exports of other tools, event JSONL, documents.",
            "muniment add chat.jsonl policies/ --source policies --audience '*'",
        ),
        Listed(
            "filling:sync",
            "Finish what was accepted, vectors included, and say what is stuck.",
            "muniment sync --watch",
        ),
        Listed(
            "filling:quarantine",
            "List what was refused at the door and why, or hand it in again.",
            "muniment quarantine replay 12 13",
        ),
        Listed(
            "connecting:connect",
            "Connect a live source, which pull, sync --watch or a worker then reads; "
            "list the kinds there are.",
            "muniment connect jsonl --source ci --set url=https://ci.example/events",
        ),
        Listed(
            "connecting:pull",
            "Ask connected sources for what is new, until there is no more.",
            "muniment pull slack --sweep",
        ),
        Listed(
            "authorising:authorise",
            "Be let in at a source by a person in a browser, and keep the grant in a file.",
            "muniment authorise crm.json --at https://crm.example/oauth --client us --secret env:CRM_SECRET",
        ),
    ),
    "Ask": (
        Listed(
            "asking:ask",
            "Answer a question, every sentence cited.",
            'muniment ask "When does Acme renew?" --as user:ann',
        ),
        Listed(
            "asking:context",
            "Pack what a task needs into a budget of tokens, as Markdown for a prompt.",
            'muniment context "Prepare the renewal call with Acme" --budget 1500',
        ),
        Listed(
            "asking:search",
            "Find the best matches by words and, with the embedder, by meaning.",
            'muniment search "renewal discount" --limit 5 --unit passage',
        ),
        Listed(
            "tasks:task",
            "Have the language model do a task, every sentence of the result cited.",
            'muniment task "Write what Acme has to be told of its renewal" --tools tools.yaml',
        ),
    ),
    "Look": (
        Listed(
            "looking:pages",
            "List everything there is a page of.",
            "muniment pages --as user:ann",
        ),
        Listed(
            "looking:page",
            "Show everything known of an account, service, person, …",
            "muniment page acme",
        ),
        Listed(
            "looking:timeline",
            "Show what happened to what is known of something, oldest first.",
            "muniment timeline acme --as-of 2026-06-30",
        ),
        Listed(
            "graph:locate",
            "List what words could mean: titles, headings, names and claims, to expand one of them.",
            'muniment locate "waiting period water damage" --as user:ann',
        ),
        Listed(
            "graph:expand",
            "Show what a node leads to, by which edges, and the passages that prove it.",
            "muniment expand policies:travel-2025 --edge superseded_by",
        ),
        Listed(
            "looking:explain",
            "Show the passage behind a citation, and why you may see it.",
            "muniment explain c_5f0c…",
        ),
        Listed(
            "looking:history",
            "Show every version of a claim, and why it changed.",
            "muniment history 9b1d…",
        ),
        Listed(
            "looking:conflicts",
            "List contradictions that nobody has settled, both sides of each.",
            "muniment conflicts --json",
        ),
    ),
    "Accounts": (
        Listed(
            "accounts:handoff",
            "Show one page for whoever takes an account over, every line of it cited.",
            "muniment handoff acme --budget 2000",
        ),
        Listed(
            "accounts:commitments",
            "List who owes what to whom, overdue first, each with its words.",
            "muniment commitments acme --ics > acme.ics",
        ),
        Listed(
            "accounts:landmines",
            "List what to know before a subject is opened again: objections, arrangements, secrets.",
            "muniment landmines acme",
        ),
    ),
    "Investigate": (
        Listed(
            "incidents:incident",
            "Investigate: keep what is observed, supposed and done, and be briefed from history.",
            "muniment incident open --alert alerts:a-3101 --audience group:sre",
        ),
        Listed(
            "incidents:topology",
            "Show what a service leans on and what leans on it; of several, what they all lean on.",
            "muniment topology checkout --at 2026-02-17",
        ),
        Listed(
            "incidents:unused",
            "List what is remembered of incidents and was of no use: never adopted, refuted, or over.",
            "muniment unused",
        ),
        Listed(
            "incidents:recurring",
            "List causes of incidents that came back and that no procedure was proposed for.",
            "muniment recurring",
        ),
        Listed(
            "incidents:duplicates",
            "List pairs of what is remembered of incidents that may be one.",
            "muniment duplicates",
        ),
    ),
    "Hand in": (
        Listed(
            "telling:remember",
            "Keep a note for yourself alone, searchable at once.",
            'muniment remember "Acme wants the renewal in euros" --evidence c_5f0c…',
        ),
        Listed(
            "telling:report",
            "Tell the stewards that a citation is wrong, outdated or should not be seen.",
            'muniment report c_5f0c… "the discount ended in March"',
        ),
        Listed(
            "accounts:checkpoint",
            "Keep how far a task has come, for yourself alone; muniment resume gives it back.",
            """muniment checkpoint renewal '{"done": ["draft"], "next": "legal"}'""",
        ),
        Listed(
            "accounts:resume",
            "Show the state in which you left a task.",
            "muniment resume renewal",
        ),
    ),
    "Decide": (
        Listed(
            "reviewing:review",
            "Decide about candidates, what a source recalled, and conflicts; see what was reported.",
            "muniment review approve c_5f0c… --seen 43d128e6dc38",
        ),
        Listed(
            "tidying:upkeep",
            "Look after memories of incidents: stale, twice, doubted, never of use, at odds; retire and "
            "merge them.",
            "muniment upkeep retire --finding never-hit --older 365d",
        ),
        Listed(
            "reviewing:stale",
            "List statements whose words changed at their source and that nobody has confirmed.",
            "muniment stale",
        ),
        Listed(
            "entities:entities",
            "See what the record knows of, and settle what is one and what is not.",
            'muniment entities merge "Acme GmbH" "ACME Corp" --reason "one contract"',
        ),
        Listed(
            "entities:aliases",
            "Show the alias file, or put one in force: which names mean one thing in this organisation.",
            "muniment aliases set aliases.yaml",
        ),
        Listed(
            "distilling:distil",
            "Have the language model read what it has not read, and examine what went stale.",
            "muniment distil --limit 200 --spend 0.50",
        ),
    ),
    "Who may read": (
        Listed(
            "rights:members",
            "List who is known, add a full member, or take everything from someone at once.",
            "muniment members add user:ann",
        ),
        Listed(
            "rights:grant",
            "Let someone read an item or a container, or give a role.",
            "muniment grant user:ann read slack:C042",
        ),
        Listed(
            "rights:revoke",
            "Take a grant or a role back, and say how they can still read it, where they can.",
            "muniment revoke user:ann steward",
        ),
        Listed(
            "rights:who_can",
            "List everyone who can read an item or container, and through what.",
            "muniment who-can slack:C042 --at 2026-05-01",
        ),
        Listed(
            "disclosure:disclosure",
            "Show the disclosure policy, say in words what a file would disclose, or put it in force.",
            "muniment disclosure check disclosure.yaml",
        ),
        Listed(
            "sources:sources",
            "List what sources there are, set what one is, or apply what they keep.",
            "muniment sources set slack --verify-within 24h",
        ),
        Listed(
            "widening:widened",
            "List what turned up where more people can read it than where it came from.",
            "muniment widened --since 2026-06-01",
        ),
        Listed(
            "tokens:token",
            "Make, list or end the tokens by which somebody comes through HTTP and MCP.",
            "muniment token create --as user:ann --agent agent:claude --expires 30d",
        ),
    ),
    "Take out": (
        Listed(
            "erasing:erase",
            "Erase an item, a person and all they wrote, or some words, for good.",
            "muniment erase slack:m7 --dry-run",
        ),
        Listed(
            "erasing:hold",
            "Keep something from being erased or reverted while a legal hold is on it.",
            'muniment hold add slack:C042 --reason "case 12/26"',
        ),
        Listed(
            "erasing:revert",
            "Take back everything a source said since a time, as after a poisoning.",
            "muniment revert --source crm --since 2026-05-01 --dry-run",
        ),
    ),
    "Take elsewhere": (
        Listed(
            "exporting:export",
            "Write the wiki as you see it into a folder: Markdown for git, Obsidian and agents, and JSONL.",
            "muniment export ./wiki --as user:ann",
        ),
        Listed(
            "exporting:import_",
            "Make a new organisation the one whose record was exported: same ids, answers and audit.",
            "muniment init ./new && muniment import ./record --org ./new",
        ),
    ),
    "Keep it": (
        Listed(
            "backing:backup",
            "Back the whole record up, while it is in use: everything at one moment, vectors included.",
            "muniment backup /backups/2026-12-01 --key-file ~/acme.key",
        ),
        Listed(
            "backing:restore",
            "Bring a backup back into an empty place: all of it, found to be what it was, or nothing.",
            "muniment restore /backups/2026-12-01 ./acme --erasures erasures.jsonl",
        ),
    ),
    "Run it": (
        Listed(
            "running:status",
            "Show how the record stands: sources, work that waits, and what is stuck.",
            "muniment status",
        ),
        Listed(
            "running:doctor",
            "Check installation, database and record, and say what to do about each fault.",
            "muniment doctor --org ./acme",
        ),
        Listed(
            "serving:serve",
            "Serve the record over HTTP, MCP and web pages, with a worker beside it, until stopped.",
            "muniment serve --host 0.0.0.0 --port 8765",
        ),
        Listed(
            "running:worker",
            "Compile what was accepted, pull live sources when they are due, give vectors, until stopped.",
            "muniment worker --org postgresql://db.example/acme",
        ),
        Listed(
            "serving:mcp",
            "Serve MCP over standard input and output, for whoever --as names.",
            "muniment mcp --as user:ann --agent agent:claude",
        ),
        Listed(
            "running:rebuild",
            "Make everything derived anew from what was handed in.",
            "muniment rebuild",
        ),
        Listed(
            "evaluating:eval_",
            "Measure how much of the evidence your questions find, as you see the record.",
            "muniment eval questions.jsonl --as user:ann --budget 1500 --at-least 0.8",
        ),
        Listed(
            "models:models",
            "Show what language models were asked, for what purpose, and what it took.",
            "muniment models cost --since 2026-06-01 --by-run",
        ),
        Listed(
            "audit:audit",
            "Show who did what, verify that the audit is whole, or print its head to be published.",
            "muniment audit verify --head heads.txt",
        ),
        Listed(
            "completing:completion",
            "Print what makes a shell complete commands and options.",
            'eval "$(muniment completion bash)"',
        ),
        Listed(
            "demo:demo",
            "Walk through the record of a small invented company.",
            "muniment demo --dir ./fernkiel",
        ),
    ),
}
