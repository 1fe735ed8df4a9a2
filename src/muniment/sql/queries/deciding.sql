-- Room steward: who and what is one. Evidence is read under the steward's own audiences.

-- name: evidence
-- By what each of these names can be seen: a label of whatever shows it.
select n.name, n.audience
  from muniment.entity_name n
 where n.tenant = %(tenant)s
   and n.name = any (%(names)s::text[])
   and n.entity = any (%(entities)s::uuid[])
   and n.audience = any (%(audiences)s::integer[])
   and upper_inf(n.known)
 union
select p.name, m.audience
  from muniment.person_name p
  join muniment.mention m
    on m.tenant = %(tenant)s and m.role = 'author' and m.name = any (p.ids)
   and m.audience = any (%(audiences)s::integer[])
   and upper_inf(m.known)
  join muniment.item i
    on i.tenant = %(tenant)s and i.item = m.item and i.word = 'vouched'
   and i.audience = any (%(audiences)s::integer[])
 where p.tenant = %(tenant)s
   and p.name = any (%(names)s::text[])
 union
select a.name, a.audience
  from muniment.alias a
 where a.tenant = %(tenant)s
   and a.name = any (%(names)s::text[])
   and a.audience = any (%(audiences)s::integer[])
   and upper_inf(a.known)
 union
select replace(i.item::text, '-', ''), i.audience
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.item = any (%(items)s::uuid[])
   and i.audience = any (%(audiences)s::integer[])
 order by 1, 2;

-- name: decisions
-- Everything that was settled and that this steward may know of, undone or not.
select d.decision, d.action, d."into", d.entities, d.others, d.target, d.names, d.sources, d.items, d.reason,
       d.decided_by, d.decided_at, d.undone_by, d.undone_at
  from muniment.entity_decision d
 where d.tenant = %(tenant)s
   and d.audience = any (%(audiences)s::integer[])
   and d.items <@ array(select i.item from muniment.item i
                         where i.tenant = %(tenant)s and i.item = any (d.items)
                           and i.audience = any (%(audiences)s::integer[])
                           and i.state in ('live', 'pending', 'recalled'))
 order by d.decided_at, d.decision;

-- name: settle
insert into muniment.entity_decision (tenant, decision, action, audience, "into", entities, others, target, target_name,
                                      names, sources, items, saw, reason, decided_by, decided_at)
values (%(tenant)s, %(decision)s, %(action)s, %(audience)s, %(into)s, %(entities)s, %(others)s, %(target)s,
        %(target_name)s, %(names)s, %(sources)s, %(items)s, %(saw)s, %(reason)s, %(by)s, %(now)s)
on conflict (tenant, decision) do nothing;

-- name: undo
update muniment.entity_decision
   set undone_by = %(by)s, undone_at = %(now)s
 where tenant = %(tenant)s
   and decision = %(decision)s
   and undone_at is null;

-- name: written
select decision, target, names, reason from muniment.entity_decision where tenant = %(tenant)s;

-- name: rewrite
update muniment.entity_decision
   set names = %(names)s, reason = %(reason)s
 where tenant = %(tenant)s
   and decision = %(decision)s;

-- name: drop_decision
delete from muniment.entity_decision where tenant = %(tenant)s and decision = %(decision)s;

-- name: drop_decisions_on
-- On people who are erased.
delete from muniment.entity_decision
 where tenant = %(tenant)s
   and array_append(entities || others, "into") && %(entities)s::uuid[];

-- name: leave_items
-- What was settled of items that are gone; of a split about nothing else, nothing is left.
update muniment.entity_decision d
   set items = array(select o.item from unnest(d.items) as o (item) where o.item <> all (%(items)s::uuid[]))
 where d.tenant = %(tenant)s
   and d.items && %(items)s::uuid[];

-- name: drop_empty
delete from muniment.entity_decision
 where tenant = %(tenant)s
   and action = 'split'
   and cardinality(names) = 0 and cardinality(sources) = 0 and cardinality(items) = 0;

-- name: places
select i.item, i.source, i.id
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.item = any (%(items)s::uuid[])
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled')
   and i.level = 'exact'
 order by i.item;
