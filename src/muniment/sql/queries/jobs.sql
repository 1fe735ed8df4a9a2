-- name: claim
-- Oldest first; a locked row belongs to somebody else.
select t.source, t.id, t.last_seq
  from muniment.stream t
 where t.tenant = %(tenant)s
   and t.done_seq < t.last_seq
   and t.dead is null
   and t.run_at <= %(now)s
 order by t.run_at, t.source, t.id
 limit %(limit)s
   for update skip locked;

-- name: advance
update muniment.stream t
   set done_seq = s.done_seq, attempts = 0
  from unnest(%(sources)s::text[], %(ids)s::text[], %(dones)s::bigint[]) as s (source, id, done_seq)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id
   and t.done_seq < s.done_seq;

-- name: advance_all
-- Keys whose events act when they are accepted.
update muniment.stream t
   set done_seq = t.last_seq
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id;

-- name: settle
-- Whatever was wrong with them is over.
update muniment.stream t
   set done_seq = t.last_seq, attempts = 0, dead = null
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id;

-- name: put_off
update muniment.stream
   set attempts = attempts + 1,
       run_at = %(run_at)s,
       dead = case when attempts + 1 >= %(most)s then %(reason)s end
 where tenant = %(tenant)s
   and source = %(source)s
   and id = %(id)s;

-- name: reopen
-- What could not be compiled in time to act at once is due again, done or not.
update muniment.stream
   set done_seq = least(done_seq, last_seq - 1)
 where tenant = %(tenant)s
   and source = %(source)s
   and id = %(id)s;

-- name: revive
-- Keys that were set aside are due again, with all their tries.
update muniment.stream
   set dead = null, attempts = 0, run_at = %(now)s
 where tenant = %(tenant)s
   and dead is not null;

-- name: history
-- Without what was reverted, at whatever time it is asked for.
select e.source, e.id, e.seq, e.accepted_at, e.importer, p.content, p.kept
  from muniment.event e
  join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = e.source and s.id = e.id
 where e.tenant = %(tenant)s
   and not exists (select 1
                     from muniment.reverted_event v
                     join muniment.reversal r on r.tenant = v.tenant and r.reversal = v.reversal and r.undone_at is null
                    where v.tenant = e.tenant and v.source = e.source and v.id = e.id and v.seq = e.seq)
 order by e.source collate "C", e.id collate "C", e.seq;

-- name: source_qualities
select source, trust, authority, fed_by from muniment.source where tenant = %(tenant)s and source = any (%(sources)s::text[]);

-- name: whose_word
-- How these sources are configured, and who was a steward from when until when.
select s.source, s.trust, s.authority, s.fed_by, null::text as steward, null::timestamptz as since, null::timestamptz as until
  from muniment.source s
 where s.tenant = %(tenant)s and s.source = any (%(sources)s::text[])
 union all
select null, null, null, null, r.principal, r.granted_at, r.revoked_at
  from muniment.role_grant r
 where r.tenant = %(tenant)s and r.role = 'steward';

-- name: outsiders
-- Who of these was a guest or an external at the time: by the last word before it, else by the first after. That somebody
-- was deactivated says nothing of whose words theirs had been. `stands` is null for an address that no directory gave to
-- one principal. Each step is taken once: written into the next, they come to five times as many subqueries. As JSON, which
-- the planner takes for as many rows whatever it holds: it plans this once, where arrays are planned for at every batch.
with wrote as materialized (
  select w.author, w.at,
         coalesce((select s.principal
                     from muniment.principal_statement s
                    where s.tenant = %(tenant)s and s.principal = w.author
                      and (s.standing is not null or s.emails is not null) -- which only a directory says
                    limit 1),
                  (select coalesce(min(a.principal) filter (where a.principal !~ '^user:[^:]+:.'), min(a.principal))
                     from muniment.principal_alias a
                    where a.tenant = %(tenant)s and a.alias = w.address
                   having count(*) = 1 or count(*) filter (where a.principal !~ '^user:[^:]+:.') = 1)) as principal
    from json_to_recordset(%(written)s::json) as w (author text, address text, at timestamptz)),
stood as materialized (
  select w.author, w.at, w.principal,
         coalesce(
         (select s.wrote_as
            from muniment.principal_statement s
           where s.tenant = %(tenant)s and s.principal = w.principal and s.at <= w.at
             and s.wrote_as is not null
           order by s.at desc, s.version desc, array_position(array['external', 'guest', 'member'], s.wrote_as)
           limit 1),
         (select s.wrote_as
            from muniment.principal_statement s
           where s.tenant = %(tenant)s and s.principal = w.principal and s.at > w.at
             and s.wrote_as is not null
           order by s.at, s.version, array_position(array['external', 'guest', 'member'], s.wrote_as)
           limit 1)) as stands
    from wrote w)
select author, at, principal is not null as is_known
  from stood
 where stands in ('external', 'guest') or (principal is null and author like '%%@%%');

-- name: ever_outside
-- Of these, who ever was a guest or an external: a word on when they were one changes what their words are worth.
select distinct s.principal
  from muniment.principal_statement s
 where s.tenant = %(tenant)s and s.principal = any (%(principals)s::text[])
   and s.wrote_as in ('external', 'guest');

-- name: addresses_of
-- Every name but their ids that these were ever given.
select unnest(s.emails || s.aliases)
  from muniment.principal_statement s
 where s.tenant = %(tenant)s and s.principal = any (%(principals)s::text[]);

-- name: addressed_authors
-- As `quality.writer` reads a body, and as its index has it.
select distinct coalesce(p.content ->> 'author', p.content -> 'metadata' ->> 'author', p.content ->> 'author_name')
  from muniment.payload p
 where p.tenant = %(tenant)s
   and coalesce(p.content ->> 'author', p.content -> 'metadata' ->> 'author', p.content ->> 'author_name') like '%%@%%';

-- name: written_by
-- The first half looks at everything there is, so it is not begun where nobody is asked for.
select p.source, p.id
  from muniment.payload p
 where cardinality(%(ids)s::text[]) > 0 and p.tenant = %(tenant)s and p.content ->> 'author' = any (%(ids)s::text[])
 union
select p.source, p.id
  from muniment.payload p
 where p.tenant = %(tenant)s
   and coalesce(p.content ->> 'author', p.content -> 'metadata' ->> 'author', p.content ->> 'author_name') like '%%@%%'
   and coalesce(p.content ->> 'author', p.content -> 'metadata' ->> 'author', p.content ->> 'author_name')
       = any (%(addresses)s::text[]);

-- name: reopen_all
update muniment.stream t
   set done_seq = least(t.done_seq, t.last_seq - 1), run_at = least(t.run_at, %(now)s)
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where t.tenant = %(tenant)s
   and t.source = s.source
   and t.id = s.id
   and t.last_seq > 0;

-- name: redactions
select length, digest
  from muniment.redaction
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s
 order by position;

-- name: store_redactions
insert into muniment.redaction (tenant, source, id, position, length, digest)
select %(tenant)s, %(source)s, %(id)s, r.position, r.length, r.digest
  from unnest(%(positions)s::integer[], %(lengths)s::integer[], %(digests)s::bytea[]) as r (position, length, digest);

-- name: rewrite_payload
update muniment.payload set content = %(content)s
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s and seq = %(seq)s;

-- name: inheriting
-- Items of containers whose audience just changed in reach: pending ones it now covers, others it no longer does. A
-- recalled item says neither, and its label depends on it.
select i.source, i.id
  from unnest(%(refs)s::text[], %(sources)s::text[], %(containers)s::text[]) as w (ref, source, container)
  join muniment.container c
    on c.tenant = %(tenant)s
   and c.ref = w.ref
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.source = w.source
   and i.container = w.container
 where i.inherits
   and (i.state = 'recalled'
        or i.state in ('live', 'pending')
           and (i.state = 'pending') = (c.clause_count > 0 and (c.live or coalesce(c.verified_through >= i.since, false))))
 order by i.source collate "C", i.id collate "C";

-- name: in_containers
select i.source, i.id
  from unnest(%(refs)s::text[], %(sources)s::text[], %(containers)s::text[]) as w (ref, source, container)
  join muniment.item i on i.tenant = %(tenant)s and i.source = w.source and i.container = w.container
 where i.inherits
   and w.ref is not null;

-- name: batch_taken
-- Where the log stood once the batch was in: a replica that has replayed it has the batch. And the batch's transaction,
-- which a read saw or did not, by the snapshot in its audit. And whether anything is left to do, of this batch or another.
select pg_current_wal_insert_lsn()::text, pg_current_xact_id()::text,
       exists (select 1
                 from muniment.stream t
                where t.tenant = %(tenant)s
                  and t.done_seq < t.last_seq
                  and t.dead is null
                  and t.run_at <= %(now)s);

-- name: batch_of_token
-- Who handed in the batch whose receipt this is on, and when it was accepted.
select a.principal, a.at
  from muniment.audit a
 where a.tenant = %(tenant)s
   and a.action = 'import'
   and a.content ->> 'token' = %(token)s
 limit 1;

-- name: has_waiting
-- Whether anything waits that was handed in by them until then. What others handed in is not asked about, so that a read
-- does not tell that it came; what is dead will not become fresher by waiting.
select exists (select
                 from muniment.stream t
                 join muniment.event e
                   on e.tenant = t.tenant and e.source = t.source and e.id = t.id and e.seq > t.done_seq
                where t.tenant = %(tenant)s
                  and t.done_seq < t.last_seq
                  and t.dead is null
                  and e.importer = %(importer)s
                  and e.accepted_at <= %(at)s);

-- name: compile_beside_others
select pg_advisory_xact_lock_shared(hashtextextended(%(tenant)s, 20260703));

-- name: compile_alone
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 20260703));

-- name: refresh_statistics
select muniment.refresh_statistics() where %(tenant)s::text is not null;

-- name: moves
-- From which ids to which, in these sources. Moves to a new id are rare, and have an index of their own.
select distinct e.source, e.id, coalesce(p.content -> 'to' ->> 'id', p.content ->> 'to') as target
  from muniment.event e
  join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
 where e.tenant = %(tenant)s
   and e.source = any (%(sources)s::text[])
   and e.op = 'move'
   and (jsonb_typeof(p.content -> 'to') = 'string' or p.content -> 'to' ? 'id')
   and not exists (select 1
                     from muniment.reverted_event v
                     join muniment.reversal r on r.tenant = v.tenant and r.reversal = v.reversal and r.undone_at is null
                    where v.tenant = e.tenant and v.source = e.source and v.id = e.id and v.seq = e.seq);

-- name: what_applies
-- Which of what is rare there is for these keys at all: most of them are met by none of it.
select exists (select 1
                 from muniment.event e
                where e.tenant = %(tenant)s and e.source = any (%(sources)s::text[]) and e.op = 'move') as moves,
       exists (select 1
                 from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
                 join muniment.edge d
                   on d.tenant = %(tenant)s and d.target_source = s.source and d.target_id = s.id
                  and d.kind = 'derived_from') as descendants,
       exists (select 1
                 from unnest(%(refs)s::text[]) as r (ref)
                 join muniment.read_grant g
                   on g.tenant = %(tenant)s and g.target = r.ref) as grants,
       exists (select 1 from muniment.agent_grant g where g.tenant = %(tenant)s and g.target <> 'all') as reaches,
       exists (select 1
                 from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
                 join muniment.decision d
                   on d.tenant = %(tenant)s and d.source = s.source and d.id = s.id) as decisions,
       exists (select 1 from muniment.model_output o where o.tenant = %(tenant)s) as outputs,
       exists (select 1 from muniment.disclosure_policy p where p.tenant = %(tenant)s) as policies;

-- name: made_of
-- Items whose lineage leads back to these. A derived row finds what was compiled; what was not will be compiled after.
with recursive reached (source, id) as (
  select e.source, e.id
    from muniment.item e
    join muniment.edge d
      on d.tenant = %(tenant)s and d.item = e.item
    join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
      on d.target_source = s.source and d.target_id = s.id
   where e.tenant = %(tenant)s
     and d.kind = 'derived_from'
   union
  select i.source, i.id
    from reached r
    join muniment.edge d
      on d.tenant = %(tenant)s and d.target_source = r.source and d.target_id = r.id and d.kind = 'derived_from'
    join muniment.item i
      on i.tenant = %(tenant)s and i.item = d.item)
select reached.source, reached.id from reached;

-- name: open_origins
-- In one order; the row's time means nothing while it has no event.
insert into muniment.stream (tenant, source, id, last_seq, run_at)
select %(tenant)s, s.source, s.id, 0, 'epoch'
  from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 order by s.source collate "C", s.id collate "C"
on conflict (tenant, source, id) do nothing;

-- name: items_of_citations
select a.assertion, i.source, i.id
  from muniment.assertion a
  join muniment.item i on i.tenant = %(tenant)s and i.item = a.item
 where a.tenant = %(tenant)s
   and a.assertion = any (%(ids)s::uuid[])
union
select p.passage, i.source, i.id
  from muniment.passage p
  join muniment.item i on i.tenant = %(tenant)s and i.item = p.item
 where p.tenant = %(tenant)s
   and p.passage = any (%(ids)s::uuid[]);

-- name: decisions
select d.source, d.id, d.action, d.subject, d.saw, d.decided_at
  from muniment.decision d
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = d.source and s.id = d.id
 where d.tenant = %(tenant)s
 order by d.source, d.id, d.subject, d.number;
