/** Settings of auto_explain while a statement is examined; scripts/test.ts grants them to the server's role. */
export const EXPLAINED = {
  log_min_duration: '0',
  log_nested_statements: 'on',
  log_verbose: 'on',
  log_format: 'json',
  log_level: 'notice',
}
