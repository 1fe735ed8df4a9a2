-- Room lenses: what one reader sees of incidents, and of what is remembered of earlier ones.

-- name: entries
-- Everything in an incident's thread, in the order in which it happened.
select i.item, i.id, i.kind, i.title, i.author, i.at, i.service, i.trust, i.labels, i.metadata
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.source = 'muniment'
   and i.thread = %(thread)s
   and i.audience = any (%(audiences)s::integer[])
   and i.state = 'live'
   and (%(known_at)s::timestamptz is null
        or exists (select from muniment.item_version v
                    where v.tenant = %(tenant)s and v.item = i.item and v.known @> %(known_at)s::timestamptz
                      and v.audience = any (%(audiences)s::integer[])))
 order by i.at, i.id collate "C";

-- name: of_kind
-- The entries of one kind in every incident, such as those that open one.
select i.item, i.id, i.kind, i.title, i.author, i.at, i.service, i.trust, i.labels, i.metadata
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.source = 'muniment'
   and i.thread is not null
   and i.labels ->> 'entry' = %(entry)s
   and i.audience = any (%(audiences)s::integer[])
   and i.state = 'live'
   and (%(known_at)s::timestamptz is null
        or exists (select from muniment.item_version v
                    where v.tenant = %(tenant)s and v.item = i.item and v.known @> %(known_at)s::timestamptz
                      and v.audience = any (%(audiences)s::integer[])))
 order by i.at, i.id collate "C";

-- name: episodes
-- Finished investigations, of whatever source.
select i.item, i.id, i.kind, i.title, i.author, i.at, i.service, i.trust, i.labels, i.metadata
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.kind = 'episode'
   and i.audience = any (%(audiences)s::integer[])
   and i.state = 'live'
 order by i.at, i.item;

-- name: items_with_labels
-- Some items with what their sources labelled them with.
select i.item, i.id, i.kind, i.title, i.author, i.at, i.service, i.trust, i.labels, i.metadata
  from unnest(%(items)s::uuid[]) as wanted (item)
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = wanted.item
   and i.audience = any (%(audiences)s::integer[])
   and i.state = 'live'
 order by i.item;

-- name: sent
-- What other sources sent about some services in a stretch of time, the oldest first: a walk of its index.
select i.item, i.source, i.id, i.kind, i.title, i.at, i.version, i.labels
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.kind in ('alert', 'observation')
   and i.source <> 'muniment'
   and i.at between %(since)s::timestamptz and %(until)s::timestamptz
   and i.audience = any (%(audiences)s::integer[])
   and i.state = 'live'
   and exists (select from muniment.mention m
                where m.tenant = %(tenant)s and m.item = i.item and m.role = 'service'
                  and m.name = any (%(names)s::text[]) and upper_inf(m.known)
                  and m.audience = any (%(audiences)s::integer[]))
 order by i.at, i.item
 limit %(limit)s;

-- name: called
-- Documents that are called so, or have a heading that is: a runbook's title may be the alert's in other words.
select distinct m.item
  from muniment.mention m
 where m.tenant = %(tenant)s
   and m.name = any (%(names)s::text[])
   and m.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 order by m.item;

-- name: approved_procedures
-- The items of which somebody approved a procedure.
select distinct a.item
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.kind = 'procedure'
   and a.status = 'active'
   and a.trust in ('approved', 'approved_alone')
   and upper_inf(a.known)
   and a.audience = any (%(audiences)s::integer[])
 order by a.item;

-- name: topology
-- Every edge that this reader may know of, with the period in which it held.
select t.upstream, t.relation, t.downstream, t.environment, lower(t.valid) as since, upper(t.valid) as until
  from muniment.topology t
 where t.tenant = %(tenant)s
   and t.audience = any (%(audiences)s::integer[])
 order by t.upstream, t.relation, t.downstream, t.environment, t.valid;
