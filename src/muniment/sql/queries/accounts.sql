-- Room lenses, accounts: narrow questions about one account's talk, as one reader sees it. Every read names its audiences.

-- name: statements
-- What was said of these kinds in items that name the account, up to the moment asked about, newest first.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.kind = any (%(kinds)s::text[])
   and a.stated_at <= %(as_of)s::timestamptz
   and (%(names)s::text[] is null
        or exists (select from muniment.mention m
                    where m.tenant = %(tenant)s and m.item = a.item and m.name = any (%(names)s::text[])
                      and m.role not in ('participant', 'heading')
                      and m.audience = any (%(audiences)s::integer[])
                      and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
                               else m.known @> %(known_at)s::timestamptz end))
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.stated_at desc, a.assertion, a.revision
 limit %(limit)s;

-- name: dues
-- By when, in which words, counted from when. A term is kind, text, value, resolved, note; what is only a day counts
-- where the sentence names no other.
select distinct a.assertion, t.term ->> 0 as role, t.term ->> 1 as text,
       coalesce(t.term ->> 3, t.term ->> 2) as day, t.place
  from muniment.assertion a
 cross join lateral jsonb_array_elements(a.terms) with ordinality as t (term, place)
 where a.tenant = %(tenant)s
   and a.assertion = any (%(assertions)s::uuid[])
   and a.audience = any (%(audiences)s::integer[])
   and a.level = 'exact'
   and t.term ->> 0 in ('due', 'when', 'date', 'until')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, t.place;

-- name: telling_passages
-- Passages of the account's items with one of these words, newest first: what is said of the rest is not asked for.
select p.passage, p.doc, p.item, p.ordinal, p.heading, p.speaker, p.body, p.spans
  from muniment.item i
  join muniment.passage p
    on p.tenant = %(tenant)s
   and p.item = i.item
   and p.audience = any (%(audiences)s::integer[])
   and p.body ~* %(words)s
 where i.tenant = %(tenant)s
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending')
   and i.level = 'exact'
   and i.created_at <= %(as_of)s::timestamptz
   and i.kind = any (%(kinds)s::text[])
   and (%(names)s::text[] is null
        or exists (select from muniment.mention m
                    where m.tenant = %(tenant)s and m.item = i.item and m.name = any (%(names)s::text[])
                      and m.role not in ('participant', 'heading')
                      and m.audience = any (%(audiences)s::integer[])
                      and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
                               else m.known @> %(known_at)s::timestamptz end))
   and (p.era = 0 and %(known_at)s::timestamptz is null
        or exists (select from muniment.item_version v
                    where v.tenant = %(tenant)s and v.item = i.item and v.known @> %(known_at)s::timestamptz
                      and p.passage = any (v.passages) and v.audience = any (%(audiences)s::integer[])))
 order by i.created_at desc, p.passage
 limit %(limit)s;

-- name: people
-- Who wrote or took part in the account's items, how often, and where last.
select m.name, count(*)::integer as items, (array_agg(i.item order by i.at desc, i.item))[1] as last,
       max(i.at) as at
  from muniment.item i
  join muniment.mention m
    on m.tenant = %(tenant)s
   and m.item = i.item
   and m.role in ('author', 'participant')
   and m.audience = any (%(audiences)s::integer[])
 where i.tenant = %(tenant)s
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending')
   and i.level = 'exact'
   and i.created_at <= %(as_of)s::timestamptz
   and i.source <> 'muniment'
   and exists (select from muniment.mention o
                where o.tenant = %(tenant)s and o.item = i.item and o.name = any (%(names)s::text[])
                  and o.role not in ('participant', 'heading')
                  and o.audience = any (%(audiences)s::integer[])
                  and case when %(known_at)s::timestamptz is null then upper_inf(o.known)
                           else o.known @> %(known_at)s::timestamptz end)
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 group by m.name
 order by items desc, m.name
 limit %(limit)s;

-- name: told_in
-- What a container's items name as their account.
select distinct m.item, m.role, m.name
  from muniment.mention c
  join muniment.mention m
    on m.tenant = %(tenant)s
   and m.item = c.item
   and m.role = 'account'
   and m.audience = any (%(audiences)s::integer[])
   and upper_inf(m.known)
 where c.tenant = %(tenant)s
   and c.name = any (%(names)s::text[])
   and c.role in ('container', 'channel', 'domain')
   and c.audience = any (%(audiences)s::integer[])
   and upper_inf(c.known)
 order by m.name, m.item
 limit %(limit)s;

-- name: contracts
-- The account's contracts, and whatever its system of record says.
select i.item
  from muniment.item i
  join muniment.mention m
    on m.tenant = %(tenant)s
   and m.item = i.item
   and m.name = any (%(names)s::text[])
   and m.role not in ('participant', 'heading')
   and m.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(m.known)
            else m.known @> %(known_at)s::timestamptz end
 where i.tenant = %(tenant)s
   and i.audience = any (%(audiences)s::integer[])
   and i.state = 'live'
   and i.level = 'exact'
   and i.created_at <= %(as_of)s::timestamptz
   and (i.kind = 'document' and i.title ~* %(titles)s or i.authority = 'system_of_record')
 group by i.item, i.at
 order by i.at desc, i.item
 limit %(limit)s;

-- name: signed
-- Who signed a handoff of this account, of what this reader may read.
select i.id, i.author, i.created_at as at
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.source = 'muniment'
   and i.id like %(prefix)s
   and i.state = 'live'
   and i.audience = any (%(audiences)s::integer[])
   and i.created_at <= %(as_of)s::timestamptz
 order by i.created_at, i.id;
