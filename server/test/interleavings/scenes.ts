/**
 * Tasks in the state that an operation needs, each with its own agent and workers, created in bulk: the explorer needs
 * a new scene for every schedule, but no new database.
 */
import { sql } from 'kysely'
import { viewConsensus } from '../../src/consensus/consensus.ts'
import { projectOpenTasks } from '../../src/feed/project-open.ts'
import type { Db, Tx } from '../../src/kit/db.ts'
import { mintId, SHARDS, shardOf } from '../../src/kit/ids.ts'
import { COMMISSION_BASIS_POINTS } from '../../src/kit/money.ts'
import { postEntries } from '../../src/ledger/journal.ts'
import { deposit, escrowLock, goodwill } from '../../src/ledger/movements.ts'
import { workerPayCents } from '../../src/tasks/draft.ts'
import type { Task } from '../../src/tasks/queries.ts'
import { scaleOf } from '../../src/workers/trust.ts'

/** A test database stands for one of sixteen (shards.sql). */
const SHARDS_PER_DATABASE = SHARDS / 16

export interface Recipe {
  slots: number
  /** How many of the workers have sent proof, hold the task, and are only bystanders. */
  proved: number
  holding: number
  free: number
  /** A second task in the same state, of the same agent and workers, who accepted it in the opposite order. */
  isTwice?: boolean
  /** Number of proofs, counted from the first, that have a held dispute. */
  disputed?: number
}

const RECIPES = {
  open: { slots: 1, proved: 0, holding: 0, free: 2 },
  held: { slots: 1, proved: 0, holding: 1, free: 1 },
  proved: { slots: 1, proved: 1, holding: 0, free: 1 },
  'half taken': { slots: 2, proved: 0, holding: 1, free: 2 },
  'all held': { slots: 2, proved: 0, holding: 2, free: 1 },
  'last held': { slots: 3, proved: 2, holding: 1, free: 1 },
  'all proved': { slots: 3, proved: 3, holding: 0, free: 1 },
  'dispute held': { slots: 1, proved: 1, holding: 0, free: 0, disputed: 1 },
  'dispute of one held': { slots: 3, proved: 3, holding: 0, free: 0, disputed: 1 },
  'two proved': { slots: 2, proved: 2, holding: 0, free: 0, isTwice: true },
} satisfies Record<string, Recipe>
export type SceneName = keyof typeof RECIPES

/** The value of each slot, and the wallet balance, which covers one more task. */
export const SHARE_CENTS = 2500
export const WALLET_CENTS = 2500
/** Earlier earnings of each worker. */
export const EARNED_CENTS = 500

/** When workers and agents act; timers run a second later, when everything is due. */
export const NOW = new Date(Math.floor(Date.now() / 1000) * 1000)
export const DUE = new Date(NOW.getTime() + 1000)
const BEFORE = new Date(NOW.getTime() - 3_600_000)

export interface Scene {
  agentId: string
  taskId: string
  /** The second task, where there is one. */
  otherId: string | undefined
  slots: number
  status: Task['status']
  /** When its deadline, the worker's time and the agent's review time end. */
  due: Date
  workers: string[]
  /** Grouped by their role in the task at the start. */
  proved: string[]
  holding: string[]
  free: string[]
  /** The task's assignments, in the order of the workers. */
  assignments: string[]
  /** Those of them that have a held dispute. */
  disputed: string[]
}

export async function makeScenes(
  db: Db,
  scene: SceneName | Recipe,
  count: number,
  { due = DUE }: { due?: Date } = {},
): Promise<Scene[]> {
  const recipe = typeof scene === 'string' ? RECIPES[scene] : scene
  // All agents are on the shards of one database, because they are written in one transaction; workers can be anywhere.
  const first = SHARDS_PER_DATABASE * random(SHARDS / SHARDS_PER_DATABASE)
  const scenes = Array.from({ length: count }, () =>
    newScene(recipe, { due, shard: first + random(SHARDS_PER_DATABASE) }),
  )
  await db.transaction((tx) => writeScenes(tx, scenes))
  return scenes
}

const random = (below: number) => Math.floor(Math.random() * below)

function newScene(recipe: Recipe, { due, shard }: { due: Date; shard: number }): Scene {
  const people = recipe.proved + recipe.holding + recipe.free
  const agentId = mintId('agent', BEFORE, shard)
  const workers = Array.from({ length: people }, () => mintId('worker', BEFORE, random(SHARDS)))
  const taken = recipe.proved + recipe.holding
  const assignments = workers.slice(0, taken).map(() => mintId('asg', BEFORE, shardOf(agentId)))
  return {
    agentId,
    taskId: mintId('task', BEFORE, shardOf(agentId)),
    otherId: recipe.isTwice ? mintId('task', BEFORE, shardOf(agentId)) : undefined,
    slots: recipe.slots,
    due,
    status:
      taken === 0 ? 'pending' : recipe.proved === recipe.slots ? 'proof_submitted' : 'in_progress',
    workers,
    proved: workers.slice(0, recipe.proved),
    holding: workers.slice(recipe.proved, taken),
    free: workers.slice(taken),
    assignments,
    disputed: assignments.slice(0, recipe.disputed ?? 0),
  }
}

/** Runs as the tables' owner, and may write workers on any shard. */
async function writeScenes(tx: Tx, scenes: Scene[]): Promise<void> {
  await sql`select set_config('legwork.crossing', 'test', true)`.execute(tx)
  await sql`set local role none`.execute(tx)
  const works = scenes.flatMap((scene) => worksOf(scene))
  const people = scenes.flatMap(({ workers }) => workers)
  await insert(tx, 'agents', scenes.map(agentRow))
  await insert(tx, 'workers', people.map(workerRow))
  for (const ids of [scenes.map(({ agentId }) => agentId), people])
    await sql`select ledger_open(id, 'live', 0) from unnest(${ids}::text[]) id`.execute(tx)

  const book = (id: string) => ({ mode: 'live', shard: shardOf(id) }) as const
  await postEntries(
    tx,
    [
      ...scenes.map((scene) => {
        const tasks = worksOf(scene).length
        return deposit({
          ...book(scene.agentId),
          depositId: `first_${scene.agentId}`,
          agentId: scene.agentId,
          amountCents: WALLET_CENTS + tasks * lockedOf(scene),
        })
      }),
      ...works.map(({ scene, taskId }) =>
        escrowLock({
          ...book(taskId),
          taskId,
          agentId: scene.agentId,
          lockedCents: lockedOf(scene),
          funding: 'wallet',
        }),
      ),
      ...scenes.flatMap(({ workers, taskId }) =>
        workers.map((workerId) =>
          goodwill({
            ...book(taskId),
            disputeId: `before_${workerId}`,
            workerId,
            taskId: mintId('task', BEFORE, shardOf(taskId)),
            amountCents: EARNED_CENTS,
          }),
        ),
      ),
    ],
    { now: BEFORE },
  )
  await insert(tx, 'tasks', works.map(taskRow))
  await insert(tx, 'assignments', works.flatMap(assignmentRows))
  await insert(tx, 'proofs', works.flatMap(proofRows))
  const held = scenes.filter(({ disputed }) => disputed.length > 0)
  await insert(tx, 'disputes', held.map(disputeRow))
  const created = works.map(({ taskId }) => ({ type: 'task.created', task_id: taskId }))
  await projectOpenTasks({ tx, feed: tx }, created, NOW)
}

interface SceneTask {
  scene: Scene
  taskId: string
  assignments: string[]
  /** The workers who hold them, in the order of their proofs. */
  workers: string[]
}

function worksOf(scene: Scene): SceneTask[] {
  const { taskId, otherId, assignments, workers } = scene
  const first = { scene, taskId, assignments, workers: workers.slice(0, takenOf(scene)) }
  if (otherId === undefined) return [first]
  return [
    first,
    {
      scene,
      taskId: otherId,
      assignments: assignments.map(() => mintId('asg', BEFORE, shardOf(otherId))),
      workers: first.workers.toReversed(),
    },
  ]
}

const takenOf = ({ proved, holding }: Scene) => proved.length + holding.length
const lockedOf = ({ slots }: Scene) => slots * SHARE_CENTS

/** Inserts the columns of the first row; objects are passed as JSON. */
async function insert(tx: Tx, table: string, rows: Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(
    tx,
  )
}

const agentRow = ({ agentId }: Scene) => ({
  id: agentId,
  mode: 'live',
  twin_id: 'none',
  name: 'Agent',
  email: `${agentId}@example.com`,
  status: 'active',
  webhook_secret: 'none',
  events: [],
  created_at: BEFORE,
})

const workerRow = (id: string) => ({
  id,
  mode: 'live',
  name: 'Worker',
  email: `${id}@example.com`,
  password_hash: 'none',
  status: 'active',
  approved_count: 100,
  trust_good: 100 * scaleOf(BEFORE),
  identity_done_at: BEFORE,
  created_at: BEFORE,
  updated_at: BEFORE,
})

function taskRow(work: SceneTask) {
  const { scene, taskId, workers } = work
  const { slots } = scene
  const isProved = scene.status === 'proof_submitted'
  const isHeld = scene.disputed.length > 0
  return {
    id: taskId,
    agent_id: scene.agentId,
    mode: 'live',
    type: 'custom',
    status: scene.status,
    description: 'Look',
    budget_cents: lockedOf(scene),
    budget_basis: 'total',
    locked_cents: lockedOf(scene),
    escrow_cents: lockedOf(scene),
    funding: 'wallet',
    urgency: 'standard',
    proof_required: 'text',
    consensus_count: slots,
    deadline: scene.due,
    auto_approve_after: 3600,
    min_worker_level: 1,
    skills: [],
    context: {},
    created_at: BEFORE,
    updated_at: BEFORE,
    version: 1,
    slots_extra: 0,
    slots_taken: workers.length,
    proofs_received: scene.proved.length,
    proof_at: isProved ? BEFORE : null,
    review_due_at: isProved && !isHeld ? scene.due : null,
    status_reason: isHeld ? 'dispute_held' : null,
    decides_by: isHeld ? scene.due : null,
    consensus: isProved && slots > 1 ? consensusOf(work) : null,
  }
}

function consensusOf({ assignments, workers, scene }: SceneTask) {
  const task = {
    answer_schema: null,
    consensus_count: workers.length,
    consensus_max: null,
    slots_extra: 0,
    min_confidence: null,
  } as unknown as Task
  return viewConsensus(task, {
    votes: workers.slice(0, scene.proved.length).map((workerId, i) => ({
      assignmentId: assignments[i]!,
      workerId,
      answer: null,
      text: 'Done',
      outcome: 'done' as const,
      accuracy: 0.8,
    })),
    incomplete: false,
  })
}

function assignmentRows({ scene, taskId, assignments, workers }: SceneTask) {
  const { slots } = scene
  return workers.map((worker_id, i) => ({
    id: assignments[i]!,
    task_id: taskId,
    agent_id: scene.agentId,
    worker_id,
    status: i < scene.proved.length ? 'submitted' : 'accepted',
    pay_cents: workerPayCents({
      locked_cents: lockedOf(scene),
      commission_basis_points: COMMISSION_BASIS_POINTS,
      consensus_count: slots,
      consensus_max: null,
    }),
    deadline: scene.due,
    accepted_at: BEFORE,
    expires_at: scene.due,
    submitted_at: i < scene.proved.length ? proofTime(i) : null,
    outcome: i < scene.proved.length ? 'done' : null,
    revisions: 0,
  }))
}

const proofTime = (i: number) => new Date(BEFORE.getTime() + 1000 * (i + 1))

function proofRows({ scene, taskId, assignments, workers }: SceneTask) {
  return workers.slice(0, scene.proved.length).map((worker_id, i) => ({
    id: mintId('proof', proofTime(i), shardOf(taskId)),
    assignment_id: assignments[i]!,
    task_id: taskId,
    agent_id: scene.agentId,
    worker_id,
    text: 'Done',
    outcome: 'done',
    checks: [],
    submitted_at: proofTime(i),
  }))
}

const disputeRow = ({ agentId, taskId, disputed, due }: Scene) => ({
  id: mintId('dsp', BEFORE, shardOf(taskId)),
  task_id: taskId,
  agent_id: agentId,
  assignment_ids: disputed,
  reason: 'Too dark',
  criteria: [],
  status: 'held',
  touches_trust: true,
  refunded_cents: 0,
  debited_cents: 0,
  created_at: BEFORE,
  decides_by: due,
})
