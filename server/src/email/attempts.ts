/**
 * An email is retried for 72 hours, as long as mail servers retry among themselves: eight times in the first half hour,
 * then once an hour (`retry-mails.ts`). After that the job is dead, `ops jobs` lists it, and an operator is alerted.
 */
export const MAIL_ATTEMPTS_MAX = 80
