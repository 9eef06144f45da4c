/** Client for `create_tasks`, which creates many tasks in one round trip. Concurrent requests are batched. */
import { capsOf } from '../agents/tiers.ts'
import type { Config } from '../config.ts'
import { type Batcher, batcher } from '../kit/batch.ts'
import { call } from '../kit/call.ts'
import type { Db } from '../kit/db.ts'
import type { Claim } from '../kit/endpoint.ts'
import { unavailable } from '../kit/errors.ts'
import type { Functions, TaskCreation } from '../kit/functions.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import { permitsOf } from '../kit/permits.ts'
import { currentTraceparent } from '../kit/traces.ts'
import { toLines } from '../ledger/journal.ts'
import { escrowLock } from '../ledger/movements.ts'
import type { Doubt } from '../screening/screen.ts'
import type { Draft } from './draft.ts'

export interface Creation {
  taskId: string
  keyId: string
  draft: Draft
  /** The level that the share requires, as decided at creation. */
  shareLevel?: number
  /** Whether a shorthand added the answer_schema. */
  isSchemaDefault?: boolean
  /** The screening rules that doubt the task, if any. */
  doubt?: Doubt | undefined
  /** Whether the budget is small enough for a free task. */
  mayBeFree: boolean
  claim: Claim | undefined
  /** The response body to store under the idempotency key. The database decides which funding applies. */
  render(funding: Funding): string
}

type Funding = 'wallet' | 'free'
type FundedCreation = Creation & { funding: Funding; traceparent: string | undefined }
type Row = Functions['create_tasks']['row']
type CreationOutcome = Row & { outcome: Exclude<Row['outcome'], 'other_funding'> }

/** The funding changes between two attempts only if the agent's free tasks do. */
const ATTEMPTS_MAX = 10
const lanes = new WeakMap<Db, Map<string, Batcher<FundedCreation, Row>>>()

/**
 * Creates a task. Most are paid from the wallet, so that is tried first; if a free task applies, the database says so.
 * Safe to retry with the same task id if the outcome is unknown.
 */
export async function createInBatch(
  db: Db,
  config: Config,
  creation: Creation,
): Promise<CreationOutcome> {
  const lane = laneOf(db, config, creation.taskId)
  const traceparent = currentTraceparent()
  let funding: Funding = 'wallet'
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { outcome, ...result } = await lane.add({ ...creation, funding, traceparent })
    if (outcome !== 'other_funding') return { outcome, ...result }
    funding = funding === 'wallet' ? 'free' : 'wallet'
  }
  throw unavailable({ retry_after_seconds: 1 })
}

function laneOf(db: Db, config: Config, taskId: string) {
  const ofDb = lanes.get(db) ?? new Map<string, Batcher<FundedCreation, Row>>()
  lanes.set(db, ofDb)
  // A batch is one transaction, and a transaction can't span databases. Within a database, an agent always uses the
  // same lane, so concurrent batches never wait for each other's wallet locks.
  const shard = shardOf(taskId)
  const name = `${databaseOf(shard, config.SHARD_DATABASES)} ${shard % config.CREATE_LANES}`
  const lane =
    ofDb.get(name) ??
    batcher<FundedCreation, Row>({
      name: 'create_tasks',
      run: (creations) => createTasks(db, config, creations),
      inFlightMax: 1,
      sizeMax: config.CREATE_BATCH_MAX,
      permits: () => permitsOf(db, { of: 'create_tasks', atOnceMax: 2 * config.CREATE_LANES }),
      exclusive: ({ draft, claim }) => claim && `${draft.agent_id} ${claim.keyHash}`,
    })
  ofDb.set(name, lane)
  return lane
}

async function createTasks(db: Db, config: Config, creations: FundedCreation[]): Promise<Row[]> {
  const now = creations[0]!.draft.created_at
  return call(db, 'create_tasks', {
    p_now: now,
    p_creations: creations.map((creation) => toRow(creation, now)),
    p_locks: creations.flatMap(({ taskId, draft, funding }, i) => {
      const { mode, agent_id: agentId, locked_cents: lockedCents } = draft
      const shard = shardOf(taskId)
      const lock = escrowLock({ mode, shard, taskId, agentId, lockedCents, funding })
      return toLines(lock, { entry: i + 1, item: i + 1, now })
    }),
    p_caps: capsOf(config),
  })
}

function toRow(creation: FundedCreation, now: Date): TaskCreation {
  const { taskId, keyId, draft, shareLevel, isSchemaDefault, mayBeFree, funding, claim } = creation
  return {
    id: taskId,
    agent_id: draft.agent_id,
    key_id: keyId,
    event_id: mintId('evt', now, shardOf(taskId)),
    locked_cents: draft.locked_cents,
    may_be_free: mayBeFree,
    key_hash: claim?.keyHash,
    fingerprint: claim?.fingerprint,
    funding,
    response: claim && creation.render(funding),
    type: draft.type,
    title: draft.title ?? undefined,
    description: draft.description,
    budget_cents: draft.budget_cents,
    budget_basis: draft.budget_basis,
    urgency: draft.urgency,
    proof_required: draft.proof_required,
    consensus_count: draft.consensus_count,
    consensus_max: draft.consensus_max ?? undefined,
    min_confidence: draft.min_confidence ?? undefined,
    deadline: draft.deadline,
    scheduled_at: draft.scheduled_at ?? undefined,
    window_minutes: draft.window_minutes ?? undefined,
    auto_approve_after: draft.auto_approve_after,
    min_worker_level: draft.min_worker_level,
    share_level: shareLevel,
    skills: draft.skills,
    languages: draft.languages,
    location: draft.location ?? undefined,
    context: draft.context,
    metadata: draft.metadata ?? undefined,
    answer_schema: draft.answer_schema ?? undefined,
    is_schema_default: isSchemaDefault,
    criteria: draft.criteria ?? undefined,
    callback_url: draft.callback_url ?? undefined,
    rehearsal: draft.rehearsal ?? undefined,
    rehearse_at: draft.rehearse_at ?? undefined,
    commission_basis_points: draft.commission_basis_points,
    created_at: draft.created_at,
    traceparent: creation.traceparent,
    screened_for: creation.doubt?.rules,
    screening_policy: creation.doubt?.policy,
    decides_by: creation.doubt?.decidesBy,
  }
}
