-- Erasing: what the record holds of some items, and its end. Envelopes stay.

-- name: contents
select p.source, p.id, p.seq, p.content
  from muniment.payload p
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = p.source and s.id = p.id
 where p.tenant = %(tenant)s
 order by p.source collate "C", p.id collate "C", p.seq;

-- name: anchors
-- Passages and statements, which citations are made of.
select passage from muniment.passage where tenant = %(tenant)s and item = any (%(items)s::uuid[])
 union all
select assertion from muniment.assertion where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_payloads
delete from muniment.payload p
 using unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where p.tenant = %(tenant)s
   and p.source = s.source
   and p.id = s.id;

-- name: drop_statements
-- At once: what follows is not to find them.
delete from muniment.assertion where tenant = %(tenant)s and item = any (%(items)s::uuid[]);

-- name: drop_redirects
delete from muniment.assertion_redirect where tenant = %(tenant)s and assertion = any (%(anchors)s::uuid[]);

-- name: drop_decisions
delete from muniment.decision d
 where d.tenant = %(tenant)s
   and (d.subject = any (%(subjects)s::text[])
        or d.other = any (%(subjects)s::text[])
        or exists (select 1 from unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
                    where s.source = d.source and s.id = d.id));

-- name: drop_reports
delete from muniment.report where tenant = %(tenant)s and substr(citation, 3, 32) = any (%(anchors)s::text[]);

-- name: drop_reports_by
delete from muniment.report where tenant = %(tenant)s and reported_by = %(principal)s;

-- name: problems
select report, problem from muniment.report where tenant = %(tenant)s;

-- name: rewrite_problem
update muniment.report set problem = %(problem)s where tenant = %(tenant)s and report = %(report)s;

-- name: drop_grants
delete from muniment.read_grant where tenant = %(tenant)s and target = any (%(targets)s::text[]);

-- name: drop_agent_grants
-- What is left says that the agent has a list, so that it does not read everything for having lost a part.
delete from muniment.agent_grant where tenant = %(tenant)s and target = any (%(targets)s::text[]);

-- name: forget_holds
update muniment.legal_hold
   set reason = 'erased'
 where tenant = %(tenant)s
   and target = any (%(targets)s::text[])
   and released_at is not null;

-- name: refused_about
-- What was refused of these items; and what holds one of their texts, or could not be read and names one of them.
select q.entry, q.raw
  from muniment.quarantine q
 where q.tenant = %(tenant)s
   and q.raw <> ''
   and (exists (select 1
                  from unnest(%(sources)s::text[], %(ids)s::text[], %(said_sources)s::text[], %(said_ids)s::text[])
                       as s (source, id, said_source, said_id)
                 where s.source = q.source and s.id = q.id
                    or q.source is null and strpos(q.raw, s.said_id) > 0 and strpos(q.raw, s.said_source) > 0)
        or exists (select 1 from unnest(%(texts)s::text[]) as t (text) where strpos(q.raw, t.text) > 0));

-- name: drop_refused
delete from muniment.quarantine where tenant = %(tenant)s and entry = any (%(entries)s::bigint[]);

-- name: authored
-- Items that a person began or whose text as it stands is theirs: as its author, or, of one that names none, by handing it in.
with text as (
  select e.source, e.id, e.seq, e.at,
         p.content ->> 'author' = any (%(names)s::text[])
         or p.content ->> 'author' is null and e.importer = %(principal)s as own
    from muniment.event e
    join muniment.payload p on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
   where e.tenant = %(tenant)s
     and e.op = 'upsert')
select distinct t.source, t.id
  from text t
 where t.own
   and not exists (select 1 from text o where o.source = t.source and o.id = t.id and o.at < t.at)
    or t.own
   and not exists (select 1 from text o where o.source = t.source and o.id = t.id and o.at > t.at)
 order by 1, 2;

-- name: called
-- What a person is called, by anybody.
select name from muniment.principal_statement where tenant = %(tenant)s and principal = %(principal)s and name is not null
 union
select unnest(emails) from muniment.principal_statement where tenant = %(tenant)s and principal = %(principal)s
 union
select unnest(aliases) from muniment.principal_statement where tenant = %(tenant)s and principal = %(principal)s;

-- name: keys_of_person
select distinct p.source, p.id
  from muniment.payload p
 where p.tenant = %(tenant)s
   and p.id = '@principal/' || %(principal)s;

-- name: keys_with
-- Keys whose events may have one of these words; the texts themselves decide.
select distinct p.source, p.id
  from muniment.payload p
 where p.tenant = %(tenant)s
   and (%(words)s::text[] is null
        or exists (select 1 from unnest(%(words)s::text[]) as w (word)
                    where strpos(lower(normalize(p.content::text, nfkc)), w.word) > 0))
 order by 1, 2;

-- name: rewrite
-- Less than was said, under a salt and a commitment of its own, as the first would tell a guess from a miss.
update muniment.payload p
   set content = n.content, salt = n.salt, commitment = n.commitment
  from json_populate_recordset(null::muniment.payload, %(rows)s::json) as n
 where p.tenant = %(tenant)s
   and p.source = n.source
   and p.id = n.id
   and p.seq = n.seq;

-- name: blank
insert into muniment.blanked (tenant, digest, first, words, blanked_at)
values (%(tenant)s, %(digest)s, %(first)s, %(words)s, %(now)s)
on conflict (tenant, digest) do nothing;

-- name: refused
select entry, raw, reason from muniment.quarantine where tenant = %(tenant)s;

-- name: rewrite_refused
update muniment.quarantine set raw = %(raw)s, reason = %(reason)s where tenant = %(tenant)s and entry = %(entry)s;

-- name: failures
select source, id, dead from muniment.stream where tenant = %(tenant)s and dead is not null;

-- name: rewrite_failure
update muniment.stream set dead = %(dead)s where tenant = %(tenant)s and source = %(source)s and id = %(id)s;

-- name: reasons
select decision, reason from muniment.decision where tenant = %(tenant)s and reason is not null;

-- name: rewrite_reason
update muniment.decision set reason = %(reason)s where tenant = %(tenant)s and decision = %(decision)s;

-- name: hold_reasons
select distinct reason from muniment.legal_hold where tenant = %(tenant)s;

-- name: rewrite_hold
update muniment.legal_hold set reason = %(reason)s where tenant = %(tenant)s and reason = %(was)s;

-- name: counts
select (select count(distinct (p.source, p.id))
          from muniment.payload p
          join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id) on s.source = p.source and s.id = p.id
         where p.tenant = %(tenant)s),
       (select count(*)
          from muniment.payload p
          join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id) on s.source = p.source and s.id = p.id
         where p.tenant = %(tenant)s),
       (select count(*) from muniment.passage where tenant = %(tenant)s and item = any (%(items)s::uuid[])),
       (select count(*) from muniment.assertion where tenant = %(tenant)s and item = any (%(items)s::uuid[]));

-- name: is_known
select exists (select 1 from muniment.event where tenant = %(tenant)s and source = %(source)s and id = %(id)s)
       or exists (select 1 from muniment.quarantine where tenant = %(tenant)s and source = %(source)s and id = %(id)s);

-- name: visible
select i.source, i.id
  from muniment.item i
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id) on s.source = i.source and s.id = i.id
 where i.tenant = %(tenant)s
   and i.audience = any (%(audiences)s::integer[])
 order by i.source collate "C", i.id collate "C";

-- name: erasures
select kind, digest, null::bytea, null::integer from muniment.suppression where tenant = %(tenant)s
 union all
select 'words', digest, first, words from muniment.blanked where tenant = %(tenant)s
 order by 1, 2;

-- name: every_key
-- Of which there is anything to erase.
select source, id from muniment.payload where tenant = %(tenant)s
 union
select source, id from muniment.quarantine where tenant = %(tenant)s and source is not null and id is not null and raw <> ''
 order by 1, 2;

-- name: every_person
select principal from muniment.principal_statement where tenant = %(tenant)s
 union
select substr(id, length('@principal/') + 1) from muniment.stream where tenant = %(tenant)s and starts_with(id, '@principal/')
 order by 1;
