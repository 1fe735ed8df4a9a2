-- name: rules
-- The last word on each source.
select distinct on (r.source) r.source, r.keep, r.set_by, r.since
  from muniment.retention_rule r
 where r.tenant = %(tenant)s
   and (%(sources)s::text[] is null or r.source = any (%(sources)s::text[]))
 order by r.source, r.position desc;

-- name: set_rule
insert into muniment.retention_rule (tenant, source, position, keep, set_by, since)
select %(tenant)s, %(source)s, coalesce(max(r.position), 0) + 1, %(keep)s, %(set_by)s, %(since)s
  from muniment.retention_rule r
 where r.tenant = %(tenant)s
   and r.source = %(source)s;

-- name: forget_due
delete from muniment.retention_due where tenant = %(tenant)s and source = %(source)s;

-- name: due_by_quotes
-- Every key of the source with a text that is still whole.
insert into muniment.retention_due (tenant, source, id, due)
select distinct p.tenant, p.source, p.id, %(now)s::timestamptz
  from muniment.payload p
  join muniment.event e
    on e.tenant = p.tenant and e.source = p.source and e.id = p.id and e.seq = p.seq
 where p.tenant = %(tenant)s
   and p.source = %(source)s
   and e.op = 'upsert'
   and p.kept is null;

-- name: due_by_time
-- Every key of the source with a text, when its oldest one has been kept long enough.
insert into muniment.retention_due (tenant, source, id, due)
select p.tenant, p.source, p.id, min(e.at) + %(span)s::interval
  from muniment.payload p
  join muniment.event e
    on e.tenant = p.tenant and e.source = p.source and e.id = p.id and e.seq = p.seq
 where p.tenant = %(tenant)s
   and p.source = %(source)s
   and e.op = 'upsert'
 group by p.tenant, p.source, p.id;

-- name: note_due
-- In one order, so that two batches over the same keys cannot wait for each other.
insert into muniment.retention_due (tenant, source, id, due)
select %(tenant)s, s.source, s.id, min(s.due)
  from unnest(%(sources)s::text[], %(ids)s::text[], %(dues)s::timestamptz[]) as s (source, id, due)
 group by s.source, s.id
 order by s.source collate "C", s.id collate "C"
on conflict (tenant, source, id) do update
   set due = least(retention_due.due, excluded.due);

-- name: refill
-- A text that was reduced, whole again: its commitment proves that it is what was said then.
update muniment.payload
   set content = jsonb_set(content, '{body}', to_jsonb(%(body)s::text)), kept = null
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s and seq = %(seq)s and kept is not null;

-- name: claim
-- Keys whose time has come and that nothing else is to be compiled of. A row of `stream` is locked first, as by
-- whoever accepts or compiles; one that somebody else holds is left to the next pass.
select t.source, t.id
  from muniment.retention_due d
  join muniment.stream t
    on t.tenant = d.tenant and t.source = d.source and t.id = d.id
 where d.tenant = %(tenant)s
   and d.due <= %(now)s
   and t.done_seq = t.last_seq
 order by d.due, t.source collate "C", t.id collate "C"
 limit %(limit)s
   for update of t skip locked;

-- name: texts
-- What the record has of each key's texts; of one that was dropped, only that it was there.
select e.source, e.id, e.seq, e.version, e.at, p.content, p.kept is not null
  from muniment.event e
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = e.source and s.id = e.id
  left join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
 where e.tenant = %(tenant)s
   and e.op = 'upsert'
 order by e.source collate "C", e.id collate "C", e.seq;

-- name: reduce
update muniment.payload
   set content = jsonb_set(content, '{body}', to_jsonb(%(body)s::text)), kept = %(kept)s
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s and seq = %(seq)s;

-- name: drop
delete from muniment.payload
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s and seq = any (%(seqs)s::bigint[]);

-- name: settle
delete from muniment.retention_due d
 using unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where d.tenant = %(tenant)s and d.source = s.source and d.id = s.id;

-- name: put_off
update muniment.retention_due d
   set due = %(due)s
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where d.tenant = %(tenant)s and d.source = s.source and d.id = s.id;

-- name: count
insert into muniment.retention_done (tenant, source, reduced, expired, characters)
values (%(tenant)s, %(source)s, %(reduced)s, %(expired)s, %(characters)s)
on conflict (tenant, source) do update
   set reduced = retention_done.reduced + excluded.reduced,
       expired = retention_done.expired + excluded.expired,
       characters = retention_done.characters + excluded.characters;
