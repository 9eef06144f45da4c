/** The environment for programs that tests start and that have servers of their own. */
const {
  // With this run's servers, a nested run would recreate their template database.
  TEST_DATABASE_URL: _database,
  TEST_REDIS_URL: _redis,
  TENANTS_LOG: _log,
  ...rest
} = process.env

export const NESTED_ENV = rest
