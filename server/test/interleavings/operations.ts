/** The operations that move or promise money, as contenders for one scene. */
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { readConfig } from '../../src/config.ts'
import { decideHeldDispute } from '../../src/disputes/decide-held-dispute.ts'
import { dispute } from '../../src/disputes/dispute.ts'
import { lapseDisputes } from '../../src/disputes/lapse-held-disputes.ts'
import { withdrawDispute } from '../../src/disputes/withdraw-dispute.ts'
import { projectOpenTasks } from '../../src/feed/project-open.ts'
import { once, readClaim } from '../../src/http/idempotency.ts'
import type { Db, Tx } from '../../src/kit/db.ts'
import { type Answer, type AnyEndpoint, type RunAt, SCOPES } from '../../src/kit/endpoint.ts'
import { ApiError, renderError } from '../../src/kit/errors.ts'
import { shardOf } from '../../src/kit/ids.ts'
import { NotEnoughMoney, postEntry } from '../../src/ledger/journal.ts'
import { chargeback, deposit, type Entry, payoutRequested } from '../../src/ledger/movements.ts'
import { accept } from '../../src/tasks/accept.ts'
import { approve } from '../../src/tasks/approve.ts'
import { autoApproveTasks } from '../../src/tasks/auto-approve.ts'
import { cancel } from '../../src/tasks/cancel.ts'
import { create } from '../../src/tasks/create.ts'
import { expireTasks } from '../../src/tasks/expire.ts'
import { release } from '../../src/tasks/release.ts'
import { requestRevision } from '../../src/tasks/request-revision.ts'
import { submitProof } from '../../src/tasks/submit-proof.ts'
import { timeOutAssignments } from '../../src/tasks/time-out.ts'
import type { Json } from '../harness.ts'
import type { State, Told } from './checks.ts'
import { DUE, EARNED_CENTS, NOW, type Scene, type SceneName, WALLET_CENTS } from './scenes.ts'
import type { Player } from './stage.ts'

/** A well-formed id that does not exist. */
const NO_ASSIGNMENT = 'asg_00000000000000000000000000'

export interface Operation {
  /** Scenes where it can succeed, the simplest first. Without any, it concerns balances, which every scene has. */
  scenes?: SceneName[]
  /** Timers skip rows that others have locked. */
  isClock?: boolean
  /** `nth` distinguishes two callers of the same operation. */
  run(db: Db, scene: Scene, nth: number): Promise<Told>
  /** Whether the reported result is in the database. */
  stands?(told: Told, state: State, scene: Scene): boolean
}

/** Only an agent's first dispute of a day affects trust, so two concurrent ones must be distinguishable. */
export const config = readConfig({
  NODE_ENV: 'test',
  SHARD_DATABASES: '16',
  LOG_LEVEL: 'error',
  DISPUTES_TOUCHING_TRUST: '1',
})

const OPEN: SceneName[] = ['open', 'half taken']
const HELD: SceneName[] = ['held', 'last held', 'all held']
const PROVED: SceneName[] = ['proved', 'all proved']
const TIP_CENTS = WALLET_CENTS

export const OPERATIONS: Record<string, Operation> = {
  create: {
    run: (db, scene) => ask(create, { db, scene, body: TASK }),
    stands: ({ task }, { tasks }) => tasks.some(({ id }) => id === task.id),
  },
  accept: {
    scenes: OPEN,
    run: (db, scene, nth) => ask(accept, { db, scene, worker: scene.free[nth] ?? scene.free[0]! }),
    stands: ({ assignment }, { assignments }) => assignments.some(({ id }) => id === assignment.id),
  },
  'submit-proof': {
    scenes: HELD,
    run: (db, scene, nth) =>
      ask(submitProof, { db, scene, worker: holder(scene, nth), body: { text: 'Done' }, nth }),
    stands: ({ proof }, { proofs }) => proofs.some(({ id }) => id === proof.id),
  },
  release: {
    scenes: HELD,
    run: (db, scene, nth) => ask(release, { db, scene, worker: holder(scene, nth) }),
    // A worker who releases a revision has already sent the first proof.
    stands: ({ assignment }, { assignments }) =>
      assignments.some(({ id, status }) => id === assignment.id && status !== 'accepted'),
  },
  'time-out': {
    scenes: HELD,
    isClock: true,
    async run(db, scene) {
      const ids = await holdingOf(db, scene)
      if (ids.length === 0) return { status: 200, moved: 0 }
      return tick(db, (tx) => timeOutAssignments(tx, { ids, now: DUE }))
    },
  },
  approve: {
    scenes: PROVED,
    run: (db, scene) => ask(approve, { db, scene }),
    stands: isCompleted,
  },
  'approve with a tip': {
    scenes: PROVED,
    run: (db, scene) => ask(approve, { db, scene, body: { tip_cents: TIP_CENTS } }),
    stands: isCompleted,
  },
  dispute: {
    scenes: PROVED,
    run: (db, scene) => ask(dispute, { db, scene, body: { reason: 'No' } }),
    stands: ({ task, refunded_cents }, { disputes }) =>
      task.status === 'disputed' &&
      disputes.some((found) => found.refunded_cents === refunded_cents),
  },
  'dispute of one proof': {
    scenes: ['all proved'],
    run: (db, scene) =>
      ask(dispute, {
        db,
        scene,
        body: { reason: 'Not this one', assignment_ids: [scene.assignments[0] ?? NO_ASSIGNMENT] },
      }),
    stands: (_, { assignments }) => assignments.some(({ status }) => status === 'disputed'),
  },
  'request-revision': {
    scenes: PROVED,
    run: (db, scene) =>
      ask(requestRevision, {
        db,
        scene,
        body: { note: 'Again', assignment_id: scene.assignments[0] },
      }),
    stands: (_, { assignments }) => assignments.some(({ revisions }) => revisions === 1),
  },
  'auto-approve': {
    scenes: PROVED,
    isClock: true,
    run: (db, { taskId }) =>
      tick(db, (tx) => autoApproveTasks(tx, { taskIds: [taskId], config, now: DUE })),
    stands: ({ moved }, state) => moved === 0 || state.task.approved_by === 'auto',
  },
  cancel: {
    scenes: ['held', 'open', 'last held', 'half taken'],
    run: (db, scene) => ask(cancel, { db, scene }),
    stands: (_, { task }) => task.status === 'cancelled',
  },
  expire: {
    scenes: ['held', 'open', 'last held', 'half taken'],
    isClock: true,
    run: (db, { taskId }) =>
      tick(db, (tx) => expireTasks(tx, { taskIds: [taskId], config, now: DUE })),
  },
  deposit: movement('deposit', ({ agentId }, nth) =>
    deposit({ ...book(agentId), depositId: `more_${nth}_${agentId}`, agentId, amountCents: 1000 }),
  ),
  'payout requested': movement('payout', ({ workers: [workerId] }, nth) =>
    payoutRequested({
      ...book(workerId!),
      payoutId: `payout_${nth}_${workerId}`,
      workerId: workerId!,
      amountCents: EARNED_CENTS,
    }),
  ),
  chargeback: movement('chargeback', ({ agentId }, nth) =>
    chargeback({
      ...book(agentId),
      balanceTransactionId: `lost_${nth}_${agentId}`,
      agentId,
      amountCents: WALLET_CENTS + 500,
      feeCents: 1500,
    }),
  ),
}

/** On a second task of the same agent and workers. */
const OTHER: Record<string, Operation> = {
  'approve the other': {
    run: (db, scene) => ask(approve, { db, scene, taskId: scene.otherId! }),
  },
  'approve the other with a tip': {
    run: (db, scene) =>
      ask(approve, { db, scene, taskId: scene.otherId!, body: { tip_cents: TIP_CENTS } }),
  },
  'dispute the other': {
    run: (db, scene) => ask(dispute, { db, scene, taskId: scene.otherId!, body: { reason: 'No' } }),
  },
  'auto-approve both': {
    isClock: true,
    run: (db, { taskId, otherId }) =>
      tick(db, (tx) => autoApproveTasks(tx, { taskIds: [otherId!, taskId], config, now: DUE })),
  },
}

/** With the same Idempotency-Key. */
const REPEATED: Record<string, Operation> = {
  'accept by the same worker': {
    run: (db, scene) => ask(accept, { db, scene, worker: scene.free[0]! }),
    stands: OPERATIONS.accept!.stands!,
  },
  'keyed create': {
    run: (db, scene) => ask(create, { db, scene, body: TASK, key: KEY }),
    stands: OPERATIONS.create!.stands!,
  },
  'keyed accept': {
    run: (db, scene) => ask(accept, { db, scene, worker: scene.free[0]!, key: KEY }),
    stands: OPERATIONS.accept!.stands!,
  },
  'keyed submit-proof': {
    run: (db, scene) =>
      ask(submitProof, { db, scene, worker: holder(scene, 0), body: { text: 'Done' }, key: KEY }),
    stands: OPERATIONS['submit-proof']!.stands!,
  },
  'keyed approve': { run: (db, scene) => ask(approve, { db, scene, key: KEY }) },
  'keyed approve with a tip': {
    run: (db, scene) => ask(approve, { db, scene, body: { tip_cents: TIP_CENTS }, key: KEY }),
  },
  'keyed approve of the other': {
    run: (db, scene) => ask(approve, { db, scene, taskId: scene.otherId!, key: KEY }),
  },
  'keyed dispute': {
    run: (db, scene) => ask(dispute, { db, scene, body: { reason: 'No' }, key: KEY }),
  },
  'keyed cancel': { run: (db, scene) => ask(cancel, { db, scene, key: KEY }) },
}

/** The ways to end a held dispute, besides approve. */
const HELD_DISPUTE: Record<string, Operation> = {
  'uphold the dispute': {
    run: (db, scene) => decide(db, scene, 'uphold'),
    stands: (_, state) => disputeIs('open', state),
  },
  'reject the dispute': {
    run: (db, scene) => decide(db, scene, 'reject'),
    stands: (_, state) => disputeIs('rejected', state),
  },
  'withdraw the dispute': {
    run: (db, scene) => ask(withdrawDispute, { db, scene }),
    stands: (_, state) => disputeIs('withdrawn', state),
  },
  'lapse the dispute': {
    isClock: true,
    async run(db, scene) {
      const disputeIds = await heldDisputesOf(db, scene)
      if (disputeIds.length === 0) return { status: 200, moved: 0 }
      return tick(db, (tx) => lapseDisputes(tx, { disputeIds, config, now: DUE }))
    },
    stands: ({ moved }, state) => moved === 0 || disputeIs('lapsed', state),
  },
}

/** No money involved: the relay's changes to the feed. */
const FEED: Record<string, Operation> = {
  'show in the feed': {
    run: (db, { taskId }) =>
      tick(db, async (tx) => {
        await projectOpenTasks({ tx, feed: tx }, [{ type: 'task.created', task_id: taskId }], NOW)
        return 1
      }),
  },
}

const KEY = 'the-one-key'
const ALL = { ...OPERATIONS, ...OTHER, ...REPEATED, ...HELD_DISPUTE, ...FEED }

const TASK = { description: 'Look', budget_cents: WALLET_CENTS }

/** Operations on one task as contenders for it, with distinct names when they are the same. */
export function contend(names: string[]): Player[] {
  return names.map((name, nth) => {
    const operation = ALL[name]!
    const isRepeated = names.indexOf(name) !== names.lastIndexOf(name)
    return {
      name: isRepeated ? `${name} (${nth + 1})` : name,
      run: (db, scene) => operation.run(db, scene, nth).catch(asDefect),
      stands: operation.stands,
      ...(operation.isClock ? { skipped: { status: 200, moved: 0 } } : {}),
    }
  })
}

/** An error that is not a refusal is a bug, and the caller gets a 500. */
export const asDefect = (error: unknown): Told => ({
  status: 500,
  defect: inspect(error, { depth: 3 }),
})

/** The scenes in which two operations can conflict; the simplest one where one of them concerns only balances. */
export function arenasOf(first: string, second: string): SceneName[] {
  const [a, b] = [OPERATIONS[first]!.scenes, OPERATIONS[second]!.scenes]
  if (a === undefined || b === undefined) return [(a ?? b ?? ['open'])[0]!]
  return a.filter((scene) => b.includes(scene))
}

/** The same; if there are none, the scenes where each of them can start. */
export function scenesFor(first: string, second: string): SceneName[] {
  const arenas = arenasOf(first, second)
  if (arenas.length > 0) return arenas
  return [first, second].map((name) => OPERATIONS[name]!.scenes![0]!)
}

interface Asked {
  db: Db
  scene: Scene
  /** The caller, if it is not the agent. */
  worker?: string
  taskId?: string
  body?: Json
  key?: string
  nth?: number
}

/** Runs one request as http/server.ts serves it, from the body on, without the network. */
export async function ask(
  endpoint: AnyEndpoint,
  { db, scene, worker, taskId = scene.taskId, body = {}, key, nth = 0 }: Asked,
): Promise<Told> {
  const principal = worker ?? scene.agentId
  const now = new Date(NOW.getTime() + nth)
  const claim = await readClaim(key, {
    method: endpoint.method,
    path: endpoint.path.replace(':id', taskId),
    body,
    principal,
    isSecret: false,
  })
  const runAt =
    (tx: Tx): RunAt =>
    (_, work) =>
      work(tx)
  const inTransaction = (effect: (tx: Tx, runAt: RunAt) => Promise<Answer>) =>
    db.transaction((tx) =>
      claim === undefined
        ? effect(tx, runAt(tx))
        : once(tx, claim, {
            now,
            isSecret: false,
            effect: () => effect(tx, runAt(tx)),
            render: (error) => renderError(error, 'req', config),
          }),
    )
  const request = {
    params: { id: taskId },
    query: undefined,
    body: endpoint.body ? (endpoint.body.parse(body) as unknown) : undefined,
    agent: {
      id: scene.agentId,
      mode: 'live' as const,
      keyId: 'key',
      scopes: SCOPES,
      types: null,
      visibleKeyId: null,
    },
    worker: worker === undefined ? undefined : { id: worker, mode: 'live' as const },
    now,
    config,
    requestId: 'req',
    address: () => undefined,
    shards: db.shards,
    db,
    claim,
    warnings: [],
    recall: () => Promise.resolve(undefined),
    switches: { isStopped: () => Promise.resolve(false) },
    once: inTransaction,
  }
  try {
    const answer =
      endpoint.transaction === 'own'
        ? ((await endpoint.handler(request as never)) as Answer)
        : await inTransaction(async (tx, at) => ({
            status: endpoint.success.status,
            body: JSON.stringify(await endpoint.handler({ ...request, tx, runAt: at } as never)),
            isReplay: false,
          }))
    return { ...(JSON.parse(answer.body) as Json), status: answer.status }
  } catch (error) {
    return asRefusal(error)
  }
}

function asRefusal(error: unknown): Told {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  return { ...error.extra, status: error.status, code: error.code }
}

/** As `ops dispute` does. */
async function decide(db: Db, { taskId: id }: Scene, verdict: 'uphold' | 'reject'): Promise<Told> {
  const decision = { id, verdict, note: 'Seen', operator: 'olga', config, now: NOW }
  try {
    const { dispute: after } = await db.transaction((tx) => decideHeldDispute(tx, decision))
    return { status: 200, dispute: after.status }
  } catch (error) {
    return asRefusal(error)
  }
}

const disputeIs = (status: string, { disputes }: State) =>
  disputes.some((found) => found.status === status)

async function tick(db: Db, work: (tx: Tx) => Promise<number>): Promise<Told> {
  return { status: 200, moved: await db.transaction(work) }
}

const book = (id: string) => ({ mode: 'live', shard: shardOf(id) }) as const

function movement(name: string, entryFor: (scene: Scene, nth: number) => Entry): Operation {
  return {
    async run(db, scene, nth) {
      const entry = entryFor(scene, nth)
      try {
        const outcome = await db.transaction((tx) => postEntry(tx, entry, { now: NOW }))
        return { status: 200, [name]: outcome, key: entry.key }
      } catch (error) {
        if (error instanceof NotEnoughMoney) return { status: 402, key: entry.key }
        throw error
      }
    },
    stands: ({ key }, { transfers }) => transfers.some((found) => found.key === key),
  }
}

function isCompleted({ settlement }: Told, { task }: State): boolean {
  if (task.status !== 'completed') return false
  assert.deepEqual(settlement, task.settlement)
  return true
}

const holder = ({ holding, workers }: Scene, nth: number) =>
  holding[nth] ?? holding[0] ?? workers[0]!

/** The assignments that the sweep would find; reads without a lock, as the sweep does. */
async function holdingOf(db: Db, { taskId }: Scene): Promise<string[]> {
  const rows = await db.reader
    .selectFrom('assignments')
    .select('id')
    .where('task_id', '=', taskId)
    .where('status', '=', 'accepted')
    .execute()
  return rows.map(({ id }) => id)
}

async function heldDisputesOf(db: Db, { taskId }: Scene): Promise<string[]> {
  const rows = await db.reader
    .selectFrom('disputes')
    .select('id')
    .where('task_id', '=', taskId)
    .where('status', '=', 'held')
    .execute()
  return rows.map(({ id }) => id)
}
