/**
 * Turns API errors into sentences that a model can act on. Uses only our own and the agent's words, never a proof's.
 */
import { LegworkError } from '@legwork/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { dollars } from './task-types.ts'
import { refuse } from './tool.ts'

interface Asked {
  consoleUrl: string
  taskId?: string | undefined
}

type Fields = Record<string, unknown>
const cents = (value: unknown) => (typeof value === 'number' ? dollars(value) : 'an unknown amount')

const CAPS: Record<string, string> = {
  task_max_cents: 'per task',
  day_max_cents: 'per day',
  month_max_cents: 'per month',
  budget_cents: 'in total',
}

/** Maps an error code to a text for the model: the error, that nothing was spent, and the next step. */
const SENTENCES: Record<string, (fields: Fields, asked: Asked) => string> = {
  insufficient_funds: (f, { consoleUrl }) =>
    `Insufficient funds: this needs ${cents(f.required_cents)}, and the wallet has ${cents(f.balance_cents)}. ` +
    `Nothing was spent. Ask the person you work for to add funds at ${consoleUrl}/wallet, ` +
    (typeof f.free_tasks_remaining === 'number'
      ? `or ask with a budget_cents of ${String(f.free_task_max_cents)} or less: ` +
        `${f.free_tasks_remaining} free tasks are left.`
      : 'or ask with a smaller budget_cents.'),
  key_cap: (f, { consoleUrl }) =>
    `This is above the spending cap of this key: its cap ${CAPS[String(f.cap)] ?? ''} is ${cents(f.limit_cents)}, ` +
    `${cents(f.spent_cents)} is used, and this needs ${cents(f.required_cents)}. Nothing was spent. ` +
    `Ask the person you work for to raise the cap at ${consoleUrl}/keys, or ask with a smaller budget_cents.`,
  key_type: (f, { consoleUrl }) =>
    `This key can't create tasks of type ${String(f.type)}, only ${listOf(f.allowed_types)}. Nothing was spent. ` +
    `Use another type, or ask the person you work for to allow it at ${consoleUrl}/keys.`,
  key_scope: (f, { consoleUrl }) =>
    `This key lacks the scope ${String(f.required_scope)}. ` +
    `Ask the person you work for to do this themselves at ${consoleUrl}, or to give you a key with that scope.`,
  task_not_found: (_, { taskId }) =>
    `There is no task ${taskId ?? 'with that id'}. Use list_human_tasks to see yours.`,
  invalid_state: (f, { taskId }) =>
    `The task is ${String(f.status)}, which does not allow this. ` +
    `Call wait_for_human with task_id ${taskId ?? '…'} to see its status.`,
  // The votes are workers' words, so they are shown only inside the data block.
  consensus_conflict: (_, { taskId }) =>
    'The answers disagree. Read them with wait_for_human and ' +
    `task_id ${taskId ?? '…'}, decide which result is correct, and approve with override_result.`,
  idempotency_mismatch: () =>
    'This request_key was used before with other arguments. Use another request_key, or none.',
  invalid_api_key: () =>
    'The API key is wrong or was revoked. Ask the person you work for to set another one.',
  missing_key: () =>
    'There is no API key. Ask the person you work for to set LEGWORK_API_KEY; ' +
    '`npx @legwork/cli init` creates a test key.',
  connection_failed: () =>
    'Legwork could not be reached. Call again in a moment; your question is not posted twice.',
  time_limit: () =>
    'Legwork did not respond in time. Call again in a moment; your question is not posted twice.',
  rate_limited: (f) =>
    `Too many calls. Try again in ${Number(f.retry_after_seconds ?? 60)} seconds; nothing was spent.`,
  agent_restricted: (_, { consoleUrl }) =>
    `This agent is not allowed to create tasks. The person you work for can find out why at ${consoleUrl}.`,
}

/** Returns undefined for an unexpected error, which the model can't fix. */
export function explain(error: unknown, asked: Asked): CallToolResult | undefined {
  if (!(error instanceof LegworkError)) return undefined
  const fields = error.fields as Fields
  const sentence = SENTENCES[error.code]
  if (sentence) return refuse(sentence(fields, asked))
  if (error.code === 'invalid_request')
    return refuse(`Invalid arguments. ${wrongFields(fields, error)}`)
  const reference = error.requestId === undefined ? '' : ` (${error.requestId})`
  return refuse([`${error.message}${reference}.`, error.hint].filter(Boolean).join(' '))
}

/** The page where the person can remove what blocks a payment. */
export function pageFor(
  { code, fields }: LegworkError,
  consoleUrl: string,
): { message: string; url: string } | undefined {
  const price = cents((fields as Fields).required_cents)
  if (code === 'insufficient_funds')
    return {
      message: `Your agent wants to pay a person ${price}, but the wallet balance is too low. Add funds?`,
      url: `${consoleUrl}/wallet`,
    }
  if (code === 'key_cap')
    return {
      message: `Your agent wants to pay a person ${price}, which is above the spending cap of its key. Raise the cap?`,
      url: `${consoleUrl}/keys`,
    }
  return undefined
}

function wrongFields({ details }: Fields, { message }: Error): string {
  if (!Array.isArray(details)) return message
  return details
    .map(({ path, message: problem }: { path?: string; message?: string }) => `${path} ${problem}`)
    .join('; ')
}

const listOf = (types: unknown) => (Array.isArray(types) ? types.join(', ') : 'nothing')
