-- Reverting a source: what it said since a time counts for nothing, envelope and content kept.

-- name: accepted_since
-- What a source said since then, and still counts.
select e.id, e.seq
  from muniment.event e
 where e.tenant = %(tenant)s
   and e.source = %(source)s
   and e.accepted_at >= %(since)s
   and not exists (select 1
                     from muniment.reverted_event v
                     join muniment.reversal r on r.tenant = v.tenant and r.reversal = v.reversal and r.undone_at is null
                    where v.tenant = e.tenant and v.source = e.source and v.id = e.id and v.seq = e.seq)
 order by e.id collate "C", e.seq;

-- name: revert
insert into muniment.reversal (tenant, reversal, source, since, by, at)
values (%(tenant)s, %(reversal)s, %(source)s, %(since)s, %(by)s, %(now)s);

-- name: mark
insert into muniment.reverted_event (tenant, source, id, seq, reversal)
select %(tenant)s, %(source)s, m.id, m.seq, %(reversal)s
  from unnest(%(ids)s::text[], %(seqs)s::bigint[]) as m (id, seq);

-- name: open_reversals
select r.reversal
  from muniment.reversal r
 where r.tenant = %(tenant)s
   and r.source = %(source)s
   and r.undone_at is null
   and (%(since)s::timestamptz is null or r.since = %(since)s);

-- name: marked
select distinct v.id
  from muniment.reverted_event v
 where v.tenant = %(tenant)s
   and v.reversal = any (%(reversals)s::uuid[]);

-- name: count_marked
select count(*) from muniment.reverted_event v where v.tenant = %(tenant)s and v.reversal = any (%(reversals)s::uuid[]);

-- name: undo
update muniment.reversal
   set undone_by = %(by)s, undone_at = %(now)s
 where tenant = %(tenant)s
   and reversal = any (%(reversals)s::uuid[])
   and undone_at is null;
