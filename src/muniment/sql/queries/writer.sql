-- name: before_writing
-- What is stored of these items, the numbers of their audiences (null for a new one), and numbers for their passages: only
-- where all items are new, as an item that is there keeps those it has.
select coalesce((select json_agg(json_build_array(i.item, i.source, i.audience, i.title,
                                                  coalesce(nullif(i.author_name, ''), i.author)))
                   from unnest(%(items)s::uuid[]) as n (item)
                   join muniment.item i
                     on i.tenant = %(tenant)s and i.item = n.item), '[]') as stored,
       array(select a.audience
               from unnest(%(digests)s::bytea[]) with ordinality as n (digest, place)
               left join muniment.audience a
                 on a.tenant = %(tenant)s and a.digest = n.digest
              order by n.place) as audiences,
       array(select nextval('muniment.passage_number')
               from generate_series(1, %(count)s::integer)
              where not exists (select from unnest(%(items)s::uuid[]) as n (item)
                                  join muniment.item i
                                    on i.tenant = %(tenant)s and i.item = n.item)) as numbers;

-- name: stored_items
select i.item, i.source, i.audience, i.title, coalesce(nullif(i.author_name, ''), i.author)
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.item = any (%(items)s::uuid[]);

-- name: drop_items
delete from muniment.item where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_versions
delete from muniment.item_version where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_assertions
delete from muniment.assertion where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_edges
delete from muniment.edge where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_names
delete from muniment.entity_name where tenant = %(tenant)s and origin = any (%(origins)s::text[]);

-- name: drop_mentions
delete from muniment.mention where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_references
delete from muniment.reference where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_handles
delete from muniment.handle where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_fingerprints
delete from muniment.fingerprint where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: stored_passages
select p.passage, p.doc, p.item, p.audience, p.era, p.heading, p.speaker, p.body
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.item = any (%(items)s::uuid[]);

-- name: drop_passages
delete from muniment.passage where tenant = %(tenant)s and passage = any (%(passages)s::uuid[]);

-- name: move_passages
-- Only where something changed: an untouched row keeps its place on disk, and its vectors are not looked at.
update muniment.passage p
   set audience = n.audience, era = n.era, ordinal = n.ordinal, spans = n.spans,
       line = n.line, at = n.at, turn = n.turn, traits = n.traits
  from json_populate_recordset(null::muniment.passage, %(rows)s::json) as n
 where p.tenant = %(tenant)s
   and p.passage = n.passage
   and (p.audience, p.era, p.ordinal, p.spans, p.line, p.at, p.turn, p.traits)
       is distinct from (n.audience, n.era, n.ordinal, n.spans, n.line, n.at, n.turn, n.traits);

-- name: number_passages
-- Index numbers come from a sequence: they are never shown, and ranks never depend on them.
select nextval('muniment.passage_number')
  from generate_series(1, %(count)s)
 where %(tenant)s::text is not null;

-- name: insert
-- What nearly every item has, in one round trip.
with new_items as (
  insert into muniment.item (tenant, item, source, id, audience, state, inherits, since, seq, kind, title, author,
                             author_name, at, created_at, version, container, thread, participants, account,
                             project, service, url, status, valid_from, valid_to, labels, metadata, trust,
                             authority, word, level)
  select tenant, item, source, id, audience, state, inherits, since, seq, kind, title, author, author_name, at,
         created_at, version, container, thread, participants, account, project, service, url, status,
         valid_from, valid_to, labels, metadata, trust, authority, word, level
    from json_populate_recordset(null::muniment.item, %(items)s::json)
   where tenant = %(tenant)s),
new_versions as (
  insert into muniment.item_version (tenant, item, seq, audience, at, version, known, title, status,
                                     valid_from, valid_to, change, passages, starts)
  select tenant, item, seq, audience, at, version, known, title, status, valid_from, valid_to, change,
         passages, starts
    from json_populate_recordset(null::muniment.item_version, %(versions)s::json)
   where tenant = %(tenant)s),
new_names as (
  insert into muniment.entity_name (tenant, name, origin, entity, kind, title, is_alias, audience, known)
  select tenant, name, origin, entity, kind, title, is_alias, audience, known
    from json_populate_recordset(null::muniment.entity_name, %(names)s::json)
   where tenant = %(tenant)s),
new_mentions as (
  insert into muniment.mention (tenant, item, role, name, audience, known)
  select tenant, item, role, name, audience, known
    from json_populate_recordset(null::muniment.mention, %(mentions)s::json)
   where tenant = %(tenant)s),
new_fingerprints as (
  insert into muniment.fingerprint (tenant, item, seq, at, hashes)
  select tenant, item, seq, at, hashes
    from json_populate_recordset(null::muniment.fingerprint, %(fingerprints)s::json)
   where tenant = %(tenant)s)
insert into muniment.passage (tenant, passage, doc, item, audience, era, ordinal, heading, speaker, body,
                              spans, line, at, turn, traits)
select tenant, passage, doc, item, audience, era, ordinal, heading, speaker, body, spans, line, at, turn, traits
  from json_populate_recordset(null::muniment.passage, %(passages)s::json)
 where tenant = %(tenant)s;

-- name: insert_said
-- What some of them say besides.
with new_assertions as (
  insert into muniment.assertion (tenant, assertion, revision, item, seq, audience, level, kind, memory_type,
                                  statement, entity, attribute, qualifier, value, terms, quotes, stated_by,
                                  stated_at, extractor, valid, known, last_verified_at, authority, trust,
                                  status, input_hash, confidence)
  select tenant, assertion, revision, item, seq, audience, level, kind, memory_type, statement, entity, attribute,
         qualifier, value, terms, quotes, stated_by, stated_at, extractor, valid, known, last_verified_at,
         authority, trust, status, input_hash, confidence
    from json_populate_recordset(null::muniment.assertion, %(assertions)s::json)
   where tenant = %(tenant)s),
new_echoes as (
  insert into muniment.echo (tenant, mark, item, audience, trust, known, at)
  select tenant, mark, item, audience, trust, known, at
    from json_populate_recordset(null::muniment.echo, %(echoes)s::json)
   where tenant = %(tenant)s),
new_edges as (
  insert into muniment.edge (tenant, item, kind, target_source, target_id, audience, inverse, known)
  select tenant, item, kind, target_source, target_id, audience, inverse, known
    from json_populate_recordset(null::muniment.edge, %(edges)s::json)
   where tenant = %(tenant)s),
new_references as (
  insert into muniment.reference (tenant, reference, item, kind, inverse, name, section, edition, passage, start, "end",
                                  cue, audience, known)
  select tenant, reference, item, kind, inverse, name, section, edition, passage, start, "end", cue, audience, known
    from json_populate_recordset(null::muniment.reference, %(references)s::json)
   where tenant = %(tenant)s)
insert into muniment.handle (tenant, item, role, name, edition, audience, known)
select tenant, item, role, name, edition, audience, known
  from json_populate_recordset(null::muniment.handle, %(handles)s::json)
 where tenant = %(tenant)s;

-- name: hold_watermarks
-- In the order of the lock's own number, so that two that mark cannot wait for each other.
with wanted as materialized (
  select distinct hashtextextended(%(tenant)s || ' ' || t.audience::text || ' ' || t.source, 20260704) as lock
    from unnest(%(sources)s::text[], %(audiences)s::integer[]) as t (source, audience)
   order by 1)
select count(pg_advisory_xact_lock(lock)) from wanted;

-- name: mark
-- Anew from the items that are there, so that nothing remembers an item that left the audience.
with newest as materialized (
  select t.source, t.audience, newest.at
    from unnest(%(sources)s::text[], %(audiences)s::integer[]) as t (source, audience)
    left join lateral (
      select i.at
        from muniment.item i
       where i.tenant = %(tenant)s
         and i.source = t.source
         and i.audience = t.audience
         and i.state in ('live', 'pending')
       order by i.at desc
       limit 1) as newest on true),
gone as (
  delete from muniment.watermark w
   using newest n
   where n.at is null
     and w.tenant = %(tenant)s
     and w.source = n.source
     and w.audience = n.audience)
insert into muniment.watermark as w (tenant, source, audience, through)
select %(tenant)s, n.source, n.audience, n.at
  from newest n
 where n.at is not null
on conflict (tenant, source, audience) do update
   set through = excluded.through
 where w.through <> excluded.through;

-- name: mark_new
-- Under the same locks as `mark`, taken in the same order. The row is compared as it is once they are held: whoever held
-- them before has committed.
with wanted as materialized (
  select t.source, t.audience, t.at,
         hashtextextended(%(tenant)s || ' ' || t.audience::text || ' ' || t.source, 20260704) as lock
    from unnest(%(sources)s::text[], %(audiences)s::integer[], %(ats)s::timestamptz[]) as t (source, audience, at)
   order by 4),
held as materialized (
  select w.source, w.audience, w.at, pg_advisory_xact_lock(w.lock) as lock
    from wanted w)
insert into muniment.watermark as w (tenant, source, audience, through)
select %(tenant)s, h.source, h.audience, h.at
  from held h
 where h.lock is not null
on conflict (tenant, source, audience) do update
   set through = excluded.through
 where w.through < excluded.through;

-- name: drop_echoes
delete from muniment.echo where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

