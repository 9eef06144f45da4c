-- Looks up what is stored under Idempotency-Keys: one row for each claim whose key was used within seven days.
--   replayed     by the same request: its stored response
--   mismatch     by another request
--   in_progress  by a request that has not finished
-- Inlined into the statements that call it.
-- home: shard, global
create or replace function idempotency_find(p_now timestamptz, p_claims idempotency_claim[])
returns table (item integer, outcome claim_outcome, status smallint, answer text)
language sql stable as $$
  select c.item,
         case when k.status is null then 'in_progress'
              when k.fingerprint = c.fingerprint then 'replayed'
              else 'mismatch' end::claim_outcome,
         k.status, k.answer
    from unnest(p_claims) c
   cross join lateral (
     select * from idempotency_keys s
      where s.principal = c.principal and s.key_hash = c.key_hash
        and s.week in (date_trunc('week', p_now at time zone 'UTC')::date,
                       date_trunc('week', p_now at time zone 'UTC')::date - 7)
        and s.created_at > p_now - interval '7 days'
      order by s.week desc limit 1) k
$$;
