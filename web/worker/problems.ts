/** Error messages: our own text if there is one, otherwise the server's. */
import { Refusal, Unreachable } from '../shared/api/client.ts'
import type { Text, TextId } from './text/use-text.tsx'

/** Error code of the API → our message. Screens can override these with more specific ones. */
export type Words = Record<string, TextId>

const WORDS: Words = {
  invalid_password: 'problem.invalidPassword',
  email_not_verified: 'problem.emailNotVerified',
  worker_exists: 'problem.alreadyRegistered',
  worker_suspended: 'problem.workerSuspended',
  worker_closed: 'problem.workerClosed',
  no_slot: 'problem.noSlot',
  account_closing: 'problem.accountClosing',
  assignment_ended: 'problem.assignmentEnded',
  task_not_found: 'problem.taskNotFound',
  too_many_files: 'problem.tooManyFiles',
  invalid_token: 'shell.sessionEnded',
  unavailable: 'problem.unavailable',
  read_only: 'problem.readOnly',
  registrations_off: 'problem.registrationsOff',
  server_error: 'problem.serverError',
}

/** `own`: the screen's overrides. */
export function problemOf(error: unknown, text: Text, own: Words = {}): string {
  if (error instanceof Unreachable) return text('shell.unreachable')
  if (!(error instanceof Refusal)) return text('problem.serverError')
  if (error.status === 429) return waitText(error, text)
  return refusalText(error, text, own)
}

const SHARED_BY_NETWORK = ['address', 'login', 'register_worker']

/** Says how long to wait. Phones of one carrier can share an IP address, so this may be the person's first attempt. */
function waitText({ retryAfterSeconds = 60, extra }: Refusal, text: Text): string {
  if (retryAfterSeconds < 120) return text('shell.tooOften', { seconds: retryAfterSeconds })
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return SHARED_BY_NETWORK.includes(String(extra.limit))
    ? text('shell.busyNetwork', { minutes })
    : text('shell.tooOftenMinutes', { minutes })
}

export function refusalText(
  { code, message }: { code: string; message: string },
  text: Text,
  own: Words = {},
): string {
  const known = own[code] ?? WORDS[code]
  return known === undefined ? message : text(known)
}
