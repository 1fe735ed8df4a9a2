-- Today's whole truth. `migrations/` leads every older release here; a test proves they agree.
--
-- tenant leads every primary key, unique key, foreign key and statement, so that the schema can be distributed by it.
-- Canonical tables are the truth; derived ones can be dropped and rebuilt from them. Nothing here reads a clock:
-- every time is an argument, so that a test can set it.

create schema if not exists muniment;

-- For the exclusion of overlapping versions of one assertion.
create extension if not exists btree_gist;

-- ───────────────────────────── the organisation ─────────────────────────────

-- `key` makes public ids unguessable. MUNIMENT_KEY replaces it, then it is null here. `chained_as` is the name under which
-- its audit's chain began, where the record was brought in under another. By `proof` a key is known for the one that all ids
-- and all that keeps the erased out were made with.
create table muniment.org (
    tenant      text        not null,
    key         bytea,
    proof       text        not null,
    created_at  timestamptz not null,
    chained_as  text,
    erasures    bigint      not null default 0,  -- whoever keeps anything of texts reads whether it is still this many
    primary key (tenant)
);

-- A configured connector or hand import: what it may say and how much its word counts.
create table muniment.source (
    tenant          text    not null,
    source          text    not null,
    kind            text    not null,
    fed_by          text    not null,  -- who handed its first event in; nobody else speaks for it but stewards
    is_directory    boolean not null default false,
    trust           text    not null,
    authority       text    not null,
    state           text    not null default 'current' check (state in ('current', 'behind', 'failing', 'paused')),
    cursor          text,
    polled_through  timestamptz,
    last_error      text,
    primary key (tenant, source)
);

-- A live source as it was connected, and how its loops stand. `settings` name secrets by reference and never hold one;
-- `cursor` is the connector's own and holds no content. `next_at` is when it is pulled next, null until a person mends it;
-- `through` until when the source has been heard, `verified_at` when its audiences were last listed completely.
create table muniment.connection (
    tenant        text        not null,
    source        text        not null,
    kind          text        not null,
    settings      jsonb       not null,
    audience      jsonb,
    importer      text        not null,  -- who connected it, and who alone may read what names no audience
    every         interval    not null check (every > interval '0'),
    sweep_every   interval    not null check (sweep_every > interval '0'),
    pace          interval    not null default interval '0' check (pace >= interval '0'),
    connected_at  timestamptz not null,
    paused        boolean     not null default false,
    state         text        not null default 'behind' check (state in ('current', 'behind', 'failing')),
    cursor        jsonb,
    seen          bigint      not null default 0,
    through       timestamptz,
    last_error    text,
    failures      integer     not null default 0,
    next_at       timestamptz,
    polled_at     timestamptz,
    heard_at      timestamptz,
    swept_at      timestamptz,
    verified_at   timestamptz,
    primary key (tenant, source),
    foreign key (tenant, source) references muniment.source (tenant, source)
);

create index connection_due on muniment.connection (tenant, next_at) where not paused;

-- How long a source's containers may go unverified before they close; the latest word holds, null lifts the limit.
create table muniment.source_limit (
    tenant         text        not null,
    source         text        not null,
    since          timestamptz not null,
    verify_within  interval    check (verify_within > interval '0'),
    set_by         text        not null,
    primary key (tenant, source, since)
);

-- Rights that are not about reading content: steward, importer. Closed rows stay, for who-could at an earlier time.
create table muniment.role_grant (
    tenant      text        not null,
    principal   text        not null,
    role        text        not null check (role in ('steward', 'importer')),
    granted_by  text        not null,
    granted_at  timestamptz not null,
    revoked_by  text,
    revoked_at  timestamptz,
    primary key (tenant, principal, role, granted_at)
);

-- A steward's word on one item or container, kept apart from what the source says of its audience.
create table muniment.read_grant (
    tenant      text        not null,
    target      text        not null,
    principal   text        not null,
    granted_by  text        not null,
    granted_at  timestamptz not null,
    revoked_by  text,
    revoked_at  timestamptz,
    primary key (tenant, target, principal, granted_at)
);

-- What an agent may read for whomever it acts for; without a row, all that they may. Closed rows stay.
create table muniment.agent_grant (
    tenant      text        not null,
    agent       text        not null check (agent like 'agent:_%'),
    target      text        not null,  -- all, or what a source, container or item is called by
    granted_by  text        not null,
    granted_at  timestamptz not null,
    revoked_by  text,
    revoked_at  timestamptz,
    primary key (tenant, agent, target, granted_at)
);

-- Bearer tokens: whose, and through which agent. Only a digest is kept; a token shows itself once. Closed rows stay.
create table muniment.token (
    tenant      text        not null,
    token       text        not null,
    digest      bytea       not null,
    principal   text        not null,
    agent       text        check (agent like 'agent:_%'),
    made_by     text        not null,
    made_at     timestamptz not null,
    expires_at  timestamptz not null,
    revoked_by  text,
    revoked_at  timestamptz,
    primary key (tenant, token)
);

-- What was handed in over HTTP under a key of the caller's own, so that the key is not used again for something else.
create table muniment.idempotency (
    tenant     text        not null,
    key        bytea       not null,
    body       bytea       not null,
    at         timestamptz not null,
    primary key (tenant, key)
);

-- ───────────────────────────── events: the front door ───────────────────────

-- One row a key. Events of a key are numbered under this row's lock and applied in that order; the row is the queue.
create table muniment.stream (
    tenant    text        not null,
    source    text        not null,
    id        text        not null,
    last_seq  bigint      not null,
    done_seq  bigint      not null default 0,
    attempts  integer     not null default 0,
    run_at    timestamptz not null,
    dead      text,
    primary key (tenant, source, id),
    check (done_seq <= last_seq)
) with (fillfactor = 80);

create index stream_due on muniment.stream (tenant, run_at) where done_seq < last_seq and dead is null;
create index stream_dead on muniment.stream (tenant, source, id) where dead is not null;

-- The envelope outlives its payload: erasing content leaves ids, times and a commitment that reveals nothing.
create table muniment.event (
    tenant       text        not null,
    source       text        not null,
    id           text        not null,
    seq          bigint      not null,
    op           text        not null,
    version      text,
    at           timestamptz not null,
    accepted_at  timestamptz not null,
    importer     text        not null,
    commitment   bytea       not null,
    primary key (tenant, source, id, seq)
);

create index event_moves on muniment.event (tenant, source) where op = 'move';

-- Everything the source said, and the salt that made the commitment. Both go when content is erased.
create table muniment.payload (
    tenant   text   not null,
    source   text   not null,
    id       text   not null,
    seq      bigint not null,
    salt     bytea  not null,
    content  jsonb  not null,
    kept     jsonb,  -- where a reduced text's pieces stood in the whole, and where they stand now
    commitment  bytea,  -- to the content as it is left, where part of it was erased and the first salt with it
    primary key (tenant, source, id, seq),
    foreign key (tenant, source, id, seq) references muniment.event (tenant, source, id, seq) on delete cascade
);

-- Whoever is known by an address alone: what they wrote is judged anew when a directory says whose it is.
create index payload_address on muniment.payload
    (tenant, coalesce(content ->> 'author', content -> 'metadata' ->> 'author', content ->> 'author_name'))
    where coalesce(content ->> 'author', content -> 'metadata' ->> 'author', content ->> 'author_name') like '%@%';

-- What the door refused, whole, with the reason.
create table muniment.quarantine (
    tenant       text        not null,
    entry        bigint      generated always as identity,
    origin       text        not null,
    line         integer,
    source       text,
    id           text,
    reason       text        not null,
    raw          text        not null,
    importer     text        not null,
    audience     jsonb,  -- what was said beside it, for when it says nothing of its own
    account      text,
    refused_at   timestamptz not null,
    replayed_at  timestamptz,
    primary key (tenant, entry)
);

-- By digest, as what was refused may be longer than an index entry can be.
create index quarantine_open on muniment.quarantine (tenant, md5(raw)) where replayed_at is null;

-- Keyed digests of what was erased, so that the next backfill does not bring it back: an item by its id, a person's
-- names by their id, a refused line by its text.
create table muniment.suppression (
    tenant         text        not null,
    digest         bytea       not null,
    kind           text        not null check (kind in ('item', 'person', 'line')),
    suppressed_at  timestamptz not null,
    primary key (tenant, digest)
);

-- Words that are blanked wherever a text has them, known by keyed digest (domain/blanking), first word and whole.
create table muniment.blanked (
    tenant      text        not null,
    digest      bytea       not null,
    first       bytea       not null,
    words       integer     not null check (words > 0),
    blanked_at  timestamptz not null,
    primary key (tenant, digest)
);

-- What may not be erased or reverted while it is open: an item, a container, a source or a principal.
create table muniment.legal_hold (
    tenant       text        not null,
    target       text        not null,
    reason       text        not null,
    held_by      text        not null,
    held_at      timestamptz not null,
    released_by  text,
    released_at  timestamptz,
    primary key (tenant, target, held_at)
);

-- A steward's word that what a source said since then is to count for nothing, until somebody takes it back.
create table muniment.reversal (
    tenant     text        not null,
    reversal   uuid        not null,
    source     text        not null,
    since      timestamptz not null,
    by         text        not null,
    at         timestamptz not null,
    undone_by  text,
    undone_at  timestamptz,
    primary key (tenant, reversal)
);

-- The events it is about, one by one: what is accepted later is not among them.
create table muniment.reverted_event (
    tenant    text   not null,
    source    text   not null,
    id        text   not null,
    seq       bigint not null,
    reversal  uuid   not null,
    primary key (tenant, source, id, seq, reversal),
    foreign key (tenant, reversal) references muniment.reversal (tenant, reversal)
);

-- Blanked text, known only by length and keyed digest, so that a late version cannot bring it back.
create table muniment.redaction (
    tenant    text    not null,
    source    text    not null,
    id        text    not null,
    position  integer not null,  -- they act in the order in which they came to be
    length    integer not null check (length > 0),
    digest    bytea   not null,
    primary key (tenant, source, id, position)
);

-- How much of what a source says is kept: whole, quotes, or for so long (30d). The last rule of a source holds.
create table muniment.retention_rule (
    tenant    text        not null,
    source    text        not null,
    position  integer     not null,
    keep      text        not null check (keep ~ '^(whole|quotes|[0-9]{1,5}[hdwy])$'),
    set_by    text        not null,
    since     timestamptz not null,
    primary key (tenant, source, position)
);

-- Keys of sources with a rule, and when a pass must look at each. Made anew from the events whenever a rule is set.
create table muniment.retention_due (
    tenant  text        not null,
    source  text        not null,
    id      text        not null,
    due     timestamptz not null,
    primary key (tenant, source, id)
);

create index retention_due_by_time on muniment.retention_due (tenant, due);

-- What passes did so far: texts reduced, texts dropped, and the characters that went with both.
create table muniment.retention_done (
    tenant      text   not null,
    source      text   not null,
    reduced     bigint not null default 0,
    expired     bigint not null default 0,
    characters  bigint not null default 0,
    primary key (tenant, source)
);

-- ───────────────────────────── who is who, and who may read ─────────────────

-- Every statement about a principal; the latest (at, version) that has a field decides that field.
-- `version` here and below is its sortable form (gate/directory), so that bytes compare as versions do.
create table muniment.principal_statement (
    tenant       text        not null,
    principal    text        not null check (principal ~ '^(user|service|agent):'),
    at           timestamptz not null,
    version      text        collate "C" not null,
    source       text        not null,
    accepted_at  timestamptz not null,
    name         text,
    emails       text[],
    aliases      text[],
    standing     text check (standing in ('member', 'guest', 'external', 'deactivated')),
    wrote_as     text check (wrote_as in ('member', 'guest', 'external')),  -- said beside a deactivation too
    primary key (tenant, principal, at, version, source)
);

-- What the statements add up to now.
create table muniment.principal (
    tenant     text   not null,
    principal  text   not null,
    name       text,
    standing   text,
    primary key (tenant, principal)
);

-- Other names of a principal: `slack:U1`, an e-mail casefolded. A name two principals claim names nobody; but a person
-- and their accounts at sources (`user:slack:U1`) may share one, which then is the person's.
create table muniment.principal_alias (
    tenant     text not null,
    alias      text not null,
    principal  text not null,
    primary key (tenant, alias, principal)
);

create index principal_alias_of on muniment.principal_alias (tenant, principal);

-- The names and ids of a principal, in the form in which names meet. Whoever sees a thing said under one of the ids, as a
-- steward or a service took it in, may know the person by all of them; to others it is nobody's.
create table muniment.person_name (
    tenant     text   not null,
    name       text   not null,
    principal  text   not null,
    title      text   not null,
    ids        text[] not null,
    primary key (tenant, name, principal)
);

create index person_name_of on muniment.person_name (tenant, principal);

-- Every addition and removal; the latest (at, version) of an edge holds, removal wins a tie.
create table muniment.membership (
    tenant       text        not null,
    member       text        not null,
    grp          text        not null check (grp like 'group:_%'),
    at           timestamptz not null,
    version      text        collate "C" not null,
    present      boolean     not null,
    source       text        not null,
    accepted_at  timestamptz not null,
    valid_from   timestamptz,  -- of an addition: when it begins and ends to hold, judged at each read
    valid_to     timestamptz,
    primary key (tenant, member, grp, at, version, present, source)
);

create index membership_of_group on muniment.membership (tenant, grp, at);

-- Full listings: whoever a later listing leaves out is out, however late their addition arrives.
create table muniment.group_listing (
    tenant       text        not null,
    grp          text        not null check (grp like 'group:_%'),
    at           timestamptz not null,
    version      text        collate "C" not null,
    source       text        not null,
    accepted_at  timestamptz not null,
    members      text[]      not null,
    valid_from   timestamptz,
    valid_to     timestamptz,
    primary key (tenant, grp, at, version, source)
);

-- The edges that hold by the latest word on each, in the period it gave; whether that is now, each read judges.
create table muniment.member_now (
    tenant      text not null,
    member      text not null,
    grp         text not null check (grp like 'group:_%'),
    valid_from  timestamptz,
    valid_to    timestamptz,
    primary key (tenant, member, grp) include (valid_from, valid_to)
);

create index member_now_of_group on muniment.member_now (tenant, grp);

-- What a source said of a container's audience; the latest (at, version) holds.
create table muniment.container_statement (
    tenant            text        not null,
    source            text        not null check (source not like '%:%'),
    container         text        not null,
    at                timestamptz not null,
    version           text        collate "C" not null,
    accepted_at       timestamptz not null,
    clauses           jsonb,
    live              boolean     not null,
    verified_through  timestamptz,
    primary key (tenant, source, container, at, version)
);

-- The container's audience now, grants included. Revoking a channel is a change here and nowhere else.
create table muniment.container (
    tenant            text        not null,
    ref               text        not null,
    clause_count      integer     not null,
    live              boolean     not null,
    verified_through  timestamptz,
    closes_at         timestamptz,  -- from then on its audience is too old to go by; null never
    primary key (tenant, ref)
);

create index container_closing on muniment.container (tenant, ref) where closes_at is not null;

-- Here and in audience_clause a clause carries how many there are: all of them must be met.
create table muniment.container_clause (
    tenant  text    not null,
    member  text    not null,
    ref     text    not null,
    clause  integer not null,
    out_of  integer not null check (out_of > 0),
    granted boolean not null,  -- a steward's word, which a source's silence does not take back
    primary key (tenant, member, ref, clause) include (out_of, granted)
);

create index container_clause_of on muniment.container_clause (tenant, ref);

-- Equal audiences share one id; content rows carry the id, never members. `clauses` may name targets of agents' grants
-- besides (reach:…): those are no clause anybody must meet, and are not counted.
create table muniment.audience (
    tenant        text    not null,
    audience      integer generated always as identity,
    digest        bytea   not null,
    clause_count  integer not null check (clause_count > 0),
    clauses       jsonb   not null,
    primary key (tenant, audience),
    unique (tenant, digest)
);

create table muniment.audience_clause (
    tenant    text    not null,
    member    text    not null,
    audience  integer not null,
    clause    integer not null,
    out_of    integer not null check (out_of > 0),
    primary key (tenant, member, audience, clause) include (out_of)
);

-- ───────────────────────────── items ────────────────────────────────────────

-- One thing at a source, as it stands now.
create table muniment.item (
    tenant        text        not null,
    item          uuid        not null,
    source        text        not null,
    id            text        not null,
    audience      integer     not null,
    state         text        not null check (state in ('live', 'pending', 'recalled', 'deleted', 'moved')),
    inherits      boolean     not null,
    since         timestamptz not null,  -- its container's audience must be known at least as fresh as this
    seq           bigint      not null,
    kind          text        not null,
    title         text,
    author        text,
    author_name   text,
    at            timestamptz not null,
    created_at    timestamptz not null,
    version       text,
    container     text,
    thread        text,
    participants  text[]      not null default '{}',
    account       text,
    project       text,
    service       text,
    url           text,
    status        text,
    valid_from    timestamptz,
    valid_to      timestamptz,
    labels        jsonb       not null default '{}',
    metadata      jsonb       not null default '{}',
    trust         text        not null,
    authority     text        not null,
    word          text        not null check (word in ('vouched', 'fed', 'added')),  -- on whose it was taken in
    level         text        not null default 'exact' check (level in ('exact', 'range', 'trend')),
    primary key (tenant, item),
    unique (tenant, source, id)
);

create index item_watermark on muniment.item (tenant, source, audience, at desc) where state in ('live', 'pending');
create index item_inherits on muniment.item (tenant, source, container) where inherits;
create index item_pending on muniment.item (tenant) where state = 'pending';
create index item_of_incident on muniment.item (tenant, thread) where source = 'muniment' and thread is not null;
create index item_sent on muniment.item (tenant, at)
 where kind in ('alert', 'observation') and source <> 'muniment';
create index item_episode on muniment.item (tenant, audience) where kind = 'episode';

-- Every version the record held. `known` is empty for one that arrived after a newer one.
-- passages[i] covers characters from starts[i] of the body; where nobody sees a word there is none.
create table muniment.item_version (
    tenant      text        not null,
    item        uuid        not null,
    seq         bigint      not null,
    audience    integer     not null,
    at          timestamptz not null,
    version     text,
    known       tstzrange   not null,
    title       text,
    status      text,
    valid_from  timestamptz,
    valid_to    timestamptz,
    change      text        not null,
    passages    uuid[]      not null,
    starts      integer[]   not null,
    primary key (tenant, item, seq)
);

-- A piece of text, stable under edits elsewhere in its item. era 0: in the current version; 1: only in past ones.
create sequence muniment.passage_number;

create table muniment.passage (
    tenant   text     not null,
    passage  uuid     not null,
    doc      bigint   not null default nextval('muniment.passage_number'),
    item     uuid     not null,
    audience integer  not null,
    era      smallint not null,
    ordinal  integer  not null,
    heading  text[]   not null,
    speaker  text,
    body     text     not null,
    spans    jsonb    not null,
    line     bigint   not null,  -- the talk or text it is part of
    at       timestamptz not null,
    turn     integer  not null,
    traits   smallint not null,
    primary key (tenant, passage)
);

create unique index passage_doc on muniment.passage (tenant, doc);
create index passage_item on muniment.passage (tenant, item, ordinal);
-- What stands before and after a passage, among those of its own audience. As a bigint, so that only the passage's own is
-- looked up in it: a reader's list of them would be sorted anew for every passage asked about.
create index passage_line on muniment.passage (tenant, (audience::bigint), line, at, turn, ordinal) where era = 0;

-- Keyed hashes of runs of words, by which text is found that went to a wider audience. `at` is when the item first had
-- them. For stewards' reports alone: no reader's role may see it, and it holds no audience.
create table muniment.fingerprint (
    tenant  text        not null,
    item    uuid        not null,
    seq     bigint      not null,
    at      timestamptz not null,
    hashes  bigint[]    not null,
    primary key (tenant, item, seq)
);

-- ───────────────────────────── assertions, decisions ────────────────────────

-- One statement of one item, in one audience, with the words that prove it. A correction closes `known` and inserts.
create table muniment.assertion (
    tenant            text        not null,
    assertion         uuid        not null,
    revision          integer     not null,
    item              uuid        not null,
    seq               bigint      not null,
    audience          integer     not null,
    level             text        not null default 'exact' check (level in ('exact', 'range', 'trend')),
    kind              text        not null,
    memory_type       text        not null check (memory_type in ('semantic', 'episodic', 'procedural', 'session')),
    statement         text        not null,
    entity            text,
    attribute         text,
    qualifier         text,
    value             text,
    terms             jsonb       not null,
    quotes            jsonb       not null,
    stated_by         text,
    stated_at         timestamptz not null,
    extractor         text        not null,
    input_hash        bytea,
    valid             tstzrange   not null,
    known             tstzrange   not null,
    last_verified_at  timestamptz not null,
    authority         text        not null,
    trust             text        not null,
    confidence        real        not null default 1,
    status            text        not null
        check (status in ('candidate', 'active', 'stale', 'retracted', 'rejected', 'expired', 'erased')),
    scope             jsonb       not null default '{}',
    applicability     jsonb       not null default '{}',
    primary key (tenant, assertion, revision),
    constraint assertion_holds_one_version exclude using gist
        (tenant with =, assertion with =, valid with &&, known with &&)
);

create index assertion_item on muniment.assertion (tenant, item);
create index assertion_slot on muniment.assertion (tenant, entity, attribute) where entity is not null;
create index assertion_words on muniment.assertion (tenant, md5(statement));
create index assertion_waiting on muniment.assertion (tenant, status)
    where status in ('candidate', 'stale') and upper_inf(known);

-- An id that changed with a new extractor leads to the one that carries on.
create table muniment.assertion_redirect (
    tenant     text        not null,
    assertion  uuid        not null,
    leads_to   uuid        not null,
    extractor  text        not null,
    since      timestamptz not null,
    primary key (tenant, assertion)
);

-- A new version of an extractor is one dated, canonical row, so that a rebuild gives the same bytes.
create table muniment.extractor_release (
    tenant     text        not null,
    extractor  text        not null,
    since      timestamptz not null,
    primary key (tenant, extractor)
);

-- What a model gave for something of an item that it was shown, kept so that a rebuild asks nobody. It acts from `at` on,
-- when the item was compiled with it. Who may read it is who may read the item; nobody reads it here.
create table muniment.model_output (
    tenant      text        not null,
    source      text        not null,
    id          text        not null,
    purpose     text        not null check (purpose in ('distil', 're-examine')),
    unit        bytea       not null,  -- a keyed digest of what was shown, however it was asked
    extractor   text        not null,  -- the model and the version of its prompt
    input       bytea       not null,
    reply       text        not null,
    outcome     text        not null check (outcome in ('accepted', 'refused')),
    reason      text,                  -- the first reason for which something of it was refused
    statements  integer     not null,
    refused     integer     not null,
    tokens_in   integer     not null,
    tokens_out  integer     not null,
    cost        numeric     not null,
    given_at    timestamptz not null,
    at          timestamptz,
    primary key (tenant, source, id, purpose, unit, extractor)
);

create index model_output_waiting on muniment.model_output (tenant, source, id) where at is null;

-- Through which version an extractor has looked at an item, and what keeps it from going on.
create table muniment.distilling (
    tenant     text        not null,
    source     text        not null,
    id         text        not null,
    extractor  text        not null,
    seq        bigint,
    attempts   integer     not null default 0,
    run_at     timestamptz,
    failed     text,
    primary key (tenant, source, id, extractor)
);

-- What a person settled, bound to the content they saw.
create table muniment.decision (
    tenant      text        not null,
    decision    uuid        not null,
    number      integer     not null,  -- which one on its subject: the last holds
    audience    integer     not null,
    action      text        not null,
    subject     text        not null,  -- an assertion
    other       text,                  -- the assertion that lost against it, where a conflict was settled
    source      text,                  -- the key whose rows it bears on, where they are compiled anew for it
    id          text,
    saw         bytea       not null,
    reason      text,
    decided_by  text        not null,
    decided_at  timestamptz not null,
    primary key (tenant, decision)
);

create index decision_of_key on muniment.decision (tenant, source, id) where source is not null;
create index decision_on on muniment.decision (tenant, subject);

-- Someone's word that a citation is wrong, with the audience of what it is about; shown to stewards who may read that.
create table muniment.report (
    tenant       text        not null,
    report       uuid        not null,
    audience     integer     not null,
    citation     text        not null,
    problem      text        not null,
    reported_by  text        not null,
    reported_at  timestamptz not null,
    primary key (tenant, report)
);

-- Marks of the words of what may not act by itself (items/echoes): whoever repeats them does not raise them.
create table muniment.echo (
    tenant    text        not null,
    mark      bigint      not null,
    item      uuid        not null,
    audience  integer     not null,
    trust     text        not null,
    known     timestamptz not null,
    at        timestamptz not null,
    primary key (tenant, mark, audience, item)
);

create index echo_item on muniment.echo (tenant, item);
-- Here and below, for `sight` (queries/reader.sql): whether a reader sees any at all.
create index echo_seen on muniment.echo (tenant, audience);

-- What of values that only some may read is disclosed to others, as a steward set it. The newest is in force.
create table muniment.disclosure_policy (
    tenant   text        not null,
    number   bigint      generated always as identity,
    since    timestamptz not null,
    set_by   text        not null,
    content  text        not null,
    primary key (tenant, number)
);

-- ───────────────────────────── graph and entities ───────────────────────────

-- A typed relation, with the audience of the item that states it. The target may be an item nobody has handed in.
create table muniment.edge (
    tenant         text    not null,
    item           uuid    not null,
    kind           text    not null check (kind in
        ('cites', 'refers_to', 'supersedes', 'amends', 'attaches_to', 'contradicts', 'about', 'derived_from')),
    target_source  text    not null,
    target_id      text    not null,
    audience       integer not null,
    inverse        boolean not null default false,
    known          tstzmultirange not null,  -- while a version of the item stated it
    passage        uuid,
    primary key (tenant, item, kind, target_source, target_id, inverse)
);

create index edge_target on muniment.edge (tenant, target_source, target_id);
create index edge_seen on muniment.edge (tenant, audience, kind);
create index edge_lineage on muniment.edge (tenant, target_source, target_id) where kind = 'derived_from';

-- A name of an entity, readable by whoever may read what stated it. A name that items merely used has an `entity` too, a
-- hash of the name; what it means, each reader resolves over the names they can see.
create table muniment.entity_name (
    tenant    text    not null,
    name      text    not null,
    origin    text    not null,
    entity    uuid    not null,
    kind      text    not null,
    title     text    not null,
    is_alias  boolean not null,
    audience  integer not null,
    known     tstzmultirange not null default '{(,)}',  -- of an item's: while a version gave it; of a declared one: ever
    titled    bigint  not null generated always as (hashtextextended(title, 0)) stored,
    primary key (tenant, origin, name, kind)
);

-- A name that ten thousand items use is walked past in one step, by what the rows differ in; equal entries of an index take
-- a few bytes each. A title by its hash, as it may be long; and that by a column, as under row security no index is searched by
-- a function that might leak what it is given.
create index entity_name_called on muniment.entity_name (tenant, name, kind, entity, is_alias, titled, audience);
create index entity_name_of on muniment.entity_name (tenant, entity, name, kind, is_alias, titled, audience);

-- An item's own words for what it is about and who is part of it (index/stated): `account`, `project`, `service`, its title,
-- its channel, repository and container, whoever wrote it and takes part, and their mail domains.
create table muniment.mention (
    tenant    text    not null,
    item      uuid    not null,
    role      text    not null,
    name      text    not null,
    audience  integer not null,
    known     tstzmultirange not null,
    primary key (tenant, item, role, name)
);

create index mention_name on muniment.mention (tenant, name, audience);

-- A reference as the words of an item make it. What it leads to, each reader resolves over the names they can see
-- (claims/references), so that it waits for a target that comes later. name null: the item itself, of which a section.
create table muniment.reference (
    tenant     text            not null,
    reference  uuid            not null,
    item       uuid            not null,
    kind       text            not null check (kind in ('cites', 'refers_to', 'supersedes', 'amends', 'attaches_to')),
    inverse    boolean         not null,
    name       text,
    section    text,
    edition    text,
    passage    uuid,  -- null: said beside the text
    start      integer         not null,
    "end"      integer         not null,
    cue        text,
    audience   integer         not null,
    known      tstzmultirange  not null,
    primary key (tenant, reference)
);

create index reference_seen on muniment.reference (tenant, audience, kind);
create index reference_item on muniment.reference (tenant, item);
create index reference_name on muniment.reference (tenant, name, audience) where name is not null;
-- Few references change how another text stands, and every read asks for them.
create index reference_act on muniment.reference (tenant, item) where kind in ('supersedes', 'amends');
create index reference_act_on on muniment.reference (tenant, name) where kind in ('supersedes', 'amends');

-- What an item can be called by whoever refers to it: its title without its edition, its number, its id, its address.
create table muniment.handle (
    tenant    text            not null,
    item      uuid            not null,
    role      text            not null check (role in ('title', 'number', 'id', 'address')),
    name      text            not null,
    edition   text            not null,  -- empty where it gives none
    audience  integer         not null,
    known     tstzmultirange  not null,
    primary key (tenant, item, role, name, edition)
);

create index handle_name on muniment.handle (tenant, name, audience);

-- An organisation's own word that several names mean one thing, as a steward set it: a row for each of the names of an
-- entry, `means` among them. What is no longer said stays, with the time in which it was.
create table muniment.alias (
    tenant    text      not null,
    entry     uuid      not null,
    name      text      not null,
    position  integer   not null,
    means     text      not null,
    kind      text      check (kind in ('account', 'project', 'service', 'person', 'policy', 'topic', 'incident')),
    names     text[]    not null,
    audience  integer   not null,
    set_by    text      not null,
    known     tstzrange not null,
    primary key (tenant, entry, name)
);

create index alias_name on muniment.alias (tenant, name);
create index alias_seen on muniment.alias (tenant, audience);

-- What a steward settled about who or what is one: `others` are `into` (merge), or what is said by these names, in these
-- sources or items, of one of `entities` means `target` (split). Names nothing but by opaque ids, where it can.
create table muniment.entity_decision (
    tenant      text        not null,
    decision    uuid        not null,
    action      text        not null check (action in ('merge', 'split')),
    audience    integer     not null,  -- of everything that was shown to whoever decided
    "into"      uuid        not null,
    entities    uuid[]      not null,
    others      uuid[]      not null,
    target      text,
    target_name text,  -- in the form in which names meet
    names       text[]      not null,
    sources     text[]      not null,
    items       uuid[]      not null,
    saw         bytea       not null,
    reason      text,
    decided_by  text        not null,
    decided_at  timestamptz not null,
    undone_by   text,
    undone_at   timestamptz,
    primary key (tenant, decision)
);

create index entity_decision_seen on muniment.entity_decision (tenant, audience);

-- Which service leans on which, over which period.
create table muniment.topology (
    tenant       text        not null,
    source       text        not null,
    seq          bigint      not null,
    upstream     text        not null,
    relation     text        not null,
    downstream   text        not null,
    audience     integer     not null,
    environment  text,
    valid        tstzrange   not null,
    primary key (tenant, source, seq, upstream, relation, downstream)
);

-- How far each source has been heard, audience by audience, so that freshness tells nothing of hidden items.
create table muniment.watermark (
    tenant    text        not null,
    source    text        not null,
    audience  integer     not null,
    through   timestamptz not null,
    primary key (tenant, source, audience)
);

-- ───────────────────────────── index ────────────────────────────────────────
-- Packed posting blocks (docs/decisions/0002). A segment is what one commit or one compaction wrote for one audience;
-- its blocks deal the terms by their leading bits. Only permitted rows are ever visited.

create table muniment.posting_segment (
    tenant    text      not null,
    era       smallint  not null,
    audience  integer   not null,
    segment   bigint    generated always as identity,
    level     smallint  not null check (level between 0 and 12),
    low       bigint    not null,
    high      bigint    not null,
    docs      integer   not null check (docs >= 0),
    postings  integer   not null check (postings >= 0),
    length    bigint    not null check (length >= 0),
    primary key (tenant, era, audience, segment)
);

create table muniment.posting_block (
    tenant    text      not null,
    era       smallint  not null,
    slot      smallint  not null check (slot > 0),
    audience  integer   not null,
    segment   bigint    not null,
    terms     bytea     not null,
    postings  bytea     not null,
    primary key (tenant, era, slot, audience, segment)
) with (toast_tuple_target = 8160,  -- blocks stay inline: reading them from TOAST cost 15 to 35 % more
        autovacuum_vacuum_scale_factor = 0.1);  -- merging leaves whole segments behind, and the next ones take their room

alter table muniment.posting_block alter column terms set storage external, alter column postings set storage external;

-- ───────────────────────────── why, and who looked ──────────────────────────

-- Why each thing was recalled or dropped. Names ids only; the question can be erased.
create table muniment.trace (
    tenant     text        not null,
    trace      uuid        not null,
    at         timestamptz not null,
    principal  text        not null,
    verb       text        not null,
    question   text,
    detail     jsonb       not null,
    primary key (tenant, trace)
);

-- Append-only. Erasing `salt` and `content` leaves the commitment, which is what audit_seal chains (gate/chain).
create table muniment.audit (
    tenant      text        not null,
    entry       bigint      generated always as identity,
    at          timestamptz not null,
    principal   text        not null,
    action      text        not null,
    object      text        not null,
    salt        bytea,
    content     jsonb,
    commitment  bytea       not null,
    primary key (tenant, entry)
);

-- A read that is to be as fresh as a receipt looks its batch up.
create index audit_receipt on muniment.audit (tenant, (content ->> 'token')) where action = 'import';

-- What waits to be sealed: written with the entry, taken by the sealer. Entries commit in another order than they count.
create table muniment.audit_unsealed (
    tenant  text    not null,
    entry   bigint  not null,
    primary key (tenant, entry)
);

-- Numbers have no gaps; `head` is a digest of the head before it and of the entry's envelope.
create table muniment.audit_seal (
    tenant   text        not null,
    number   bigint      not null,
    entry    bigint      not null,
    head     bytea       not null,
    sealed_at timestamptz not null,
    primary key (tenant, number),
    unique (tenant, entry)
);

-- A slow step's right to work: whoever holds a smaller fence than the row's has lost it.
create table muniment.lease (
    tenant  text        not null,
    name    text        not null,
    holder  text        not null,
    fence   bigint      not null,
    until   timestamptz not null,
    primary key (tenant, name)
);

-- ───────────────────────────── what models take ─────────────────────────────

-- Each request to a language model: purpose, counts and money, never words. The row is there before the request, at the
-- most that can take, so that nothing spent is lost with a crash and several processes keep one limit.
create table muniment.model_call (
    tenant      text        not null,
    call        uuid        not null,
    run         uuid        not null,
    at          timestamptz not null,
    purpose     text        not null,
    model       text        not null,
    outcome     text        not null default 'asked' check (outcome in ('asked', 'answered', 'failed', 'late')),
    tokens_in   integer     not null check (tokens_in >= 0),
    tokens_out  integer     not null check (tokens_out >= 0),
    usd         numeric     not null check (usd >= 0),
    primary key (tenant, call)
);

create index model_call_at on muniment.model_call (tenant, at);

-- Each reply that the gates let not pass, and by which of them.
create table muniment.model_refusal (
    tenant   text        not null,
    refusal  uuid        not null,
    run      uuid        not null,
    at       timestamptz not null,
    purpose  text        not null,
    model    text        not null,
    why      text        not null,
    primary key (tenant, refusal)
);

-- ───────────────────────────── the second lock ──────────────────────────────
-- The first lock is the explicit predicate in every query. Row security repeats it, forced: the tenant as a scalar subquery,
-- the audiences as a hashed one, so that either costs one evaluation a statement and a row is looked up among thousands of
-- audiences rather than compared with each. A reader sees nothing before both settings are made.

create function muniment.bound_tenant() returns text
    language sql stable parallel safe
    set search_path = pg_catalog
    return nullif(current_setting('muniment.tenant', true), '');

create function muniment.bound_audiences() returns integer[]
    language sql stable parallel safe
    set search_path = pg_catalog
    return coalesce(nullif(current_setting('muniment.audiences', true), ''), '{}')::integer[];

-- The planner's statistics, for tables that have never been looked at or have changed by a tenth since. The server does this by
-- itself within a minute; an organisation's first import should not be answered by guesses until then: one that the statistics
-- do not know has no rows for the planner, which then compares all of them with all. Its owner alone may analyze a table.
create function muniment.refresh_statistics() returns void
    language plpgsql
    security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    name text;
begin
    for name in
        select c.relname
          from pg_class c
          left join pg_stat_user_tables s on s.relid = c.oid
         where c.relnamespace = 'muniment'::regnamespace
           and c.relkind = 'r'
           and (c.reltuples < 0 or coalesce(s.n_mod_since_analyze, 0) > greatest(c.reltuples / 10, 100))
    loop
        execute format('analyze muniment.%I', name);
    end loop;
end
$$;

-- Erasing what an act in the audit said. Its commitment stays, so that the chain still verifies. Nobody but the owner may
-- change the audit, and this changes these entries in this one way.
create function muniment.forget_audit(entries bigint[]) returns bigint
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    begin atomic
    with forgotten as (
      update muniment.audit
         set salt = null, content = null
       where tenant = muniment.bound_tenant()
         and entry = any (entries)
         and content is not null
      returning entry)
    select count(*) from forgotten;
    end;

-- Taking out what the making of an organisation wrote in its audit, so that a record can be restored in its place. An
-- audit with any other act in it stays as it is.
create function muniment.forget_beginning() returns bigint
    language sql
    security definer
    set search_path = pg_catalog, pg_temp
    begin atomic
    with sealed as (
      delete from muniment.audit_seal
       where tenant = muniment.bound_tenant()
         and not exists (select from muniment.audit
                          where tenant = muniment.bound_tenant() and action <> 'init')
      returning entry),
    begun as (
      delete from muniment.audit
       where tenant = muniment.bound_tenant()
         and not exists (select from muniment.audit
                          where tenant = muniment.bound_tenant() and action <> 'init')
      returning entry)
    select (select count(*) from begun) + (select count(*) from sealed);
    end;

revoke all on all functions in schema muniment from public;
grant usage on schema muniment to muniment_reader, muniment_writer;
grant execute on all functions in schema muniment to muniment_reader, muniment_writer;
revoke execute on function muniment.refresh_statistics(), muniment.forget_audit(bigint[]), muniment.forget_beginning()
    from muniment_reader;
grant select, insert, update, delete on all tables in schema muniment to muniment_writer;
-- A backup writes down where numbers stand.
grant usage, select on all sequences in schema muniment to muniment_writer;
revoke update, delete on muniment.audit, muniment.audit_seal from muniment_writer;

do $$
declare
    name text;
begin
    for name in select tablename from pg_tables where schemaname = 'muniment' and tablename <> 'schema_version' loop
        execute format('alter table muniment.%I enable row level security', name);
        execute format('alter table muniment.%I force row level security', name);
        execute format('create policy writer on muniment.%I to muniment_writer '
                       'using (tenant = (select muniment.bound_tenant()))', name);
    end loop;
    -- Content: readable by whoever may read its audience, and by nobody else.
    foreach name in array array['item', 'item_version', 'passage', 'assertion', 'decision', 'report', 'echo', 'edge', 'entity_name',
                                'mention', 'alias', 'entity_decision', 'reference', 'handle', 'topology', 'watermark', 'posting_segment',
                                'posting_block'] loop
        execute format('grant select on muniment.%I to muniment_reader', name);
        execute format('create policy reader on muniment.%I for select to muniment_reader '
                       'using (tenant = (select muniment.bound_tenant()) '
                       'and audience in (select unnest(muniment.bound_audiences())))', name);
    end loop;
end
$$;

-- A person's names are for whoever sees something they wrote, if whoever answers for its source says they did.
grant select on muniment.person_name to muniment_reader;
create policy reader on muniment.person_name for select to muniment_reader
    using (tenant = (select muniment.bound_tenant())
           and exists (select 1 from muniment.mention m
                         join muniment.item i on i.tenant = m.tenant and i.item = m.item and i.word = 'vouched'
                        where m.tenant = person_name.tenant and m.role = 'author' and m.name = any (person_name.ids)
                          and m.audience in (select unnest(muniment.bound_audiences()))));

-- For `forget_audit` and `forget_beginning`, which run as the owner: row security is forced on the owner too.
create policy forgetting on muniment.audit to muniment_owner using (tenant = (select muniment.bound_tenant()));
create policy forgetting on muniment.audit_seal to muniment_owner using (tenant = (select muniment.bound_tenant()));

-- The planner's statistics keep samples of what they are about, so that erased words would live on in them. Columns that
-- no statement asks by are not sampled.
do $$
declare
    kept text[];
begin
    foreach kept slice 1 in array array[
        ['payload', 'content'], ['payload', 'salt'], ['quarantine', 'raw'], ['quarantine', 'reason'],
        ['item', 'title'], ['item', 'author_name'], ['item', 'url'], ['item', 'labels'], ['item', 'metadata'],
        ['item', 'participants'], ['item', 'account'], ['item', 'project'], ['item', 'service'], ['item', 'status'],
        ['item_version', 'title'], ['item_version', 'status'], ['passage', 'heading'], ['passage', 'speaker'],
        ['passage', 'body'], ['passage', 'spans'], ['assertion', 'statement'], ['assertion', 'qualifier'],
        ['assertion', 'value'], ['assertion', 'terms'], ['assertion', 'quotes'], ['decision', 'reason'],
        ['reference', 'section'], ['reference', 'edition'], ['reference', 'cue'], ['handle', 'edition'],
        ['entity_name', 'title'], ['alias', 'means'], ['alias', 'names'], ['person_name', 'title'],
        ['person_name', 'ids'], ['entity_decision', 'target'], ['entity_decision', 'target_name'], ['entity_decision', 'names'],
        ['entity_decision', 'reason'], ['trace', 'question'], ['trace', 'detail'], ['audit', 'content'],
        ['stream', 'dead'], ['model_output', 'reply'], ['model_output', 'reason'], ['principal_statement', 'name'],
        ['principal_statement', 'emails'],
        ['principal_statement', 'aliases'], ['principal', 'name'], ['source', 'last_error'], ['connection', 'last_error'],
        ['legal_hold', 'reason'], ['report', 'problem']] loop
        execute format('alter table muniment.%I alter column %I set statistics 0', kept[1], kept[2]);
    end loop;
end
$$;

-- Source health is no content, but only a source with a visible watermark is named to a reader.
grant select (tenant, source, state, last_error, polled_through) on muniment.source to muniment_reader;
create policy reader on muniment.source for select to muniment_reader
    using (tenant = (select muniment.bound_tenant())
           and exists (select 1 from muniment.watermark w where w.tenant = source.tenant and w.source = source.source));

-- Redirects reveal nothing without the assertion they lead to.
