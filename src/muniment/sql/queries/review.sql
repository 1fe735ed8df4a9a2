-- Room steward: what waits for a decision. Content is read under the steward's own audiences.

-- name: rules
-- Every rule that is held now: those that wait, and those that may turn out to repeat what does.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and upper_inf(a.known)
   and (a.status = 'candidate'
        or a.status = 'active' and a.kind in ('policy', 'procedure', 'decision'))
 order by a.assertion;

-- name: rule
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = %(assertion)s::uuid
   and a.audience = any (%(audiences)s::integer[])
   and upper_inf(a.known)
   and a.kind in ('policy', 'procedure', 'decision')
   and a.status in ('candidate', 'active', 'rejected');

-- name: decide
insert into muniment.decision (tenant, decision, number, audience, action, subject, other, source, id, saw, reason,
                               decided_by, decided_at)
values (%(tenant)s, %(decision)s, %(number)s, %(audience)s, %(action)s, %(subject)s, %(other)s, %(source)s, %(id)s,
        %(saw)s, %(reason)s, %(decided_by)s, %(decided_at)s)
on conflict (tenant, decision) do nothing;

-- name: others
-- People besides this one who could decide: full members, and stewards who were not deactivated.
select count(distinct o.principal)
  from (select p.principal
          from muniment.principal p
         where p.tenant = %(tenant)s and p.standing = 'member' and p.principal like 'user:%%'
         union all
        select g.principal
          from muniment.role_grant g
          left join muniment.principal p on p.tenant = g.tenant and p.principal = g.principal
         where g.tenant = %(tenant)s and g.role = 'steward' and g.revoked_at is null
           and p.standing is distinct from 'deactivated') o
 where o.principal <> %(principal)s;

-- name: aliases
-- Every name of theirs, the account each may be, and whoever shares one.
select a.alias from muniment.principal_alias a where a.tenant = %(tenant)s and a.principal = %(principal)s
 union
select 'user:' || a.alias from muniment.principal_alias a where a.tenant = %(tenant)s and a.principal = %(principal)s
 union
select o.principal
  from muniment.principal_alias a
  join muniment.principal_alias o on o.tenant = %(tenant)s and o.alias = a.alias
 where a.tenant = %(tenant)s and a.principal = %(principal)s;

-- name: reports
-- What may be read with what it is about.
select r.report::text, r.citation, r.problem, r.reported_by
  from muniment.report r
 where r.tenant = %(tenant)s
   and r.audience = any (%(audiences)s::integer[])
 order by r.reported_at, r.report;

-- name: stale
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and a.status = 'stale'
   and upper_inf(a.known)
 order by a.assertion;

-- name: recalled
select i.source, i.id
  from muniment.item i
 where i.tenant = %(tenant)s and i.state = 'recalled'
 order by i.source collate "C", i.id collate "C";

-- name: is_recalled
select exists (select 1 from muniment.item
                where tenant = %(tenant)s and source = %(source)s and id = %(id)s and state = 'recalled');

-- name: audiences
select distinct a.audience
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = any (%(assertions)s::uuid[]);
