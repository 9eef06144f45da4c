/**
 * Client for `create_tasks`, the SQL function that creates many tasks in one round trip. Concurrent requests are
 * batched; each gets its own outcome.
 */
import type { Config } from '../config.ts'
import { type Batcher, batcher } from '../kit/batch.ts'
import type { Db } from '../kit/db.ts'
import type { Claim } from '../kit/endpoint.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import type { Draft } from './draft.ts'

export interface Creation {
  taskId: string
  keyId: string
  draft: Draft
  /** The level that the share requires, as decided at creation. */
  shareLevel?: number
  /** Whether a shorthand added the answer_schema. */
  isSchemaDefault?: boolean
  claim: Claim | undefined
  /** The responses to store, as two halves: the database inserts the value that only it knows between them. */
  answer: [head: string, tail: string]
  refusal: [head: string, tail: string]
  /** The tail of a refusal while free tasks are left. The database inserts their count before it. */
  refusalTailFree?: string
  /** The head of a refusal by a key cap. The database appends the cap's fields. */
  capHead: string
}

export interface CreationOutcome {
  outcome: 'created' | 'insufficient' | 'key_cap' | 'restricted' | 'replayed' | 'mismatch'
  funding: 'wallet' | 'free'
  balance_cents: number | null
  status: number | null
  answer: string | null
}

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
      run: (creations) => createTasks(db, creations, config.FREE_TASK_MAX_CENTS),
      inFlightMax: 1,
      sizeMax: config.CREATE_BATCH_MAX,
      exclusive: ({ draft, claim }) => claim && `${draft.agent_id} ${claim.keyHash}`,
    })
  ofDb.set(name, lane)
  return lane.add(creation)
}

const CREATE = `
  select outcome, funding, balance_cents, status, answer
    from create_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) order by item`

async function createTasks(
  db: Db,
  creations: Creation[],
  freeMaxCents: number,
): Promise<CreationOutcome[]> {
  const now = creations[0]!.draft.created_at
  const shards = creations.map(({ taskId }) => shardOf(taskId))
  return db.call<CreationOutcome & Record<string, unknown>>('create_tasks', CREATE, [
    now,
    freeMaxCents,
    creations.map(({ taskId }) => taskId),
    creations.map(({ draft }) => draft.agent_id),
    shards,
    creations.map(({ draft }) => draft.locked_cents),
    shards.map((shard) => mintId('txn', now, shard)),
    shards.map((shard) => mintId('evt', now, shard)),
    creations.map(({ claim }) => claim?.keyHash ?? null),
    creations.map(({ claim }) => claim?.fingerprint ?? null),
    JSON.stringify(creations.map(toRow)),
  ])
}

/** Uses the column names of the table. Null fields are omitted; the SQL function reads a missing field as null. */
function toRow(creation: Creation, i: number) {
  const { keyId, draft, claim, answer, refusal, refusalTailFree, capHead } = creation
  const { shareLevel, isSchemaDefault } = creation
  return {
    item: i + 1,
    key_id: keyId,
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
    skills: draft.skills,
    languages: draft.languages,
    location: draft.location ?? undefined,
    context: draft.context,
    metadata: draft.metadata ?? undefined,
    answer_schema: draft.answer_schema ?? undefined,
    criteria: draft.criteria ?? undefined,
    callback_url: draft.callback_url ?? undefined,
    rehearsal: draft.rehearsal ?? undefined,
    rehearse_at: draft.rehearse_at ?? undefined,
    share_level: shareLevel,
    is_schema_default: isSchemaDefault,
    commission_basis_points: draft.commission_basis_points,
    created_at: draft.created_at,
    ...(claim && {
      answer_head: answer[0],
      answer_tail: answer[1],
      refusal_head: refusal[0],
      refusal_tail: refusal[1],
      refusal_tail_free: refusalTailFree,
      cap_head: capHead,
    }),
  }
}
