-- What the doctor asks of the database itself; nobody's content is read.

-- name: server
select current_setting('server_version');

-- name: unlocked
-- Tables of a tenant without the second lock: a role that should see some rows would see all.
select c.relname
  from pg_class as c
  join pg_namespace as n on n.oid = c.relnamespace
 where n.nspname = 'muniment'
   and c.relkind in ('r', 'p')
   and not (c.relrowsecurity and c.relforcerowsecurity)
   and exists (select
                 from pg_attribute as a
                where a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped)
 order by c.relname;

-- name: clock
-- How far the database's clock is from ours, in seconds.
select extract(epoch from clock_timestamp() - %(now)s::timestamptz)::float8;

-- name: is_unattended
-- Whether accepted work waits and no worker is there.
select exists (select 1 from muniment.stream
                where tenant = %(tenant)s and done_seq < last_seq and dead is null)
   and not exists (select 1 from muniment.lease
                    where tenant = %(tenant)s and starts_with(name, 'worker/') and until > %(now)s);
