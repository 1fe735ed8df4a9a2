-- Room claims: what texts refer to, as their words have it, and what items can be called. Every read names its audiences.

-- name: references_of_items
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.item = any (%(items)s::uuid[])
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.passage nulls first, r.start, r.reference;

-- name: references_to_names
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.name = any (%(names)s::text[])
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.passage nulls first, r.start, r.reference;

-- name: acts_of_items
-- Only what changes how another text stands: few rows, asked for by every read.
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.item = any (%(items)s::uuid[])
   and r.kind in ('supersedes', 'amends')
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.reference;

-- name: bases_of_items
-- What these texts say they belong to or amend: there the sections stand that they name without a text.
select r.reference, r.item, r.kind, r.inverse, r.name, r.section, r.edition, r.passage, r.start, r."end", r.cue
  from muniment.reference r
 where r.tenant = %(tenant)s
   and r.item = any (%(items)s::uuid[])
   and r.kind in ('attaches_to', 'amends')
   and not r.inverse
   and r.name is not null
   and r.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(r.known)
            else r.known @> %(known_at)s::timestamptz end
 order by r.item, r.reference;

-- name: handles_of_names
select h.item, h.role, h.name, h.edition
  from muniment.handle h
 where h.tenant = %(tenant)s
   and h.name = any (%(names)s::text[])
   and h.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(h.known)
            else h.known @> %(known_at)s::timestamptz end
 order by h.item, h.role, h.name, h.edition;

-- name: handles_of_items
select h.item, h.role, h.name, h.edition
  from muniment.handle h
 where h.tenant = %(tenant)s
   and h.item = any (%(items)s::uuid[])
   and h.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(h.known)
            else h.known @> %(known_at)s::timestamptz end
 order by h.item, h.role, h.name, h.edition;

-- name: parts_of_items
-- Where the headings of these items stand, of the version that was known at the moment; not their words.
select p.item, p.passage, p.ordinal, p.heading
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.item = any (%(items)s::uuid[])
   and p.audience = any (%(audiences)s::integer[])
   and p.era = 0
   and %(known_at)s::timestamptz is null
 union all
select p.item, p.passage, held.place::integer, p.heading
  from muniment.item_version v
 cross join lateral unnest(v.passages) with ordinality as held (passage, place)
  join muniment.passage p
    on p.tenant = %(tenant)s
   and p.passage = held.passage
   and p.audience = any (%(audiences)s::integer[])
 where v.tenant = %(tenant)s
   and v.item = any (%(items)s::uuid[])
   and v.audience = any (%(audiences)s::integer[])
   and %(known_at)s::timestamptz is not null
   and v.known @> %(known_at)s::timestamptz
 order by 1, 3, 2;
