-- name: item_audience
select audience from muniment.item where tenant = %(tenant)s and source = %(source)s and id = %(id)s;

-- name: has_item
select exists (select 1 from muniment.item where tenant = %(tenant)s and source = %(source)s and id = %(id)s);

-- name: has_container
select exists (select 1 from muniment.container where tenant = %(tenant)s and ref = %(ref)s);

-- name: sources
select s.source, s.state, s.cursor,
       case when s.polled_through is not null
            then extract(epoch from %(now)s::timestamptz - s.polled_through)::float end as lag_s,
       s.last_error,
       (select min(c.verified_through)
          from muniment.container c
         where c.tenant = s.tenant
           and not c.live
           and starts_with(c.ref, 'container:' || s.source || ':')) as audiences_verified
  from muniment.source s
 where s.tenant = %(tenant)s
 order by s.source;

-- name: queue
select count(*) filter (where done_seq < last_seq and dead is null),
       count(*) filter (where dead is not null)
  from muniment.stream
 where tenant = %(tenant)s
   and (done_seq < last_seq or dead is not null);

-- name: counts
select (select count(*) from muniment.item where tenant = %(tenant)s and state = 'pending'),
       (select count(*) from muniment.quarantine where tenant = %(tenant)s and replayed_at is null),
       (select count(*) from muniment.assertion where tenant = %(tenant)s and status = 'candidate' and upper_inf(known)),
       (select count(*) from muniment.assertion where tenant = %(tenant)s and status = 'stale' and upper_inf(known)),
       (select count(*) from muniment.lease where tenant = %(tenant)s and starts_with(name, 'worker/') and until > %(now)s);

-- name: quarantined
select entry, origin, line, source, id, reason, refused_at, replayed_at
  from muniment.quarantine
 where tenant = %(tenant)s
   and replayed_at is null
 order by entry;

-- name: to_replay
select entry, origin, line, raw, importer, audience, account
  from muniment.quarantine
 where tenant = %(tenant)s
   and replayed_at is null
   and (%(entries)s::bigint[] is null or entry = any (%(entries)s::bigint[]))
 order by entry;

-- name: mark_replayed
update muniment.quarantine
   set replayed_at = %(now)s
 where tenant = %(tenant)s
   and replayed_at is null
   and entry = %(entry)s;
