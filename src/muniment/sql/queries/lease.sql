-- A slow step's right to work, held outside any transaction. Time is an argument.

-- name: take
-- A new fence whenever it changes hands, also from a holder to itself: nothing an earlier turn still has in hand counts.
insert into muniment.lease (tenant, name, holder, fence, until)
values (%(tenant)s, %(name)s, %(holder)s, 1, %(until)s)
on conflict (tenant, name) do update
   set holder = excluded.holder, fence = lease.fence + 1, until = excluded.until
 where lease.until <= %(now)s
returning fence;

-- name: hold
-- Locks the row to the end of the transaction, so that what is written under a fence is written before the next one is given.
update muniment.lease
   set until = %(until)s
 where tenant = %(tenant)s and name = %(name)s and fence = %(fence)s
returning fence;

-- name: give_back
update muniment.lease
   set until = %(now)s
 where tenant = %(tenant)s and name = %(name)s and fence = %(fence)s;

-- name: attend
insert into muniment.lease (tenant, name, holder, fence, until)
values (%(tenant)s, %(name)s, %(holder)s, 1, %(until)s)
on conflict (tenant, name) do update set until = excluded.until where lease.until < %(soon)s;
