-- Models at work: what is due, in the order in which it is asked about, and what came of it.

-- name: due
-- First what agents were given most often of late, counted once a question; then the newest. Only ids are looked at.
with given as materialized (
  select k.trace, substr(k.id, 3, 32)::uuid as part
    from (select t.trace, one.id
            from muniment.trace t
           cross join lateral jsonb_array_elements_text(t.detail -> 'kept') as one (id)
           where t.tenant = %(tenant)s
             and t.at > %(since)s
             and jsonb_typeof(t.detail -> 'kept') = 'array') as k
   where k.id ~ '^[cp]_[0-9a-f]{32}'),
asked as materialized (
  select found.item, count(distinct found.trace) as times
    from (select g.trace, a.item
            from given g
            join muniment.assertion a on a.tenant = %(tenant)s and a.assertion = g.part
           union all
          select g.trace, p.item
            from given g
            join muniment.passage p on p.tenant = %(tenant)s and p.passage = g.part) as found
   group by found.item)
select i.source, i.id, coalesce(a.times, 0) as asked
  from muniment.item i
  left join muniment.distilling d
    on d.tenant = i.tenant and d.source = i.source and d.id = i.id and d.extractor = %(extractor)s
  left join asked a on a.item = i.item
 where i.tenant = %(tenant)s
   and i.state = 'live'
   and i.level = 'exact'
   and i.source <> %(reserved)s
   and d.seq is distinct from i.seq
   and not exists (select 1 from muniment.stream t
                    where t.tenant = i.tenant and t.source = i.source and t.id = i.id and t.done_seq < t.last_seq)
   and (d.run_at is null or d.run_at <= %(now)s)
 order by coalesce(a.times, 0) desc, i.at desc, i.source collate "C", i.id collate "C"
 limit %(limit)s;

-- name: waiting
-- Items an extractor has not looked at as they stand, those that are put off among them.
select count(*)
  from muniment.item i
  left join muniment.distilling d
    on d.tenant = i.tenant and d.source = i.source and d.id = i.id and d.extractor = %(extractor)s
 where i.tenant = %(tenant)s
   and i.state = 'live'
   and i.level = 'exact'
   and i.source <> %(reserved)s
   and d.seq is distinct from i.seq;

-- name: store
-- Only where the passage still stands as it was shown: what changed or was erased meanwhile is not brought back.
insert into muniment.model_output (tenant, source, id, purpose, unit, extractor, input, reply, outcome, reason, statements,
                                   refused, tokens_in, tokens_out, cost, given_at)
select %(tenant)s, i.source, i.id, %(purpose)s, %(unit)s, %(extractor)s, %(input)s, %(reply)s, %(outcome)s, %(reason)s,
       %(statements)s, %(refused)s, %(tokens_in)s, %(tokens_out)s, %(cost)s, %(now)s
  from muniment.passage p
  join muniment.item i on i.tenant = p.tenant and i.item = p.item
 where p.tenant = %(tenant)s
   and p.passage = %(passage)s
   and p.era = 0
   and i.source = %(source)s
   and i.id = %(id)s
   and i.state = 'live'
   and i.title is not distinct from %(title)s
   and i.author is not distinct from %(author)s
   and (%(account)s::text is null or i.account = %(account)s)
   and (%(project)s::text is null or i.project = %(project)s)
   and (%(service)s::text is null or i.service = %(service)s)
on conflict (tenant, source, id, purpose, unit, extractor) do nothing
returning true;

-- name: unapplied
-- Items for which something was given that does not act yet: whoever asked stopped before.
select distinct source, id from muniment.model_output where tenant = %(tenant)s and at is null order by source, id;

-- name: stamp
update muniment.model_output
   set at = %(now)s
 where tenant = %(tenant)s and source = %(source)s and id = %(id)s and at is null;

-- name: settle
insert into muniment.distilling (tenant, source, id, extractor, seq)
values (%(tenant)s, %(source)s, %(id)s, %(extractor)s, %(seq)s)
on conflict (tenant, source, id, extractor) do update
   set seq = excluded.seq, attempts = 0, run_at = null, failed = null;

-- name: put_off
-- After the last try the item counts as looked at, until it changes or somebody has it tried again.
insert into muniment.distilling as d (tenant, source, id, extractor, attempts, run_at, failed)
values (%(tenant)s, %(source)s, %(id)s, %(extractor)s, %(counts)s, %(now)s::timestamptz + %(first)s::interval, %(failed)s)
on conflict (tenant, source, id, extractor) do update
   set attempts = d.attempts + %(counts)s,
       run_at = %(now)s::timestamptz + least(%(longest)s::interval, %(first)s::interval * 2 ^ least(d.attempts, 16)),
       failed = excluded.failed,
       seq = case when d.attempts + %(counts)s >= %(most)s then %(seq)s else d.seq end;

-- name: revive
delete from muniment.distilling where tenant = %(tenant)s and failed is not null;

-- name: spent
-- What calls of this extractor have cost, of items with these audiences.
select count(*), coalesce(sum(o.cost), 0)
  from muniment.model_output o
  join muniment.item i on i.tenant = o.tenant and i.source = o.source and i.id = o.id
 where o.tenant = %(tenant)s
   and o.extractor = %(extractor)s
   and i.audience = any (%(audiences)s::integer[]);

-- name: spent_on_pages
-- An item counts for every page it is about, by its own word for it.
select m.name, count(*), sum(o.cost)
  from muniment.model_output o
  join muniment.item i on i.tenant = o.tenant and i.source = o.source and i.id = o.id
  join (select distinct tenant, item, name from muniment.mention where tenant = %(tenant)s) as m
    on m.tenant = i.tenant and m.item = i.item
 where o.tenant = %(tenant)s
   and i.audience = any (%(audiences)s::integer[])
 group by m.name
 order by sum(o.cost) desc, m.name;

-- name: troubled
-- By what they failed with: a kind of error, never its words.
select extractor, failed, count(*)
  from muniment.distilling
 where tenant = %(tenant)s and failed is not null
 group by extractor, failed
 order by extractor, failed;
