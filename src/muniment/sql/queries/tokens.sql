-- Room gate: bearer tokens, by their digest alone, and what was handed in under a caller's own key.

-- name: make
insert into muniment.token (tenant, token, digest, principal, agent, made_by, made_at, expires_at)
values (%(tenant)s, %(token)s, %(digest)s, %(principal)s, %(agent)s, %(by)s, %(now)s, %(expires)s);

-- name: find
-- By its name, and the digest is compared in constant time: an index on digests would answer sooner the less of one is right.
-- Whoever was deactivated, or whose agent was, comes through no more.
select t.digest, t.principal, t.agent, t.expires_at
  from muniment.token t
 where t.tenant = %(tenant)s
   and t.token = %(token)s
   and t.revoked_at is null
   and not exists (select from muniment.principal p
                    where p.tenant = %(tenant)s and p.principal in (t.principal, t.agent)
                      and p.standing = 'deactivated');

-- name: is_of_nobody
-- Whether a name, or the agent of that id, is that of somebody who was deactivated.
select exists (select from muniment.principal p
                where p.tenant = %(tenant)s
                  and p.standing = 'deactivated'
                  and (p.principal in (%(name)s, %(agent)s)
                       or exists (select from muniment.principal_alias a
                                   where a.tenant = %(tenant)s and a.alias = %(alias)s and a.principal = p.principal)));

-- name: drop_of_person
-- All by which somebody who is erased came through, under whatever they were called.
delete from muniment.token
 where tenant = %(tenant)s
   and principal = any (%(principals)s::text[]);

-- name: list
select token, principal, agent, made_by, made_at, expires_at, revoked_at
  from muniment.token
 where tenant = %(tenant)s
   and (%(principal)s::text is null or principal = %(principal)s)
 order by made_at, token;

-- name: revoke
update muniment.token
   set revoked_by = %(by)s, revoked_at = %(now)s
 where tenant = %(tenant)s
   and token = %(token)s
   and (%(principal)s::text is null or principal = %(principal)s)
   and revoked_at is null;

-- name: say_once
-- The body this key stands for: this one where the key is new.
with gone as (
  delete from muniment.idempotency where tenant = %(tenant)s and at < %(since)s),
said as (
  insert into muniment.idempotency (tenant, key, body, at)
  values (%(tenant)s, %(key)s, %(body)s, %(now)s)
  on conflict (tenant, key) do nothing
  returning body)
select body from said
 union all
select i.body from muniment.idempotency i where i.tenant = %(tenant)s and i.key = %(key)s
 limit 1;
