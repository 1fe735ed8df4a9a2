-- Today's whole truth. `migrations/` leads every older release here; a test proves they agree.
--
-- tenant leads every primary key, unique key, foreign key and statement, so that the schema can be distributed by it.
-- Canonical tables are the truth; derived ones can be dropped and rebuilt from them. Nothing here reads a clock:
-- every time is an argument, so that a test can set it.

create schema if not exists muniment;

-- For the exclusion of overlapping versions of one assertion.
create extension if not exists btree_gist;

-- ───────────────────────────── the organisation ─────────────────────────────

-- `key` makes public ids unguessable. MUNIMENT_KEY replaces it, then it is null here.
create table muniment.org (
    tenant      text        not null,
    key         bytea,
    created_at  timestamptz not null,
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
    primary key (tenant, source, id, seq),
    foreign key (tenant, source, id, seq) references muniment.event (tenant, source, id, seq) on delete cascade
);

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

-- Keyed digests of what was erased, so that the next backfill does not bring it back.
create table muniment.suppression (
    tenant         text        not null,
    digest         bytea       not null,
    suppressed_at  timestamptz not null,
    primary key (tenant, digest)
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

-- Other names of a principal: `slack:U1`, an e-mail casefolded. A name two principals claim names nobody.
create table muniment.principal_alias (
    tenant     text not null,
    alias      text not null,
    principal  text not null,
    primary key (tenant, alias, principal)
);

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
    primary key (tenant, grp, at, version, source)
);

-- The edges that hold now.
create table muniment.member_now (
    tenant  text not null,
    member  text not null,
    grp     text not null check (grp like 'group:_%'),
    primary key (tenant, member, grp)
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
    primary key (tenant, ref)
);

-- Here and in audience_clause a clause carries how many there are: all of them must be met.
create table muniment.container_clause (
    tenant  text    not null,
    member  text    not null,
    ref     text    not null,
    clause  integer not null,
    out_of  integer not null check (out_of > 0),
    primary key (tenant, member, ref, clause) include (out_of)
);

create index container_clause_of on muniment.container_clause (tenant, ref);

-- Equal audiences share one id; content rows carry the id, never members.
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
    primary key (tenant, item),
    unique (tenant, source, id)
);

create index item_watermark on muniment.item (tenant, source, audience, at desc) where state in ('live', 'pending');
create index item_inherits on muniment.item (tenant, source, container) where inherits;
create index item_pending on muniment.item (tenant) where state = 'pending';

-- Every version the record held. `known` is empty for one that arrived after a newer one.
-- passages[i] covers characters starts[i] to starts[i + 1] of the body.
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
    primary key (tenant, passage)
);

create unique index passage_doc on muniment.passage (tenant, doc);
create index passage_item on muniment.passage (tenant, item, ordinal);

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

-- What a person settled, bound to the content they saw.
create table muniment.decision (
    tenant      text        not null,
    decision    uuid        not null,
    audience    integer     not null,
    action      text        not null,
    subject     text        not null,
    saw         bytea       not null,
    reason      text,
    decided_by  text        not null,
    decided_at  timestamptz not null,
    primary key (tenant, decision)
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
    passage        uuid,
    primary key (tenant, item, kind, target_source, target_id, inverse)
);

create index edge_target on muniment.edge (tenant, target_source, target_id);

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
    primary key (tenant, name, origin, kind)
);

create index entity_name_of on muniment.entity_name (tenant, entity);
create index entity_name_origin on muniment.entity_name (tenant, origin);

-- An item's own word for what it is about: `account`, `project`, `service`, or its title.
create table muniment.mention (
    tenant    text    not null,
    item      uuid    not null,
    role      text    not null,
    name      text    not null,
    audience  integer not null,
    primary key (tenant, item, role, name)
);

create index mention_name on muniment.mention (tenant, name, audience);

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
) with (toast_tuple_target = 8160);  -- blocks stay inline: reading them from TOAST cost 15 to 35 % more

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

-- Append-only. Erasing `salt` and `content` leaves the commitment; the sealer that chains those in audit_seal comes later.
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

-- ───────────────────────────── the second lock ──────────────────────────────
-- The first lock is the explicit predicate in every query. Row security repeats it, forced, as scalar subqueries
-- so that it costs one evaluation a statement. A reader sees nothing before both settings are made.

create function muniment.bound_tenant() returns text
    language sql stable parallel safe
    set search_path = pg_catalog
    return nullif(current_setting('muniment.tenant', true), '');

create function muniment.bound_audiences() returns integer[]
    language sql stable parallel safe
    set search_path = pg_catalog
    return coalesce(nullif(current_setting('muniment.audiences', true), ''), '{}')::integer[];

-- The planner's statistics, for tables that have never been looked at or have doubled since. The server does this by itself
-- within a minute; a first import should not be answered by guesses until then. Its owner alone may analyze a table.
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
           and (c.reltuples < 0 or coalesce(s.n_mod_since_analyze, 0) > greatest(c.reltuples, 1000))
    loop
        execute format('analyze muniment.%I', name);
    end loop;
end
$$;

revoke all on all functions in schema muniment from public;
grant usage on schema muniment to muniment_reader, muniment_writer;
grant execute on all functions in schema muniment to muniment_reader, muniment_writer;
revoke execute on function muniment.refresh_statistics() from muniment_reader;
grant select, insert, update, delete on all tables in schema muniment to muniment_writer;
grant usage on all sequences in schema muniment to muniment_writer;
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
    foreach name in array array['item', 'item_version', 'passage', 'assertion', 'decision', 'edge', 'entity_name',
                                'mention', 'topology', 'watermark', 'posting_segment', 'posting_block'] loop
        execute format('grant select on muniment.%I to muniment_reader', name);
        execute format('create policy reader on muniment.%I for select to muniment_reader '
                       'using (tenant = (select muniment.bound_tenant()) '
                       'and audience = any ((select muniment.bound_audiences())::integer[]))', name);
    end loop;
end
$$;

-- Source health is no content, but only a source with a visible watermark is named to a reader.
grant select (tenant, source, state, last_error) on muniment.source to muniment_reader;
create policy reader on muniment.source for select to muniment_reader
    using (tenant = (select muniment.bound_tenant())
           and exists (select 1 from muniment.watermark w where w.tenant = source.tenant and w.source = source.source));

-- Redirects reveal nothing without the assertion they lead to.
