-- Who is who, who is in what, and what that lets them read. Every statement says whose.

-- name: lock_directory
-- One transaction at a time states who is who in a tenant. Two that overlapped would each settle an edge without the
-- other's statement, and a removal could be lost. Reading takes no lock.
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 20260702));

-- name: state_principal
-- One source that says two things under one key is merged as any tie is: removal wins, whatever the order of arrival.
insert into muniment.principal_statement as s
       (tenant, principal, at, version, source, accepted_at, name, emails, aliases, standing, wrote_as)
values (%(tenant)s, %(principal)s, %(at)s, %(version)s, %(source)s, %(accepted_at)s,
        %(name)s, %(emails)s::text[], %(aliases)s::text[], %(standing)s, nullif(%(standing)s, 'deactivated'))
on conflict (tenant, principal, at, version, source) do update
   set name = greatest(s.name, excluded.name),
       emails = case when s.emails is null then excluded.emails
                     when excluded.emails is null then s.emails
                     else array(select e.x from unnest(s.emails) as e (x)
                                 where e.x = any (excluded.emails) order by e.x) end,
       aliases = case when s.aliases is null then excluded.aliases
                      when excluded.aliases is null then s.aliases
                      else array(select a.x from unnest(s.aliases) as a (x)
                                  where a.x = any (excluded.aliases) order by a.x) end,
       standing = (array['deactivated', 'external', 'guest', 'member'])[
           least(array_position(array['deactivated', 'external', 'guest', 'member'], s.standing),
                 array_position(array['deactivated', 'external', 'guest', 'member'], excluded.standing))],
       wrote_as = (array['external', 'guest', 'member'])[
           least(array_position(array['external', 'guest', 'member'], s.wrote_as),
                 array_position(array['external', 'guest', 'member'], excluded.wrote_as))];

-- name: principals_until
-- What the statements made for a time no later than `until` add up to. Each field comes from the latest that has it;
-- where sources tie, the narrowest standing and the names all of them give.
select p.principal,
       (select max(t.name collate "C")
          from (select s.name from muniment.principal_statement as s
                 where s.tenant = %(tenant)s and s.principal = p.principal and s.name is not null
                   and s.at <= coalesce(%(until)s::timestamptz, 'infinity')
                 order by s.at desc, s.version desc fetch first row with ties) as t) as name,
       (select (array['deactivated', 'external', 'guest', 'member'])[
                 min(array_position(array['deactivated', 'external', 'guest', 'member'], t.standing))]
          from (select s.standing from muniment.principal_statement as s
                 where s.tenant = %(tenant)s and s.principal = p.principal and s.standing is not null
                   and s.at <= coalesce(%(until)s::timestamptz, 'infinity')
                 order by s.at desc, s.version desc fetch first row with ties) as t) as standing,
       array(with top as (
               select s.emails from muniment.principal_statement as s
                where s.tenant = %(tenant)s and s.principal = p.principal and s.emails is not null
                  and s.at <= coalesce(%(until)s::timestamptz, 'infinity')
                order by s.at desc, s.version desc fetch first row with ties)
             select e.x from top cross join unnest(top.emails) as e (x)
              group by e.x having count(*) = (select count(*) from top)) as emails,
       array(with top as (
               select s.aliases from muniment.principal_statement as s
                where s.tenant = %(tenant)s and s.principal = p.principal and s.aliases is not null
                  and s.at <= coalesce(%(until)s::timestamptz, 'infinity')
                order by s.at desc, s.version desc fetch first row with ties)
             select a.x from top cross join unnest(top.aliases) as a (x)
              group by a.x having count(*) = (select count(*) from top)) as aliases
  from unnest(%(principals)s::text[]) as p (principal)
 where exists (select from muniment.principal_statement as s
                where s.tenant = %(tenant)s and s.principal = p.principal
                  and s.at <= coalesce(%(until)s::timestamptz, 'infinity'));

-- name: principals_ever
select distinct s.principal from muniment.principal_statement as s where s.tenant = %(tenant)s;

-- name: settle_principals
insert into muniment.principal as p (tenant, principal, name, standing)
select %(tenant)s, n.principal, n.name, n.standing
  from unnest(%(principals)s::text[], %(names)s::text[], %(standings)s::text[]) as n (principal, name, standing)
on conflict (tenant, principal) do update
   set name = excluded.name, standing = excluded.standing
 where (p.name, p.standing) is distinct from (excluded.name, excluded.standing);

-- name: settle_aliases
-- The two halves touch different rows, so their order does not matter.
with wanted as materialized (
  select w.alias, w.principal from unnest(%(aliases)s::text[], %(owners)s::text[]) as w (alias, principal)),
gone as (
  delete from muniment.principal_alias as a
   where a.tenant = %(tenant)s and a.principal = any (%(principals)s::text[])
     and not exists (select from wanted as w where w.alias = a.alias and w.principal = a.principal))
insert into muniment.principal_alias (tenant, alias, principal)
select %(tenant)s, w.alias, w.principal from wanted as w
on conflict do nothing;

-- name: shared_names
-- Who goes by which name; of one principal, everybody who goes by a name of theirs.
select a.principal, a.alias
  from muniment.principal_alias as a
 where a.tenant = %(tenant)s
   and (%(principal)s::text is null
        or a.alias in (select m.alias from muniment.principal_alias as m
                        where m.tenant = %(tenant)s and m.principal = %(principal)s));

-- name: forget_person_names
delete from muniment.person_name where tenant = %(tenant)s and principal = any (%(principals)s::text[]);

-- name: name_people
insert into muniment.person_name (tenant, name, principal, title, ids)
select %(tenant)s, n.name, n.principal, n.title, n.ids
  from json_populate_recordset(null::muniment.person_name, %(rows)s::json) as n
on conflict do nothing;

-- name: forget_settled
-- Everything in the gate that statements can make again.
with p as (delete from muniment.principal where tenant = %(tenant)s),
     a as (delete from muniment.principal_alias where tenant = %(tenant)s),
     n as (delete from muniment.person_name where tenant = %(tenant)s),
     m as (delete from muniment.member_now where tenant = %(tenant)s),
     k as (delete from muniment.container_clause where tenant = %(tenant)s)
delete from muniment.container where tenant = %(tenant)s;

-- name: state_edges
-- One addition said with two periods under one key holds only where both do.
insert into muniment.membership as m
       (tenant, member, grp, at, version, present, source, accepted_at, valid_from, valid_to)
select %(tenant)s, e.member, e.grp, e.at, e.version, e.present, e.source, %(accepted_at)s,
       max(e.valid_from), min(e.valid_to)
  from unnest(%(members)s::text[], %(groups)s::text[], %(ats)s::timestamptz[], %(versions)s::text[],
              %(presents)s::boolean[], %(sources)s::text[], %(froms)s::timestamptz[], %(tos)s::timestamptz[])
         as e (member, grp, at, version, present, source, valid_from, valid_to)
 group by e.member, e.grp, e.at, e.version, e.present, e.source
on conflict (tenant, member, grp, at, version, present, source) do update
   set valid_from = greatest(m.valid_from, excluded.valid_from), valid_to = least(m.valid_to, excluded.valid_to);

-- name: state_listing
-- Two listings under one key: only whom both name is in, and only while both hold.
insert into muniment.group_listing as l
       (tenant, grp, at, version, source, accepted_at, members, valid_from, valid_to)
values (%(tenant)s, %(group)s, %(at)s, %(version)s, %(source)s, %(accepted_at)s, %(members)s::text[],
        %(valid_from)s, %(valid_to)s)
on conflict (tenant, grp, at, version, source) do update
   set members = array(select m.x from unnest(l.members) as m (x) where m.x = any (excluded.members) order by m.x),
       valid_from = greatest(l.valid_from, excluded.valid_from),
       valid_to = least(l.valid_to, excluded.valid_to);

-- name: edges_until
-- Which of these (member, group) edges hold by what was said for a time no later than `until`: the latest listing
-- decides for whoever nothing later was said of. At one key, removal and absence win over presence, and of two periods
-- what lies in both.
with pair as materialized (
  select distinct p.member, p.grp from unnest(%(members)s::text[], %(groups)s::text[]) as p (member, grp)),
said as (
  select p.member, p.grp, m.at, m.version,
         bool_and(m.present) as present, max(m.valid_from) as valid_from, min(m.valid_to) as valid_to
    from pair as p
   cross join lateral (
     select m.at, m.version, m.present, m.valid_from, m.valid_to from muniment.membership as m
      where m.tenant = %(tenant)s and m.member = p.member and m.grp = p.grp
        and m.at <= coalesce(%(until)s::timestamptz, 'infinity')
      order by m.at desc, m.version desc fetch first row with ties) as m
   group by p.member, p.grp, m.at, m.version),
listing as materialized (
  select g.grp, l.at, l.version, l.members, l.valid_from, l.valid_to, count(*) over (partition by g.grp) as ties
    from (select distinct p.grp from pair as p) as g
   cross join lateral (
     select l.at, l.version, l.members, l.valid_from, l.valid_to from muniment.group_listing as l
      where l.tenant = %(tenant)s and l.grp = g.grp
        and l.at <= coalesce(%(until)s::timestamptz, 'infinity')
      order by l.at desc, l.version desc fetch first row with ties) as l),
listed as (
  select m.member, l.grp, max(l.valid_from) as valid_from, min(l.valid_to) as valid_to
    from listing as l cross join unnest(l.members) as m (member)
   group by m.member, l.grp, l.ties
  having count(*) = l.ties),
latest as (select distinct l.grp, l.at, l.version from listing as l),
word as (
  select p.member, p.grp, s.present, i.member is not null as is_listed,
         s.grp is not null and (l.grp is null or (s.at, s.version) >= (l.at, l.version)) as by_edge,
         l.grp is not null and (s.grp is null or (s.at, s.version) <= (l.at, l.version)) as by_listing,
         s.valid_from as edge_from, s.valid_to as edge_to, i.valid_from as listing_from, i.valid_to as listing_to
    from pair as p
    left join said as s on s.member = p.member and s.grp = p.grp
    left join latest as l on l.grp = p.grp
    left join listed as i on i.member = p.member and i.grp = p.grp)
select w.member, w.grp,
       greatest(case when w.by_edge then w.edge_from end, case when w.by_listing then w.listing_from end) as valid_from,
       least(case when w.by_edge then w.edge_to end, case when w.by_listing then w.listing_to end) as valid_to
  from word as w
 where (w.by_edge or w.by_listing)
   and (not w.by_edge or w.present)
   and (not w.by_listing or w.is_listed);

-- name: edges_ever
-- Every edge a statement ever made in these groups and the groups they ever held.
with recursive below (grp) as (
  select g.grp from unnest(%(groups)s::text[]) as g (grp)
   union
  select e.member
    from below as b
   cross join lateral (
     select m.member from muniment.membership as m where m.tenant = %(tenant)s and m.grp = b.grp
      union all
     select u.member from muniment.group_listing as l cross join unnest(l.members) as u (member)
      where l.tenant = %(tenant)s and l.grp = b.grp) as e
   where e.member like 'group:%%')
select m.member, m.grp
  from below as b join muniment.membership as m on m.tenant = %(tenant)s and m.grp = b.grp
 union
select u.member, l.grp
  from below as b join muniment.group_listing as l on l.tenant = %(tenant)s and l.grp = b.grp
 cross join unnest(l.members) as u (member);

-- name: groups_ever
select m.grp from muniment.membership as m where m.tenant = %(tenant)s
 union
select l.grp from muniment.group_listing as l where l.tenant = %(tenant)s;

-- name: edges_of_groups
select n.member, n.grp from muniment.member_now as n
 where n.tenant = %(tenant)s and n.grp = any (%(groups)s::text[]);

-- name: edges_below
-- Who is in these groups now, and who is in the groups that are in them; a cycle ends where it began.
with recursive below (grp) as (
  select g.grp from unnest(%(groups)s::text[]) as g (grp)
   union
  select n.member
    from below as b
    join muniment.member_now as n on n.tenant = %(tenant)s and n.grp = b.grp
   where n.member like 'group:%%'
     and (n.valid_from is null or n.valid_from <= %(now)s) and (n.valid_to is null or n.valid_to > %(now)s))
select n.member, n.grp
  from below as b join muniment.member_now as n on n.tenant = %(tenant)s and n.grp = b.grp
 where (n.valid_from is null or n.valid_from <= %(now)s) and (n.valid_to is null or n.valid_to > %(now)s);

-- name: edges_above
-- Which groups somebody is in now, under any of these names of theirs, and through which.
with recursive above (subject) as (
  select n.name from unnest(%(names)s::text[]) as n (name)
   union
  select n.grp from above as a join muniment.member_now as n on n.tenant = %(tenant)s and n.member = a.subject
   where (n.valid_from is null or n.valid_from <= %(now)s) and (n.valid_to is null or n.valid_to > %(now)s))
select n.member, n.grp
  from above as a join muniment.member_now as n on n.tenant = %(tenant)s and n.member = a.subject
 where (n.valid_from is null or n.valid_from <= %(now)s) and (n.valid_to is null or n.valid_to > %(now)s);

-- name: settle_edges
with gone as (
  delete from muniment.member_now as n
   using unnest(%(gone_members)s::text[], %(gone_groups)s::text[]) as g (member, grp)
   where n.tenant = %(tenant)s and n.member = g.member and n.grp = g.grp)
insert into muniment.member_now as n (tenant, member, grp, valid_from, valid_to)
select %(tenant)s, e.member, e.grp, e.valid_from, e.valid_to
  from unnest(%(members)s::text[], %(groups)s::text[], %(froms)s::timestamptz[], %(tos)s::timestamptz[])
         as e (member, grp, valid_from, valid_to)
on conflict (tenant, member, grp) do update
   set valid_from = excluded.valid_from, valid_to = excluded.valid_to
 where (n.valid_from, n.valid_to) is distinct from (excluded.valid_from, excluded.valid_to);

-- name: state_container
-- Two audiences under one key must both be satisfied: the narrower reading, whatever the order of arrival.
insert into muniment.container_statement as s
       (tenant, source, container, at, version, accepted_at, clauses, live, verified_through)
values (%(tenant)s, %(source)s, %(container)s, %(at)s, %(version)s, %(accepted_at)s,
        %(clauses)s::jsonb, %(live)s, %(verified_through)s)
on conflict (tenant, source, container, at, version) do update
   set clauses = case when s.clauses is null then excluded.clauses
                      when excluded.clauses is null then s.clauses
                      else (select jsonb_agg(distinct c.clause)
                              from jsonb_array_elements(s.clauses || excluded.clauses) as c (clause)) end,
       live = s.live and excluded.live,
       verified_through = least(s.verified_through, excluded.verified_through);

-- name: containers_until
-- What was said of each container for a time no later than `until`: the latest audience anyone gave, how far it is
-- verified, whether it is live by the very latest word, from when on that is too old by its source's limit (one that was
-- never verified always was), and who holds a grant on it. Times stay within those that Python can hold.
select w.ref, c.clauses, s.live, v.verified_through,
       case when s.live or m.verify_within is null then null
            when v.verified_through is null then '0001-01-02 00:00+00'
            else least(v.verified_through + m.verify_within, '9999-12-30 00:00+00') end as closes_at,
       array(select distinct g.principal from muniment.read_grant as g
              where g.tenant = %(tenant)s and g.target = w.ref
                and g.granted_at <= coalesce(%(until)s::timestamptz, 'infinity')
                and (g.revoked_at is null or g.revoked_at > coalesce(%(until)s::timestamptz, 'infinity'))) as granted
  from unnest(%(refs)s::text[], %(sources)s::text[], %(containers)s::text[]) as w (ref, source, container)
 cross join lateral (
   select x.live from muniment.container_statement as x
    where x.tenant = %(tenant)s and x.source = w.source and x.container = w.container
      and x.at <= coalesce(%(until)s::timestamptz, 'infinity')
    order by x.at desc, x.version desc limit 1) as s
  left join lateral (
   select x.clauses from muniment.container_statement as x
    where x.tenant = %(tenant)s and x.source = w.source and x.container = w.container and x.clauses is not null
      and x.at <= coalesce(%(until)s::timestamptz, 'infinity')
    order by x.at desc, x.version desc limit 1) as c on true
  left join lateral (
   select x.verified_through from muniment.container_statement as x
    where x.tenant = %(tenant)s and x.source = w.source and x.container = w.container
      and x.verified_through is not null
      and x.at <= coalesce(%(until)s::timestamptz, 'infinity')
    order by x.at desc, x.version desc limit 1) as v on true
  left join lateral (
   select x.verify_within from muniment.source_limit as x
    where x.tenant = %(tenant)s and x.source = w.source
      and x.since <= coalesce(%(until)s::timestamptz, 'infinity')
    order by x.since desc limit 1) as m on true;

-- name: containers_ever
select distinct 'container:' || s.source || ':' || s.container
  from muniment.container_statement as s where s.tenant = %(tenant)s;

-- name: containers_of
select distinct 'container:' || s.source || ':' || s.container
  from muniment.container_statement as s where s.tenant = %(tenant)s and s.source = %(source)s;

-- name: closed_containers
-- Those whose audience was not verified within their source's limit, longest closed first.
select substr(c.ref, length('container:') + 1), c.verified_through
  from muniment.container as c
 where c.tenant = %(tenant)s and c.closes_at < %(now)s
 order by c.closes_at, c.ref collate "C";

-- name: settle_containers
-- Only rows that differ are written: taking one person off a container deletes their rows and no other.
with desired as materialized (
  select d.member, d.ref, d.clause, d.out_of, d.granted
    from unnest(%(members)s::text[], %(owners)s::text[], %(clauses)s::integer[], %(totals)s::integer[],
                %(granted)s::boolean[])
         as d (member, ref, clause, out_of, granted)),
gone as (
  delete from muniment.container_clause as c
   where c.tenant = %(tenant)s and c.ref = any (%(refs)s::text[])
     and not exists (select from desired as d
                      where d.member = c.member and d.ref = c.ref and d.clause = c.clause)
  returning c.ref),
come as (
  insert into muniment.container_clause as c (tenant, member, ref, clause, out_of, granted)
  select %(tenant)s, d.member, d.ref, d.clause, d.out_of, d.granted from desired as d
  on conflict (tenant, member, ref, clause) do update
     set out_of = excluded.out_of, granted = excluded.granted
   where (c.out_of, c.granted) <> (excluded.out_of, excluded.granted)
  returning c.ref),
changed as (
  insert into muniment.container as c (tenant, ref, clause_count, live, verified_through, closes_at)
  select %(tenant)s, n.ref, n.clause_count, n.live, n.verified_through, n.closes_at
    from unnest(%(refs)s::text[], %(counts)s::integer[], %(lives)s::boolean[], %(verifieds)s::timestamptz[],
                %(closings)s::timestamptz[])
         as n (ref, clause_count, live, verified_through, closes_at)
  on conflict (tenant, ref) do update
     set clause_count = excluded.clause_count, live = excluded.live, verified_through = excluded.verified_through,
         closes_at = excluded.closes_at
   where (c.clause_count, c.live, c.verified_through, c.closes_at)
         is distinct from (excluded.clause_count, excluded.live, excluded.verified_through, excluded.closes_at)
  returning c.ref)
select ref from gone union select ref from come union select ref from changed;

-- name: container_states
-- A container whose audience nobody has stated is neither live nor verified.
select c.ref, c.live and c.clause_count > 0 as live,
       case when c.clause_count > 0 then c.verified_through end as verified_through
  from muniment.container as c
 where c.tenant = %(tenant)s and c.ref = any (%(refs)s::text[]);

-- name: make_audiences
-- An audience and its clauses appear together, without those that are about agents' reach. Of two transactions that make one at a time, the later waits.
with made as (
  insert into muniment.audience (tenant, digest, clause_count, clauses)
  select %(tenant)s, n.digest, n.clause_count, n.clauses
    from unnest(%(digests)s::bytea[], %(counts)s::integer[], %(clauses)s::jsonb[]) as n (digest, clause_count, clauses)
   order by n.digest
  on conflict (tenant, digest) do nothing
  returning audience, clause_count, clauses)
insert into muniment.audience_clause (tenant, member, audience, clause, out_of)
select %(tenant)s, m.member, made.audience, c.clause, made.clause_count
  from made
 cross join jsonb_array_elements(made.clauses) with ordinality as c (members, clause)
 cross join jsonb_array_elements_text(c.members) as m (member)
 where c.members ->> 0 not like 'reach:%%';

-- name: audiences_by_digest
select a.digest, a.audience from muniment.audience as a
 where a.tenant = %(tenant)s and a.digest = any (%(digests)s::bytea[]);

-- name: audience
select a.clauses from muniment.audience as a where a.tenant = %(tenant)s and a.audience = %(audience)s;

-- name: permitted
-- Who is meant, what they are, and which audiences that satisfies, in one snapshot and one round trip.
-- An id that appears anywhere is known; only another name is tried as an alias, which must be one principal's alone. An
-- account (user:slack:U1) that shares it with one person does not dispute it: the person is that account too, for as long
-- as no other person has the name and the account was not deactivated.
-- Groups are followed a level at a time, and a cycle adds nothing. Members are joined rather than compared with an array:
-- a small table would be scanned, every row against every one of thousands of groups. Each clause of a
-- container or audience must be met: distinct clauses met are counted against all there are, and one without clauses
-- has no row, so that it admits nobody. A membership counts in its period only. A container whose audience is older than
-- its source's limit is closed to all but those a steward let in: a grant is in each of its clauses.
with recursive
exact as (
  select %(name)s::text as principal
   where %(is_id)s
     and (exists (select from muniment.principal where tenant = %(tenant)s and principal = %(name)s)
          or exists (select from muniment.member_now where tenant = %(tenant)s and member = %(name)s)
          or exists (select from muniment.membership where tenant = %(tenant)s and member = %(name)s)
          or exists (select from muniment.audience_clause where tenant = %(tenant)s and member = %(name)s)
          or exists (select from muniment.container_clause where tenant = %(tenant)s and member = %(name)s)
          or exists (select from muniment.role_grant where tenant = %(tenant)s and principal = %(name)s))),
claimed as (
  select coalesce(min(a.principal) filter (where a.principal !~ '^user:[^:]+:.'), min(a.principal)) as principal
    from muniment.principal_alias as a
   where a.tenant = %(tenant)s and a.alias = %(alias)s
  having count(*) = 1 or count(*) filter (where a.principal !~ '^user:[^:]+:.') = 1),
named as materialized (
  select exact.principal from exact
   union all
  select claimed.principal from claimed where not exists (select from exact)),
present as materialized (
  select n.principal, p.standing
    from named as n
    left join muniment.principal as p on p.tenant = %(tenant)s and p.principal = n.principal
   where p.standing is distinct from 'deactivated'),
selves as materialized (
  select array(select p.principal from present as p
                union
               select s.account
                 from present as p
                 join muniment.principal_alias as a on a.tenant = %(tenant)s and a.principal = p.principal
                cross join lateral (
                  select o.principal as account from muniment.principal_alias as o
                   where o.tenant = %(tenant)s and o.alias = a.alias and o.principal ~ '^user:[^:]+:.'
                   union all
                  select 'user:' || a.alias where a.alias ~ '^[^:]+:.|@') as s
                where p.principal !~ '^user:[^:]+:.'
                  and not exists (select from muniment.principal_alias as r
                                   where r.tenant = %(tenant)s and r.alias = a.alias and r.principal <> p.principal
                                     and r.principal !~ '^user:[^:]+:.')
                  and not exists (select from muniment.principal as g
                                   where g.tenant = %(tenant)s and g.principal = s.account
                                     and g.standing = 'deactivated')) as names
   where exists (select from present)),
closure (frontier, subjects) as (
  select s.names, s.names from selves as s
   union all
  select n.groups, c.subjects || n.groups
    from closure as c
   cross join lateral (
     select array(select m.grp
                    from unnest(c.frontier) as f (member)
                    join muniment.member_now as m
                      on m.tenant = %(tenant)s and m.member = f.member
                   where (m.valid_from is null or m.valid_from <= %(now)s)
                     and (m.valid_to is null or m.valid_to > %(now)s)
                  except
                  select s.subject from unnest(c.subjects) as s (subject)) as groups
     offset 0) as n  -- or the planner writes the array out twice
   where c.frontier <> '{}'),
self as materialized (
  select c.subjects || case when p.standing = 'member' then '{*}'::text[] else '{}' end as subjects
    from closure as c cross join present as p
   where c.frontier = '{}'),
opened as materialized (
  select array(select met.ref
                 from (select k.ref, k.clause, k.out_of, bool_or(k.granted) as granted
                         from unnest((select s.subjects from self as s)) as h (member)
                         join muniment.container_clause as k
                           on k.tenant = %(tenant)s and k.member = h.member
                        group by k.ref, k.clause, k.out_of) as met
                group by met.ref, met.out_of
               having count(*) = met.out_of
                  and (bool_or(met.granted)
                       or not exists (select from muniment.container as c
                                       where c.tenant = %(tenant)s and c.ref = met.ref
                                         and c.closes_at is not null and c.closes_at < %(now)s))) as refs),
everything as materialized (
  select s.subjects || o.refs as subjects from self as s cross join opened as o)
select (select n.principal from named as n) as principal,
       coalesce((select e.subjects from everything as e), '{}') as subjects,
       array(select met.audience
               from (select distinct k.audience, k.clause, k.out_of
                       from unnest((select e.subjects from everything as e)) as h (member)
                       join muniment.audience_clause as k
                         on k.tenant = %(tenant)s and k.member = h.member) as met
              group by met.audience, met.out_of
             having count(*) = met.out_of
              order by met.audience) as audiences;

-- name: standings
select p.principal, p.standing from muniment.principal as p where p.tenant = %(tenant)s;

-- name: standing
select p.principal, p.standing from muniment.principal as p
 where p.tenant = %(tenant)s and p.principal = %(principal)s;

-- name: is_steward
select exists (
  select from muniment.role_grant as r
    left join muniment.principal as p on p.tenant = %(tenant)s and p.principal = r.principal
   where r.tenant = %(tenant)s and r.principal = %(principal)s and r.role = 'steward' and r.revoked_at is null
     and p.standing is distinct from 'deactivated');

-- name: word_of
-- Whether somebody is a steward, and what sources there are: on whose word a batch comes, in one round trip.
select exists (
         select from muniment.role_grant as r
           left join muniment.principal as p on p.tenant = %(tenant)s and p.principal = r.principal
          where r.tenant = %(tenant)s and r.principal = %(principal)s and r.role = 'steward' and r.revoked_at is null
            and p.standing is distinct from 'deactivated') as steward,
       (select json_agg(json_build_array(s.source, s.fed_by, s.is_directory))
          from muniment.source as s
         where s.tenant = %(tenant)s) as sources;

-- name: has_steward
select exists (
  select from muniment.role_grant as r
    left join muniment.principal as p on p.tenant = %(tenant)s and p.principal = r.principal
   where r.tenant = %(tenant)s and r.role = 'steward' and r.revoked_at is null
     and p.standing is distinct from 'deactivated');

-- name: grant_role
insert into muniment.role_grant (tenant, principal, role, granted_by, granted_at)
select %(tenant)s, %(principal)s, %(role)s, %(by)s, %(at)s
 where not exists (select from muniment.role_grant as r
                    where r.tenant = %(tenant)s and r.principal = %(principal)s and r.role = %(role)s
                      and r.revoked_at is null)
on conflict (tenant, principal, role, granted_at) do update
   set granted_by = excluded.granted_by, revoked_by = null, revoked_at = null;

-- name: revoke_role
update muniment.role_grant
   set revoked_by = %(by)s, revoked_at = %(at)s
 where tenant = %(tenant)s and principal = %(principal)s and role = %(role)s and revoked_at is null;

-- name: grant_read
insert into muniment.read_grant (tenant, target, principal, granted_by, granted_at)
select %(tenant)s, %(target)s, %(principal)s, %(by)s, %(at)s
 where not exists (select from muniment.read_grant as g
                    where g.tenant = %(tenant)s and g.target = %(target)s and g.principal = %(principal)s
                      and g.revoked_at is null)
on conflict (tenant, target, principal, granted_at) do update
   set granted_by = excluded.granted_by, revoked_by = null, revoked_at = null;

-- name: revoke_read
update muniment.read_grant
   set revoked_by = %(by)s, revoked_at = %(at)s
 where tenant = %(tenant)s and target = %(target)s and principal = %(principal)s and revoked_at is null;

-- name: item_grants
select g.target, array_agg(distinct g.principal) as principals
  from muniment.read_grant as g
 where g.tenant = %(tenant)s and g.target = any (%(refs)s::text[])
   and g.granted_at <= coalesce(%(until)s::timestamptz, 'infinity')
   and (g.revoked_at is null or g.revoked_at > coalesce(%(until)s::timestamptz, 'infinity'))
 group by g.target;

-- name: members
-- Everyone the record knows: those somebody described, and those who are only in a group.
with known as (
  select p.principal from muniment.principal as p where p.tenant = %(tenant)s
   union
  select m.member from muniment.member_now as m where m.tenant = %(tenant)s and m.member not like 'group:%%')
select k.principal, p.name, p.standing,
       array(select m.grp from muniment.member_now as m
              where m.tenant = %(tenant)s and m.member = k.principal
                and (m.valid_from is null or m.valid_from <= %(now)s)
                and (m.valid_to is null or m.valid_to > %(now)s)
              order by m.grp collate "C") as groups
  from known as k
  left join muniment.principal as p on p.tenant = %(tenant)s and p.principal = k.principal
 order by k.principal collate "C";

-- name: unsay_principals
delete from muniment.principal_statement as s
 using unnest(%(sources)s::text[], %(names)s::text[]) as k (source, name)
 where s.tenant = %(tenant)s and s.source = k.source and s.principal = k.name;

-- name: unsay_edges
delete from muniment.membership as s
 using unnest(%(sources)s::text[], %(names)s::text[]) as k (source, name)
 where s.tenant = %(tenant)s and s.source = k.source and s.grp = k.name;

-- name: unsay_listings
delete from muniment.group_listing as s
 using unnest(%(sources)s::text[], %(names)s::text[]) as k (source, name)
 where s.tenant = %(tenant)s and s.source = k.source and s.grp = k.name;

-- name: unsay_containers
delete from muniment.container_statement as s
 using unnest(%(sources)s::text[], %(names)s::text[]) as k (source, name)
 where s.tenant = %(tenant)s and s.source = k.source and s.container = k.name;
