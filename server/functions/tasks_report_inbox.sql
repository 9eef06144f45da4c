-- Normalizes an email address to its inbox. Must match inboxOf in payouts/holds.ts.
create or replace function tasks_report_inbox(p_email text) returns text language sql immutable as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
              else name || '@' || domain end
    from (select split_part(split_part(lower(p_email), '@', 1), '+', 1) as name,
                 split_part(lower(p_email), '@', 2) as domain) address
$$;
