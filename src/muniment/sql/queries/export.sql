-- Taking a record out and bringing one in. Where {table} and {columns} stand, names from export/tables and the catalogue
-- are put, quoted.

-- name: assertions
-- Everything this reader can see that somebody said.
select a.assertion, a.item, a.kind, a.level, a.statement, a.entity, a.attribute, a.qualifier, a.value, a.quotes,
       a.stated_by, a.stated_at, lower(a.valid) as valid_from, upper(a.valid) as valid_to,
       lower(a.known) as known_from, upper(a.known) as known_to, a.authority, a.trust, a.status
  from muniment.assertion a
 where a.tenant = %(tenant)s
   and a.audience = any (%(audiences)s::integer[])
   and a.status in ('active', 'stale', 'candidate')
   and case when %(known_at)s::timestamptz is null then upper_inf(a.known)
            else a.known @> %(known_at)s::timestamptz end
 order by a.assertion, a.revision;

-- name: plain_forms
-- Instants and spans as text, the same whatever the server's habits.
select set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true),
       set_config('intervalstyle', 'iso_8601', true), set_config('bytea_output', 'hex', true);

-- name: shape
-- A table's columns besides tenant, those of its key with how they sort, and the one that is numbered, if there is one.
select array(select a.attname::text
               from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'tenant'
              order by a.attname),
       array(select a.attname::text
               from pg_constraint k
               cross join lateral unnest(k.conkey) with ordinality as part (number, place)
               join pg_attribute a on a.attrelid = c.oid and a.attnum = part.number
              where k.conrelid = c.oid and k.contype = 'p' and a.attname <> 'tenant'
              order by part.place),
       array(select a.attname::text
               from pg_attribute a
              where a.attrelid = c.oid and a.attcollation <> 0 and not a.attisdropped
              order by a.attname),
       (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '')
  from pg_class c
 where c.relnamespace = 'muniment'::regnamespace
   and c.relname = %(table)s;

-- name: rows
select (to_jsonb(t) - 'tenant')::text from muniment.{table} t where t.tenant = %(tenant)s order by {key};

-- name: rows_of_stream
-- What waits is done by whoever restores it.
select (to_jsonb(t) - 'tenant'
        || jsonb_build_object('done_seq', t.last_seq, 'attempts', 0, 'dead', null, 'run_at', '1970-01-01T00:00:00Z'))::text
  from muniment.{table} t
 where t.tenant = %(tenant)s
   and t.last_seq > 0
 order by {key};

-- name: began
-- When the organisation was made, the key it was made with, and the name its audit's chain began under.
select created_at, key, coalesce(chained_as, tenant) from muniment.org where tenant = %(tenant)s;

-- name: restore_org
update muniment.org
   set created_at = %(created_at)s, key = %(key)s, proof = %(proof)s, chained_as = nullif(%(chained_as)s, tenant)
 where tenant = %(tenant)s;

-- name: holds
select exists (select from muniment.{table} t where t.tenant = %(tenant)s);

-- name: acted
-- Whether anybody did anything since it was made.
select exists (select from muniment.audit where tenant = %(tenant)s and action <> 'init');

-- name: drop
delete from muniment.{table} t where t.tenant = %(tenant)s;

-- name: forget_beginning
select muniment.forget_beginning() where %(tenant)s::text is not null;

-- name: restore
insert into muniment.{table} (tenant, {columns}) overriding system value
select %(tenant)s, {columns}
  from jsonb_populate_recordset(null::muniment.{table}, %(rows)s::jsonb);

-- name: highest
select max({column})::bigint from muniment.{table} where tenant = %(tenant)s;

-- name: next_number
select nextval(pg_get_serial_sequence(%(table)s, %(column)s)) where %(tenant)s::text is not null;

-- name: count_past
-- By counting: another organisation may be taking numbers meanwhile, and none may be given twice.
select count(nextval(pg_get_serial_sequence(%(table)s, %(column)s)))
  from generate_series(%(next)s::bigint, %(highest)s::bigint)
 where %(tenant)s::text is not null;

-- name: stewards
select distinct principal
  from muniment.role_grant
 where tenant = %(tenant)s
   and role = 'steward'
   and revoked_at is null
 order by principal;

-- name: snapshot
-- By which another program sees what this transaction sees.
select pg_export_snapshot() where %(tenant)s::text is not null;

-- name: tables
-- Tables of rows, whichever this version has.
select c.relname::text
  from pg_class c
 where c.relnamespace = 'muniment'::regnamespace
   and c.relkind = 'r'
   and c.relname <> all (%(left)s::text[])
 order by c.relname collate "C";

-- name: digest
-- The digests of all rows, in the order of the digests: the same wherever the rows lie.
select count(*), encode(sha256(coalesce(string_agg(one.digest, ''::bytea order by one.digest), ''::bytea)), 'hex')
  from (select sha256(convert_to(t::text, 'UTF8')) as digest
          from muniment.{table} t
         where t.tenant = %(tenant)s) one;

-- name: bring_org_back
insert into muniment.org (tenant, key, proof, created_at, chained_as)
values (%(tenant)s, %(key)s, %(proof)s, %(created_at)s, nullif(%(chained_as)s, %(tenant)s));
