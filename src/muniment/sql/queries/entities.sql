-- name: drop_origin
delete from muniment.entity_name where tenant = %(tenant)s and origin = %(origin)s;

-- name: name_entity
insert into muniment.entity_name (tenant, name, origin, entity, kind, title, is_alias, audience)
values (%(tenant)s, %(name)s, %(origin)s, %(entity)s, %(kind)s, %(title)s, true, %(audience)s);

-- name: drop_topology
delete from muniment.topology where tenant = %(tenant)s and source = %(source)s;

-- name: state_edge
insert into muniment.topology (tenant, source, seq, upstream, relation, downstream, audience, environment, valid)
values (%(tenant)s, %(source)s, %(seq)s, %(upstream)s, %(relation)s, %(downstream)s, %(audience)s, %(environment)s,
        %(valid)s);
