-- The store's own statements: making an embedded database, roles, extensions, and which schema version is here.

-- name: rename_first_database
-- initdb's own first database, empty, becomes ours: nothing to copy.
alter database postgres rename to muniment;

-- name: create_app_user
-- Owns the database and nothing in it; without "set role" it can read nothing.
create role muniment login noinherit;

-- name: give_database
alter database muniment owner to muniment;

-- name: close_database
revoke all on database muniment from public;

-- name: vector_versions
select default_version, installed_version
  from pg_available_extensions
 where name = 'vector';

-- name: create_vector
create extension if not exists vector with schema public;

-- name: create_gist
create extension if not exists btree_gist;

-- name: what_is_there
-- What a database holds besides extensions and the system's own; one such thing is enough.
select n.nspname || '.' || c.relname
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
   and n.nspname !~ '^pg_temp'
   and not exists (select from pg_depend d
                    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
 union all
select nspname || '.' from pg_namespace where nspname = 'muniment'
 order by 1
 limit 1;

-- name: drop_everything
drop schema muniment cascade;

-- name: update_vector
alter extension vector update;

-- name: role_facts
-- The names that exist, whether one could ignore row security, and whether the user may become it.
select r.rolname, r.rolsuper or r.rolbypassrls, pg_has_role(%(user)s, r.oid, 'member')
  from pg_roles r
 where r.rolname = any(%(names)s);

-- name: owner_rights
-- A role that does not exist yet has no rights; asking for them would be an error.
select current_database(),
       case when %(known)s then has_database_privilege(%(owner)s, current_database(), 'create') else false end;

-- name: take_migration_lock
-- For the length of a transaction, so that it also holds behind a pooler. The number is "muniment" in ASCII.
select pg_advisory_xact_lock(7887331721495277172);

-- name: has_schema
select to_regclass('muniment.schema_version') is not null;

-- name: create_schema_version
-- After the schema, so that no role but the owner is ever granted it.
create table if not exists muniment.schema_version (
  part       text        not null,
  version    integer     not null,
  applied_at timestamptz not null default current_timestamp,
  primary key (part, version)
);

-- name: schema_version_of
select max(version)
  from muniment.schema_version
 where part = %(part)s;

-- name: record_schema_version
insert into muniment.schema_version (part, version)
values (%(part)s, %(version)s);

-- name: may_leave_log_behind
-- What erasing needs: to begin a new file of the log and have the old ones taken away.
grant pg_checkpoint to muniment;

-- name: may_switch_log
grant execute on function pg_switch_wal() to muniment;

-- name: table_sizes
-- Ours, and the planner's samples of them.
select n.nspname || '.' || c.relname, pg_table_size(c.oid)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
 where c.relkind = 'r'
   and (n.nspname = 'muniment' or n.nspname = 'pg_catalog' and c.relname = 'pg_statistic')
 order by n.nspname desc, c.relname;

-- name: wait_a_little
set lock_timeout = '5s';

-- name: wait_as_usual
reset lock_timeout;

-- name: become_owner
set role muniment_owner;

-- name: become_checkpointer
set role pg_checkpoint;

-- name: become_oneself
reset role;

-- name: switch_log
select pg_switch_wal();

-- name: checkpoint
checkpoint;

-- name: reached
-- How far this database has come: everything whose commit was acknowledged is below that place in its log. Reads do not
-- wait for their audit to be on disk, so it is what is flushed that counts; where no writer waits, what is written. The
-- snapshot is older than the place, and so shows nothing beyond it.
select c.system_identifier, ('x' || left(pg_walfile_name(at.lsn), 8))::bit(32)::integer, at.lsn::text,
       pg_current_snapshot()::text
  from pg_control_system() as c
 cross join (select case when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
                         else pg_current_wal_flush_lsn() end) as at (lsn);

-- name: flush
-- Whole pages of log are flushed in the background, and a standby cannot show half a record. This commit flushes the
-- rest.
select pg_logical_emit_message(true, 'muniment', '');

-- name: shown
-- What a standby shows, first, and what it is fed, then: of one that is led elsewhere in between, never the place of one
-- history with the name of another. A user without the right is told of no receiver.
with place as materialized (select pg_last_wal_replay_lsn() as lsn)
select c.system_identifier, pg_is_in_recovery(), pg_wal_lsn_diff(%(lsn)s::pg_lsn, p.lsn)::bigint,
       extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8,
       pg_has_role('pg_read_all_stats', 'usage'), w.received_tli
  from place as p
 cross join pg_control_system() as c
  left join lateral (select r.received_tli from pg_stat_wal_receiver as r
                      where r.status = 'streaming' and p.lsn is not null) as w on true;
