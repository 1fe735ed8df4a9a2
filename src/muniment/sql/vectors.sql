-- The vector leg, made only where pgvector 0.7 or later is installed. Everything here is derived: it can be dropped, and
-- is made again from the passages.
--
-- A vector carries its passage's era and audience, so that a search visits permitted rows and no others, and a foreign key
-- over both keeps them true: relabelling a passage relabels its vector in the same statement, and dropping it drops the
-- vector, whoever does either. A passage whose words changed is dropped and written anew (gate/writer), so no vector
-- outlives its text.

create unique index passage_place on muniment.passage (tenant, era, passage, audience);

-- `code` is one bit a dimension (index/codes). Two models may stand side by side while one replaces the other.
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

-- Texts the embedder failed on, to be tried again. No reason in the embedder's words: they may quote the text.
create table muniment.vector_failure (
    tenant    text         not null,
    passage   uuid         not null,
    model     text         not null,
    failures  integer      not null,
    retry_at  timestamptz  not null,
    reason    text         not null,
    primary key (tenant, passage, model),
    foreign key (tenant, passage) references muniment.passage (tenant, passage) on delete cascade
);

-- What of a passage is embedded: where, by whom and what it says, in the words of gate/writer's index_text.
create function muniment.vector_text(title text, heading text[], said_by text, body text) returns text
    language sql stable parallel safe
    set search_path = pg_catalog
    return left(concat_ws(E'\n', nullif(title, ''), nullif(array_to_string(heading, E'\n'), ''),
                          concat_ws(': ', nullif(said_by, ''), body)), 1200);

revoke all on function muniment.vector_text(text, text[], text, text) from public;
grant execute on function muniment.vector_text(text, text[], text, text) to muniment_writer;
grant select, insert, update, delete on muniment.passage_vector, muniment.vector_failure to muniment_writer;
grant select on muniment.passage_vector to muniment_reader;

alter table muniment.passage_vector enable row level security;
alter table muniment.passage_vector force row level security;
alter table muniment.vector_failure enable row level security;
alter table muniment.vector_failure force row level security;

create policy writer on muniment.passage_vector to muniment_writer using (tenant = (select muniment.bound_tenant()));
create policy writer on muniment.vector_failure to muniment_writer using (tenant = (select muniment.bound_tenant()));
create policy reader on muniment.passage_vector for select to muniment_reader
    using (tenant = (select muniment.bound_tenant())
           and audience = any ((select muniment.bound_audiences())::integer[]));
