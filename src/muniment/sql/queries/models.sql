-- What language models were asked and what they took. Counts and money; nothing here was ever said by anybody.

-- name: reserve_alone
-- Two processes that look at what is left at once would both spend it.
select pg_advisory_xact_lock(hashtextextended(%(tenant)s, 20261203));

-- name: spent
-- Since midnight UTC, in all and in this run; of what has its limit with this purpose, as purse_of says.
select coalesce(sum(c.usd) filter (where c.run = %(run)s), 0),
       coalesce(sum(c.tokens_in + c.tokens_out) filter (where c.run = %(run)s), 0),
       coalesce(sum(c.usd), 0),
       coalesce(sum(c.tokens_in + c.tokens_out), 0)
  from muniment.model_call as c
 where c.tenant = %(tenant)s
   and c.at >= %(since)s
   and (c.purpose = any(%(purposes)s::text[])) = %(among)s;

-- name: reserve
insert into muniment.model_call (tenant, call, run, at, purpose, model, tokens_in, tokens_out, usd)
values (%(tenant)s, %(call)s, %(run)s, %(at)s, %(purpose)s, %(model)s, %(tokens_in)s, %(tokens_out)s, %(usd)s);

-- name: settle
update muniment.model_call
   set outcome = %(outcome)s,
       tokens_in = coalesce(%(tokens_in)s, tokens_in),
       tokens_out = coalesce(%(tokens_out)s, tokens_out),
       usd = coalesce(%(usd)s, usd)
 where tenant = %(tenant)s
   and call = %(call)s
   and outcome = 'asked';

-- name: refuse
insert into muniment.model_refusal (tenant, refusal, run, at, purpose, model, why)
values (%(tenant)s, %(refusal)s, %(run)s, %(at)s, %(purpose)s, %(model)s, %(why)s);

-- name: costs
-- By purpose and model, and by run where runs are told apart.
with called as (
  select c.purpose, c.model, case when %(by_run)s then c.run end as run, min(c.at) as since, max(c.at) as through,
         count(*) as calls, count(*) filter (where c.outcome in ('failed', 'late')) as failed,
         sum(c.tokens_in) as tokens_in, sum(c.tokens_out) as tokens_out, sum(c.usd) as usd
    from muniment.model_call as c
   where c.tenant = %(tenant)s
     and (%(since)s::timestamptz is null or c.at >= %(since)s)
   group by 1, 2, 3),
refused as (
  select each.purpose, each.model, each.run, sum(each.count) as refused, jsonb_object_agg(each.why, each.count) as why
    from (select r.purpose, r.model, case when %(by_run)s then r.run end as run, r.why, count(*) as count
            from muniment.model_refusal as r
           where r.tenant = %(tenant)s
             and (%(since)s::timestamptz is null or r.at >= %(since)s)
           group by 1, 2, 3, 4
          union all
          -- Statements that were refused of replies that were kept; these know of no run.
          select o.purpose, regexp_replace(o.extractor, '^model:(.*)/[^/]*$', '\1'), null,
                 coalesce(o.reason, 'other'), sum(o.refused)
            from muniment.model_output as o
           where o.tenant = %(tenant)s
             and o.refused > 0
             and not %(by_run)s
             and (%(since)s::timestamptz is null or o.given_at >= %(since)s)
           group by 1, 2, 4) as each
   group by 1, 2, 3)
select c.purpose, c.model, c.run, c.since, c.through, c.calls, c.failed, coalesce(r.refused, 0),
       coalesce(r.why, '{}'::jsonb), c.tokens_in, c.tokens_out, c.usd
  from called as c
  left join refused as r
    on r.purpose = c.purpose and r.model = c.model and r.run is not distinct from c.run
 order by c.since, c.purpose, c.model, c.run;
