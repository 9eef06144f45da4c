/**
 * Client for `create_tasks`, the SQL function that creates many tasks in one round trip. Concurrent requests are
 * batched; each gets its own outcome.
 */
import type { Config } from '../config.ts'
import { type Batcher, batcher } from '../kit/batch.ts'
import { call } from '../kit/call.ts'
import type { Db } from '../kit/db.ts'
import type { Claim } from '../kit/endpoint.ts'
import type { Functions, TaskCreation } from '../kit/functions.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import { toLines } from '../ledger/journal.ts'
import { escrowLock } from '../ledger/movements.ts'
import type { Draft } from './draft.ts'

export interface Creation {
  taskId: string
  keyId: string
  draft: Draft
  /** The level that the share requires, as decided at creation. */
  shareLevel?: number
  /** Whether a shorthand added the answer_schema. */
  isSchemaDefault?: boolean
  /** Whether the budget is small enough for a free task. */
  mayBeFree: boolean
  claim: Claim | undefined
  /** The response body to store under the idempotency key. The database decides which funding applies. */
  render(funding: 'wallet' | 'free'): string
}

type CreationOutcome = Functions['create_tasks']['row']

const lanes = new WeakMap<Db, Map<string, Batcher<Creation, CreationOutcome>>>()

/** Creates a task. Safe to retry with the same task id if the outcome is unknown. */
export function createInBatch(
  db: Db,
  config: Config,
  creation: Creation,
): Promise<CreationOutcome> {
  const ofDb = lanes.get(db) ?? new Map<string, Batcher<Creation, CreationOutcome>>()
  lanes.set(db, ofDb)
  // A batch is one transaction, and a transaction can't span databases. Within a database, an agent always uses the
  // same lane, so concurrent batches never wait for each other's wallet locks.
  const shard = shardOf(creation.taskId)
  const name = `${databaseOf(shard, config.SHARD_DATABASES)} ${shard % config.CREATE_LANES}`
  const lane =
    ofDb.get(name) ??
    batcher<Creation, CreationOutcome>({
      run: (creations) => createTasks(db, creations),
      inFlightMax: 1,
      sizeMax: config.CREATE_BATCH_MAX,
      exclusive: ({ draft, claim }) => claim && `${draft.agent_id} ${claim.keyHash}`,
    })
  ofDb.set(name, lane)
  return lane.add(creation)
}

async function createTasks(db: Db, creations: Creation[]): Promise<CreationOutcome[]> {
  const now = creations[0]!.draft.created_at
  return call(db, 'create_tasks', {
    p_now: now,
    p_creations: creations.map((creation) => toRow(creation, now)),
    p_locks: creations.flatMap((creation, i) => locksOf(creation, { item: i + 1, now })),
  })
}

/** The ledger line that locks the budget, for each funding that is possible. */
function locksOf(
  { taskId, draft, mayBeFree }: Creation,
  { item, now }: { item: number; now: Date },
) {
  const money = {
    mode: draft.mode,
    shard: shardOf(taskId),
    taskId,
    agentId: draft.agent_id,
    lockedCents: draft.locked_cents,
  }
  const fundings = mayBeFree ? (['wallet', 'free'] as const) : (['wallet'] as const)
  return fundings.flatMap((funding) =>
    toLines(escrowLock({ ...money, funding }), { entry: item, item, now }),
  )
}

function toRow(creation: Creation, now: Date): TaskCreation {
  const { taskId, keyId, draft, shareLevel, isSchemaDefault, mayBeFree, claim, render } = creation
  return {
    id: taskId,
    agent_id: draft.agent_id,
    key_id: keyId,
    event_id: mintId('evt', now, shardOf(taskId)),
    locked_cents: draft.locked_cents,
    may_be_free: mayBeFree,
    key_hash: claim?.keyHash,
    fingerprint: claim?.fingerprint,
    wallet_response: claim && render('wallet'),
    free_response: claim && mayBeFree ? render('free') : undefined,
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
  }
}
