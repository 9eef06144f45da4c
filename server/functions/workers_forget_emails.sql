-- Erases the addresses of a closed account: from the directory, and from the operators' log. Can be repeated.
-- home: global
create or replace function workers_forget_emails(p_worker text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_email text;
begin
  for v_email in delete from worker_emails where worker_id = p_worker returning email loop
    -- `ops worker reopen` is recorded with the email that the operator gave, and commands with what they printed.
    update operator_actions a
       set words = array(select case when lower(w) = v_email then p_worker else w end
                           from unnest(a.words) with ordinality as u (w, i) order by u.i),
           answer = replace(a.answer, v_email, p_worker)
     where exists (select 1 from unnest(a.words) w where lower(w) = v_email) or position(v_email in a.answer) > 0;
  end loop;
end
$$;
revoke execute on function workers_forget_emails from public;
grant execute on function workers_forget_emails to legwork_app;
