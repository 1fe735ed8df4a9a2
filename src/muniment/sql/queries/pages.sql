-- Room pages: what belongs to an entity, as one reader sees it. Every read names its audiences.

-- name: items_about
-- Items that name the entity, newest first; the limit keeps a page of a busy account a page. What somebody merely received
-- is not what they said. Driven by the items found, so that the plan holds whatever the planner knows of the tables.
with about as materialized (
  select distinct m.item
    from muniment.mention m
   where m.tenant = %(tenant)s
     and m.name = any (%(names)s::text[])
     and m.role not in ('participant', 'heading')
     and m.audience = any (%(audiences)s::integer[])
     and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
              else m.known @> %(known_at)s::timestamptz end)
select i.item, i.source, i.id, i.state, i.kind,
       v.title, i.author, i.author_name, v.at, i.created_at, v.version,
       i.container, i.thread, i.account, i.project, i.service, i.url, v.status,
       v.valid_from, v.valid_to, i.trust, i.authority, i.level, i.word
  from about
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = about.item
  join muniment.item_version v
    on v.tenant = %(tenant)s
   and v.item = about.item
   and v.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then v.seq = i.seq
            else v.known @> %(known_at)s::timestamptz end
 where (cardinality(%(left_names)s::text[]) = 0 and cardinality(%(gained_names)s::text[]) = 0
        or exists (select from muniment.mention m
                    where m.tenant = %(tenant)s
                      and m.item = i.item
                      and m.role not in ('participant', 'heading')
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
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled')
 order by v.at desc, i.item
 limit %(limit)s;

-- name: assertions_ever_of_slots
-- Everything that was ever held in these slots and may still be shown.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.entity = any (%(names)s::text[])
   and a.attribute = any (%(attributes)s::text[])
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and not isempty(a.known)
   and (%(known_at)s::timestamptz is null or lower(a.known) <= %(known_at)s::timestamptz)
 order by a.assertion, a.revision;

-- name: assertions_ever
-- A claim's id is a keyed hash: what it stands for is found by hashing what this reader can see.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and not isempty(a.known)
   and (%(known_at)s::timestamptz is null or lower(a.known) <= %(known_at)s::timestamptz)
 order by a.assertion, a.revision;

-- name: audience_of_item
select i.audience
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.item = %(item)s
   and i.audience = any (%(audiences)s::integer[]);

-- name: assertions_ever_of_words
-- Words without a slot are their own slot. By digest, which is what the index holds.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and md5(a.statement) = md5(%(statement)s::text)
   and a.statement = %(statement)s
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and not isempty(a.known)
   and (%(known_at)s::timestamptz is null or lower(a.known) <= %(known_at)s::timestamptz)
 order by a.assertion, a.revision;

-- name: due_dates
-- By when something is to be done, where the words give a day. A term is kind, text, value, resolved, note.
select distinct a.assertion, t.term ->> 3 as due
  from muniment.assertion a
 cross join lateral jsonb_array_elements(a.terms) as t (term)
 where a.tenant = %(tenant)s
   and a.assertion = any (%(assertions)s::uuid[])
   and a.audience = any (%(audiences)s::integer[])
   and a.level = 'exact'
   and t.term ->> 0 = 'due'
   and t.term ->> 3 is not null
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, due;

-- name: topology_around
-- What a service leans on and what leans on it, on the day asked about.
select distinct t.upstream, t.relation, t.downstream
  from muniment.topology t
 where t.tenant = %(tenant)s
   and (lower(t.upstream) = any (%(names)s::text[]) or lower(t.downstream) = any (%(names)s::text[]))
   and t.valid @> %(as_of)s::timestamptz
   and t.audience = any (%(audiences)s::integer[])
 order by t.upstream, t.relation, t.downstream;

-- name: items_leading_to
-- Items whose edges lead to one of these.
select distinct e.item
  from unnest(%(sources)s::text[], %(ids)s::text[]) as wanted (source, id)
  join muniment.edge e
    on e.tenant = %(tenant)s
   and e.target_source = wanted.source
   and e.target_id = wanted.id
   and e.kind <> 'derived_from'
   and e.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(e.known)
            else e.known @> %(known_at)s::timestamptz end
 order by e.item
 limit %(limit)s;

-- name: links_of_items
-- Every edge that these items state, and every one that is stated about them, one step away.
(select e.item as stater, o.item as target, e.kind, e.inverse, e.passage
   from muniment.edge e
   join muniment.item o
     on o.tenant = %(tenant)s
    and o.source = e.target_source
    and o.id = e.target_id
    and o.audience = any (%(audiences)s::integer[])
  where e.tenant = %(tenant)s
    and e.item = any (%(items)s::uuid[])
    and e.kind = any (%(kinds)s::text[])
    and e.audience = any (%(audiences)s::integer[])
    and case when %(known_at)s::timestamptz is null then upper_inf(e.known)
             else e.known @> %(known_at)s::timestamptz end)
 union
(select e.item, o.item, e.kind, e.inverse, e.passage
   from muniment.item o
   join muniment.edge e
     on e.tenant = %(tenant)s
    and e.target_source = o.source
    and e.target_id = o.id
    and e.kind = any (%(kinds)s::text[])
    and e.audience = any (%(audiences)s::integer[])
    and case when %(known_at)s::timestamptz is null then upper_inf(e.known)
             else e.known @> %(known_at)s::timestamptz end
  where o.tenant = %(tenant)s
    and o.item = any (%(items)s::uuid[])
    and o.audience = any (%(audiences)s::integer[]))
 order by stater, target, kind, inverse
 limit %(limit)s;

-- name: openings
-- Which passages the version of the moment begins with.
select v.item, v.passages[1:%(most)s::integer] as passages
  from muniment.item i
  join muniment.item_version v
    on v.tenant = %(tenant)s
   and v.item = i.item
   and v.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then v.seq = i.seq
            else v.known @> %(known_at)s::timestamptz end
 where i.tenant = %(tenant)s
   and i.item = any (%(items)s::uuid[])
   and i.audience = any (%(audiences)s::integer[]);

-- name: names_like
-- Names that hold every one of the beginnings, the shortest first: which words they are, the caller looks at.
select n.name
  from muniment.entity_name n
 where n.tenant = %(tenant)s
   and n.name like all (%(patterns)s::text[])
   and n.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(n.known)
            else n.known @> %(known_at)s::timestamptz end
 group by n.name
 order by length(n.name), n.name
 limit %(limit)s;

-- name: items_titled
-- Items whose title is one of these names.
select m.item, m.role, m.name
  from muniment.mention m
 where m.tenant = %(tenant)s
   and m.name = any (%(names)s::text[])
   and m.role in ('title', 'id')
   and m.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 order by m.name, m.item
 limit %(limit)s;

-- name: references_of_passages
-- What these passages refer to, and what is said beside the texts of their items.
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.item = any (%(items)s::uuid[])
   and (r.passage is null or r.passage = any (%(passages)s::uuid[]))
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.passage nulls first, r.start, r.reference
 limit %(limit)s;

-- name: references_to_sections
-- What names one of these sections of something of one of these names.
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.name = any (%(names)s::text[])
   and r.section = any (%(sections)s::text[])
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.passage nulls first, r.start, r.reference
 limit %(limit)s;

-- name: sections_of_items
-- What these items say of such sections without the name of a text.
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.item = any (%(items)s::uuid[])
   and r.name is null
   and r.section = any (%(sections)s::text[])
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.passage nulls first, r.start, r.reference
 limit %(limit)s;

-- name: attachments_by_name
-- What says that it belongs to something of one of these names.
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.name = any (%(names)s::text[])
   and r.kind = 'attaches_to'
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.passage nulls first, r.start, r.reference
 limit %(limit)s;
-- name: headed_passages
-- Passages of what has such a heading, with all that stands above each; which of them it is, the reader's names decide.
select p.passage, p.doc, p.item, i.source, p.heading
  from muniment.mention m
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = m.item
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled')
   and (%(kind)s::text is null or i.kind = %(kind)s)
   and (%(after)s::timestamptz is null or i.at >= %(after)s)
   and (%(before)s::timestamptz is null or i.at < %(before)s)
  join muniment.passage p
    on p.tenant = %(tenant)s
   and p.item = m.item
   and p.heading <> '{}'
   and p.audience = any (%(audiences)s::integer[])
   and (p.era = 0 and %(known_at)s::timestamptz is null
        or exists (select from muniment.item_version v
                    where v.tenant = %(tenant)s and v.item = p.item and v.known @> %(known_at)s::timestamptz
                      and p.passage = any (v.passages) and v.audience = any (%(audiences)s::integer[])))
 where m.tenant = %(tenant)s
   and m.role = 'heading'
   and m.name = any (%(names)s::text[])
   and m.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 order by p.doc, p.passage;

-- name: assertions_in_passages
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.item = any (%(items)s::uuid[])
   and (a.quotes -> 0 ->> 0)::uuid = any (%(passages)s::uuid[])
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, a.revision;
