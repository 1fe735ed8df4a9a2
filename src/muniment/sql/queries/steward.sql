-- name: item_audience
select audience, container from muniment.item where tenant = %(tenant)s and source = %(source)s and id = %(id)s;

-- name: has_item
select exists (select 1 from muniment.item where tenant = %(tenant)s and source = %(source)s and id = %(id)s);

-- name: has_container
select exists (select 1 from muniment.container where tenant = %(tenant)s and ref = %(ref)s);

-- name: sources
-- Of a connected source, how its loops stand, with the words of its own that readers are not told.
select s.source, s.state, coalesce(n.cursor::text, s.cursor) as cursor,
       case when s.polled_through is not null
            then extract(epoch from %(now)s::timestamptz - s.polled_through)::float end as lag_s,
       coalesce(n.last_error, s.last_error) as last_error,
       coalesce((select min(c.verified_through)
                   from muniment.container c
                  where c.tenant = s.tenant
                    and not c.live
                    and starts_with(c.ref, 'container:' || s.source || ':')),
                n.verified_at) as audiences_verified,
       coalesce((select r.keep
                   from muniment.retention_rule r
                  where r.tenant = s.tenant and r.source = s.source
                  order by r.position desc
                  limit 1), 'whole') as keep,
       coalesce(d.reduced, 0), coalesce(d.expired, 0), coalesce(d.characters, 0),
       n.kind as connected, n.failures, n.next_at, n.seen, n.swept_at
  from muniment.source s
  left join muniment.connection n
    on n.tenant = s.tenant and n.source = s.source
  left join muniment.retention_done d
    on d.tenant = s.tenant and d.source = s.source
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

-- name: configured
-- Every source, or one, as it is configured; the latest limit said holds.
select s.source, s.kind, s.fed_by, s.is_directory, s.trust, s.authority,
       (select extract(epoch from l.verify_within)::float
          from muniment.source_limit l
         where l.tenant = s.tenant and l.source = s.source
         order by l.since desc
         limit 1) as verify_within_s,
       coalesce((select r.keep
                   from muniment.retention_rule r
                  where r.tenant = s.tenant and r.source = s.source
                  order by r.position desc
                  limit 1), 'whole') as keep
  from muniment.source s
 where s.tenant = %(tenant)s
   and (%(source)s::text is null or s.source = %(source)s)
 order by s.source collate "C";

-- name: configure
insert into muniment.source as s (tenant, source, kind, fed_by, is_directory, trust, authority)
values (%(tenant)s, %(source)s, %(kind)s, %(fed_by)s, %(directory)s, %(trust)s, %(authority)s)
on conflict (tenant, source) do update
   set fed_by = excluded.fed_by, is_directory = excluded.is_directory, trust = excluded.trust,
       authority = excluded.authority;

-- name: limit_source
-- In seconds: a day of the calendar is not always as long.
insert into muniment.source_limit (tenant, source, since, verify_within, set_by)
values (%(tenant)s, %(source)s, %(now)s, make_interval(secs => %(within)s), %(by)s)
on conflict (tenant, source, since) do update
   set verify_within = excluded.verify_within, set_by = excluded.set_by;

-- name: reopen_source
-- What a source's word is worth is on its items, and decides whether its names count: they are due again, done or not.
update muniment.stream
   set done_seq = least(done_seq, last_seq - 1), run_at = least(run_at, %(now)s)
 where tenant = %(tenant)s
   and source = %(source)s
   and (id not like '@%%' or id like '@entity/%%');
