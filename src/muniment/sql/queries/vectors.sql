-- The vector leg: every statement leads with tenant and model; every read names its audiences and visits no other rows.
-- The audiences are a subquery because the planner would otherwise weigh each of their thousands against everybody's rows.

-- name: is_on
select to_regclass('muniment.passage_vector') is not null;

-- name: count_up_to
-- As many permitted rows as there are, counted no further than need be.
select count(*)
  from (select 1
          from muniment.passage_vector as v
         where v.tenant = %(tenant)s and v.model = %(model)s and v.era = %(era)s
           and v.audience = any((select %(audiences)s::int[])::int[])
         limit %(most)s) as permitted;

-- name: nearest_exact
-- Similarity in millionths, so that a tie is one by the places that are kept; all that tie with the last are in.
select v.doc, round((v.vector <#> %(vector)s::halfvec) * -1000000) as similarity
  from muniment.passage_vector as v
 where v.tenant = %(tenant)s and v.model = %(model)s and v.era = %(era)s
   and v.audience = any((select %(audiences)s::int[])::int[])
 order by similarity desc
 fetch first %(limit)s rows with ties;

-- name: nearest_by_code
-- Candidates by code from the index alone, then exactly as above. Planned without the table's own order in mind.
with near as materialized (
  select v.doc
    from muniment.passage_vector as v
   where v.tenant = %(tenant)s and v.model = %(model)s and v.era = %(era)s
     and v.audience = any((select %(audiences)s::int[])::int[])
   order by hamming_distance(v.code, %(code)s::bit varying)
   fetch first %(candidates)s rows with ties)
select v.doc, round((v.vector <#> %(vector)s::halfvec) * -1000000) as similarity
  from near
  join muniment.passage_vector as v
    on v.tenant = %(tenant)s and v.doc = near.doc and v.model = %(model)s
   and v.audience = any((select %(audiences)s::int[])::int[])
 order by similarity desc
 fetch first %(limit)s rows with ties;

-- name: count_behind
-- Each vector has its passage, so the difference is what is missing.
select (select count(*) from muniment.passage as p where p.tenant = %(tenant)s)
     - (select count(*) from muniment.passage_vector as v where v.tenant = %(tenant)s and v.model = %(model)s);

-- name: due
-- Passages without a vector of the model, oldest number first: two indexes in the same order, side by side.
select p.doc, muniment.vector_text(i.title, p.heading, coalesce(p.speaker, i.author_name, i.author), p.body)
  from (select p.doc, p.item, p.heading, p.speaker, p.body
          from muniment.passage as p
         where p.tenant = %(tenant)s and p.era = %(era)s
           and not exists (select 1
                             from muniment.passage_vector as v
                            where v.tenant = %(tenant)s and v.doc = p.doc and v.model = %(model)s)
           and not exists (select 1
                             from muniment.vector_failure as f
                            where f.tenant = %(tenant)s and f.doc = p.doc and f.model = %(model)s
                              and f.retry_at > %(now)s)
         order by p.doc
         limit %(limit)s) as p
  join muniment.item as i
    on i.tenant = %(tenant)s and i.item = p.item
 order by p.doc;

-- name: write
-- Only where the passage still has the words that were embedded. A row that somebody is changing is passed by, as it will
-- be due again: so this never waits for the writer while the writer waits for it.
with held as materialized (
  select p.doc, p.era, p.audience, n.code, n.vector
    from unnest(%(docs)s::bigint[], %(texts)s::text[], %(codes)s::text[], %(vectors)s::text[])
         as n (doc, text, code, vector)
    join muniment.passage as p
      on p.tenant = %(tenant)s and p.doc = n.doc
    join muniment.item as i
      on i.tenant = %(tenant)s and i.item = p.item
   where muniment.vector_text(i.title, p.heading, coalesce(p.speaker, i.author_name, i.author), p.body) = n.text
     for key share of p skip locked)
insert into muniment.passage_vector (tenant, doc, model, era, audience, code, vector)
select %(tenant)s, doc, %(model)s, era, audience, code::bit varying, vector::halfvec
  from held
on conflict (tenant, doc, model) do update set code = excluded.code, vector = excluded.vector;

-- name: forget_failures
delete from muniment.vector_failure
 where tenant = %(tenant)s and model = %(model)s and doc = any(%(docs)s::bigint[]);

-- name: put_off
with held as materialized (
  select p.doc, n.reason
    from unnest(%(docs)s::bigint[], %(reasons)s::text[]) as n (doc, reason)
    join muniment.passage as p
      on p.tenant = %(tenant)s and p.doc = n.doc
     for key share of p skip locked)
insert into muniment.vector_failure as f (tenant, doc, model, failures, retry_at, reason)
select %(tenant)s, doc, %(model)s, %(counts)s, %(now)s + %(first)s::interval, reason
  from held
on conflict (tenant, doc, model) do update
   set failures = f.failures + %(counts)s, reason = excluded.reason,
       retry_at = %(now)s + least(%(first)s::interval * power(2, least(f.failures, 20)), %(longest)s::interval);

-- name: drop_other_vectors
-- Written so that the index on model answers at once when there are none.
delete from muniment.passage_vector as v
 using (select o.doc, o.model
          from muniment.passage_vector as o
         where o.tenant = %(tenant)s and (o.model < %(model)s or o.model > %(model)s)
         limit %(limit)s) as old
 where v.tenant = %(tenant)s and v.doc = old.doc and v.model = old.model;

-- name: drop_other_failures
delete from muniment.vector_failure where tenant = %(tenant)s and model <> %(model)s;
