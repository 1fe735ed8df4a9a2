-- name: placed
-- Passages without their words: what a question is ranked among. The audiences are a subquery that is hashed ("is true" keeps
-- it one): hundreds of rows would each be compared with thousands.
select p.doc, p.passage, p.item, p.ordinal, p.line, extract(epoch from p.at)::float8 as at, p.turn, p.traits, i.kind,
       coalesce(p.speaker, nullif(i.author_name, ''), i.author) as speaker
  from muniment.passage p
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = p.item
   and (i.audience in (select unnest(%(audiences)s::integer[]))) is true
   and i.state in ('live', 'pending', 'recalled')
 where p.tenant = %(tenant)s
   and p.doc = any (%(docs)s::bigint[])
   and (p.audience in (select unnest(%(audiences)s::integer[]))) is true;

-- name: beside
-- What stands right before and after each passage in its line; in a channel (bit 8 of its traits is not set), half a day
-- away at most. Among those of its own audience alone, so that what lies between them for somebody else is not even passed
-- by. The audience is compared as the index has it (schema.sql, `passage_line`).
select n.doc, n.passage, n.item, n.ordinal, n.line, extract(epoch from n.at)::float8 as at, n.turn, n.traits, i.kind,
       coalesce(n.speaker, nullif(i.author_name, ''), i.author) as speaker, c.doc as of, n.step
  from muniment.passage c
 cross join lateral (
   (select 1 as step, a.doc, a.passage, a.item, a.ordinal, a.line, a.at, a.turn, a.traits, a.speaker
      from muniment.passage a
     where a.tenant = %(tenant)s and a.audience::bigint = c.audience::bigint and a.audience = any (%(audiences)s::integer[])
       and a.line = c.line and a.era = 0
       and (a.at, a.turn, a.ordinal, a.passage) > (c.at, c.turn, c.ordinal, c.passage)
       and (c.traits & 8 <> 0 or a.at <= c.at + interval '12 hours')
     order by a.at, a.turn, a.ordinal, a.passage
     limit 1)
   union all
   (select -1, b.doc, b.passage, b.item, b.ordinal, b.line, b.at, b.turn, b.traits, b.speaker
      from muniment.passage b
     where b.tenant = %(tenant)s and b.audience::bigint = c.audience::bigint and b.audience = any (%(audiences)s::integer[])
       and b.line = c.line and b.era = 0
       and (b.at, b.turn, b.ordinal, b.passage) < (c.at, c.turn, c.ordinal, c.passage)
       and (c.traits & 8 <> 0 or b.at >= c.at - interval '12 hours')
     order by b.at desc, b.turn desc, b.ordinal desc, b.passage desc
     limit 1)) as n
  join muniment.item i
    on i.tenant = %(tenant)s
   and i.item = n.item
   and i.audience = any (%(audiences)s::integer[])
   and i.state in ('live', 'pending', 'recalled')
 where c.tenant = %(tenant)s
   and c.doc = any (%(docs)s::bigint[])
   and c.audience = any (%(audiences)s::integer[])
   and c.era = 0;
