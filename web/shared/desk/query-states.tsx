/** Query and action states in English, for readers who know APIs. */
import { Refusal, Unreachable } from '../api/client.ts'
import { createQueryStates, type Wording } from '../query-states.tsx'
import { clockTime } from './figures.ts'

/** The server's message, which is written for developers, or why there is none. */
export function problemOf(error: unknown): string {
  if (error instanceof Unreachable)
    return 'Can’t reach the server. Nothing is lost. Check your connection and try again.'
  if (!(error instanceof Refusal)) return 'Something went wrong. Reload the page.'
  if (error.status === 429)
    return `Too many attempts. Try again in ${waitWords(error.retryAfterSeconds ?? 60)}.`
  if (error.code === 'role_not_allowed') return 'Your role doesn’t allow this. Ask an owner.'
  if (isBeyondScope(error))
    return `This requires a key with the scope ${String(error.extra.required_scope)}. Log in with another key.`
  const details = Object.entries(error.fields).map(([path, message]) => `${path} ${message}`)
  return details.length > 0 ? `${error.message}: ${details.join('; ')}.` : error.message
}

const waitWords = (seconds: number) =>
  seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/** The session's key lacks a scope, or the person a right, so a retry can't succeed. */
const isBeyondScope = (error: unknown) =>
  error instanceof Refusal && ['key_scope', 'role_not_allowed'].includes(error.code)

const WORDING: Wording<never> = {
  loading: 'Loading',
  tryAgain: 'Try again',
  failedTitle: (error) => (isBeyondScope(error) ? 'You don’t have access' : 'This didn’t load'),
  problemOf,
  stale: (at, error) => `Last updated ${clockTime(at.toISOString())}. ${problemOf(error)}`,
  reference: (requestId) => `Reference ${requestId}`,
}

export const { ActionError, LoadError, QueryPlaceholder, QueryResult } = createQueryStates({
  useWording: () => WORDING,
  canRetry: (error) => !isBeyondScope(error),
  isForDevelopers: true,
})
