-- name: append
-- An entry, and in the same statement its place among those that wait to be sealed.
with made as (
  insert into muniment.audit (tenant, at, principal, action, object, salt, content, commitment)
  values (%(tenant)s, %(at)s, %(principal)s, %(action)s, %(object)s, %(salt)s, %(content)s, %(commitment)s)
  returning entry)
insert into muniment.audit_unsealed (tenant, entry)
select %(tenant)s, made.entry from made;

-- name: append_read
-- The same of a read, and its trace.
with made as (
  insert into muniment.audit (tenant, at, principal, action, object, salt, content, commitment)
  values (%(tenant)s, %(at)s, %(principal)s, %(action)s, %(object)s, %(salt)s, %(content)s, %(commitment)s)
  returning entry),
waiting as (
  insert into muniment.audit_unsealed (tenant, entry)
  select %(tenant)s, made.entry from made)
insert into muniment.trace (tenant, trace, at, principal, verb, question, detail)
values (%(tenant)s, %(trace)s, %(at)s, %(principal)s, %(verb)s, %(question)s, %(detail)s)
on conflict (tenant, trace) do nothing;

-- name: questions
-- A stretch at a time, here and below, in the order of the key: there is one for every read there ever was.
select trace, question
  from muniment.trace
 where tenant = %(tenant)s
   and question is not null
   and (%(after)s::uuid is null or trace > %(after)s::uuid)
 order by trace
 limit %(limit)s;

-- name: traces
select trace, principal, question, detail
  from muniment.trace
 where tenant = %(tenant)s
   and (%(after)s::uuid is null or trace > %(after)s::uuid)
 order by trace
 limit %(limit)s;

-- name: acts
select entry, object, content
  from muniment.audit
 where tenant = %(tenant)s
   and content is not null
   and (%(after)s::bigint is null or entry > %(after)s::bigint)
 order by entry
 limit %(limit)s;

-- name: forget_traces
update muniment.trace t
   set question = null, detail = n.detail
  from unnest(%(traces)s::uuid[], %(details)s::jsonb[]) as n (trace, detail)
 where t.tenant = %(tenant)s
   and t.trace = n.trace;

-- name: forget_acts
select muniment.forget_audit(%(entries)s::bigint[]) where %(tenant)s::text is not null;
