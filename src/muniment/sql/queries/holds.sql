-- Legal holds: what may not be erased or reverted.

-- name: add
insert into muniment.legal_hold (tenant, target, reason, held_by, held_at)
select %(tenant)s, %(target)s, %(reason)s, %(by)s, %(now)s
 where not exists (select 1 from muniment.legal_hold h
                    where h.tenant = %(tenant)s and h.target = %(target)s and h.released_at is null)
on conflict (tenant, target, held_at) do update
   set released_at = null, released_by = null, reason = excluded.reason, held_by = excluded.held_by;

-- name: release
update muniment.legal_hold
   set released_by = %(by)s, released_at = %(now)s
 where tenant = %(tenant)s
   and target = %(target)s
   and released_at is null;

-- name: list
select target, reason, held_by, held_at, released_by, released_at
  from muniment.legal_hold
 where tenant = %(tenant)s
 order by held_at, target;

-- name: open
select target from muniment.legal_hold where tenant = %(tenant)s and released_at is null order by target;

-- name: has_source
select exists (select 1 from muniment.source where tenant = %(tenant)s and source = %(source)s);

-- name: held
-- By what each of these items is held: itself, its source, a container it ever was in, whoever wrote or handed in any of it.
with target as (
  select h.target from muniment.legal_hold h where h.tenant = %(tenant)s and h.released_at is null),
wanted as (
  select s.source, s.id from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id))
select w.source, w.id, t.target
  from wanted w
  join target t on t.target in ('item:' || w.source || ':' || w.id, 'source:' || w.source)
 union
select w.source, w.id, t.target
  from wanted w
  join muniment.event e on e.tenant = %(tenant)s and e.source = w.source and e.id = w.id
  join muniment.payload p on p.tenant = %(tenant)s and p.source = e.source and p.id = e.id and p.seq = e.seq
  join target t
    on t.target in ('container:' || w.source || ':' || (p.content ->> 'container'),
                    'container:' || w.source || ':' || (p.content -> 'to' ->> 'container'),
                    p.content ->> 'author', e.importer)
    or starts_with(w.id, '@') and t.target = substr(w.id, length('@principal/') + 1)
 order by 1, 2, 3;
