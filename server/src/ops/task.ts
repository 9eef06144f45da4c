/** Show one task: its state, money, slots, disputes and what is waiting. */
import type { Reader, Shards } from '../kit/db.ts'
import { readByIds } from '../kit/everywhere.ts'
import { command, CommandRefused, named } from './command.ts'
import type { Wait } from './look-up.ts'
import { payoutWait } from './payout-waits.ts'

export const task = command({
  name: 'task',
  takes: 'TASK [--json]',
  does: 'show a task: state, money, slots, disputes, open items',
  right: 'view',
  isLook: true,
  async run({ db, clock }, { words: [word] }) {
    const id = named(word, 'a task')
    const found = await readTask(db.shards, id)
    if (found === undefined) throw new CommandRefused(`Task ${id} does not exist`)
    return { data: { at: clock.now(), ...found, waits: waitsOf(found) } }
  },
})

type Found = NonNullable<Awaited<ReturnType<typeof readTask>>>

async function readTask(shards: Shards, taskId: string) {
  const db = shards.at(taskId).reader
  const row = await db
    .selectFrom('tasks')
    .select(['id', 'agent_id', 'mode', 'type', 'status', 'status_reason', 'title', 'description'])
    .select(['budget_cents', 'escrow_cents', 'consensus_count', 'slots_extra', 'slots_taken'])
    .select(['deadline', 'review_due_at', 'reported_at', 'created_at', 'ended_at'])
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const slots = await db
    .selectFrom('assignments')
    .select(['id', 'worker_id', 'status', 'pay_cents', 'net_cents', 'accepted_at', 'expires_at'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute()
  const disputes = await db
    .selectFrom('disputes')
    .select(['id', 'status', 'reason', 'created_at', 'decides_by'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute()
  const appeals = await db
    .selectFrom('appeals')
    .select(['id', 'worker_id', 'agent_until', 'agent_answer', 'ruling'])
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute()
  const reports = await db
    .selectFrom('task_reports')
    .select(['kind', 'verdict', 'created_at'])
    .where('task_id', '=', taskId)
    .execute()
  // A payout is on the shard of its worker.
  const workerIds = slots.map(({ worker_id }) => worker_id)
  const payouts = await readByIds(shards, workerIds, (shard) => unpaidOf(shard, taskId))
  return { task: row, slots, disputes, appeals, reports, payouts }
}

const unpaidOf = (shard: Reader, taskId: string) =>
  shard
    .selectFrom('payouts')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('status', '<>', 'paid')
    .execute()

function waitsOf({ task: row, slots, disputes, appeals, reports, payouts }: Found): Wait[] {
  const isOpen = row.status === 'pending' || row.status === 'in_progress'
  const held = disputes.find(({ status }) => status === 'held')
  return [
    ...(isOpen ? [{ what: 'the task is open', until: row.deadline, next: null }] : []),
    ...slots
      .filter(({ status }) => status === 'accepted')
      .map(({ worker_id, expires_at }) => ({
        what: `${worker_id} is working on it`,
        until: expires_at,
        next: null,
      })),
    ...(row.status === 'proof_submitted' && held === undefined
      ? [
          {
            what: 'the agent is reviewing it; it is approved automatically',
            until: row.review_due_at,
            next: null,
          },
        ]
      : []),
    ...(held === undefined
      ? []
      : [
          {
            what: `the dispute ${held.id} is held`,
            until: held.decides_by,
            next: `ops dispute ${held.id} uphold | reject NOTE`,
          },
        ]),
    ...appeals
      .filter(({ ruling }) => ruling === null)
      .map(({ id, agent_until, agent_answer }) =>
        agent_answer === null
          ? { what: `the agent can reply to the appeal ${id}`, until: agent_until, next: null }
          : {
              what: `the appeal ${id} needs a ruling`,
              until: null,
              next: `ops appeal ${id} upheld | overturned | split NOTE`,
            },
      ),
    ...(reports.some(({ verdict }) => verdict === null)
      ? [
          {
            what: 'a report needs a review',
            until: isOpen ? row.deadline : null,
            next: `ops report ${row.id} clear | uphold REASON`,
          },
        ]
      : []),
    ...payouts.flatMap((payout) => payoutWait(payout) ?? []),
  ]
}
