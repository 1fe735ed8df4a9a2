-- What models gave: kept with the item they were shown, and gone with the words they were shown.

-- name: are_there
select exists (select 1 from muniment.model_output where tenant = %(tenant)s);

-- name: outputs
select o.source, o.id, o.purpose, o.unit, o.extractor, o.input, o.reply, o.at
  from muniment.model_output o
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = o.source and s.id = o.id
 where o.tenant = %(tenant)s
   and o.at is not null;

-- name: asked
-- Whether or not it acts yet.
select o.purpose, o.unit
  from muniment.model_output o
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = o.source and s.id = o.id
 where o.tenant = %(tenant)s
   and o.extractor = %(extractor)s;

-- name: drop_outputs
delete from muniment.model_output o
 using unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where o.tenant = %(tenant)s
   and o.source = s.source
   and o.id = s.id;

-- name: drop_other_outputs
-- A verdict on an earlier statement quotes what may be gone: it is asked for again.
delete from muniment.model_output o
 using unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where o.tenant = %(tenant)s
   and o.source = s.source
   and o.id = s.id
   and (o.purpose <> 'distil' or o.unit <> all (%(units)s::bytea[]));

-- name: look_again
delete from muniment.distilling d
 using unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
 where d.tenant = %(tenant)s
   and d.source = s.source
   and d.id = s.id;

-- name: texts
-- Whatever an item's texts are left with, reverted ones too.
select p.content
  from muniment.payload p
  join muniment.event e
    on e.tenant = %(tenant)s and e.source = p.source and e.id = p.id and e.seq = p.seq
  join unnest(%(sources)s::text[], %(ids)s::text[]) as s (source, id)
    on s.source = p.source and s.id = p.id
 where p.tenant = %(tenant)s
   and e.op = 'upsert';

-- name: moves
-- Every id that led to another in these sources, reverted or not: what is gone from one is gone from all.
select distinct e.source, e.id, coalesce(p.content -> 'to' ->> 'id', p.content ->> 'to') as target
  from muniment.event e
  join muniment.payload p
    on p.tenant = e.tenant and p.source = e.source and p.id = e.id and p.seq = e.seq
 where e.tenant = %(tenant)s
   and e.source = any (%(sources)s::text[])
   and e.op = 'move'
   and (jsonb_typeof(p.content -> 'to') = 'string' or p.content -> 'to' ? 'id');

-- name: replies
select source, id, purpose, unit, extractor, reply from muniment.model_output where tenant = %(tenant)s;

-- name: drop_reply
delete from muniment.model_output
 where tenant = %(tenant)s
   and source = %(source)s
   and id = %(id)s
   and purpose = %(purpose)s
   and unit = %(unit)s
   and extractor = %(extractor)s;
