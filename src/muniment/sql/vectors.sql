-- The vector leg, made only where pgvector 0.7 or later is installed. Everything here is derived: it can be dropped, and
-- is made again from the passages.
--
-- A vector carries its passage's era and audience, so that a search visits permitted rows and no others, and a foreign key
-- over both keeps them true: relabelling a passage relabels its vector in the same statement, and dropping it drops the
-- vector, whoever does either. A passage whose words changed is dropped and written anew (gate/writer), so no vector
-- outlives its text.

create unique index passage_place on muniment.passage (tenant, era, passage, audience);

-- `code` is one bit a dimension (index/codes). Models stand side by side, of whatever dimensions, while one replaces another.
create table muniment.passage_vector (
    tenant    text         not null,
    passage   uuid         not null,
    model     text         not null,
    era       smallint     not null,
    audience  integer      not null,
    code      bit varying  not null,
    vector    halfvec      not null,
    primary key (tenant, passage, model),
    foreign key (tenant, era, passage, audience) references muniment.passage (tenant, era, passage, audience)
        on update cascade on delete cascade
);

-- Codes are read from the index alone, in stretches of one audience.
create index passage_vector_scan on muniment.passage_vector (tenant, model, era, audience) include (passage, code);

-- A row for every statement that changed vectors of an audience, under a name that no other change anywhere has. Codes that
-- a process keeps (index/kept) are good for exactly the changes it saw, and how many vectors there are is their sum. Rows
-- are only ever added, so that no writer waits for another; whoever embeds adds old ones up.
create table muniment.vector_change (
    tenant    text      not null,
    model     text      not null,
    era       smallint  not null,
    audience  integer   not null,
    change    uuid      not null,
    vectors   integer   not null,
    primary key (tenant, model, era, audience, change)
);

create function muniment.note_vectors() returns trigger
    language plpgsql
    set search_path = pg_catalog
as $$
begin
    if tg_op = 'INSERT' then
        insert into muniment.vector_change (tenant, model, era, audience, change, vectors)
        select c.tenant, c.model, c.era, c.audience, gen_random_uuid(), count(*)
          from come c
         group by c.tenant, c.model, c.era, c.audience;
    elsif tg_op = 'DELETE' then
        insert into muniment.vector_change (tenant, model, era, audience, change, vectors)
        select g.tenant, g.model, g.era, g.audience, gen_random_uuid(), -count(*)
          from gone g
         group by g.tenant, g.model, g.era, g.audience;
    else
        insert into muniment.vector_change (tenant, model, era, audience, change, vectors)
        select m.tenant, m.model, m.era, m.audience, gen_random_uuid(), sum(m.vectors)
          from (select c.tenant, c.model, c.era, c.audience, 1 as vectors from come c
                 union all
                select g.tenant, g.model, g.era, g.audience, -1 from gone g) as m
         group by m.tenant, m.model, m.era, m.audience;
    end if;
    return null;
end
$$;

create trigger vectors_come after insert on muniment.passage_vector
    referencing new table as come
    for each statement execute function muniment.note_vectors();

create trigger vectors_change after update on muniment.passage_vector
    referencing old table as gone new table as come
    for each statement execute function muniment.note_vectors();

create trigger vectors_go after delete on muniment.passage_vector
    referencing old table as gone
    for each statement execute function muniment.note_vectors();

-- Each model that vectors are made with. `begun`: new passages are due, those before it not yet. `coming`: all are, and
-- not all have had their turn. `whole`: they have, and questions go by it. `going`: its vectors are being dropped. While another one comes, the whole one goes on, and its
-- new passages with it. `mean` is the usual value of each dimension, where index/codes does not know it: a constant of
-- the model, of texts that ship with us, so that no code depends on what is in the record.
create table muniment.vector_model (
    tenant     text         not null,
    model      text         not null,
    state      text         not null default 'begun' check (state in ('begun', 'coming', 'whole', 'going')),
    mean       bytea,
    worked_at  timestamptz  not null,
    primary key (tenant, model)
);

-- Passages that wait for a vector of a model, put here when they are written; looking for them among all others would
-- take a second in a million. After a failure `retry_at` says when to try again, and `reason` the kind of error and never
-- its words, which may quote the text; `aside` are those that failed too often and wait for a steward. `era` is what it
-- was when the passage came.
create table muniment.vector_due (
    tenant    text         not null,
    passage   uuid         not null,
    model     text         not null,
    era       smallint     not null,
    failures  integer      not null default 0,
    retry_at  timestamptz,
    reason    text,
    aside     boolean      not null default false,
    primary key (tenant, passage, model),
    foreign key (tenant, passage) references muniment.passage (tenant, passage) on delete cascade,
    foreign key (tenant, model) references muniment.vector_model (tenant, model) on delete cascade
);

create index vector_due_next on muniment.vector_due (tenant, model, aside, era, passage);

-- A trigger, because the writer does not know whether this database has vectors. Without a model nothing is due: a first
-- one begins with all passages.
create function muniment.note_due() returns trigger
    language plpgsql
    set search_path = pg_catalog
as $$
begin
    insert into muniment.vector_due (tenant, passage, model, era)
    select fresh.tenant, fresh.passage, m.model, fresh.era
      from fresh
      join muniment.vector_model as m
        on m.tenant = fresh.tenant and m.state <> 'going';
    return null;
end
$$;

create trigger passage_is_due after insert on muniment.passage
    referencing new table as fresh
    for each statement execute function muniment.note_due();

-- What of a passage is embedded: where, by whom and what it says, in the words of gate/writer's index_text.
create function muniment.vector_text(title text, heading text[], said_by text, body text) returns text
    language sql stable parallel safe
    set search_path = pg_catalog
    return left(concat_ws(E'\n', nullif(title, ''), nullif(array_to_string(heading, E'\n'), ''),
                          concat_ws(': ', nullif(said_by, ''), body)), 1200);

revoke all on function muniment.vector_text(text, text[], text, text) from public;
grant execute on function muniment.vector_text(text, text[], text, text) to muniment_writer;
revoke all on function muniment.note_due(), muniment.note_vectors() from public;
grant execute on function muniment.note_due(), muniment.note_vectors() to muniment_writer;
grant select, insert, update, delete
    on muniment.passage_vector, muniment.vector_change, muniment.vector_due, muniment.vector_model to muniment_writer;
grant select on muniment.passage_vector, muniment.vector_change to muniment_reader;

do $$
declare
    name text;
begin
    foreach name in array array['passage_vector', 'vector_change', 'vector_due', 'vector_model'] loop
        execute format('alter table muniment.%I enable row level security', name);
        execute format('alter table muniment.%I force row level security', name);
        execute format('create policy writer on muniment.%I to muniment_writer '
                       'using (tenant = (select muniment.bound_tenant()))', name);
    end loop;
end
$$;

create policy reader on muniment.passage_vector for select to muniment_reader
    using (tenant = (select muniment.bound_tenant())
           and audience in (select unnest(muniment.bound_audiences())));

create policy reader on muniment.vector_change for select to muniment_reader
    using (tenant = (select muniment.bound_tenant())
           and audience in (select unnest(muniment.bound_audiences())));

-- A vector that goes with its passage goes in the owner's name, and row security is forced on the owner too.
create policy noting on muniment.vector_change for insert to muniment_owner
    with check (tenant = (select muniment.bound_tenant()));
