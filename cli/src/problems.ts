/** What went wrong, for people and for scripts: what happened, what to do next, where to read on, which request. */
import { LegworkError } from '@legwork/sdk'
import { EXIT, type ExitCode, Stop } from './exit.ts'
import { plain, type Print } from './print.ts'

const NO_FUNDS = 402
const USAGE = new Set([400, 401])

/** The code of an error → the command that helps. */
const NEXT: Record<string, string> = {
  insufficient_funds: 'deposit 20.00',
  key_cap: 'keys',
  key_scope: 'keys',
  key_type: 'keys',
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
      hint && plain(hint),
      next && `Next: ${print.self} ${next}`,
      docUrl && `Read on: ${plain(docUrl)}`,
      requestId && `Request: ${plain(requestId)}`,
    ].filter((line): line is string => line !== undefined && line !== ''),
  )
  return exitCode
}

interface Problem {
  exitCode: ExitCode
  message: string
  hint?: string | undefined
  code?: string | undefined
  docUrl?: string | undefined
  requestId?: string | undefined
  fields?: object
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
