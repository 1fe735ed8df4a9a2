-- name: claim
-- Oldest first; a locked row belongs to somebody else.
select t.source, t.id, t.last_seq
  from muniment.stream t
 where t.tenant = %(tenant)s
   and t.done_seq < t.last_seq
   and t.dead is null
   and t.run_at <= %(now)s
 order by t.run_at, t.source, t.id
 limit %(limit)s
   for update skip locked;

-- name: advance
update muniment.stream t
   set done_seq = s.done_seq, attempts = 0
  from unnest(%(sources)s::text[], %(ids)s::text[], %(dones)s::bigint[]) as s (source, id, done_seq)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id
   and t.done_seq < s.done_seq;

-- name: advance_all
-- Keys whose events act when they are accepted.
update muniment.stream t
   set done_seq = t.last_seq
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id;

-- name: put_off
update muniment.stream
   set attempts = attempts + 1,
       run_at = %(run_at)s,
       dead = case when attempts + 1 >= %(most)s then %(reason)s end
 where tenant = %(tenant)s
   and source = %(source)s
   and id = %(id)s;

-- name: reopen
-- What could not be compiled in time to act at once is due again, done or not.
update muniment.stream
   set done_seq = least(done_seq, last_seq - 1)
 where tenant = %(tenant)s
   and source = %(source)s
   and id = %(id)s;

-- name: revive
-- Keys that were set aside are due again, with all their tries.
update muniment.stream
   set dead = null, attempts = 0, run_at = %(now)s
 where tenant = %(tenant)s
   and dead is not null;

-- name: history
select e.source, e.id, e.seq, e.accepted_at, e.importer, p.content
  from muniment.event e
  join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = e.source and s.id = e.id
 where e.tenant = %(tenant)s
 order by e.source collate "C", e.id collate "C", e.seq;

-- name: source_qualities
select source, trust, authority from muniment.source where tenant = %(tenant)s and source = any (%(sources)s::text[]);

-- name: redactions
select length, digest
  from muniment.redaction
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s
 order by position;

-- name: store_redactions
insert into muniment.redaction (tenant, source, id, position, length, digest)
select %(tenant)s, %(source)s, %(id)s, r.position, r.length, r.digest
  from unnest(%(positions)s::integer[], %(lengths)s::integer[], %(digests)s::bytea[]) as r (position, length, digest);

-- name: rewrite_payload
update muniment.payload set content = %(content)s
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s and seq = %(seq)s;

-- name: inheriting
-- Items of containers whose audience just changed in reach: pending ones it now covers, others it no longer does. A
-- recalled item says neither, and its label depends on it.
select i.source, i.id
  from unnest(%(refs)s::text[], %(sources)s::text[], %(containers)s::text[]) as w (ref, source, container)
  join muniment.container c
    on c.tenant = %(tenant)s
   and c.ref = w.ref
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.source = w.source
   and i.container = w.container
 where i.inherits
   and (i.state = 'recalled'
        or i.state in ('live', 'pending')
           and (i.state = 'pending') = (c.clause_count > 0 and (c.live or coalesce(c.verified_through >= i.since, false))))
 order by i.source collate "C", i.id collate "C";

-- name: wal_position
-- Where the log stood once the batch was in: a replica that has replayed it has the batch.
select pg_current_wal_insert_lsn()::text where %(tenant)s::text is not null;

-- name: compile_beside_others
select pg_advisory_xact_lock_shared(hashtextextended(%(tenant)s, 20260703));

-- name: compile_alone
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 20260703));

-- name: refresh_statistics
select muniment.refresh_statistics() where %(tenant)s::text is not null;

-- name: moves
-- From which ids to which, in these sources. Moves to a new id are rare, and have an index of their own.
select distinct e.source, e.id, coalesce(p.content -> 'to' ->> 'id', p.content ->> 'to') as target
  from muniment.event e
  join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
 where e.tenant = %(tenant)s
   and e.source = any (%(sources)s::text[])
   and e.op = 'move'
   and (jsonb_typeof(p.content -> 'to') = 'string' or p.content -> 'to' ? 'id');
