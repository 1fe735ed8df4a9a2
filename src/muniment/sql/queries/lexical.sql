-- The lexical leg: packed posting blocks. Every statement leads with tenant; every read names its audiences.
-- Locks: adding takes none (a commit only adds a segment of its own). Removal and compaction rewrite segments,
-- so each holds the audience's advisory lock until it commits; removal waits for it, compaction passes by.

-- name: add_segments
-- One statement for a whole commit: segments take their numbers here and their blocks follow, in the order in which
-- questions read them: a slot of many audiences then lies on few pages (docs/decisions/0002).
-- Blocks come joined and are cut here, as an array of bytes would be sent as twice as much text.
with fresh as (
  insert into muniment.posting_segment (tenant, era, audience, level, low, high, docs, postings, length)
  select %(tenant)s, %(era)s, s.audience, s.level, s.low, s.high, s.docs, s.postings, s.length
    from unnest(%(audiences)s::int[], %(levels)s::smallint[], %(lows)s::bigint[], %(highs)s::bigint[],
                %(docs)s::int[], %(counts)s::int[], %(lengths)s::bigint[])
         as s (audience, level, low, high, docs, postings, length)
  returning audience, segment)
insert into muniment.posting_block (tenant, era, slot, audience, segment, terms, postings)
select %(tenant)s, %(era)s, b.slot, b.audience, fresh.segment,
       substr(%(terms)b::bytea, b.term_at, b.term_bytes), substr(%(words)b::bytea, b.word_at, b.word_bytes)
  from unnest(%(owners)s::int[], %(slots)s::smallint[], %(term_at)s::int[], %(term_bytes)s::int[],
              %(word_at)s::int[], %(word_bytes)s::int[])
       as b (audience, slot, term_at, term_bytes, word_at, word_bytes)
  join fresh on fresh.audience = b.audience
 order by b.slot, b.audience;

-- name: search
-- One statement, so that document frequencies and sizes come from one snapshot. The arrays are subqueries because
-- the planner would otherwise weigh each of their thousands of members against statistics of everybody's rows.
select 0 as slot, null::bytea as terms, null::bytea as postings,
       coalesce(sum(s.docs), 0)::bigint as docs, coalesce(sum(s.length), 0)::bigint as length
  from muniment.posting_segment as s
 where s.tenant = %(tenant)s and s.era = %(era)s and s.audience = any((select %(audiences)s::int[])::int[])
 union all
(select b.slot, string_agg(b.terms, ''::bytea), string_agg(b.postings, ''::bytea), 0, 0
   from muniment.posting_block as b
  where b.tenant = %(tenant)s and b.era = %(era)s and b.slot = any((select %(slots)s::smallint[])::smallint[])
    and b.audience = any((select %(audiences)s::int[])::int[])
  group by b.slot);

-- name: audiences
select distinct s.audience from muniment.posting_segment as s where s.tenant = %(tenant)s and s.era = %(era)s;

-- name: lock_audiences
-- In the order of the lock's own number, so that two removals cannot wait for each other.
with wanted as materialized (
  select distinct hashtextextended(%(tenant)s || ' ' || %(era)s::text || ' ' || a.audience::text, 20260701) as lock
    from unnest(%(audiences)s::int[]) as a (audience)
   order by 1)
select count(pg_advisory_xact_lock(lock)) from wanted;

-- name: try_lock_audiences
-- Those that nobody else is merging or removing from, which are then ours.
select k.era, k.audience
  from unnest(%(eras)s::smallint[], %(audiences)s::int[]) as k (era, audience)
 where pg_try_advisory_xact_lock(
         hashtextextended(%(tenant)s || ' ' || k.era::text || ' ' || k.audience::text, 20260701));

-- name: segments_around
-- Where documents of an audience can be; ranges of segments may overlap.
select s.audience, s.segment, s.level, s.low, s.high
  from muniment.posting_segment as s
 where s.tenant = %(tenant)s and s.era = %(era)s and s.audience = any(%(audiences)s::int[])
   and s.low <= %(high)s and s.high >= %(low)s
 order by s.audience, s.segment;

-- name: blocks_at
select b.audience, b.segment, b.slot, b.terms, b.postings
  from unnest(%(slots)s::smallint[], %(audiences)s::int[], %(segments)s::bigint[]) as k (slot, audience, segment)
  join muniment.posting_block as b
    on b.tenant = %(tenant)s and b.era = %(era)s
   and b.slot = k.slot and b.audience = k.audience and b.segment = k.segment;

-- name: rewrite_blocks
update muniment.posting_block as b
   set terms = substr(%(terms)b::bytea, k.term_at, k.term_bytes),
       postings = substr(%(words)b::bytea, k.word_at, k.word_bytes)
  from unnest(%(slots)s::smallint[], %(audiences)s::int[], %(segments)s::bigint[], %(term_at)s::int[],
              %(term_bytes)s::int[], %(word_at)s::int[], %(word_bytes)s::int[])
       as k (slot, audience, segment, term_at, term_bytes, word_at, word_bytes)
 where b.tenant = %(tenant)s and b.era = %(era)s
   and b.slot = k.slot and b.audience = k.audience and b.segment = k.segment;

-- name: drop_blocks
delete from muniment.posting_block as b
 using unnest(%(slots)s::smallint[], %(audiences)s::int[], %(segments)s::bigint[]) as k (slot, audience, segment)
 where b.tenant = %(tenant)s and b.era = %(era)s
   and b.slot = k.slot and b.audience = k.audience and b.segment = k.segment;

-- name: shrink_segments
update muniment.posting_segment as s
   set docs = s.docs - k.docs, postings = s.postings - k.postings, length = s.length - k.length
  from unnest(%(audiences)s::int[], %(segments)s::bigint[], %(docs)s::int[], %(counts)s::int[], %(lengths)s::bigint[])
       as k (audience, segment, docs, postings, length)
 where s.tenant = %(tenant)s and s.era = %(era)s and s.audience = k.audience and s.segment = k.segment;

-- name: drop_empty_segments
delete from muniment.posting_segment as s
 where s.tenant = %(tenant)s and s.era = %(era)s and s.audience = any(%(audiences)s::int[]) and s.docs = 0;

-- name: due_audiences
-- Audiences with many open segments, or where the largest is worth rewriting for the others; the most first.
select s.era, s.audience
  from muniment.posting_segment as s
 where s.tenant = %(tenant)s and s.postings < %(full)s
 group by s.era, s.audience
having count(*) >= %(fan_in)s
    or (count(*) > 1 and max(s.postings) <= %(worth)s * (sum(s.postings) - max(s.postings)))
 order by count(*) desc, s.era, s.audience
 limit %(limit)s;

-- name: open_segments
select s.era, s.audience, s.segment, s.postings, s.low, s.high, s.docs, s.length
  from unnest(%(eras)s::smallint[], %(audiences)s::int[]) with ordinality as k (era, audience, place)
  join muniment.posting_segment as s
    on s.tenant = %(tenant)s and s.era = k.era and s.audience = k.audience
 where s.postings < %(full)s
 order by k.place, s.postings, s.segment;

-- name: take_segments
-- A segment's rows are found through its level: the slots of level l are 2^l up to 2^(l+1) - 1.
with gone as materialized (
  delete from muniment.posting_segment as s
   where s.tenant = %(tenant)s and s.era = %(era)s and s.audience = %(audience)s
     and s.segment = any(%(segments)s::bigint[])
  returning s.segment, s.level)
delete from muniment.posting_block as b
 where b.tenant = %(tenant)s and b.era = %(era)s
   and b.slot = any((select array_agg(distinct k.slot::smallint)
                       from gone cross join generate_series(1 << gone.level, (2 << gone.level) - 1) as k (slot))::smallint[])
   and b.audience = %(audience)s and b.segment = any((select array_agg(gone.segment) from gone)::bigint[])
returning b.terms, b.postings;

-- name: all_blocks
select b.era, b.audience, b.terms, b.postings
  from muniment.posting_block as b
 where b.tenant = %(tenant)s
 order by b.era, b.audience, b.segment, b.slot;
