-- Closes an account at its owner's request, and erases who it belonged to. The ledger, statements, payouts, proofs,
-- verdicts and trust keep the worker's id and nothing else of the person. files/forget-worker.ts erases what photos say
-- about the person, on the shards of their tasks, and workers_forget_emails the addresses, which are global. The email stays in workers.email until the last
-- mail is sent (close-accounts.ts). The caller has locked the worker and checked that nothing is open.
-- home: shard
create or replace function workers_close(p_worker text, p_now timestamptz, p_mail_until timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update workers
     set status = 'closed', closed_at = p_now, closing_at = null, closes_at = null,
         session_version = session_version + 1, updated_at = p_now,
         name = 'Former worker', password_hash = 'none', skills = '{}', languages = '{}', location = null,
         preferences = '{}', registered_from = null
   where id = p_worker;
  update worker_closings set look_at = p_mail_until where worker_id = p_worker;
  delete from worker_sessions where worker_id = p_worker;
  delete from worker_tokens where worker_id = p_worker;
  delete from worker_email_links l using worker_email_changes c where c.id = l.change_id and c.worker_id = p_worker;
  delete from worker_email_changes where worker_id = p_worker;
  delete from objection_links l using worker_decisions d where d.id = l.decision_id and d.worker_id = p_worker;
  delete from push_subscriptions where worker_id = p_worker;
  delete from alerts where worker_id = p_worker;
  delete from notices where worker_id = p_worker;
  delete from check_ins where worker_id = p_worker;
  -- questions/sweep-photos.ts removes the bytes of the photos, and then the rows.
  update question_photos set question_id = null, message_number = null, number = null, expires_at = p_now
   where worker_id = p_worker;
  delete from question_messages where worker_id = p_worker;
  delete from questions where worker_id = p_worker;
  delete from idempotency_keys where principal = p_worker;
  -- The address to which the account was reopened.
  update operator_decisions set input = input - 'email' where subject = p_worker and input ? 'email';
  -- The processor's account number stays with the payouts that went there. A row without one is of no use.
  delete from payout_accounts where worker_id = p_worker and account_id is null;
  update payout_accounts set email = p_worker || '@closed.invalid', name = 'Former worker', bank_last4 = null
   where worker_id = p_worker;
end
$$;
revoke execute on function workers_close from public;
grant execute on function workers_close to legwork_app;
