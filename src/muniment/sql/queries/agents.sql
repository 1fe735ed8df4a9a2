-- What agents were granted. An agent that never left `all` has no row of that name, or an open one.

-- name: targets_ever
select distinct g.target from muniment.agent_grant as g where g.tenant = %(tenant)s and g.target <> 'all';

-- name: agents_ever
select distinct g.agent
  from muniment.agent_grant as g
 where g.tenant = %(tenant)s and g.granted_at <= coalesce(%(until)s::timestamptz, 'infinity')
 order by g.agent;

-- name: is_deactivated
select p.standing = 'deactivated'
  from muniment.principal as p
 where p.tenant = %(tenant)s and p.principal = %(agent)s;

-- name: reach
-- Null for all. A grant counts from the instant it was given until the one it was taken back.
with held as (
  select g.target,
         g.revoked_at is null or g.revoked_at > coalesce(%(until)s::timestamptz, 'infinity') as is_open
    from muniment.agent_grant as g
   where g.tenant = %(tenant)s and g.agent = %(agent)s
     and g.granted_at <= coalesce(%(until)s::timestamptz, 'infinity'))
select case when exists (select from held as h where h.target = 'all')
             and not exists (select from held as h where h.target = 'all' and h.is_open)
            then array(select distinct h.target from held as h where h.is_open) end as targets;

-- name: within
-- Of these audiences, those whose every clause of reach holds a target of the list. One without such a clause lies
-- under nothing that was granted, and is nothing an agent with a list may read.
select a.audience
  from muniment.audience as a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and exists (select from jsonb_array_elements(a.clauses) as c (members) where c.members ->> 0 like 'reach:%%')
   and not exists (select from jsonb_array_elements(a.clauses) as c (members)
                    where c.members ->> 0 like 'reach:%%'
                      and not exists (select from unnest(%(refs)s::text[]) as r (target)
                                       where c.members ? ('reach:' || r.target)))
 order by a.audience;

-- name: grant
insert into muniment.agent_grant (tenant, agent, target, granted_by, granted_at)
select %(tenant)s, %(agent)s, %(target)s, %(by)s, %(at)s
 where not exists (select from muniment.agent_grant as g
                    where g.tenant = %(tenant)s and g.agent = %(agent)s and g.target = %(target)s
                      and g.revoked_at is null)
on conflict (tenant, agent, target, granted_at) do update
   set granted_by = excluded.granted_by, revoked_by = null, revoked_at = null;

-- name: revoke
update muniment.agent_grant
   set revoked_by = %(by)s, revoked_at = %(at)s
 where tenant = %(tenant)s and agent = %(agent)s and target = %(target)s and revoked_at is null;

-- name: drop_list
update muniment.agent_grant
   set revoked_by = %(by)s, revoked_at = %(at)s
 where tenant = %(tenant)s and agent = %(agent)s and target <> 'all' and revoked_at is null;

-- name: leave_all
update muniment.agent_grant
   set revoked_by = %(by)s, revoked_at = %(at)s
 where tenant = %(tenant)s and agent = %(agent)s and target = 'all' and revoked_at is null;

-- name: was_all
-- What an agent has by default, as a row that ends here: without one it would have everything again when its list goes.
insert into muniment.agent_grant (tenant, agent, target, granted_by, granted_at, revoked_by, revoked_at)
select %(tenant)s, %(agent)s, 'all', %(by)s, %(at)s, %(by)s, %(at)s
 where not exists (select from muniment.agent_grant as g
                    where g.tenant = %(tenant)s and g.agent = %(agent)s and g.target = 'all');

-- name: reopen_reach
-- What lies under a target that was never granted before gets it into its label: due again, done or not. What moved
-- to where it is now has its events under an older id.
update muniment.stream as t
   set done_seq = least(t.done_seq, t.last_seq - 1), run_at = least(t.run_at, %(now)s)
 where t.tenant = %(tenant)s
   and t.source = %(source)s
   and (%(container)s::text is null and %(id)s::text is null
        or t.id = %(id)s
        or exists (select from muniment.item as i
                    where i.tenant = %(tenant)s and i.source = t.source and i.id = t.id
                      and i.container = %(container)s)
        or exists (select from muniment.event as e
                    where e.tenant = %(tenant)s and e.source = t.source and e.id = t.id and e.op = 'move'))
   and (t.id not like '@%%' or t.id like '@entity/%%' or t.id = '@topology');
