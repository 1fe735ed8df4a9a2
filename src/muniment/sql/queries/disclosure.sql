-- Levels: what of values only some may read is disclosed to others. These statements see every audience: they are run by
-- whoever writes levels, and by the verifier, never for a reader.

-- name: policy
select p.content
  from muniment.disclosure_policy p
 where p.tenant = %(tenant)s
 order by p.number desc
 limit 1;

-- name: policies
select p.since, p.set_by, p.content
  from muniment.disclosure_policy p
 where p.tenant = %(tenant)s
 order by p.number;

-- name: state_policy
insert into muniment.disclosure_policy (tenant, since, set_by, content)
values (%(tenant)s, %(since)s, %(by)s, %(content)s);

-- name: hold_levels
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 20261201));

-- name: topics_of_items
select distinct a.entity, a.attribute
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.item = any (%(items)s::uuid[])
   and a.attribute = any (%(attributes)s::text[])
   and a.entity is not null
   and a.level = 'exact';

-- name: topics_of_attributes
-- What the policy governs, and what an earlier one disclosed.
select distinct a.entity, a.attribute
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.entity is not null
   and (a.attribute = any (%(attributes)s::text[]) or a.level <> 'exact');

-- name: exact_of_topics
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from unnest(%(entities)s::text[], %(attributes)s::text[]) as t (entity, attribute)
  join muniment.assertion a
    on a.tenant = %(tenant)s
   and a.entity = t.entity
   and a.attribute = t.attribute
 where a.level = 'exact'
   and a.status = 'active'
   and not isempty(a.known)
   and not isempty(a.valid)
 order by a.assertion, a.revision;

-- name: tied_items
-- These items and all that replace or amend each other around them, as they stand.
with recursive reached (item, source, id) as (
  select i.item, i.source, i.id
    from muniment.item i
   where i.tenant = %(tenant)s
     and i.item = any (%(items)s::uuid[])
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
       where e.tenant = %(tenant)s
         and e.item = r.item
         and e.kind in ('supersedes', 'amends')
         and upper_inf(e.known)
       union all
      select o.item, o.source, o.id
        from muniment.edge e
        join muniment.item o
          on o.tenant = %(tenant)s
         and o.item = e.item
       where e.tenant = %(tenant)s
         and e.target_source = r.source
         and e.target_id = r.id
         and e.kind in ('supersedes', 'amends')
         and upper_inf(e.known)) n)
select i.item, i.source, i.id, i.state, i.kind, v.title, i.author, i.author_name, v.at, i.created_at, v.version,
       i.container, i.thread, i.account, i.project, i.service, i.url, v.status, v.valid_from, v.valid_to, i.trust,
       i.authority, i.level, i.word,
       (select min(lower(k.known))
          from muniment.item_version k
         where k.tenant = %(tenant)s
           and k.item = i.item
           and not isempty(k.known)) as begun
  from reached r
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = r.item
  join muniment.item_version v
    on v.tenant = %(tenant)s
   and v.item = r.item
   and v.seq = i.seq
 where i.state = 'live'
 order by i.item;

-- name: ties
select e.item, e.kind, e.target_source, e.target_id, e.inverse
  from muniment.edge e
 where e.tenant = %(tenant)s
   and e.item = any (%(items)s::uuid[])
   and e.kind in ('supersedes', 'amends')
   and upper_inf(e.known)
 order by e.item, e.kind, e.target_source, e.target_id, e.inverse;

-- name: levels_of_topics
select distinct a.item
  from unnest(%(entities)s::text[], %(attributes)s::text[]) as t (entity, attribute)
  join muniment.assertion a
    on a.tenant = %(tenant)s
   and a.entity = t.entity
   and a.attribute = t.attribute
 where a.level <> 'exact';

-- name: level_by_id
select a.entity, a.attribute, a.qualifier, a.level, a.value
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = %(assertion)s
   and a.level <> 'exact'
   and upper_inf(a.known);

-- name: quoted
select substr(p.body, %(start)s + 1, %(end)s - %(start)s)
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.passage = %(passage)s;
