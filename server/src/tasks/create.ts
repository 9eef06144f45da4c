/**
 * Create a task: lock its budget in escrow and open it to workers.
 *
 *   called by   an agent
 *   moves       (none) → pending
 *   money       wallet → escrow; for a free task promotional fund → escrow
 *   event       task.created (internal, not sent to webhooks)
 */
import { z } from 'zod'
import { keyCap, keyType, testQuotaExceeded, tooManyTestTasks } from '../agents/errors.ts'
import { countTestUse, refuseTooManyOpen } from '../agents/test-usage.ts'
import type { Config } from '../config.ts'
import type { Db } from '../kit/db.ts'
import {
  type AgentCaller,
  type Answer,
  type Claim,
  endpoint,
  type Warning,
} from '../kit/endpoint.ts'
import { idempotencyMismatch, renderError } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { geocode } from '../places/geocode.ts'
import { checkField } from '../webhooks/addresses.ts'
import { levelFor, readCrowd } from '../workers/crowd.ts'
import { createInBatch } from './creations.ts'
import { type Draft, draftTask, sharesOf } from './draft.ts'
import { agentRestricted, DEPOSIT_URL, freeTasksHint, insufficientFunds } from './errors.ts'
import { TASK_BODY_MAX_BYTES, TaskInput } from './fields.ts'
import { usualLevel } from './matching.ts'
import { TaskView, viewUnfunded } from './view.ts'

export const CREATE_ERRORS = [
  insufficientFunds,
  keyCap,
  agentRestricted,
  keyType,
  tooManyTestTasks,
  testQuotaExceeded,
]

export const create = endpoint({
  method: 'POST',
  path: '/tasks',
  name: 'createTask',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Create a task',
  description:
    'The budget goes into escrow. A free task is used first, while you have one and the budget is small enough; ' +
    'else the wallet pays.',
  body: TaskInput,
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success: { status: 201, body: z.object({ task: TaskView }) },
  errors: CREATE_ERRORS,

  check: checkCallback,
  answer: ({ body, ...request }) => createTask(body, request),
})

export function checkCallback({
  config,
  body,
}: {
  config: Config
  body: { callback_url?: string | undefined }
}) {
  return checkField(config, 'callback_url', body.callback_url)
}

export interface CreateTask {
  db: Db
  config: Config
  agent: AgentCaller
  now: Date
  requestId: string
  claim: Claim | undefined
  warnings: Warning[]
  recall(): Promise<Answer | undefined>
  address(): string | undefined
}

/**
 * Opens no transaction of its own: concurrent creations are batched into one transaction of the SQL function
 * create_tasks, which checks the funds and stores the responses.
 */
export async function createTask(
  input: TaskInput,
  request: CreateTask,
  { isSchemaDefault = false } = {},
): Promise<Answer> {
  const { db, config, agent, now, requestId, claim } = request
  const warnings = [...request.warnings]
  let draft: Draft
  try {
    draft = draftTask(input, { agent, now, warn: (warning) => warnings.push(warning) })
  } catch (error) {
    // A retry must return the stored response, even if its deadline or schedule has passed since the first attempt.
    const earlier = await request.recall()
    if (earlier !== undefined) return earlier
    throw error
  }
  if (agent.types !== null && !agent.types.includes(draft.type))
    throw keyType({ type: draft.type, allowed_types: [...agent.types] })
  if (agent.mode === 'test') {
    // A retry stores nothing, so it returns the earlier response and doesn't count against the quota.
    const earlier = await request.recall()
    if (earlier !== undefined) return earlier
    await refuseTooManyOpen(db.reader, agent.id)
    const bytes = Buffer.byteLength(JSON.stringify(input))
    const use = { agentId: agent.id, address: request.address(), tasks: 1, bytes }
    await countTestUse(db.reader, config, { ...use, now })
  }
  const shareLevel = await decideLevel(draft, request, warnings)
  const taskId = mintId('task', now, shardOf(agent.id))

  const task = viewUnfunded({
    ...draft,
    id: taskId,
    status: 'pending',
    status_reason: null,
    escrow_cents: draft.locked_cents,
    updated_at: now,
  })
  const shownWarnings = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : ''
  const answer: [string, string] = [
    `{"task":${JSON.stringify(task).slice(0, -1)},"funding":"`,
    `"}${shownWarnings}}`,
  ]
  // This error is stored as a response instead of thrown, so a retry gets the identical error.
  const { message, code, hint } = insufficientFunds
  const extra = { balance_cents: 0, deposit_url: DEPOSIT_URL, required_cents: draft.locked_cents }
  const halves = (refusalHint: string | undefined) =>
    renderError({ message, code, extra, hint: refusalHint }, requestId, config).split(
      /(?<="balance_cents":)0/,
    ) as [string, string]
  const refusal = halves(hint)
  const refusalTailFree = halves(freeTasksHint(config.FREE_TASK_MAX_CENTS))[1]

  const bare = {
    message: keyCap.message,
    code: keyCap.code,
    extra: { deposit_url: DEPOSIT_URL },
    hint: keyCap.hint,
  }
  const capHead = `${renderError(bare, requestId, config).slice(0, -1)},`

  const result = await createInBatch(db, config, {
    taskId,
    keyId: agent.keyId,
    draft,
    shareLevel,
    isSchemaDefault,
    claim,
    answer,
    refusal,
    refusalTailFree,
    capHead,
  })
  switch (result.outcome) {
    case 'created':
      return { status: 201, body: answer[0] + result.funding + answer[1], isReplay: false }
    case 'insufficient':
      return {
        status: 402,
        body:
          refusal[0] +
          result.balance_cents +
          (result.answer === null ? refusal[1] : result.answer + refusalTailFree),
        isReplay: false,
      }
    case 'key_cap':
      return { status: 402, body: `${capHead}${result.answer}}`, isReplay: false }
    case 'replayed':
      return { status: result.status!, body: result.answer!, isReplay: true }
    case 'mismatch':
      throw idempotencyMismatch()
    case 'restricted':
      throw agentRestricted()
  }
}

/**
 * Decides the level that the task's share requires, and warns if too few workers are eligible. Test tasks are done by
 * scripts, so they use the default level and get no warning.
 */
async function decideLevel(
  draft: Draft,
  { db, config, now }: CreateTask,
  warnings: Warning[],
): Promise<number> {
  const usual = usualLevel(draft)
  if (draft.mode === 'test') return usual
  const { skills, languages, location } = draft
  const point = typeof location === 'string' ? geocode(location) : (location ?? undefined)
  const asks =
    Math.max(usual, draft.min_worker_level) > 1 ||
    skills.length > 0 ||
    languages.length > 0 ||
    point !== undefined
  if (!asks) return usual
  // Without the worker snapshot, fall back to the default level and skip the warning.
  const crowd = await readCrowd(db.reader, now).catch(() => undefined)
  if (crowd === undefined) return usual
  const shareLevel = levelFor(usual, crowd, config.LEVEL_WORKERS_MIN)
  const level = Math.max(shareLevel, draft.min_worker_level)
  const workers = sharesOf(draft)
  const tooFew =
    config.ELIGIBLE_WARNING === 'on'
      ? crowd.tooFewFor({ level, skills, languages, place: point, workers })
      : undefined
  if (tooFew !== undefined)
    warnings.push({
      code: 'no_eligible_workers',
      path: pathOf({ point, skills, languages, level }),
      message:
        `${tooFew === 0 ? 'Fewer than 5' : `About ${tooFew}`} workers can take this task now ` +
        `(${demandsOf({ point, skills, languages, level })}). ` +
        'It stays open until its deadline; ask for less to reach more',
      eligible_workers: tooFew,
    })
  return shareLevel
}

interface Asked {
  point: unknown
  skills: string[]
  languages: string[]
  level: number
}

/** The path of the field that the agent should change first. */
function pathOf({ point, skills, languages, level }: Asked): string {
  if (skills.length > 0) return 'skills'
  if (languages.length > 0) return 'languages'
  if (level > 1) return 'min_worker_level'
  return point === undefined ? 'consensus_count' : 'location'
}

const demandsOf = ({ point, skills, languages, level }: Asked): string =>
  [
    ...(level > 1 ? [`level ${level} or higher`] : []),
    ...(skills.length > 0 ? [`skills ${skills.join(', ')}`] : []),
    ...(languages.length > 0 ? [`languages ${languages.join(', ')}`] : []),
    ...(point === undefined ? [] : ['within reach of the place']),
  ].join('; ')
