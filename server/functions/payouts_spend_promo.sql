-- Deducts a payout of a free task from the platform's budget of the day and from that of the worker's ring, in the
-- transaction that moves the payout on. Returns whether enough was left of both. A payout that an operator has released
-- may exceed them. Whatever a worker of the ring was paid on that day counts, also before it was known to be one.
-- home: global, for shards
create or replace function payouts_spend_promo(
  p_day date, p_cents bigint, p_max_cents bigint, p_is_decided boolean,
  p_worker text, p_ring text[], p_ring_max_cents bigint
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_ring_cents bigint;
begin
  insert into promo_days (day) values (p_day) on conflict (day) do nothing;
  -- Locked before the sum is read, so that no concurrent payout of the ring is missing from it.
  perform from promo_days where day = p_day for update;
  select coalesce(sum(spent_cents), 0) into v_ring_cents from promo_workers
   where day = p_day and worker_id = any(p_ring);
  if not p_is_decided and v_ring_cents + p_cents > p_ring_max_cents then
    return false;
  end if;
  update promo_days d set spent_cents = d.spent_cents + p_cents
   where d.day = p_day and (p_is_decided or d.spent_cents + p_cents <= p_max_cents);
  if not found then
    return false;
  end if;
  insert into promo_workers as w (day, worker_id, spent_cents) values (p_day, p_worker, p_cents)
  on conflict (day, worker_id) do update set spent_cents = w.spent_cents + excluded.spent_cents;
  return true;
end
$$;

revoke execute on function payouts_spend_promo(date, bigint, bigint, boolean, text, text[], bigint) from public;
grant execute on function payouts_spend_promo(date, bigint, bigint, boolean, text, text[], bigint) to legwork_app;
