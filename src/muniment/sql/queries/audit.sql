-- name: need_not_wait
set local synchronous_commit = off;

-- name: append
insert into muniment.audit (tenant, at, principal, action, object, salt, content, commitment)
values (%(tenant)s, %(at)s, %(principal)s, %(action)s, %(object)s, %(salt)s, %(content)s, %(commitment)s);

-- name: trace
insert into muniment.trace (tenant, trace, at, principal, verb, question, detail)
values (%(tenant)s, %(trace)s, %(at)s, %(principal)s, %(verb)s, %(question)s, %(detail)s)
on conflict (tenant, trace) do nothing;
