-- name: shared
-- Runs of words that items of more than one audience have, but of no more than a few: what stands everywhere is a template.
-- Only where somebody had it since the time in question.
with print as materialized (
  select f.item, i.audience, i.source, i.id, f.at, h.hash
    from muniment.fingerprint f
    join muniment.item i
      on i.tenant = f.tenant and i.item = f.item
   cross join lateral unnest(f.hashes) as h (hash)
   where f.tenant = %(tenant)s),
shared as (
  select p.hash
    from print p
   group by p.hash
  having count(distinct p.audience) between 2 and %(most)s
     and (%(since)s::timestamptz is null or max(p.at) >= %(since)s))
select p.hash, p.item, p.audience, p.source, p.id, p.at
  from shared s
  join print p
    on p.hash = s.hash
 order by p.hash, p.at, p.source collate "C", p.id collate "C";

-- name: audiences
select a.audience, a.clauses
  from muniment.audience a
 where a.tenant = %(tenant)s
   and a.audience = any (%(numbers)s::integer[]);

-- name: words
-- The text of these items, as far as the reader may see it.
select p.item, string_agg(p.body, '' order by p.era, p.ordinal) as body
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.audience = any (%(audiences)s::integer[])
   and p.item = any (%(items)s::uuid[])
 group by p.item;

-- name: sizes
-- How many runs each item has.
select f.item, sum(cardinality(f.hashes))::integer
  from muniment.fingerprint f
 where f.tenant = %(tenant)s
   and f.item = any (%(items)s::uuid[])
 group by f.item;
