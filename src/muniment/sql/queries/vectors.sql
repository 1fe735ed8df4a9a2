-- The vector leg: every statement leads with tenant and model; every read names its audiences and visits no other rows.
-- The audiences are a subquery because the planner would otherwise weigh each of their thousands against everybody's rows.

-- name: is_on
select to_regclass('muniment.passage_vector') is not null;

-- name: stamps
-- How many vectors each audience has, and a number for the changes that made them so, which others do not have. All in one
-- value: thousands of rows take longer to be read than to be found.
select coalesce(string_agg(int4send(s.audience) || int8send(s.vectors) || int8send(s.stamp), ''::bytea), ''::bytea)
  from (select c.audience, sum(c.vectors) as vectors, bit_xor(uuid_hash_extended(c.change, 0)) as stamp
          from muniment.vector_change as c
         where c.tenant = %(tenant)s and c.model = %(model)s and c.era = %(era)s
           and c.audience = any((select %(audiences)s::int[])::int[])
         group by c.audience) as s;

-- name: codes_of
-- Passages and codes of a few audiences, joined, with the stamp of the very rows.
select s.audience, s.stamp,
       (select string_agg(uuid_send(v.passage) || substr(varbit_send(v.code), 5), ''::bytea)
          from muniment.passage_vector as v
         where v.tenant = %(tenant)s and v.model = %(model)s and v.era = %(era)s and v.audience = s.audience) as codes
  from (select c.audience, bit_xor(uuid_hash_extended(c.change, 0)) as stamp
          from muniment.vector_change as c
         where c.tenant = %(tenant)s and c.model = %(model)s and c.era = %(era)s
           and c.audience = any((select %(wanted)s::int[])::int[])
           and c.audience = any((select %(audiences)s::int[])::int[])
         group by c.audience) as s;

-- name: nearest_among
-- Those of the candidates that are nearest, compared as in nearest_exact. Each is looked up by its id (offset 0 keeps it so):
-- the planner would read every permitted vector instead, to join a few thousand of them. And each in the permitted audience
-- that it was found in, so that it is not compared with thousands.
select p.doc, n.similarity
  from (select v.passage, round((v.vector <#> %(vector)s::halfvec) * -1000000) as similarity
          from unnest(%(passages)s::uuid[], %(owners)s::int[]) as k (passage, audience)
         cross join lateral (select o.passage, o.vector
                               from muniment.passage_vector as o
                              where o.tenant = %(tenant)s and o.passage = k.passage and o.model = %(model)s
                                and o.audience = k.audience
                             offset 0) as v
         order by similarity desc, v.passage
         limit %(limit)s) as n
  join muniment.passage as p
    on p.tenant = %(tenant)s and p.passage = n.passage
   and p.audience = any((select %(audiences)s::int[])::int[])
 order by n.similarity desc, p.passage;

-- name: add_up_changes
-- Under the embedder's turn: two at once would both take the same rows and write their sum twice.
with many as (
  select c.model, c.era, c.audience
    from muniment.vector_change as c
   where c.tenant = %(tenant)s
   group by c.model, c.era, c.audience
  having count(*) > %(most)s),
gone as (
  delete from muniment.vector_change as c
   using many as m
   where c.tenant = %(tenant)s and c.model = m.model and c.era = m.era and c.audience = m.audience
  returning c.model, c.era, c.audience, c.vectors)
insert into muniment.vector_change (tenant, model, era, audience, change, vectors)
select %(tenant)s, g.model, g.era, g.audience, gen_random_uuid(), sum(g.vectors)
  from gone as g
 group by g.model, g.era, g.audience
having sum(g.vectors) <> 0;

-- name: nearest_exact
-- Similarity in millionths, so that a tie is one by the places that are kept; a passage's id, which is the same after a
-- rebuild, breaks it.
select p.doc, n.similarity
  from (select v.passage, round((v.vector <#> %(vector)s::halfvec) * -1000000) as similarity
          from muniment.passage_vector as v
         where v.tenant = %(tenant)s and v.model = %(model)s and v.era = %(era)s
           and v.audience = any((select %(audiences)s::int[])::int[])
         order by similarity desc, v.passage
         limit %(limit)s) as n
  join muniment.passage as p
    on p.tenant = %(tenant)s and p.passage = n.passage
   and p.audience = any((select %(audiences)s::int[])::int[])
 order by n.similarity desc, p.passage;

-- name: nearest_by_code
-- Candidates by code from the index alone, then exactly as above.
with near as materialized (
  select v.passage, v.audience
    from muniment.passage_vector as v
   where v.tenant = %(tenant)s and v.model = %(model)s and v.era = %(era)s
     and v.audience = any((select %(audiences)s::int[])::int[])
   order by hamming_distance(v.code, %(code)s::bit varying), v.passage
   limit %(candidates)s)
select p.doc, n.similarity
  from (select v.passage, round((v.vector <#> %(vector)s::halfvec) * -1000000) as similarity
          from near
          join muniment.passage_vector as v
            on v.tenant = %(tenant)s and v.passage = near.passage and v.model = %(model)s and v.audience = near.audience
         order by similarity desc, v.passage
         limit %(limit)s) as n
  join muniment.passage as p
    on p.tenant = %(tenant)s and p.passage = n.passage
   and p.audience = any((select %(audiences)s::int[])::int[])
 order by n.similarity desc, p.passage;

-- name: mean
select m.mean from muniment.vector_model as m where m.tenant = %(tenant)s and m.model = %(model)s;

-- name: count_behind
-- A model that has not begun has everything before it.
select case when exists (select 1
                           from muniment.vector_model as m
                          where m.tenant = %(tenant)s and m.model = %(model)s and m.state <> 'going')
            then (select count(*) from muniment.vector_due as d where d.tenant = %(tenant)s and d.model = %(model)s)
            else (select count(*) from muniment.passage as p where p.tenant = %(tenant)s) end;

-- name: models
select m.model, m.state from muniment.vector_model as m where m.tenant = %(tenant)s order by m.model;

-- name: troubled
select d.model, d.reason, count(*)
  from muniment.vector_due as d
 where d.tenant = %(tenant)s and d.aside
 group by d.model, d.reason
 order by d.model, d.reason;

-- name: begin_model
-- A row only where the model was not there, or was on its way out.
insert into muniment.vector_model as m (tenant, model, mean, worked_at)
values (%(tenant)s, %(model)s, %(mean)s, %(now)s)
on conflict (tenant, model) do update set state = 'begun', mean = excluded.mean, worked_at = excluded.worked_at
 where m.state = 'going'
returning m.model;

-- name: come
-- Together with all_due, and not again after it.
update muniment.vector_model as m
   set state = 'coming'
 where m.tenant = %(tenant)s and m.model = %(model)s and m.state = 'begun'
returning m.model;

-- name: all_due
insert into muniment.vector_due as d (tenant, passage, model, era)
select p.tenant, p.passage, %(model)s, p.era
  from muniment.passage as p
 where p.tenant = %(tenant)s
on conflict (tenant, passage, model) do update set failures = 0, retry_at = null, reason = null, aside = false;

-- name: work_at
update muniment.vector_model as m set worked_at = %(now)s where m.tenant = %(tenant)s and m.model = %(model)s;

-- name: due
-- Current text first, then in the order of ids, which every worker and every run share.
select p.passage, muniment.vector_text(i.title, p.heading, coalesce(p.speaker, i.author_name, i.author), p.body)
  from (select d.passage, d.era
          from muniment.vector_due as d
         where d.tenant = %(tenant)s and d.model = %(model)s and not d.aside
           and (d.retry_at is null or d.retry_at <= %(now)s)
         order by d.era, d.passage
         limit %(limit)s) as d
  join muniment.passage as p
    on p.tenant = %(tenant)s and p.passage = d.passage
  join muniment.item as i
    on i.tenant = %(tenant)s and i.item = p.item
 order by d.era, d.passage;

-- name: become_whole
-- Once all passages have a vector but those that were set aside, and one has, if there is any passage.
update muniment.vector_model as m
   set state = 'whole'
 where m.tenant = %(tenant)s and m.model = %(model)s and m.state = 'coming'
   and not exists (select 1
                     from muniment.vector_due as d
                    where d.tenant = %(tenant)s and d.model = %(model)s and not d.aside)
   and (exists (select 1 from muniment.passage_vector as v where v.tenant = %(tenant)s and v.model = %(model)s)
        or not exists (select 1 from muniment.passage as p where p.tenant = %(tenant)s))
returning m.model;

-- name: write
-- Only where the passage still has the words that were embedded, and the model is not on its way out. A row that somebody is
-- changing is passed by, as it will be due again: so this never waits for the writer while the writer waits for it.
with held as materialized (
  select p.passage, p.era, p.audience, n.code, n.vector
    from unnest(%(passages)s::uuid[], %(texts)s::text[], %(codes)s::text[], %(vectors)s::text[])
         as n (passage, text, code, vector)
    join muniment.passage as p
      on p.tenant = %(tenant)s and p.passage = n.passage
    join muniment.item as i
      on i.tenant = %(tenant)s and i.item = p.item
   where muniment.vector_text(i.title, p.heading, coalesce(p.speaker, i.author_name, i.author), p.body) = n.text
     and exists (select 1
                   from muniment.vector_model as m
                  where m.tenant = %(tenant)s and m.model = %(model)s and m.state <> 'going')
     for key share of p skip locked)
insert into muniment.passage_vector (tenant, passage, model, era, audience, code, vector)
select %(tenant)s, passage, %(model)s, era, audience, code::bit varying, vector::halfvec
  from held
on conflict (tenant, passage, model) do update set code = excluded.code, vector = excluded.vector
returning passage;

-- name: settle
delete from muniment.vector_due
 where tenant = %(tenant)s and model = %(model)s and passage = any(%(passages)s::uuid[]);

-- name: put_off
-- After a few failures of its own a passage is set aside.
update muniment.vector_due as d
   set failures = d.failures + %(counts)s, reason = n.reason, aside = d.failures + %(counts)s >= %(most)s,
       retry_at = %(now)s + least(%(first)s::interval * power(2, least(d.failures, 20)), %(longest)s::interval)
  from unnest(%(passages)s::uuid[], %(reasons)s::text[]) as n (passage, reason)
 where d.tenant = %(tenant)s and d.model = %(model)s and d.passage = n.passage;

-- name: revive
-- Whatever was put off or set aside is due now, with all its tries.
update muniment.vector_due as d
   set failures = 0, retry_at = null, reason = null, aside = false
 where d.tenant = %(tenant)s and (d.aside or d.retry_at is not null);

-- name: retire
-- Once this one is whole, others at which nobody works any more.
update muniment.vector_model as m
   set state = 'going'
 where m.tenant = %(tenant)s and m.model <> %(model)s and m.state <> 'going' and m.worked_at <= %(idle_since)s
   and exists (select 1
                 from muniment.vector_model as own
                where own.tenant = %(tenant)s and own.model = %(model)s and own.state = 'whole');

-- name: drop_going_vectors
delete from muniment.passage_vector as v
 using (select o.passage, o.model
          from muniment.vector_model as m
          join muniment.passage_vector as o
            on o.tenant = m.tenant and o.model = m.model
         where m.tenant = %(tenant)s and m.state = 'going'
         limit %(limit)s) as old
 where v.tenant = %(tenant)s and v.passage = old.passage and v.model = old.model;

-- name: drop_going_models
-- What was due of them goes too.
delete from muniment.vector_model as m
 where m.tenant = %(tenant)s and m.state = 'going'
   and not exists (select 1 from muniment.passage_vector as v where v.tenant = m.tenant and v.model = m.model);
