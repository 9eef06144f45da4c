-- Ask for the second operator also when decisions race, when an amount is split, and for every kind with a limit.
-- lock: operator_decisions, access exclusive; transfers, processor_attempts, worker_decisions, share row exclusive; instants
-- backfill: none

-- Decisions of a kind about a subject are inserted one after the other. Otherwise two that are inserted at once would
-- not count each other's amount. Names no operator: what several decide alone within a day counts together.
create or replace function decide_second_person() returns trigger language plpgsql as $$
declare
  v_over bigint;
  v_day bigint := 0;
begin
  select over_cents into v_over from two_person_limits where kind = new.kind;
  if v_over > 0 then
    perform pg_advisory_xact_lock(hashtextextended('decision ' || new.kind || ' ' || new.subject, 0));
    select coalesce(sum(amount_cents), 0) into v_day from operator_decisions
     where subject = new.subject and kind = new.kind and not needs_second
       and state in ('agreed', 'done') and proposed_at > new.proposed_at - interval '1 day';
  end if;
  new.needs_second := v_over is not null and (v_over = 0 or v_day + coalesce(new.amount_cents, 0) > v_over);
  if new.state <> (case when new.needs_second then 'waiting' else 'agreed' end) then
    raise exception 'a % of % cents must begin as %', new.kind, new.amount_cents,
      case when new.needs_second then 'waiting' else 'agreed' end
      using errcode = 'check_violation', constraint = 'operator_decisions_first_state';
  end if;
  return new;
end
$$;

-- Rows that split an amount: the first ones use up the decision of two operators, if there is one. Without it, the
-- rows of a day may sum up to the limit.
create function spend_part(p_kind text, p_subject text, p_cents bigint, p_at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_over bigint;
  v_from timestamptz := p_at - interval '1 day';
  v_day bigint;
  v_agreed bigint;
begin
  select over_cents into v_over from two_person_limits where kind = p_kind;
  if v_over is null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('part ' || p_kind || ' ' || p_subject, 0));
  update operator_decisions set spent_cents = spent_cents + p_cents
   where id = (select id from operator_decisions
                where kind = p_kind and subject = p_subject and state = 'agreed'
                  and second_by is not null and second_by <> proposed_by and spent_cents + p_cents <= amount_cents
                order by proposed_at limit 1 for update);
  if found then
    return;
  end if;
  if p_kind = 'refund.request' then
    select coalesce(sum(amount_cents), 0) into v_day from refunds where agent_id = p_subject and created_at > v_from;
  elsif p_kind = 'withdrawal.request' then
    select coalesce(sum(amount_cents), 0) into v_day from withdrawals where created_at > v_from;
  elsif p_kind = 'debt.write_off' then
    select coalesce(sum(amount_cents), 0) into v_day from transfers
     where agent_id = p_subject and agent_statement_no is not null and kind = 'bad_debt' and created_at > v_from;
  else
    v_day := 0;
  end if;
  select coalesce(sum(spent_cents), 0) into v_agreed from operator_decisions
   where subject = p_subject and kind = p_kind and second_at > v_from;
  if v_day - v_agreed + p_cents > v_over then
    raise exception '% of % over % cents within a day needs two operators', p_kind, p_subject, v_over
      using errcode = 'check_violation', constraint = 'two_persons';
  end if;
end
$$;
revoke execute on function spend_part(text, text, bigint, timestamptz) from public;
grant execute on function spend_part(text, text, bigint, timestamptz) to legwork_app;

-- A change that is made once: a decision of two operators about it is being carried out.
create function require_two_persons(p_kind text, p_subject text, p_input jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from operator_decisions
   where kind = p_kind and subject = p_subject and state = 'agreed' and input @> p_input
     and second_by is not null and second_by <> proposed_by;
  if not found then
    raise exception '% of % needs two operators', p_kind, p_subject
      using errcode = 'check_violation', constraint = 'two_persons';
  end if;
end
$$;
revoke execute on function require_two_persons(text, text, jsonb) from public;
grant execute on function require_two_persons(text, text, jsonb) to legwork_app;

create or replace function guard_refund() returns trigger language plpgsql as $$
begin
  perform spend_part('refund.request', new.agent_id, new.amount_cents, new.created_at);
  return new;
end
$$;

create or replace function guard_withdrawal() returns trigger language plpgsql as $$
begin
  perform spend_part('withdrawal.request', 'own_funds', new.amount_cents, new.created_at);
  return new;
end
$$;

-- Writing off a debt and resolving money in suspense change no row but the ledger's lines.
create function guard_own_lines() returns trigger language plpgsql as $$
declare
  v_over bigint;
begin
  if new.kind = 'bad_debt' then
    perform spend_part('debt.write_off', new.agent_id, new.amount_cents, new.created_at);
  else
    select over_cents into v_over from two_person_limits where kind = 'suspense.resolve';
    if new.amount_cents > v_over then
      perform require_two_persons('suspense.resolve', split_part(new.key, ':', 2), '{}');
    end if;
  end if;
  return new;
end
$$;
create trigger transfers_two_persons before insert on transfers for each row
  when (new.kind in ('bad_debt', 'suspense_to_agent', 'suspense_to_operator') and new.mode = 'live')
  execute function guard_own_lines();

-- Money is sent back to its payer, or taken back from a worker, by a request to the processor. A new attempt after one
-- that did not happen is still the same decision.
create function guard_attempt() returns trigger language plpgsql as $$
declare
  v_over bigint;
  v_cents bigint;
begin
  if new.key like 'suspense\_%' then
    select over_cents into v_over from two_person_limits where kind = 'suspense.resolve';
    select abs(amount_cents) into v_cents from balance_transactions where id = new.subject_id;
    if v_cents > v_over then
      perform require_two_persons('suspense.resolve', new.subject_id, '{"to": "payer"}');
    end if;
  else
    select over_cents into v_over from two_person_limits where kind = 'payout.reverse';
    v_cents := split_part(new.subject_id, 'r', -1)::bigint;
    if v_cents > v_over then
      perform require_two_persons('payout.reverse', left(new.subject_id, -length('r' || v_cents)), '{}');
    end if;
  end if;
  return new;
end
$$;
create trigger processor_attempts_two_persons before insert on processor_attempts for each row
  when (new.key like 'suspense\_%' or new.key like 'reversal\_%')
  execute function guard_attempt();

create function guard_closing() returns trigger language plpgsql as $$
begin
  if (select over_cents from two_person_limits where kind = 'worker.close') = 0 then
    perform require_two_persons('worker.close', new.worker_id, '{}');
  end if;
  return new;
end
$$;
create trigger worker_decisions_two_persons before insert on worker_decisions for each row
  when (new.kind = 'closed') execute function guard_closing();

-- The limits of shards are copies of the global ones, which this protects. The owner of the database can change
-- everything.
create function guard_limit() returns trigger language plpgsql as $$
begin
  if tg_table_schema in ('public', 'global')
     and current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
    perform require_two_persons('limit.change', new.kind, jsonb_build_object('over_cents', new.over_cents));
  end if;
  return new;
end
$$;
create trigger two_person_limits_two_persons before update of over_cents on two_person_limits for each row
  when (old.over_cents is distinct from new.over_cents) execute function guard_limit();

-- When the clock finishes a decision that its process has not: it claims the decision until then.
alter table operator_decisions add column resume_at timestamptz;
grant update (resume_at) on operator_decisions to legwork_app;
