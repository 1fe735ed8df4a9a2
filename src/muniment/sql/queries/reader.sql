-- name: become_writer
set local role muniment_writer;

-- name: become_reader
set local role muniment_reader;

-- name: bind_reader
-- The reader's role and audiences in one round trip. And the snapshot of the whole request: which transactions it sees,
-- exactly, for the audit. Plans are made once for all readers: to weigh thousands of audiences against statistics, at each
-- statement anew, takes longer than the statements do.
select pg_current_snapshot()::text, (select o.erasures from muniment.org o where o.tenant = %(tenant)s),
       set_config('muniment.audiences', %(audiences)s, true),
       set_config('plan_cache_mode', 'force_generic_plan', true),
       set_config('role', 'muniment_reader', true);

-- name: sight
-- Of which kinds of thing this reader can see any at all, at whatever moment: what there is none of is not asked for.
-- Each is found in an index of its audiences, so that what others hold of it takes no time.
select exists (select from muniment.echo e
                where e.tenant = %(tenant)s and e.audience = any (%(audiences)s::integer[])) as echoes,
       exists (select from muniment.alias a
                where a.tenant = %(tenant)s and a.audience = any (%(audiences)s::integer[])) as aliases,
       exists (select from muniment.reference r
                where r.tenant = %(tenant)s and r.audience = any (%(audiences)s::integer[])) as "references",
       exists (select from muniment.edge e
                where e.tenant = %(tenant)s and e.audience = any (%(audiences)s::integer[])
                  and e.kind in ('supersedes', 'amends'))
       or exists (select from muniment.reference r
                   where r.tenant = %(tenant)s and r.audience = any (%(audiences)s::integer[])
                     and r.kind in ('supersedes', 'amends')) as ties,
       exists (select from muniment.entity_decision d
                where d.tenant = %(tenant)s and d.audience = any (%(audiences)s::integer[])) as decisions,
       to_regclass('muniment.passage_vector') is not null as vectors;

-- name: items
-- Driven by the ids asked for, so that the plan holds whatever the planner knows of the tables.
-- The items named, as they stand at the moment: the version known then, with the item's own present permission.
select i.item, i.source, i.id, i.state, i.kind,
       v.title, i.author, i.author_name, v.at, i.created_at, v.version,
       i.container, i.thread, i.account, i.project, i.service, i.url, v.status,
       v.valid_from, v.valid_to, i.trust, i.authority, i.level, i.word
  from unnest(%(items)s::uuid[]) as wanted (item)
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = wanted.item
  join muniment.item_version v
    on v.tenant = %(tenant)s
   and v.item = wanted.item
   and v.audience = any (%(audiences)s::integer[])
   and v.seq = i.seq
 where i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled');

-- name: items_then
-- The items named, as they stand at the moment: the version known then, with the item's own present permission.
select i.item, i.source, i.id, i.state, i.kind,
       v.title, i.author, i.author_name, v.at, i.created_at, v.version,
       i.container, i.thread, i.account, i.project, i.service, i.url, v.status,
       v.valid_from, v.valid_to, i.trust, i.authority, i.level, i.word
  from unnest(%(items)s::uuid[]) as wanted (item)
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = wanted.item
  join muniment.item_version v
    on v.tenant = %(tenant)s
   and v.item = wanted.item
   and v.audience = any (%(audiences)s::integer[])
   and v.known @> %(known_at)s::timestamptz
 where i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled');

-- name: passages_by_doc
-- Index numbers back to words. A past passage counts only where a version known at the moment holds it.
select p.passage, p.doc, p.item, p.ordinal, p.heading, p.speaker, p.body, p.spans
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.doc = any (%(docs)s::bigint[])
   and p.audience = any (%(audiences)s::integer[]);

-- name: docs_in_scope
-- Everything a bounded question may rank: by what items mention, of a kind, from a time, and as known at a moment.
select p.doc
  from muniment.item i
  join muniment.passage p
    on p.tenant = %(tenant)s
   and p.item = i.item
   and p.audience = any (%(audiences)s::integer[])
 where i.tenant = %(tenant)s
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled')
   and (%(kind)s::text is null or i.kind = %(kind)s)
   and (%(after)s::timestamptz is null or i.at >= %(after)s)
   and (%(before)s::timestamptz is null or i.at < %(before)s)
   and (%(names)s::text[] is null
        or exists (select from muniment.mention m
                    where m.tenant = %(tenant)s and m.item = i.item and m.name = any (%(names)s::text[])
                      and m.role <> 'heading'
                      and m.audience = any (%(audiences)s::integer[])
                      and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
                               else m.known @> %(known_at)s::timestamptz end))
   and (cardinality(%(left_names)s::text[]) = 0 and cardinality(%(gained_names)s::text[]) = 0
        or exists (select from muniment.mention m
                    where m.tenant = %(tenant)s
                      and m.item = i.item
                      and m.role <> 'heading'
                      and m.audience = any (%(audiences)s::integer[])
                      and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
                               else m.known @> %(known_at)s::timestamptz end
                      and (m.name = any (%(own)s::text[])
                           and not exists (select from unnest(%(left_names)s::text[], %(left_places)s::text[])
                                                    as l (name, place)
                                            where l.name = m.name and l.place in (i.source, i.item::text))
                           or exists (select from unnest(%(gained_names)s::text[], %(gained_places)s::text[])
                                               as g (name, place)
                                       where g.name = m.name and g.place in (i.source, i.item::text)))))
   and (p.era = 0 and %(known_at)s::timestamptz is null
        or exists (select from muniment.item_version v
                    where v.tenant = %(tenant)s and v.item = i.item and v.known @> %(known_at)s::timestamptz
                      and p.passage = any (v.passages) and v.audience = any (%(audiences)s::integer[])))
 order by p.doc;

-- name: passages_of_items
select p.passage, p.doc, p.item, p.ordinal, p.heading, p.speaker, p.body, p.spans
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.item = any (%(items)s::uuid[])
   and p.audience = any (%(audiences)s::integer[])
   and (p.era = 0 or %(known_at)s::timestamptz is not null)
 order by p.item, p.ordinal, p.passage;

-- name: passages_by_id
select p.passage, p.doc, p.item, p.ordinal, p.heading, p.speaker, p.body, p.spans
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.passage = any (%(passages)s::uuid[])
   and p.audience = any (%(audiences)s::integer[]);

-- name: versions_of_items
select v.item, v.seq, v.at, v.version, v.title, v.status, v.valid_from, v.valid_to, v.change,
       v.passages, v.starts, lower(v.known) as known_from, upper(v.known) as known_to
  from muniment.item_version v
 where v.tenant = %(tenant)s
   and v.item = any (%(items)s::uuid[])
   and v.audience = any (%(audiences)s::integer[])
 order by v.item, v.seq;

-- name: assertions_of_items
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.item = any (%(items)s::uuid[])
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, a.revision;

-- name: assertions_of_entities
-- Statements whose slot names the entity, by any of the names this reader can see.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.entity = any (%(names)s::text[])
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, a.revision;

-- name: assertions_with_slot
-- Every slotted statement this reader can see, for the list of conflicts.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.entity is not null
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.entity, a.attribute, a.assertion, a.revision;

-- name: mentions_of_names
select m.item, m.role, m.name
  from muniment.mention m
 where m.tenant = %(tenant)s
   and m.name = any (%(names)s::text[])
   and m.role <> 'heading'
   and m.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 order by m.item, m.role, m.name;

-- name: watermarks
-- How far each source has been heard, over what this reader can see; a poll that found nothing new heard it too.
-- Sources are few and audiences many: they are counted together first, as whether a source may be named is looked up
-- for every row it is joined to.
with heard as materialized (
  select w.source, max(w.through) as through
    from muniment.watermark w
   where w.tenant = %(tenant)s
     and w.audience = any (%(audiences)s::integer[])
   group by w.source)
select h.source, greatest(h.through, s.polled_through) as through, s.state, s.last_error
  from heard h
  join muniment.source s
    on s.tenant = %(tenant)s and s.source = h.source
 order by h.source;

-- name: mentions_of_items
select m.item, m.role, m.name
  from muniment.mention m
 where m.tenant = %(tenant)s
   and m.item = any (%(items)s::uuid[])
   and m.role <> 'heading'
   and m.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 order by m.item, m.role, m.name;
