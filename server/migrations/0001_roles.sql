-- The role the application works as. Every right it has is granted in the migration of the table it concerns;
-- it owns nothing, so no rule of the database can be switched off from inside the application.
-- lock: none
-- backfill: none

do $$
begin
  create role legwork_app nologin;
exception
  when duplicate_object or unique_violation then null; -- Roles belong to the cluster: another database made it.
end
$$;

grant usage on schema public to legwork_app;

-- The login that migrates may also run the application (development, a single box): it must be able to become
-- legwork_app. In production the application's own login is the only other member.
grant legwork_app to current_user;
