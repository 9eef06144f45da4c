-- Indexes for the desk's pages of people: accounts with the same inbox or bank account, and the console's sessions.
-- lock: agent_emails, worker_emails, payout_accounts, console_sessions, share: nothing is written while an index is built; none when it is there already
-- backfill: none

-- On a large table they are built by hand before the release, concurrently. The inbox is that of payouts/holds.ts.

-- squawk-ignore require-concurrent-index-creation
create index if not exists agent_emails_by_inbox on agent_emails ((
  case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
       then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
       else split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2) end));
-- squawk-ignore require-concurrent-index-creation
create index if not exists worker_emails_by_inbox on worker_emails ((
  case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
       then replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@gmail.com'
       else split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2) end));
-- squawk-ignore require-concurrent-index-creation
create index if not exists payout_accounts_of_bank on payout_accounts (bank_last4, country)
  where bank_last4 is not null;
-- squawk-ignore require-concurrent-index-creation
create index if not exists console_sessions_of_agent on console_sessions (agent_id, created_at);
