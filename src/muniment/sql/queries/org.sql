-- name: make_org
insert into muniment.org (tenant, key, proof, created_at) values (%(tenant)s, %(key)s, %(proof)s, %(now)s)
    on conflict (tenant) do nothing;

-- name: org_key
select key, proof from muniment.org where tenant = %(tenant)s;

-- name: note_erasure
update muniment.org set erasures = erasures + 1 where tenant = %(tenant)s;

-- name: has_members
select exists (select 1 from muniment.role_grant where tenant = %(tenant)s and role = 'steward');

-- name: size
-- Tables, indexes and what lies beside them, all tenants together.
select sum(pg_total_relation_size(c.oid))::bigint
  from pg_class c
 where c.relnamespace = 'muniment'::regnamespace
   and c.relkind = 'r'
   and %(tenant)s::text is not null;
