-- Stores claims of Idempotency-Keys and returns how many were stored. A claim without a status reserves its key; with a
-- status, it also completes a reserved one. A key that has a response keeps it, and of two claims of one key only one is
-- stored. If another transaction is about to store the same key, this one waits for it.
-- home: shard, global
create or replace function idempotency_store(p_now timestamptz, p_claims idempotency_claim[]) returns integer
language sql as $$
  with stored as (
    insert into idempotency_keys as k (week, principal, key_hash, fingerprint, status, answer, created_at)
      select distinct on (c.principal, c.key_hash)
             date_trunc('week', p_now at time zone 'UTC')::date, c.principal, c.key_hash, c.fingerprint, c.status,
             c.answer, p_now
        from unnest(p_claims) c
      on conflict (principal, key_hash, week) do update
        set status = excluded.status, answer = excluded.answer
        where k.status is null and excluded.status is not null
      returning 1
  )
  select count(*)::integer from stored
$$;
