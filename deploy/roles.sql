-- The logins and the database of a deployment. Run it once, as a superuser, with psql:
--
--   LEGWORK_OWNER_PASSWORD=… LEGWORK_APP_PASSWORD=… psql -v ON_ERROR_STOP=1 -f deploy/roles.sql postgres
--
--   legwork_owner   owns the tables; only `server migrate` uses it (MIGRATE_DATABASE_URL)
--   legwork         the login of the API, the jobs and the operator commands (DATABASE_URL); it owns nothing
\getenv owner_password LEGWORK_OWNER_PASSWORD
\getenv app_password LEGWORK_APP_PASSWORD

do $$
begin
  create role legwork_app nologin;
exception
  when duplicate_object then null; -- Another database of this cluster has it already.
end
$$;

-- The first migration creates legwork_app if it is missing and grants it to the login that migrates: it needs
-- `createrole` for the one and the admin option for the other.
create role legwork_owner login createrole password :'owner_password';
grant legwork_app to legwork_owner with admin option;

create role legwork login password :'app_password' in role legwork_app;
-- The server asks for these settings itself. A pooler drops what it asks for, so the login has them, too.
alter role legwork set role = 'legwork_app';
alter role legwork set timezone = 'UTC';
alter role legwork set lock_timeout = '8s';
alter role legwork set statement_timeout = '10s';
alter role legwork set idle_in_transaction_session_timeout = '15s';

create database legwork owner legwork_owner;
