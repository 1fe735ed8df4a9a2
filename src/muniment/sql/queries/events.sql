-- name: take_streams
-- New keys get their row, then all others are held; each in one order, so that two batches cannot wait for each other. A
-- row that another batch made while this one waited is not seen here: `lock_streams` finds it.
with opened as (
  insert into muniment.stream (tenant, source, id, last_seq, run_at)
  select %(tenant)s, s.source, s.id, 0, %(now)s
    from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
   order by s.source collate "C", s.id collate "C"
  on conflict (tenant, source, id) do nothing
  returning source, id, last_seq),
held as (
  select t.source, t.id, t.last_seq
    from muniment.stream t
    join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
      on s.source = t.source and s.id = t.id
   where t.tenant = %(tenant)s
   order by t.source collate "C", t.id collate "C"
     for update of t)
select opened.source, opened.id, opened.last_seq from opened
 union all
select held.source, held.id, held.last_seq from held;

-- name: lock_streams
-- The one order in which keys are taken, by whoever accepts an event and by whoever compiles.
select t.source, t.id, t.last_seq
  from muniment.stream t
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = t.source and s.id = t.id
 where t.tenant = %(tenant)s
 order by t.source collate "C", t.id collate "C"
   for update of t;

-- name: known_events
select e.source, e.id, e.op, e.version, e.at, coalesce(p.commitment, e.commitment), p.salt, p.content -> 'audience',
       e.importer, e.seq, p.kept is not null, p.kept is not null and p.commitment is not null,
       exists (select 1
                 from muniment.reverted_event v
                 join muniment.reversal r on r.tenant = v.tenant and r.reversal = v.reversal and r.undone_at is null
                where v.tenant = e.tenant and v.source = e.source and v.id = e.id and v.seq = e.seq) as reverted
  from muniment.event e
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = e.source and s.id = e.id
  left join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
 where e.tenant = %(tenant)s;

-- name: at_the_door
-- What a batch is judged by: the rule of each of its sources, the last word on it; which of it was erased; blanked words.
select array(select (select r.keep
                       from muniment.retention_rule r
                      where r.tenant = %(tenant)s and r.source = s.source
                      order by r.position desc
                      limit 1)
               from unnest(%(sources)s::text[]) with ordinality as s (source, place)
              order by s.place) as rules,
       array(select p.digest
               from unnest(%(digests)s::bytea[]) as d (digest)
               join muniment.suppression p
                 on p.tenant = %(tenant)s and p.digest = d.digest) as suppressed,
       (select json_agg(json_build_array(encode(b.digest, 'hex'), encode(b.first, 'hex'), b.words))
          from muniment.blanked b
         where b.tenant = %(tenant)s) as blanks;

-- name: suppressed
select digest from muniment.suppression where tenant = %(tenant)s and digest = any (%(digests)s::bytea[]);

-- name: suppress
insert into muniment.suppression (tenant, digest, kind, suppressed_at)
select %(tenant)s, s.digest, %(kind)s, %(now)s
  from unnest(%(digests)s::bytea[]) as s (digest)
on conflict (tenant, digest) do nothing;

-- name: blanks
select digest, first, words from muniment.blanked where tenant = %(tenant)s;

-- name: held_keys
select s.source, s.id
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where exists (select 1 from muniment.event e where e.tenant = %(tenant)s and e.source = s.source and e.id = s.id);

-- name: write_events
-- Envelopes, payloads and how far their keys have come: done with as well, where nothing is left to a queue.
with new_events as (
  insert into muniment.event (tenant, source, id, seq, op, version, at, accepted_at, importer, commitment)
  select tenant, source, id, seq, op, version, at, accepted_at, importer, commitment
    from json_populate_recordset(null::muniment.event, %(envelopes)s::json)
   where tenant = %(tenant)s),
new_payloads as (
  insert into muniment.payload (tenant, source, id, seq, salt, content)
  select tenant, source, id, seq, salt, content
    from json_populate_recordset(null::muniment.payload, %(payloads)s::json)
   where tenant = %(tenant)s)
update muniment.stream t
   set last_seq = s.last_seq, run_at = %(now)s, attempts = 0, dead = null,
       done_seq = case when %(done)s then s.last_seq else t.done_seq end
  from unnest(%(sources)s::text[], %(ids)s::text[], %(lasts)s::bigint[]) as s (source, id, last_seq)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id;

-- name: insert_quarantine
-- The same input refused again for the same reason, from the same place, is one entry.
-- What was erased and is handed in again is noted without its text, and as done with: there is nothing to replay.
insert into muniment.quarantine (tenant, origin, line, source, id, reason, raw, importer, audience, account,
                                 refused_at, replayed_at)
select tenant, origin, line, source, id, reason, raw, importer, audience, account, refused_at, replayed_at
  from json_populate_recordset(null::muniment.quarantine, %(rows)s::json) n
 where tenant = %(tenant)s
   and not exists (select 1
                     from muniment.quarantine q
                    where q.tenant = n.tenant and md5(q.raw) = md5(n.raw) and q.origin = n.origin and q.raw = n.raw and q.reason = n.reason
                      and q.line is not distinct from n.line and q.replayed_at is null)
   and not exists (select 1
                     from muniment.quarantine q
                    where n.raw = '' and q.tenant = n.tenant and q.raw = n.raw and q.origin = n.origin and q.reason = n.reason
                      and q.source is not distinct from n.source and q.id is not distinct from n.id);

-- name: register_sources
insert into muniment.source (tenant, source, kind, fed_by, trust, authority)
select %(tenant)s, s.source, %(kind)s, %(importer)s, %(trust)s, %(authority)s
  from unnest(%(sources)s::text[]) as s (source)
on conflict (tenant, source) do nothing;
