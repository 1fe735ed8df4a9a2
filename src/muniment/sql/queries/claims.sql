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
   and a.status in ('active', 'stale', 'candidate')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, a.revision;

-- name: tied_items
-- Items that replace or amend these, or are replaced or amended by them, however many steps away: only so is a
-- ring of them seen whole, from whichever of its items one comes. Of what texts state, all that could be meant.
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
         and case when %(known_at)s::timestamptz is null then upper_inf(e.known)
                  else e.known @> %(known_at)s::timestamptz end
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
         and e.audience = any (%(audiences)s::integer[])
         and case when %(known_at)s::timestamptz is null then upper_inf(e.known)
                  else e.known @> %(known_at)s::timestamptz end
       union all
      select o.item, o.source, o.id
        from muniment.reference f
        join muniment.handle h
          on h.tenant = %(tenant)s
         and h.name = f.name
         and h.audience = any (%(audiences)s::integer[])
         and case when %(known_at)s::timestamptz is null then upper_inf(h.known)
                  else h.known @> %(known_at)s::timestamptz end
        join muniment.item o
          on o.tenant = %(tenant)s
         and o.item = h.item
         and o.audience = any (%(audiences)s::integer[])
       where f.tenant = %(tenant)s
         and f.item = r.item
         and f.kind in ('supersedes', 'amends')
         and f.audience = any (%(audiences)s::integer[])
         and case when %(known_at)s::timestamptz is null then upper_inf(f.known)
                  else f.known @> %(known_at)s::timestamptz end
       union all
      select o.item, o.source, o.id
        from muniment.handle h
        join muniment.reference f
          on f.tenant = %(tenant)s
         and f.name = h.name
         and f.kind in ('supersedes', 'amends')
         and f.audience = any (%(audiences)s::integer[])
         and case when %(known_at)s::timestamptz is null then upper_inf(f.known)
                  else f.known @> %(known_at)s::timestamptz end
        join muniment.item o
          on o.tenant = %(tenant)s
         and o.item = f.item
         and o.audience = any (%(audiences)s::integer[])
       where h.tenant = %(tenant)s
         and h.item = r.item
         and h.audience = any (%(audiences)s::integer[])
         and case when %(known_at)s::timestamptz is null then upper_inf(h.known)
                  else h.known @> %(known_at)s::timestamptz end) n)
select reached.item from reached;

-- name: ties_of_items
select e.item, e.kind, e.target_source, e.target_id, e.inverse
  from muniment.edge e
 where e.tenant = %(tenant)s
   and e.item = any (%(items)s::uuid[])
   and e.kind in ('supersedes', 'amends')
   and e.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(e.known)
            else e.known @> %(known_at)s::timestamptz end
 order by e.item, e.kind, e.target_source, e.target_id, e.inverse;

-- name: distinct_names
-- A name that ten thousand items use is one row: what matters is whether it can be seen, not how often. So each step of the
-- walk goes to the next row that differs, and passes the ten thousand by. A person of a directory can be seen by whoever
-- sees something they wrote, as a source that is answered for has it: anybody who hands in could write somebody's id over
-- a text of their own. Who is who is asked of now, as permission is.
with recursive walk as (
  select first.name, first.kind, first.entity, first.is_alias, first.title, first.titled
    from unnest(%(names)s::text[]) as wanted (name)
   cross join lateral (
     select n.name, n.kind, n.entity, n.is_alias, n.title, n.titled
       from muniment.entity_name n
      where n.tenant = %(tenant)s
        and n.name = wanted.name
        and n.audience = any (%(audiences)s::integer[])
        and case when %(known_at)s::timestamptz is null then upper_inf(n.known)
                 else n.known @> %(known_at)s::timestamptz end
      order by n.kind, n.entity, n.is_alias, n.titled
      limit 1) as first
  union all
  select further.name, further.kind, further.entity, further.is_alias, further.title, further.titled
    from walk
   cross join lateral (
     select n.name, n.kind, n.entity, n.is_alias, n.title, n.titled
       from muniment.entity_name n
      where n.tenant = %(tenant)s
        and n.name = walk.name
        and (n.kind, n.entity, n.is_alias, n.titled)
          > (walk.kind, walk.entity, walk.is_alias, walk.titled)
        and n.audience = any (%(audiences)s::integer[])
        and case when %(known_at)s::timestamptz is null then upper_inf(n.known)
                 else n.known @> %(known_at)s::timestamptz end
      order by n.kind, n.entity, n.is_alias, n.titled
      limit 1) as further)
select w.name, w.entity, w.kind, w.title, w.is_alias,
       null::text as person, '{}'::text[] as names, null::uuid as entry
  from walk w
 union all
select p.name, null, 'person', p.title, false, p.principal, p.ids, null
  from muniment.person_name p
 where p.tenant = %(tenant)s
   and p.name = any (%(names)s::text[])
   and exists (select from muniment.mention m
                 join muniment.item i
                   on i.tenant = %(tenant)s and i.item = m.item and i.word = 'vouched'
                  and i.audience = any (%(audiences)s::integer[])
                where m.tenant = %(tenant)s and m.role = 'author' and m.name = any (p.ids)
                  and m.audience = any (%(audiences)s::integer[])
                  and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
                           else m.known @> %(known_at)s::timestamptz end)
 union all
select a.name, null, a.kind, a.means, true, null, a.names, a.entry
  from muniment.alias a
 where a.tenant = %(tenant)s
   and a.name = any (%(names)s::text[])
   and a.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 union all
select d.target_name, null, null, d.target, true, null, '{}', null
  from muniment.entity_decision d
 where d.tenant = %(tenant)s
   and d.target_name = any (%(names)s::text[])
   and d.audience = any (%(audiences)s::integer[])
   and d.items <@ array(select i.item from muniment.item i
                         where i.tenant = %(tenant)s and i.item = any (d.items)
                           and i.audience = any (%(audiences)s::integer[])
                           and i.state in ('live', 'pending', 'recalled'))
   and d.decided_at <= coalesce(%(known_at)s::timestamptz, 'infinity')
   and (d.undone_at is null or d.undone_at > %(known_at)s::timestamptz)
 order by name, kind, entity, title, is_alias, person, entry;

-- name: all_names
-- The same of every name.
select distinct n.name, n.entity, n.kind, n.title, n.is_alias,
       null::text as person, '{}'::text[] as names, null::uuid as entry
  from muniment.entity_name n
 where n.tenant = %(tenant)s
   and n.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(n.known)
            else n.known @> %(known_at)s::timestamptz end
 union all
select p.name, null, 'person', p.title, false, p.principal, p.ids, null
  from muniment.person_name p
 where p.tenant = %(tenant)s
   and exists (select from muniment.mention m
                 join muniment.item i
                   on i.tenant = %(tenant)s and i.item = m.item and i.word = 'vouched'
                  and i.audience = any (%(audiences)s::integer[])
                where m.tenant = %(tenant)s and m.role = 'author' and m.name = any (p.ids)
                  and m.audience = any (%(audiences)s::integer[])
                  and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
                           else m.known @> %(known_at)s::timestamptz end)
 union all
select a.name, null, a.kind, a.means, true, null, a.names, a.entry
  from muniment.alias a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 union all
select d.target_name, null, null, d.target, true, null, '{}', null
  from muniment.entity_decision d
 where d.tenant = %(tenant)s
   and d.target_name is not null
   and d.audience = any (%(audiences)s::integer[])
   and d.items <@ array(select i.item from muniment.item i
                         where i.tenant = %(tenant)s and i.item = any (d.items)
                           and i.audience = any (%(audiences)s::integer[])
                           and i.state in ('live', 'pending', 'recalled'))
   and d.decided_at <= coalesce(%(known_at)s::timestamptz, 'infinity')
   and (d.undone_at is null or d.undone_at > %(known_at)s::timestamptz)
 order by name, kind, entity, title, is_alias, person, entry;

-- name: settled_of_entities
-- What stewards settled about any of these; whose audience is wider than a reader's rights is none for them. Nor is what
-- was settled of items one of which they may not read any more: hidden now and gone are one answer.
select d.decision, d.action, d."into", d.entities, d.others, d.target, d.names, d.sources, d.items, d.decided_at
  from muniment.entity_decision d
 where d.tenant = %(tenant)s
   and array_append(d.entities || d.others, d."into") && %(entities)s::uuid[]
   and d.audience = any (%(audiences)s::integer[])
   and d.items <@ array(select i.item from muniment.item i
                         where i.tenant = %(tenant)s and i.item = any (d.items)
                           and i.audience = any (%(audiences)s::integer[])
                           and i.state in ('live', 'pending', 'recalled'))
   and d.decided_at <= coalesce(%(known_at)s::timestamptz, 'infinity')
   and (d.undone_at is null or d.undone_at > %(known_at)s::timestamptz)
 order by d.decided_at, d.decision;

-- name: every_settled
select d.decision, d.action, d."into", d.entities, d.others, d.target, d.names, d.sources, d.items, d.decided_at
  from muniment.entity_decision d
 where d.tenant = %(tenant)s
   and d.audience = any (%(audiences)s::integer[])
   and d.items <@ array(select i.item from muniment.item i
                         where i.tenant = %(tenant)s and i.item = any (d.items)
                           and i.audience = any (%(audiences)s::integer[])
                           and i.state in ('live', 'pending', 'recalled'))
   and d.decided_at <= coalesce(%(known_at)s::timestamptz, 'infinity')
   and (d.undone_at is null or d.undone_at > %(known_at)s::timestamptz)
 order by d.decided_at, d.decision;

-- name: names_of_entities
-- Walked as the names are above.
with recursive walk as (
  select first.name, first.kind, first.entity, first.is_alias, first.title, first.titled
    from unnest(%(entities)s::uuid[]) as wanted (entity)
   cross join lateral (
     select n.name, n.kind, n.entity, n.is_alias, n.title, n.titled
       from muniment.entity_name n
      where n.tenant = %(tenant)s
        and n.entity = wanted.entity
        and n.audience = any (%(audiences)s::integer[])
        and case when %(known_at)s::timestamptz is null then upper_inf(n.known)
                 else n.known @> %(known_at)s::timestamptz end
      order by n.name, n.kind, n.is_alias, n.titled
      limit 1) as first
  union all
  select further.name, further.kind, further.entity, further.is_alias, further.title, further.titled
    from walk
   cross join lateral (
     select n.name, n.kind, n.entity, n.is_alias, n.title, n.titled
       from muniment.entity_name n
      where n.tenant = %(tenant)s
        and n.entity = walk.entity
        and (n.name, n.kind, n.is_alias, n.titled)
          > (walk.name, walk.kind, walk.is_alias, walk.titled)
        and n.audience = any (%(audiences)s::integer[])
        and case when %(known_at)s::timestamptz is null then upper_inf(n.known)
                 else n.known @> %(known_at)s::timestamptz end
      order by n.name, n.kind, n.is_alias, n.titled
      limit 1) as further)
select w.name, w.entity, w.kind, w.title, w.is_alias
  from walk w
 order by w.name, w.kind, w.entity, w.title, w.is_alias;

-- name: assertion_by_id
-- All that the record ever held of one statement; what was corrected in the instant it came was never held.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = %(assertion)s
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and not isempty(a.known)
   and (%(known_at)s::timestamptz is null or lower(a.known) <= %(known_at)s::timestamptz)
 order by a.revision;

-- name: echoes
-- Who of those whose words may not act by themselves said this, of all that this reader can see.
select e.mark, e.item, e.trust, e.known, e.at
  from muniment.echo e
 where e.tenant = %(tenant)s
   and e.mark = any (%(marks)s::bigint[])
   and e.audience = any (%(audiences)s::integer[])
   and (%(known_at)s::timestamptz is null or e.known <= %(known_at)s::timestamptz);

-- name: words_known
-- Since when the record holds these passages, in whatever version.
select p.passage, min(lower(v.known)) as known, min(v.at) as at
  from muniment.passage p
  join muniment.item_version v
    on v.tenant = %(tenant)s
   and v.item = p.item
   and p.passage = any (v.passages)
   and v.audience = any (%(audiences)s::integer[])
 where p.tenant = %(tenant)s
   and p.passage = any (%(passages)s::uuid[])
   and p.audience = any (%(audiences)s::integer[])
 group by p.passage;

-- name: quoted_passages
select distinct a.assertion, (a.quotes -> 0 ->> 0)::uuid as passage
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = any (%(assertions)s::uuid[])
   and a.audience = any (%(audiences)s::integer[]);

-- name: lineage
-- Everything these items lead back to.
with recursive reached (item, origin) as (
  select e.item, o.item
    from muniment.edge e
    join muniment.item o
      on o.tenant = %(tenant)s and o.source = e.target_source and o.id = e.target_id
     and o.audience = any (%(audiences)s::integer[])
   where e.tenant = %(tenant)s
     and e.item = any (%(items)s::uuid[])
     and e.kind = 'derived_from'
     and e.audience = any (%(audiences)s::integer[])
   union
  select r.item, o.item
    from reached r
    join muniment.edge e
      on e.tenant = %(tenant)s and e.item = r.origin and e.kind = 'derived_from'
     and e.audience = any (%(audiences)s::integer[])
    join muniment.item o
      on o.tenant = %(tenant)s and o.source = e.target_source and o.id = e.target_id
     and o.audience = any (%(audiences)s::integer[]))
select reached.item, reached.origin from reached;

-- name: settled
-- Decisions between two statements; one that was made over more than this reader may read is none for them.
select d.subject, d.other, d.saw
  from muniment.decision d
 where d.tenant = %(tenant)s
   and d.subject = any (%(subjects)s::text[])
   and d.action = 'keep'
   and d.audience = any (%(audiences)s::integer[])
 order by d.subject, d.other;
