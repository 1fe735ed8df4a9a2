-- Room steward: the organisation's alias file, a row for each name of each entry. Read under the steward's own audiences.

-- name: entries
-- What the file says now, as far as this steward may know; the row of the meaning stands for its entry.
select distinct on (a.position, a.entry) a.entry, a.means, a.kind, a.names, a.audience, lower(a.known) as since, a.set_by
  from muniment.alias a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and upper_inf(a.known)
 order by a.position, a.entry;

-- name: hold
-- One file at a time.
select tenant from muniment.org where tenant = %(tenant)s for update;

-- name: close
-- What was said stays, until when it was; what came and went in one instant was never said.
with gone as (
  delete from muniment.alias
   where tenant = %(tenant)s and entry = any (%(entries)s::uuid[]) and lower(known) >= %(now)s and upper_inf(known))
update muniment.alias
   set known = tstzrange(lower(known), %(now)s)
 where tenant = %(tenant)s
   and entry = any (%(entries)s::uuid[])
   and upper_inf(known)
   and lower(known) < %(now)s;

-- name: place
update muniment.alias a
   set position = n.position
  from json_populate_recordset(null::muniment.alias, %(rows)s::json) as n
 where a.tenant = %(tenant)s
   and a.entry = n.entry
   and upper_inf(a.known);

-- name: say
insert into muniment.alias (tenant, entry, name, position, means, kind, names, audience, set_by, known)
select %(tenant)s, n.entry, n.name, n.position, n.means, n.kind, n.names, n.audience, %(by)s, tstzrange(%(now)s, null)
  from json_populate_recordset(null::muniment.alias, %(rows)s::json) as n;

-- name: wordings
-- Other wordings of what these names mean, however many of them an entry has.
select distinct a.name, a.entry, a.means, a.names
  from muniment.alias a
 where a.tenant = %(tenant)s
   and a.name = any (%(names)s::text[])
   and a.audience = any (%(audiences)s::integer[])
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.name, a.entry;

-- name: every_entry
select distinct entry, means, names from muniment.alias where tenant = %(tenant)s order by entry;

-- name: drop_entries
delete from muniment.alias where tenant = %(tenant)s and entry = any (%(entries)s::uuid[]);

-- name: drop_names
delete from muniment.alias
 where tenant = %(tenant)s
   and entry = %(entry)s
   and name = any (%(names)s::text[]);

-- name: keep_names
update muniment.alias set names = %(names)s where tenant = %(tenant)s and entry = %(entry)s;
