/**
 * Create a task: lock its budget in escrow and open it to workers.
 *
 *   called by   an agent
 *   moves       (none) → pending
 *   money       wallet → escrow; for a free task promotional fund → escrow
 *   event       task.created (internal, not sent to webhooks)
 */
import { z } from 'zod'
import { keyCap, keyType, testQuotaExceeded, tierCap, tooManyTestTasks } from '../agents/errors.ts'
import { admitTestTask } from '../agents/test-usage.ts'
import { tierOf, tierRefusal } from '../agents/tiers.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../kit/db.ts'
import {
  type AgentCaller,
  type Answer,
  answerWith,
  type Claim,
  endpoint,
  type Warning,
} from '../kit/endpoint.ts'
import { type ApiError, idempotencyMismatch } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import type { Switches } from '../kit/switches.ts'
import { taskRefused } from '../screening/errors.ts'
import { screenTask } from '../screening/screen.ts'
import { targetProtected } from '../targets/errors.ts'
import { reserveTargets } from '../targets/reserve.ts'
import { checkCallback } from '../webhooks/addresses.ts'
import { createInBatch } from './creations.ts'
import { decideLevel } from './decide-level.ts'
import { type Draft, draftTask } from './draft.ts'
import { agentRestricted, creationRefusal, insufficientFunds, taskTypeOff } from './errors.ts'
import { TASK_BODY_MAX_BYTES, TaskInput } from './fields.ts'
import { SCREENING, TaskView, viewTask } from './view.ts'

export const CREATE_ERRORS = [
  insufficientFunds,
  keyCap,
  agentRestricted,
  tierCap,
  keyType,
  tooManyTestTasks,
  testQuotaExceeded,
  taskTypeOff,
  taskRefused,
  targetProtected,
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
    'The budget is locked in escrow. A free task is used first if you have one left and the ' +
    'budget is small enough; otherwise the wallet pays.',
  body: TaskInput,
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success: { status: 201, body: z.object({ task: TaskView }) },
  errors: CREATE_ERRORS,

  check: checkCallback,
  transaction: 'own',
  handler: ({ body, ...request }) => createTask(body, request),
})

export interface CreateTask {
  db: Db
  config: Config
  agent: AgentCaller
  now: Date
  claim: Claim | undefined
  switches: Switches
  warnings: Warning[]
  recall(): Promise<Answer | undefined>
  once(effect: (tx: Tx) => Promise<Answer>): Promise<Answer>
  address(): string | undefined
}

/**
 * Concurrent creations are batched into one transaction of the SQL function create_tasks, which decides who pays and
 * stores the responses.
 */
export async function createTask(
  input: TaskInput,
  request: CreateTask,
  { isSchemaDefault = false } = {},
): Promise<Answer> {
  const { db, config, agent, now, claim, switches } = request
  const warnings = [...request.warnings]
  const warn = (warning: Warning) => warnings.push(warning)
  // Nothing was written; this stores the refusal under the idempotency key, so a retry gets the same one.
  const refuse = (error: ApiError) =>
    request.once(async () => {
      throw error
    })
  let draft: Draft
  try {
    draft = draftTask(input, { agent, now, warn })
  } catch (error) {
    // Perhaps a retry whose deadline or schedule has passed since the first attempt.
    return recallOr(request, error)
  }
  if (agent.types !== null && !agent.types.includes(draft.type))
    throw keyType({ type: draft.type, allowed_types: [...agent.types] })
  if (agent.mode === 'live' && (await switches.isStopped(`tasks_${draft.type}`)))
    return recallOr(request, taskTypeOff({ type: draft.type }))
  const tier = async () => (await tierOf(db.reader, agent.id, config)).name
  const { refusal, doubt } = await screenTask(draft, { config, now, tier, warn })
  if (refusal !== undefined) return refuse(refusal)
  if (agent.mode === 'test') {
    // A retry stores nothing, so it returns the earlier response and doesn't count against the quota.
    const earlier = await request.recall()
    if (earlier !== undefined) return earlier
    const use = { agentId: agent.id, address: request.address(), task: input, now }
    await admitTestTask(db, config, use)
  }
  const shareLevel = await decideLevel(draft, { shards: db.shards, config, now, warn })
  const taskId = mintId('task', now, shardOf(agent.id))
  const targeted = { ...draft, id: taskId }
  const held = await reserveTargets(targeted, { shards: db.shards, config, now, warn })
  if (held?.refusal) return refuse(held.refusal)

  const task = {
    ...draft,
    id: taskId,
    status: 'pending' as const,
    status_reason: doubt ? SCREENING : null,
    escrow_cents: draft.locked_cents,
    updated_at: now,
  }
  // Rendered at most once per funding: the same text is stored and sent.
  const answers: Partial<Record<'wallet' | 'free', Answer>> = {}
  const render = (funding: 'wallet' | 'free') =>
    (answers[funding] ??= answerWith(201, { task: viewTask({ ...task, funding }) }, warnings))
  const result = await createInBatch(db, config, {
    taskId,
    keyId: agent.keyId,
    draft,
    shareLevel,
    isSchemaDefault,
    doubt,
    mayBeFree: draft.locked_cents <= config.FREE_TASK_MAX_CENTS,
    claim,
    render: (funding) => render(funding).body,
  })
  if (result.outcome !== 'created') await held?.giveBack()
  switch (result.outcome) {
    case 'created':
      return render(result.funding)
    case 'replayed':
      return { status: result.status!, body: result.answer!, isReplay: true }
    case 'mismatch':
      throw idempotencyMismatch()
    case 'restricted':
      throw agentRestricted()
    case 'tier_cap':
      return refuse(await tierRefusal(db.reader, agent.id, config))
    case 'insufficient':
    case 'key_cap':
      return refuse(creationRefusal(result, { requiredCents: draft.locked_cents, config }))
  }
}

/** A retry gets the stored response, whatever would be decided now. */
async function recallOr({ recall }: Pick<CreateTask, 'recall'>, error: unknown): Promise<Answer> {
  const earlier = await recall()
  if (earlier === undefined) throw error
  return earlier
}
