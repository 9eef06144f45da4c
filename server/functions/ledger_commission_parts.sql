-- The part of each commission of a task that each of its workers bears, same as splitByWeight in
-- server/src/kit/money.ts: in proportion to their pay, the odd cents to those who lose most by rounding.
-- home: shard
create or replace function ledger_commission_parts(p_task text)
returns table (key text, worker_id text, part bigint) language sql stable as $$
  with lines as (
    select f.* from transfers f where f.key >= 'task:' || p_task || ':' and f.key < 'task:' || p_task || ';'
  ), shares as (
    select s.key, s.worker_id, s.line, s.amount_cents as cents, sum(s.amount_cents) over (partition by s.key) as total,
           (select coalesce(sum(c.amount_cents), 0) from lines c where c.key = s.key and c.credit = 'rev:commission')
             as commission
      from lines s where s.worker_id is not null
  ), parts as (
    select s.*, div(s.commission * s.cents, s.total) as part, mod(s.commission * s.cents, s.total) as lost
      from shares s
  )
  select p.key, p.worker_id,
         (p.part + case when row_number() over (partition by p.key order by p.lost desc, p.line)
                             <= p.commission - sum(p.part) over (partition by p.key) then 1 else 0 end)::bigint
    from parts p
$$;
