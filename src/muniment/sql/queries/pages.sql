-- Room pages: what belongs to an entity, as one reader sees it. Every read names its audiences.

-- name: items_about
-- Items that name the entity, newest first; the limit keeps a page of a busy account a page.
select i.item, i.source, i.id, i.state, i.kind,
       v.title, i.author, i.author_name, v.at, i.created_at, v.version,
       i.container, i.thread, i.account, i.project, i.service, i.url, v.status,
       v.valid_from, v.valid_to, i.trust, i.authority
  from muniment.item i
  join muniment.item_version v
    on v.tenant = i.tenant
   and v.item = i.item
   and v.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then v.seq = i.seq
            else v.known @> %(known_at)s::timestamptz end
 where i.tenant = %(tenant)s
   and i.item in (select m.item
                    from muniment.mention m
                   where m.tenant = %(tenant)s
                     and m.name = any (%(names)s::text[])
                     and m.audience = any (%(audiences)s::integer[]))
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
   and a.status in ('active', 'stale')
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
   and a.status in ('active', 'stale')
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
   and a.status in ('active', 'stale')
   and not isempty(a.known)
   and (%(known_at)s::timestamptz is null or lower(a.known) <= %(known_at)s::timestamptz)
 order by a.assertion, a.revision;

-- name: all_names
select distinct n.name, n.entity, n.kind, n.title, n.is_alias
  from muniment.entity_name n
 where n.tenant = %(tenant)s
   and n.audience = any (%(audiences)s::integer[])
 order by n.name, n.kind, n.entity, n.title, n.is_alias;
