/** Error output for people and scripts: what happened, what to do next, where to read more, and the request id. */
import { LegworkError } from '@legwork/sdk'
import { EXIT, type ExitCode, Stop } from './exit.ts'
import { plain, type Print } from './print.ts'
import { dollars, span } from './words.ts'

const NO_FUNDS = 402
const USAGE = new Set([400, 401])
/** The minimum deposit. */
const DEPOSIT_MIN_CENTS = 500

type Fields = Readonly<Record<string, unknown>>

/**
 * Maps an error code to lines built from its fields. They replace the API's hint, which mentions fields and routes that
 * a CLI user doesn't see.
 */
const FACTS: Record<string, (fields: Fields) => string[]> = {
  insufficient_funds: ({
    required_cents,
    balance_cents,
    free_tasks_remaining,
    free_task_max_cents,
  }) => [
    `This needs ${money(required_cents)}, and you have ${money(balance_cents)}.`,
    ...(typeof free_tasks_remaining === 'number'
      ? [
          `You have ${free_tasks_remaining} free tasks for budgets up to ${money(free_task_max_cents)}.`,
        ]
      : []),
  ],
  invalid_state: ({ status }) => [`The task is ${String(status)}.`],
  invalid_request: ({ details }) => rowsOf(details),
  key_cap: ({ cap, limit_cents, spent_cents, required_cents }) => [
    `${String(cap)} is ${money(limit_cents)}. Spent: ${money(spent_cents)}. This needs ${money(required_cents)}.`,
  ],
  key_scope: ({ required_scope }) => [`This needs the scope ${String(required_scope)}.`],
  key_type: ({ allowed_types }) => [
    `This key can only create ${[allowed_types].flat().join(', ')}.`,
  ],
  key_not_found: () => [],
  task_not_found: () => ['Live and test keys see only the tasks of their own mode.'],
  invalid_api_key: () => ['LEGWORK_API_KEY is wrong, expired or revoked.'],
  rate_limited: ({ retry_after_seconds }) => [
    `Try again in ${span(Number(retry_after_seconds) * 1000)}.`,
  ],
  route_not_found: () => ['Check LEGWORK_URL. It must end with /api/v1.'],
}

const money = (cents: unknown) => dollars(Number(cents))

/** Lists every invalid field. An error about a single field already names it in its message. */
const rowsOf = (details: unknown) =>
  ((details ?? []) as { path: string; message: string }[]).map(
    ({ path, message }) => `${path} ${message}`,
  )

/** Maps an error code to the command that helps. */
const NEXT: Record<string, string | ((fields: Fields) => string)> = {
  insufficient_funds: ({ required_cents, balance_cents }) =>
    `deposit ${(missing(Number(required_cents), Number(balance_cents)) / 100).toFixed(2)}`,
  key_cap: 'keys',
  key_scope: 'keys',
  key_type: 'keys',
  key_not_found: 'keys',
  invalid_api_key: 'init',
  task_not_found: 'tasks',
  event_not_found: 'events',
  consensus_conflict: "approve ID --override '…'",
  no_webhook_url: 'listen --forward-to localhost:3000/hooks',
  test_mode_only: 'init',
}

export function tellProblem(error: unknown, print: Print): ExitCode {
  const problem = readProblem(error)
  const { exitCode, message, hint, code, docUrl, requestId } = problem
  const next = code === undefined ? undefined : NEXT[code]
  const facts = factsOf(problem)
  print.problem(
    {
      error: message,
      code,
      hint,
      doc_url: docUrl,
      request_id: requestId,
      ...problem.fields,
      exit_code: exitCode,
    },
    ...[
      `${plain(message)}${code === undefined ? '' : ` (${code})`}`,
      ...facts.map((fact) => plain(fact)),
      next && `Next: ${print.self} ${typeof next === 'string' ? next : next(problem.fields ?? {})}`,
      docUrl && `Docs: ${plain(docUrl)}`,
      requestId && `Request: ${plain(requestId)}`,
    ].filter((line): line is string => line !== undefined && line !== ''),
  )
  return exitCode
}

const missing = (requiredCents: number, balanceCents: number) =>
  Math.max(requiredCents - balanceCents, DEPOSIT_MIN_CENTS)

function factsOf({ code = '', hint, message, fields = {} }: Problem): string[] {
  const facts = FACTS[code]?.(fields) ?? (hint === undefined ? [] : [hint])
  return facts.filter((fact) => fact !== message)
}

interface Problem {
  exitCode: ExitCode
  message: string
  hint?: string | undefined
  code?: string | undefined
  docUrl?: string | undefined
  requestId?: string | undefined
  fields?: Fields
}

function readProblem(error: unknown): Problem {
  if (error instanceof Stop)
    return { exitCode: error.exitCode, message: error.message, hint: error.hint }
  if (error instanceof LegworkError) return ofApi(error)
  return { exitCode: EXIT.failed, message: error instanceof Error ? error.message : String(error) }
}

function ofApi(error: LegworkError): Problem {
  const { status, code, docUrl, requestId, fields } = error
  return {
    exitCode:
      status === NO_FUNDS ? EXIT.noFunds : USAGE.has(status ?? 0) ? EXIT.usage : EXIT.failed,
    message: error.message,
    hint: error.hint,
    code,
    docUrl,
    requestId,
    fields,
  }
}
