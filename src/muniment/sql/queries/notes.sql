-- What people hand in while they read.

-- name: audience_of
-- Of a citation that the reader was just shown.
select a.audience
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.assertion = %(assertion)s::uuid
   and a.audience = any (%(audiences)s::integer[])
union
select p.audience
  from muniment.passage p
 where p.tenant = %(tenant)s
   and p.passage = %(passage)s::uuid
   and p.audience = any (%(audiences)s::integer[]);

-- name: is_there
-- Whether what was cited is still there, whoever may read it: its reader was just shown it.
select a.assertion from muniment.assertion a where a.tenant = %(tenant)s and a.assertion = %(assertion)s::uuid
union
select p.passage from muniment.passage p where p.tenant = %(tenant)s and p.passage = %(passage)s::uuid;

-- name: report
-- The same word twice is said once.
insert into muniment.report (tenant, report, audience, citation, problem, reported_by, reported_at)
values (%(tenant)s, %(report)s, %(audience)s, %(citation)s, %(problem)s, %(reported_by)s, %(reported_at)s)
on conflict (tenant, report) do nothing;

-- name: checkpoint
-- The last state of a task, for its author alone.
select i.metadata -> 'checkpoint' as state, i.at, i.version
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.source = %(source)s
   and i.id = %(id)s
   and i.kind = 'checkpoint'
   and i.state = 'live'
   and i.audience = any (%(audiences)s::integer[]);

-- name: files_of
-- The files somebody keeps: notes under a prefix of their own, as far as they may still read them.
select i.item
  from muniment.item i
 where i.tenant = %(tenant)s
   and i.source = %(source)s
   and i.id like %(prefix)s || '%%'
   and i.state = 'live'
   and i.audience = any (%(audiences)s::integer[])
 order by i.item;
