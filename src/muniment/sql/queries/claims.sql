-- Room claims: what a reader's statements have to be met with. Every read names its audiences.

-- name: assertions_of_slots
-- Whatever else is said in these slots, under any name of their entities; who means which is the reader's to resolve.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.entity = any (%(names)s::text[])
   and a.attribute = any (%(attributes)s::text[])
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, a.revision;

-- name: tied_items
-- Items that replace or amend these, or are replaced or amended by them, however many steps away: only so is a
-- ring of them seen whole, from whichever of its items one comes.
with recursive reached (item, source, id) as (
  select i.item, i.source, i.id
    from muniment.item i
   where i.tenant = %(tenant)s
     and i.item = any (%(items)s::uuid[])
     and i.audience = any (%(audiences)s::integer[])
   union
  select n.item, n.source, n.id
    from reached r
    cross join lateral (
      select o.item, o.source, o.id
        from muniment.edge e
        join muniment.item o
          on o.tenant = %(tenant)s
         and o.source = e.target_source
         and o.id = e.target_id
         and o.audience = any (%(audiences)s::integer[])
       where e.tenant = %(tenant)s
         and e.item = r.item
         and e.kind in ('supersedes', 'amends')
         and e.audience = any (%(audiences)s::integer[])
       union all
      select o.item, o.source, o.id
        from muniment.edge e
        join muniment.item o
          on o.tenant = %(tenant)s
         and o.item = e.item
         and o.audience = any (%(audiences)s::integer[])
       where e.tenant = %(tenant)s
         and e.target_source = r.source
         and e.target_id = r.id
         and e.kind in ('supersedes', 'amends')
         and e.audience = any (%(audiences)s::integer[])) n)
select reached.item from reached;

-- name: ties_of_items
select e.item, e.kind, e.target_source, e.target_id, e.inverse
  from muniment.edge e
 where e.tenant = %(tenant)s
   and e.item = any (%(items)s::uuid[])
   and e.kind in ('supersedes', 'amends')
   and e.audience = any (%(audiences)s::integer[])
 order by e.item, e.kind, e.target_source, e.target_id, e.inverse;

-- name: distinct_names
-- A name that ten thousand items use is one row: what matters is whether it can be seen, not how often.
select distinct n.name, n.entity, n.kind, n.title, n.is_alias
  from muniment.entity_name n
 where n.tenant = %(tenant)s
   and n.name = any (%(names)s::text[])
   and n.audience = any (%(audiences)s::integer[])
 order by n.name, n.kind, n.entity, n.title, n.is_alias;

-- name: names_of_entities
select distinct n.name, n.entity, n.kind, n.title, n.is_alias
  from muniment.entity_name n
 where n.tenant = %(tenant)s
   and n.entity = any (%(entities)s::uuid[])
   and n.audience = any (%(audiences)s::integer[])
 order by n.name, n.kind, n.entity, n.title, n.is_alias;

-- name: assertion_by_id
-- All that the record ever held of one statement; what was corrected in the instant it came was never held.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = %(assertion)s
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale')
   and not isempty(a.known)
   and (%(known_at)s::timestamptz is null or lower(a.known) <= %(known_at)s::timestamptz)
 order by a.revision;
