-- Applies what a transaction of a schema in another database has to do here: once, by the id of its row there.
-- home: shard
create or replace function shards_receive(p_source text, p_id bigint, p_call text, p_arguments jsonb) returns boolean
language plpgsql security definer
set search_path = public, pg_temp
as $$
begin
  insert into crossings_applied (source, id) values (p_source, p_id) on conflict do nothing;
  if not found then return false; end if;
  case p_call
    when 'workers_receive_moves' then
      perform workers_receive_moves(
        (p_arguments ->> 'now')::timestamptz,
        array(select l from jsonb_populate_recordset(null::ledger_line, p_arguments -> 'lines') l),
        array(select c from jsonb_populate_recordset(null::trust_change, p_arguments -> 'trust') c),
        array(select jsonb_array_elements_text(p_arguments -> 'tasks')));
    when 'tasks_receive_away' then perform tasks_receive_away(p_arguments);
  end case;
  return true;
end
$$;

revoke execute on function shards_receive(text, bigint, text, jsonb) from public;
grant execute on function shards_receive(text, bigint, text, jsonb) to legwork_app;
