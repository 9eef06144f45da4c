/**
 * The same operations as one would write them without concurrency in mind: each is correct alone, and each assumes that
 * what it has read is still true. They write the same tables, in a database where they have the rights to.
 */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../../src/kit/db.ts'
import { mintId, shardOf } from '../../src/kit/ids.ts'
import { postEntry } from '../../src/ledger/journal.ts'
import { escrowRefund } from '../../src/ledger/movements.ts'
import { decideApproval } from '../../src/tasks/approve.ts'
import { create } from '../../src/tasks/create.ts'
import { workerPayCents } from '../../src/tasks/draft.ts'
import { afterMove, type Move, touchTrust } from '../../src/tasks/moves.ts'
import { assignmentsOf, findTask } from '../../src/tasks/queries.ts'
import { recordEvents } from '../../src/webhooks/record-event.ts'
import type { Told } from './checks.ts'
import { asDefect, ask, config } from './operations.ts'
import { DUE, NOW, type Scene, WALLET_CENTS } from './scenes.ts'
import type { Player } from './stage.ts'

export const allowAll = (owner: pg.Pool) =>
  owner.query(`
    grant insert, update on tasks, assignments, disputes, workers, trust_events, transfers, ledger_agents,
      ledger_workers, idempotency_keys to legwork_app`)

/** Our own move_tasks without its version check (optimistic lock). */
export async function forgetVersions(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ text: string }>(
    `select pg_get_functiondef('move_tasks'::regproc) as text`,
  )
  const text = rows[0]!.text.replace(
    /\bif known_version.*? is distinct from \S+ then/,
    'if false then',
  )
  assert.notEqual(text, rows[0]!.text, 'the guard was found')
  await owner.query(text)
}

const refused: Told = { status: 409 }

/** Reads the status, and settles under its own key: approval and dispute do not exclude each other. */
export const approve: Player = player('approve, read then written', async (tx, scene) => {
  const task = await findTask(tx, scene)
  if (task.status !== 'proof_submitted') return refused
  const assignments = await assignmentsOf(tx, [task])
  const { move } = decideApproval({ task, assignments }, { by: 'agent', config, now: NOW })
  await write(tx, move!)
  return { status: 200, task: { status: 'completed' } }
})

export const dispute: Player = player('dispute, read then written', async (tx, scene) => {
  const task = await findTask(tx, scene)
  if (task.status !== 'proof_submitted') return refused
  const assignments = await assignmentsOf(tx, [task])
  await write(tx, {
    task,
    becomes: { status: 'disputed', status_reason: 'disputed_by_agent', review_due_at: null },
    entries: [
      escrowRefund({
        mode: task.mode,
        shard: shardOf(task.id),
        taskId: task.id,
        agentId: task.agent_id,
        lockedCents: task.locked_cents,
        funding: task.funding,
      }),
    ],
    assignments: assignments.map((slot) => ({ ...slot, status: 'disputed', ended_at: NOW })),
    trust: assignments.map((slot) => touchTrust('disputed', slot, NOW)),
    // The event data is not checked.
    events: [{ type: 'task.disputed', data: {} as never }],
  })
  return { status: 200, task: { status: 'disputed' } }
})

/** Writes everything that belongs to a move, without checking whether the task has changed since it was read. */
async function write(tx: Tx, move: Move): Promise<void> {
  await sql`select set_config('legwork.crossing', 'test', true)`.execute(tx)
  const { id, agent_id } = move.task
  for (const entry of move.entries ?? [])
    await postEntry(tx, { ...entry, key: `task:${id}:${entry.kind}` }, { now: NOW })
  const { status, escrow_cents, ended_at, approved_by, settlement } = afterMove(move, NOW)
  await tx
    .updateTable('tasks')
    .set({ status, escrow_cents, ended_at, approved_by, settlement: JSON.stringify(settlement) })
    .where('id', '=', id)
    .execute()
  for (const slot of move.assignments ?? [])
    await tx
      .updateTable('assignments')
      .set({ status: slot.status, net_cents: slot.net_cents, ended_at: slot.ended_at })
      .where('id', '=', slot.id)
      .execute()
  for (const change of move.trust ?? []) {
    await sql`
      insert into trust_events (worker_id, key, cause, good, bad, weight, task_id, created_at)
        values (${change.worker_id}, ${change.key}, ${change.cause}, ${change.good}, ${change.bad}, ${change.weight},
                ${id}, ${NOW})`.execute(tx)
    const column = sql.ref(change.cause === 'approved' ? 'approved_count' : 'disputed_count')
    await sql`update workers set ${column} = ${column} + 1 where id = ${change.worker_id}`.execute(
      tx,
    )
  }
  await recordEvents(
    tx,
    (move.events ?? []).map((event) => ({
      ...event,
      agentId: agent_id,
      task: { id, sequence: move.task.event_sequence + 1 },
      now: NOW,
    })),
  )
}

/** Counts the current workers, and joins them if there is room. */
export const accept = (nth: number): Player =>
  player(`accept by counting (${nth + 1})`, async (tx, scene) => {
    const task = await findTask(tx, scene)
    const assignments = await assignmentsOf(tx, [task])
    if (assignments.length >= task.consensus_count) return refused
    const id = mintId('asg', NOW, shardOf(task.id))
    await tx
      .insertInto('assignments')
      .values({
        id,
        task_id: task.id,
        agent_id: task.agent_id,
        worker_id: scene.free[nth]!,
        pay_cents: workerPayCents(task),
        deadline: task.deadline,
        accepted_at: NOW,
        expires_at: DUE,
      })
      .execute()
    const taken = assignments.length + 1
    await tx
      .updateTable('tasks')
      .set({ slots_taken: taken, status: 'in_progress' })
      .where('id', '=', task.id)
      .execute()
    if (taken === task.consensus_count)
      await tx.deleteFrom('open_tasks').where('task_id', '=', task.id).execute()
    return { status: 200, assignment: { id } }
  })

const KEY_HASH = 'the-one-key'
/** The wallet covers two of them. */
const SMALL_TASK = { description: 'Look', budget_cents: WALLET_CENTS / 2 }

/** Looks up the key, does the work, and only then stores the key. */
export const keyedCreate: Player = {
  name: 'create, with its key looked up first',
  async run(db, scene) {
    const known = await db.reader
      .selectFrom('idempotency_keys')
      .select('answer')
      .where('principal', '=', scene.agentId)
      .where('key_hash', '=', KEY_HASH)
      .executeTakeFirst()
    if (known) return JSON.parse(known.answer!) as Told
    const told = await ask(create, { db, scene, body: SMALL_TASK }).catch(asDefect)
    await db.reader
      .insertInto('idempotency_keys')
      .values({
        week: '2025-01-13',
        principal: scene.agentId,
        key_hash: KEY_HASH,
        fingerprint: '',
        status: told.status,
        answer: JSON.stringify(told),
        created_at: NOW,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return told
  },
}

/** Reads the wallet balance, and writes back what is left of it. */
export const tip = (nth: number): Player =>
  player(`tip out of a wallet that was looked into (${nth + 1})`, async (tx, scene) => {
    await sql`select set_config('legwork.crossing', 'test', true)`.execute(tx)
    const { agentId, workers } = scene
    const workerId = workers[nth]!
    const { wallet_cents } = await tx
      .selectFrom('ledger_agents')
      .select('wallet_cents')
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow()
    if (wallet_cents < WALLET_CENTS) return { status: 402 }
    const taskId = [scene.taskId, scene.otherId!][nth]!
    await sql`
      insert into transfers (key, line, id, mode, kind, debit, credit, amount_cents, shard, agent_id, worker_id,
                             task_id, agent_statement_no, worker_statement_no, request_hash, created_at)
        values (${`task:${taskId}:tip`}, 1, ${mintId('txn', NOW, shardOf(taskId))}, 'live', 'tip',
                'liab:agent_wallet', 'liab:worker_payable', ${WALLET_CENTS}, ${shardOf(taskId)}, ${agentId},
                ${workerId}, ${taskId}, ${100 + nth}, 100, 0, ${NOW})`.execute(tx)
    await sql`
      update ledger_workers set payable_cents = payable_cents + ${WALLET_CENTS}
       where worker_id = ${workerId}`.execute(tx)
    await sql`
      update ledger_agents set wallet_cents = ${wallet_cents - WALLET_CENTS}
       where agent_id = ${agentId}`.execute(tx)
    return { status: 200 }
  })

/** Pays two workers, in the given order. */
export const payBoth = (order: [number, number]): Player =>
  player(`pay worker ${order[0] + 1}, then worker ${order[1] + 1}`, async (tx, { workers }) => {
    for (const i of order)
      await sql`
        update ledger_workers set statement_no = statement_no
         where worker_id = ${workers[i]!}`.execute(tx)
    return { status: 200 }
  })

function player(name: string, work: (tx: Tx, scene: Scene) => Promise<Told>): Player {
  return { name, run: (db, scene) => db.transaction((tx) => work(tx, scene)).catch(asDefect) }
}
