-- The chain over the audit: sealing it, verifying it, and the entries as stewards see them.

-- name: hold_chain
-- One transaction at a time seals a tenant's audit; whoever waited sees what the other sealed.
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 20261130));

-- name: take_unsealed
-- An entry that is gone stays among those that wait, where a verification finds it. Times are microseconds, and null
-- where they were made infinite by hand.
with due as (
  select a.entry, case when isfinite(a.at) then (extract(epoch from a.at) * 1000000)::bigint end as at, a.principal, a.action, a.object, a.commitment
    from muniment.audit_unsealed as u
    join muniment.audit as a on a.tenant = u.tenant and a.entry = u.entry
   where u.tenant = %(tenant)s
   order by u.entry
   limit %(limit)s),
taken as (
  delete from muniment.audit_unsealed as u
   using due
   where u.tenant = %(tenant)s and u.entry = due.entry)
select due.entry, due.at, due.principal, due.action, due.object, due.commitment from due order by due.entry;

-- name: seal
insert into muniment.audit_seal (tenant, number, entry, head, sealed_at)
select %(tenant)s, %(after)s + s.place, s.entry, s.head, %(now)s
  from unnest(%(entries)s::bigint[], %(heads)s::bytea[]) with ordinality as s (entry, head, place);

-- name: last_seal
-- Without a time that is no date: it was put there by hand, and a verification says so.
select number, head, case when sealed_at between '0001-01-02' and '9999-12-30' then sealed_at end as sealed_at
  from muniment.audit_seal where tenant = %(tenant)s order by number desc limit 1;

-- name: head_at
select head from muniment.audit_seal where tenant = %(tenant)s and number = %(number)s;

-- name: waiting
select count(*) from muniment.audit_unsealed where tenant = %(tenant)s;

-- name: sealed_after
select s.number, s.entry, s.head,
       case when isfinite(s.sealed_at) then (extract(epoch from s.sealed_at) * 1000000)::bigint end as sealed_at,
       case when isfinite(a.at) then (extract(epoch from a.at) * 1000000)::bigint end as at,
       a.principal, a.action, a.object, a.commitment, a.salt, a.content
  from muniment.audit_seal as s
  left join muniment.audit as a on a.tenant = s.tenant and a.entry = s.entry
 where s.tenant = %(tenant)s and s.number > %(after)s
 order by s.number
 limit %(limit)s;

-- name: past_the_door
-- The sealer takes an entry from those that wait in the transaction that seals it, so that none is ever in neither.
select a.entry
  from muniment.audit as a
 where a.tenant = %(tenant)s
   and not exists (select from muniment.audit_seal as s where s.tenant = a.tenant and s.entry = a.entry)
   and not exists (select from muniment.audit_unsealed as u where u.tenant = a.tenant and u.entry = a.entry)
 order by a.entry;

-- name: gone_unsealed
select u.entry
  from muniment.audit_unsealed as u
 where u.tenant = %(tenant)s
   and not exists (select from muniment.audit as a where a.tenant = u.tenant and a.entry = u.entry)
 order by u.entry;

-- name: entries
-- Newest first. An id that was handed out, or a source that was fed, is what an act was about too.
select a.entry, s.number, a.at, a.principal, a.action, a.object, a.content,
       a.salt is null and a.content is null as erased, s.sealed_at
  from muniment.audit as a
  left join muniment.audit_seal as s on s.tenant = a.tenant and s.entry = a.entry
 where a.tenant = %(tenant)s
   and (%(by)s::text is null or a.principal = %(by)s)
   and (%(action)s::text is null or a.action = %(action)s)
   and (%(since)s::timestamptz is null or a.at >= %(since)s)
   and (%(object)s::text is null or a.object = %(object)s
        or a.content -> 'citations' ? %(object)s or a.content -> 'sources' ? %(object)s)
 order by a.entry desc
 limit %(limit)s;

-- name: chained_as
-- The name under which the chain began: its own, unless the record was brought in from elsewhere.
select coalesce(chained_as, tenant) from muniment.org where tenant = %(tenant)s;
