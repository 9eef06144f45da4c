/**
 * One question, one task. A model whose client timed out tends to ask the same question again, and would pay twice. So
 * every task carries a hash of its question, and while a task with the same hash is open, asking again is refused with
 * that task's id. A caller who passes a `request_key` gets exact idempotency: the same key means the same task for
 * seven days.
 */
import { type Legwork, LegworkError, type Task, TASK_TYPES } from '@legwork/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Question } from './question.ts'
import { ABOUT } from './task-types.ts'
import { refuse, type Caller } from './tool.ts'

const OPEN = ['pending', 'in_progress', 'proof_submitted']
const LOOKED_AT = 100
/** How many times a request_key can be refused for lack of money before the caller has to use a different key. */
const REFUSALS_MAX = 20

export async function createOnce(
  question: Question,
  { legwork, signal, callKey }: Caller,
): Promise<{ task: Task } | { refusal: CallToolResult }> {
  const { request_key, ...asked } = question
  if (asked.type === 'voice_proxy' && asked.phone_number === undefined)
    return { refusal: refuse('phone_number is required for a call. Nothing was spent.') }
  const mark = await sha256(inOrder(asked))
  const body = bodyOf(asked, mark)
  if (request_key === undefined) {
    const same = await findOpen(legwork, mark, signal)
    if (same !== undefined) return { refusal: alreadyAsked(same) }
    // Models may number their calls from one in every conversation, so the key also names the question.
    const once = callKey && { idempotencyKey: `call-${await sha256(callKey + mark)}` }
    return { task: await create(legwork, asked, body, { signal, ...once }) }
  }
  // Refusals are stored under their idempotency key like any other response. To let a later deposit count, a stored
  // refusal leads on to the next derived key; a task that was created is found in the same way.
  const key = await sha256(request_key)
  for (let i = 1; ; i += 1) {
    try {
      const idempotencyKey = `mcp-${key}-${i}`
      return { task: await create(legwork, asked, body, { signal, idempotencyKey }) }
    } catch (error) {
      const isKept =
        error instanceof LegworkError && error.isReplay && [402, 403].includes(error.status)
      if (!isKept || i === REFUSALS_MAX) throw error
    }
  }
}

type Asked = Omit<Question, 'request_key'>
type Body = ReturnType<typeof bodyOf>

function bodyOf(
  { question, type, where, proof, budget_cents, people, deadline, answer_schema, sim }: Asked,
  mark: string,
) {
  return {
    description: question,
    budget_cents: budget_cents ?? TASK_TYPES[type].budgetCents,
    proof_required: proof ?? ABOUT[type].proof,
    consensus_count: people,
    metadata: { mcp: mark },
    ...(where === undefined ? {} : { location: placeOf(where) }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(answer_schema === undefined ? {} : { answer_schema }),
    ...(sim === undefined ? {} : { context: { sim } }),
  }
}

function create(
  legwork: Legwork,
  { type, scale, phone_number: number }: Asked,
  body: Body,
  options: { signal: AbortSignal; idempotencyKey?: string },
): Promise<Task> {
  const scaled = { ...body, ...(scale === undefined ? {} : { scale }) }
  switch (type) {
    case 'verification':
      return legwork.verify(body, options)
    case 'voice_proxy':
      return legwork.call({ ...body, ...(number === undefined ? {} : { number }) }, options)
    case 'gut_check':
      return legwork.gutCheck(scaled, options)
    case 'field_mission':
      return legwork.field(body, options)
    case 'empathy_escalation':
      return legwork.escalate(body, options)
    case 'vibe_reader':
      return legwork.vibe(scaled, options)
    case 'custom':
      return legwork.tasks.create({ ...body, type: 'custom' }, options)
  }
}

/** Parses coordinates if given; otherwise returns the text, which the API geocodes. */
function placeOf(where: string): string | { lat: number; lng: number } {
  const [, lat, lng] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(where) ?? []
  return lat === undefined || lng === undefined ? where : { lat: Number(lat), lng: Number(lng) }
}

async function findOpen(legwork: Legwork, mark: string, signal: AbortSignal) {
  const { tasks } = await legwork.tasks.list({ limit: LOOKED_AT }, { signal })
  return tasks.find(({ status, metadata }) => OPEN.includes(status) && metadata?.mcp === mark)
}

function alreadyAsked({ id, status }: Task): CallToolResult {
  return refuse(
    `You already asked exactly this, and the task is still open: ${id} is ${status}. Nothing was spent. ` +
      `Call wait_for_human with task_id ${id} to see it. To ask again anyway, pass a new request_key.`,
  )
}

/** Serializes with sorted keys at every level, so that the order of arguments doesn't matter. */
const inOrder = (asked: Asked) =>
  JSON.stringify(asked, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
