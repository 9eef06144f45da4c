/**
 * One question, one task. A model whose client gave up on an answer tends to ask the same again, and would pay twice.
 * So every task bears a mark of its question, and while one with the same mark is open, asking again is refused with
 * its id. Who gives a `request_key` has it exactly: the same key is the same task, for seven days.
 */
import { type Legwork, LegworkError, type Task } from '@legwork/sdk'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { KINDS } from './kinds.ts'
import type { Question } from './question.ts'
import { refuse, type Caller } from './tool.ts'

const OPEN = ['pending', 'in_progress', 'proof_submitted']
const LOOKED_AT = 100
/** As often as a request_key can be refused for want of money before it has to be another. */
const REFUSALS_MAX = 20

export async function createOnce(
  question: Question,
  { legwork, signal }: Caller,
): Promise<{ task: Task } | { refusal: CallToolResult }> {
  const { request_key, ...asked } = question
  if (asked.kind === 'call' && asked.phone_number === undefined)
    return { refusal: refuse('phone_number is required for a call. Nothing was spent.') }
  const mark = await sha256(inOrder(asked))
  const body = bodyOf(asked, mark)
  if (request_key === undefined) {
    const same = await findOpen(legwork, mark, signal)
    return same === undefined
      ? { task: await create(legwork, asked, body, { signal }) }
      : { refusal: alreadyAsked(same) }
  }
  // A refusal is kept under its key like any answer. So that money which came later counts, a kept one leads on to
  // the next key; a task that was made is found by the same way.
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
  { question, kind, where, proof, budget_cents, people, deadline, sim }: Asked,
  mark: string,
) {
  return {
    description: question,
    budget_cents: budget_cents ?? KINDS[kind].budget_cents,
    proof_required: proof ?? KINDS[kind].proof,
    consensus_count: people,
    metadata: { mcp: mark },
    ...(where === undefined ? {} : { location: placeOf(where) }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(sim === undefined ? {} : { context: { sim } }),
  }
}

function create(
  legwork: Legwork,
  { kind, scale, phone_number: number }: Asked,
  body: Body,
  options: { signal: AbortSignal; idempotencyKey?: string },
): Promise<Task> {
  const scaled = { ...body, ...(scale === undefined ? {} : { scale }) }
  switch (kind) {
    case 'verify':
      return legwork.verify(body, options)
    case 'call':
      return legwork.call({ ...body, ...(number === undefined ? {} : { number }) }, options)
    case 'gut_check':
      return legwork.gutCheck(scaled, options)
    case 'field':
      return legwork.field(body, options)
    case 'escalate':
      return legwork.escalate(body, options)
    case 'vibe':
      return legwork.vibe(scaled, options)
    case 'custom':
      return legwork.tasks.create({ ...body, type: 'custom' }, options)
  }
}

/** Coordinates where it gives some; else words, which are looked up. */
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
    `You have asked exactly this before, and it is still open: ${id} is ${status}. Nothing was spent. ` +
      `Call wait_for_human with task_id ${id} to see it. To ask a second time all the same, give a request_key.`,
  )
}

/** The same text whatever the order of the arguments. */
const inOrder = (asked: Asked) => JSON.stringify(asked, Object.keys(asked).toSorted())

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
