"""What the shape tests allow. A raised number carries its reason beside it."""

MODULE_LINES = 400  # a module tells one story
FUNCTION_LINES = 60  # a function fits on a screen; its docstring is not counted
MEDIAN_FUNCTION_LINES = 10  # most functions are much shorter than the screen
PARAMETERS = 6  # self and cls are not counted
NESTING = 3  # levels of for, while, if, with, try and match inside one function

# Functions that may take more parameters than the budget, by name.
MORE_PARAMETERS: dict[str, tuple[int, str]] = {
    "open": (7, "the public contract, and what a host or a test brings: clock, key, models, settings"),
    "add": (10, "the public contract: source, kind, importer, audience, account, trust, options, defer"),
    "search": (7, "the public contract: question, limit, unit, kind, entity, after, before"),
}

# Modules in which each parameter of a function is an option on the command line or an argument of an agent's
# tool, not an argument in code.
COMMAND_LINE = ("surfaces/cli.py", "surfaces/cli/", "surfaces/mcp/incidents.py")

# Where an unforeseen exception may be caught: it becomes a message, or a dead letter.
CATCHES_EVERYTHING = ("app.py", "jobs/")

READS_ENVIRONMENT = ("settings.py",)

# Calls that must be arguments everywhere else, and the files that hold the real thing.
REAL_CLOCK_AND_CHANCE = ("app.py", "clock.py")
CLOCK_AND_CHANCE = frozenset(
    {
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "random.choice",
        "random.randint",
        "random.random",
        "random.sample",
        "random.shuffle",
        "time.time",
        "time.time_ns",
        "uuid.uuid1",
        "uuid.uuid4",
    },
)

# Rooms that read on behalf of somebody: they get a Reader from the gate and never see a connection.
READING_ROOMS = ("claims", "pages", "context", "answer", "runtime", "surfaces", "lenses")
NOT_FOR_READING_ROOMS = ("muniment.store", "psycopg", "psycopg_pool")

# What a surface may know of the rest: one application, its values and errors, and where it runs.
SURFACES = ("surfaces/", "surfaces.py", "adapters/", "__main__.py")
SURFACES_MAY_IMPORT = (
    "muniment.app",
    "muniment.clock",
    "muniment.domain",
    "muniment.recovery",  # what it makes is what the application opens
    "muniment.settings",
    "muniment.surfaces",
)

# Words no module, class, function, parameter or variable may be called by, or contain as a word.
BANNED_NAMES = frozenset({"engine", "handler", "helper", "helpers", "manager", "util", "utils"})
# Words that say nothing as the whole name of a module, class or function.
EMPTY_NAMES = frozenset({"data", "process"})

# Patterns that may not occur in code and documentation, with what to do instead.
BANNED_WORDS: dict[str, str] = {
    r"\b(?:TODO|FIXME|XXX|HACK)\b": "open an issue, or do it",
    r"(?i)\bkeep (?:this |these |it )?in sync with\b": "make one from the other, or test that they agree",
    r"(?i)#\s*(?:step|phase) \d+\b": "phases numbered in comments are functions that were not written",
}

# Tables whose keys do not lead with tenant.
TABLES_WITHOUT_TENANT: dict[str, str] = {
    "schema_version": "the schema is the database's, not a tenant's",
}

# Unique columns that do not lead with tenant, as table.column.
KEYS_WITHOUT_TENANT: dict[str, str] = {}

# Folders in src/muniment that are not rooms.
NOT_ROOMS = frozenset({"sql"})

# Paths of one machine, and hosts of package indexes: nobody else's checkout has them.
MACHINE_PATHS = (r"(?<![\w.~/-])/(?:work|tmp|root)(?:/|\b)", r"(?<![\w.~/-])/(?:home|Users)/[a-z]")
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
        ("conda", "anaconda", "org"),
    )
)
