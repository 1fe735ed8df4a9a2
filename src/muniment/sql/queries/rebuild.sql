-- Everything derived, dropped; and what derived tables say, for comparison. Audiences are said by their clauses, as
-- their numbers depend on who came first; so do passage numbers and segments.

-- name: lock_every_stream
select t.source, t.id
  from muniment.stream t
 where t.tenant = %(tenant)s
 order by t.source collate "C", t.id collate "C"
   for update;

-- name: settle_streams
update muniment.stream
   set done_seq = last_seq, attempts = 0, dead = null
 where tenant = %(tenant)s
   and (done_seq < last_seq or attempts > 0 or dead is not null);

-- name: drop_topology
delete from muniment.topology where tenant = %(tenant)s;

-- name: drop_watermark
delete from muniment.watermark where tenant = %(tenant)s;

-- name: drop_mention
delete from muniment.mention where tenant = %(tenant)s;

-- name: drop_reference
delete from muniment.reference where tenant = %(tenant)s;

-- name: drop_handle
delete from muniment.handle where tenant = %(tenant)s;

-- name: drop_name
delete from muniment.entity_name where tenant = %(tenant)s;

-- name: drop_edge
delete from muniment.edge where tenant = %(tenant)s;

-- name: drop_assertion
delete from muniment.assertion where tenant = %(tenant)s;

-- name: drop_echo
delete from muniment.echo where tenant = %(tenant)s;

-- name: drop_version
delete from muniment.item_version where tenant = %(tenant)s;

-- name: drop_passage
delete from muniment.passage where tenant = %(tenant)s;

-- name: drop_item
delete from muniment.item where tenant = %(tenant)s;

-- name: drop_fingerprint
delete from muniment.fingerprint where tenant = %(tenant)s;

-- name: drop_block
delete from muniment.posting_block where tenant = %(tenant)s;

-- name: drop_segment
delete from muniment.posting_segment where tenant = %(tenant)s;

-- name: said_item
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.item t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_item_version
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.item_version t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_passage
select ((to_jsonb(t) - 'tenant' - 'audience' - 'doc') || jsonb_build_object('audience', a.clauses))::text
  from muniment.passage t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_assertion
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.assertion t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_echo
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.echo t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_edge
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.edge t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_entity_name
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.entity_name t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_mention
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.mention t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_reference
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.reference t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_handle
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.handle t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_topology
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.topology t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_watermark
select ((to_jsonb(t) - 'tenant' - 'audience') || jsonb_build_object('audience', a.clauses))::text
  from muniment.watermark t
  left join muniment.audience a on a.tenant = t.tenant and a.audience = t.audience
 where t.tenant = %(tenant)s;

-- name: said_principal
select (to_jsonb(t) - 'tenant')::text from muniment.principal t where t.tenant = %(tenant)s;

-- name: said_principal_alias
select (to_jsonb(t) - 'tenant')::text from muniment.principal_alias t where t.tenant = %(tenant)s;

-- name: said_person_name
select (to_jsonb(t) - 'tenant')::text from muniment.person_name t where t.tenant = %(tenant)s;

-- name: said_member_now
select (to_jsonb(t) - 'tenant')::text from muniment.member_now t where t.tenant = %(tenant)s;

-- name: said_container
select (to_jsonb(t) - 'tenant')::text from muniment.container t where t.tenant = %(tenant)s;

-- name: said_container_clause
select (to_jsonb(t) - 'tenant')::text from muniment.container_clause t where t.tenant = %(tenant)s;

-- name: said_posting_size
-- What ranks are computed from, whatever segments it lies in.
select jsonb_build_object('era', s.era, 'audience', a.clauses, 'docs', sum(s.docs), 'postings', sum(s.postings),
                          'length', sum(s.length))::text
  from muniment.posting_segment s
  left join muniment.audience a on a.tenant = s.tenant and a.audience = s.audience
 where s.tenant = %(tenant)s
 group by s.era, s.audience, a.clauses;

-- name: passages_by_number
select doc, passage from muniment.passage where tenant = %(tenant)s;

-- name: clauses_by_number
select audience, clauses::text from muniment.audience where tenant = %(tenant)s;

-- name: said_fingerprint
select (to_jsonb(t) - 'tenant')::text from muniment.fingerprint t where t.tenant = %(tenant)s;
