-- Live sources: how each was connected, and how its loops stand. Time is an argument.

-- name: connect
-- Connected anew with the same settings, it goes on where it was; with others, from the beginning.
insert into muniment.connection as n (tenant, source, kind, settings, audience, importer, every, sweep_every, pace,
                                      connected_at, state, next_at)
values (%(tenant)s, %(source)s, %(kind)s, %(settings)s, %(audience)s, %(importer)s, %(every)s, %(sweep_every)s, %(pace)s,
        %(now)s, case when %(pulls)s then 'behind' else 'current' end, case when %(pulls)s then %(now)s::timestamptz end)
on conflict (tenant, source) do update
   set cursor = case when n.kind = excluded.kind and n.settings = excluded.settings then n.cursor end,
       kind = excluded.kind, settings = excluded.settings, audience = excluded.audience, importer = excluded.importer,
       every = excluded.every, sweep_every = excluded.sweep_every, pace = excluded.pace, paused = false,
       state = excluded.state, failures = 0, last_error = null, next_at = excluded.next_at, swept_at = null;

-- name: disconnect
with gone as (
  delete from muniment.connection
   where tenant = %(tenant)s and source = %(source)s
  returning source)
update muniment.source as s
   set state = 'current', last_error = null, polled_through = null
  from gone
 where s.tenant = %(tenant)s and s.source = gone.source
returning s.source;

-- name: pause
-- What was missed in between is found by the pull and the sweep that resuming makes due.
with changed as (
  update muniment.connection
     set paused = %(paused)s, failures = 0, last_error = null,
         state = case when %(pulls)s then 'behind' else 'current' end,
         next_at = case when %(pulls)s then %(now)s::timestamptz end,
         swept_at = case when %(paused)s then swept_at end
   where tenant = %(tenant)s and source = %(source)s
  returning source, state)
update muniment.source as s
   set state = case when %(paused)s then 'paused' else changed.state end, last_error = null
  from changed
 where s.tenant = %(tenant)s and s.source = changed.source
returning s.source;

-- name: connections
select n.source, n.kind, n.settings, n.audience, n.importer, n.every, n.sweep_every, n.pace, n.paused, n.state, n.cursor,
       n.seen, n.through, n.last_error, n.failures, n.next_at, n.polled_at, n.swept_at, n.verified_at
  from muniment.connection n
 where n.tenant = %(tenant)s
   and (%(source)s::text is null or n.source = %(source)s)
 order by n.source collate "C";

-- name: due
-- Whose time has come, the longest due first; one that a person must mend has no time.
select n.source
  from muniment.connection n
 where n.tenant = %(tenant)s and not n.paused and n.next_at <= %(now)s
 order by n.next_at, n.source collate "C";

-- name: kept
-- After a page's events are in: where to go on from. A crash before this repeats the page.
update muniment.connection
   set cursor = %(cursor)s, seen = seen + %(seen)s, through = greatest(through, %(through)s::timestamptz)
 where tenant = %(tenant)s and source = %(source)s and not paused
returning source;

-- name: began_anew
-- The source no longer knows the cursor: everything is read again, and then what it no longer holds is looked for.
update muniment.connection
   set cursor = null, seen = 0, swept_at = null
 where tenant = %(tenant)s and source = %(source)s;

-- name: stands
-- How a turn ended. Readers are told a reason in words of ours; what the connector said is for stewards.
with ended as (
  update muniment.connection
     set state = %(state)s, last_error = %(error)s, failures = %(failures)s, next_at = %(next_at)s,
         polled_at = coalesce(%(polled)s::timestamptz, polled_at)
   where tenant = %(tenant)s and source = %(source)s
  returning source, paused)
update muniment.source as s
   set state = %(state)s, last_error = %(told)s, polled_through = coalesce(%(polled)s::timestamptz, s.polled_through)
  from ended
 where s.tenant = %(tenant)s and s.source = ended.source and not ended.paused;

-- name: goes_on
-- A pause is heard between two pages or listings.
update muniment.connection
   set paused = paused
 where tenant = %(tenant)s and source = %(source)s and not paused
returning source;

-- name: swept
update muniment.connection
   set swept_at = %(now)s, verified_at = coalesce(%(verified)s::timestamptz, verified_at)
 where tenant = %(tenant)s and source = %(source)s;

-- name: heard
-- A delivery came; one that says no more than that something changed makes the next pull due, unless a person has to mend
-- something first. A source that only delivers is well again when it is heard.
with heard as (
  update muniment.connection
     set heard_at = %(now)s,
         next_at = case when %(again)s and next_at > %(now)s then %(now)s else next_at end,
         state = case when %(pulls)s then state else 'current' end,
         last_error = case when %(pulls)s then last_error end,
         failures = case when %(pulls)s then failures else 0 end
   where tenant = %(tenant)s and source = %(source)s
  returning source)
update muniment.source as s
   set state = 'current', last_error = null
  from heard
 where s.tenant = %(tenant)s and s.source = heard.source and not %(pulls)s and s.state = 'failing';

-- name: not_listed
-- Ours under the prefix that the listing lacks. What happened or came in since the listing began is not judged by it.
select i.id
  from muniment.item i
 where i.tenant = %(tenant)s and i.source = %(source)s
   and i.state in ('live', 'pending', 'recalled')
   and i.level = 'exact'
   and starts_with(i.id, %(prefix)s)
   and not (i.id = any (%(ids)s::text[]))
   and not exists (select from muniment.event e
                    where e.tenant = i.tenant and e.source = i.source and e.id = i.id
                      and (e.at >= %(at)s or e.accepted_at >= %(at)s))
 order by i.id collate "C";

-- name: listed_again
-- Deleted here and held there: a removal that was undone, or never was one.
select i.id
  from muniment.item i
 where i.tenant = %(tenant)s and i.source = %(source)s
   and i.state = 'deleted'
   and i.id = any (%(ids)s::text[])
   and not exists (select from muniment.event e
                    where e.tenant = i.tenant and e.source = i.source and e.id = i.id
                      and (e.at >= %(at)s or e.accepted_at >= %(at)s))
 order by i.id collate "C";

-- name: not_held
-- How many of the listing the record has never heard of.
select count(*)
  from unnest(%(ids)s::text[]) as l (id)
 where not exists (select from muniment.stream s
                    where s.tenant = %(tenant)s and s.source = %(source)s and s.id = l.id);

-- name: versions_of
select e.id, array_agg(e.version order by e.seq), array_agg(e.at order by e.seq), array_agg(e.op = 'delete' order by e.seq)
  from muniment.event e
 where e.tenant = %(tenant)s and e.source = %(source)s and e.id = any (%(ids)s::text[])
 group by e.id;
