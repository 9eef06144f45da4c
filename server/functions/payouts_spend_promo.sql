-- Deducts a payout of a free task from the platform's budget of the day, in the transaction that moves the payout on.
-- Returns whether enough was left. A payout that an operator has released may exceed the budget.
-- home: global, for shards
create or replace function payouts_spend_promo(
  p_day date, p_cents bigint, p_max_cents bigint, p_is_decided boolean
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into promo_days (day) values (p_day) on conflict (day) do nothing;
  update promo_days d set spent_cents = d.spent_cents + p_cents
   where d.day = p_day and (p_is_decided or d.spent_cents + p_cents <= p_max_cents);
  return found;
end
$$;

revoke execute on function payouts_spend_promo(date, bigint, bigint, boolean) from public;
grant execute on function payouts_spend_promo(date, bigint, bigint, boolean) to legwork_app;
