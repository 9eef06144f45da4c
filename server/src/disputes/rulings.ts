/**
 * The end of a dispute that took effect. The agent withdraws it (withdraw-dispute.ts), the agent doesn't reply to an
 * appeal (concede-appeals.ts), or an operator rules (rule-on-appeal.ts). All three share the effects on money, trust
 * and task in this file. Held disputes never took effect; see held-disputes.ts.
 *
 * The agent was refunded at the time of the dispute, so the protection fund pays the worker, and the agent repays the
 * fund what an approval would have cost, from the wallet or as a debt. For a free task, only the fund pays. `split`
 * halves both amounts, rounded up. The lost trust is restored, and work that is paid in full counts as approved.
 */
import assert from 'node:assert/strict'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { splitByWeight } from '../kit/money.ts'
import { appealDebit, goodwill } from '../ledger/movements.ts'
import { viewAssignment } from '../tasks/assignment-view.ts'
import {
  type Appeal,
  appealsOf,
  type Dispute,
  type Ruling,
  viewDispute,
} from '../tasks/dispute-view.ts'
import { sharesOf } from '../tasks/draft.ts'
import {
  afterMove,
  moneyOf,
  type Move,
  moveTasks,
  pendingTrust,
  touchTrust,
  type TrustChange,
} from '../tasks/moves.ts'
import type { Assignment, Task } from '../tasks/queries.ts'
import { paidInAll, percentOf, type Settlement, settle } from '../tasks/settlement.ts'
import { viewTask } from '../tasks/view.ts'
import { takeBack } from '../workers/trust.ts'

export interface Resolution {
  task: Task
  dispute: Dispute
  /** The assignments to decide on, along with their appeals if there are any. */
  slots: Assignment[]
  ruling: Ruling | 'withdrawn'
  /** `agent`, `silence`, or `operator` followed by a name. */
  by: string
  /** Shown to the worker. */
  note: string
}

/** The state after the resolution. */
export interface Resolved {
  task: Task
  dispute: Dispute
  appeals: Appeal[]
}

/** The transaction must have locked the task. */
export async function resolveDispute(
  tx: Tx,
  { task, dispute, slots, ruling, by, note }: Resolution,
  { config, now }: { config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>; now: Date },
): Promise<Resolved> {
  const parts = partsOf({ task, slots, ruling, config })
  const decided = slots.map((slot, i) => decide(slot, { ruling, cents: parts[i]!.net_cents, now }))
  const debitedCents =
    task.funding === 'free' ? 0 : sum(parts.map(({ gross_cents }) => gross_cents))
  const after = await writeRuling(tx, { dispute, slots, ruling, by, note, debitedCents, now })

  const becomes = becomesAfter(task, { parts, slots, ruling, by })
  const entries = slots.flatMap((slot, i) => moneyFor(task, { dispute, slot, ...parts[i]! }))
  const [moved] = await moveTasks(
    tx,
    [
      {
        task,
        becomes,
        entries,
        assignments: decided.filter((slot, i) => slot !== slots[i]),
        trust: trustFor({ dispute, slots, ruling }, now),
        // A trust event that isn't reverted affects the level from now on.
        pendingTrust: slots.map((slot) => pendingTrust('settled', slot)),
        events: [
          {
            type: 'task.dispute_resolved',
            data: {
              task: viewTask(afterMove({ task, becomes }, now)),
              dispute: viewDispute(after.dispute, after.appeals),
              ruling,
              assignments: decided.map(viewAssignment),
            },
          },
        ],
      },
    ],
    { now },
  )
  return { task: moved!, ...after }
}

interface Part {
  /** `gross_cents` is what the agent pays, `net_cents` what the worker gets. */
  gross_cents: number
  net_cents: number
}

/** What each assignment gets from a ruling: as much as from an approval of only these, or half of that. */
export function partsOf({
  task,
  slots,
  ruling,
  config,
}: Pick<Resolution, 'task' | 'slots' | 'ruling'> & {
  config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>
}): Part[] {
  if (ruling === 'upheld') return slots.map(() => ({ gross_cents: 0, net_cents: 0 }))
  const { gross_cents, workers } = settle({
    lockedCents: task.locked_cents,
    commissionBasisPoints: task.commission_basis_points,
    slots: sharesOf(task),
    workers: slots.map(({ worker_id, outcome }) => ({ workerId: worker_id, outcome: outcome! })),
    notPossiblePercent: config.NOT_POSSIBLE_PERCENT,
  })
  const percents = slots.map(({ outcome }) => percentOf(outcome!, config.NOT_POSSIBLE_PERCENT))
  const grosses = gross_cents === 0 ? percents.map(() => 0) : splitByWeight(gross_cents, percents)
  const part = (cents: number) => (ruling === 'split' ? Math.ceil(cents / 2) : cents)
  return slots.map((_, i) => ({
    gross_cents: part(grosses[i]!),
    net_cents: part(workers[i]!.net_cents),
  }))
}

function decide(
  slot: Assignment,
  { ruling, cents, now }: { ruling: Resolution['ruling']; cents: number; now: Date },
): Assignment {
  if (ruling === 'upheld') return slot
  if (ruling === 'split') return { ...slot, net_cents: cents }
  return { ...slot, status: 'approved', net_cents: cents, ended_at: now }
}

/** A disputed task becomes completed as soon as one of its workers is paid in full after all. */
function becomesAfter(
  task: Task,
  { parts, slots, ruling, by }: Pick<Resolution, 'slots' | 'ruling' | 'by'> & { parts: Part[] },
): Move['becomes'] {
  if (ruling === 'upheld') return {}
  const settlement = addTo(task, slots, parts)
  if (task.status !== 'disputed' || ruling === 'split') return { settlement }
  return {
    status: 'completed',
    status_reason: `dispute_${ruling}`,
    approved_by: by === 'agent' ? 'agent' : by === 'silence' ? 'auto' : 'operator',
    settlement,
  }
}

function addTo(task: Task, slots: Assignment[], parts: Part[]): Settlement {
  const gross = sum(parts.map(({ gross_cents }) => gross_cents))
  const net = sum(parts.map(({ net_cents }) => net_cents))
  return paidInAll(
    {
      gross_cents: gross,
      commission_cents: gross - net,
      refunded_cents: task.locked_cents - gross,
      workers: slots.map(({ worker_id }, i) => ({ worker_id, net_cents: parts[i]!.net_cents })),
    },
    task.settlement as Settlement | null,
  )
}

function moneyFor(
  task: Task,
  { dispute, slot, gross_cents, net_cents }: Part & { dispute: Dispute; slot: Assignment },
) {
  const { mode, shard, taskId, agentId } = moneyOf(task)
  const of = { mode, shard, taskId, disputeId: dispute.id, workerId: slot.worker_id }
  return [
    goodwill({ ...of, amountCents: net_cents }),
    ...(task.funding === 'free' ? [] : [appealDebit({ ...of, agentId, amountCents: gross_cents })]),
  ]
}

/**
 * Restores exactly the trust that the dispute cost, no matter how long ago it was. The worker can be on another shard,
 * so that event is not read but computed again: it was recorded when the assignment ended.
 */
function trustFor(
  { dispute, slots, ruling }: Pick<Resolution, 'dispute' | 'slots' | 'ruling'>,
  now: Date,
): TrustChange[] {
  if (ruling === 'upheld') return []
  const cause = `dispute_${ruling}`
  const back = slots
    .filter(() => dispute.touches_trust)
    .map((slot) => ({
      ...takeBack(touchTrust('disputed', slot, slot.ended_at!)),
      worker_id: slot.worker_id,
      key: `${slot.id}:${cause}`,
      cause,
    }))
  // A task that is paid by half doesn't count as an approved one.
  if (ruling === 'split') return back
  return [...back, ...slots.map((slot) => touchTrust('approved', slot, now))]
}

const BEST_FOR_WORKERS: Dispute['status'][] = ['open', 'upheld', 'split', 'overturned', 'withdrawn']

async function writeRuling(
  tx: Tx,
  {
    dispute,
    slots,
    ruling,
    by,
    note,
    debitedCents,
    now,
  }: Omit<Resolution, 'task'> & { debitedCents: number; now: Date },
): Promise<{ dispute: Dispute; appeals: Appeal[] }> {
  const rank = (status: Dispute['status']) => BEST_FOR_WORKERS.indexOf(status)
  const after = await tx
    .updateTable('disputes')
    .set({
      status: rank(ruling) > rank(dispute.status) ? ruling : dispute.status,
      resolved_at: now,
      debited_cents: dispute.debited_cents + debitedCents,
    })
    .where('id', '=', dispute.id)
    .where('status', '=', dispute.status)
    .where('status', 'not in', ['held', 'rejected', 'lapsed', 'withdrawn'])
    .returningAll()
    .executeTakeFirst()
  assert(after, `${dispute.id} was held and has changed`)
  await tx
    .updateTable('appeals')
    .set({
      ruling: ruling === 'withdrawn' ? 'overturned' : ruling,
      ruled_by: by,
      ruling_note: note,
      ruled_at: now,
    })
    .where('dispute_id', '=', dispute.id)
    .where(
      'assignment_id',
      'in',
      slots.map(({ id }) => id),
    )
    .where('ruling', 'is', null)
    .execute()
  return { dispute: after, appeals: await appealsOf(tx, { ...dispute, id: dispute.task_id }) }
}

const sum = (cents: number[]) => cents.reduce((total, one) => total + one, 0)
