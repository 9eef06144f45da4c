/** A small consistent ledger with a little of everything, and statements that break each invariant of it. */
import { sql } from 'kysely'
import type { Db } from '../../src/kit/db.ts'
import { mintId } from '../../src/kit/ids.ts'
import { openAccounts, postEntries } from '../../src/ledger/journal.ts'
import {
  chargeback,
  deposit,
  escrowLock,
  escrowRelease,
  payoutPaid,
  payoutRequested,
} from '../../src/ledger/movements.ts'

const SHARD = 7
export const now = new Date('2025-01-15T12:00:00Z')

const book = { mode: 'live', shard: SHARD } as const
export const [agentId, debtor] = [mintId('agent', now, SHARD), mintId('agent', now, SHARD)]
export const [w, x] = [mintId('worker', now, SHARD), mintId('worker', now, SHARD)]
const task = (funding: 'wallet' | 'free') => ({
  ...book,
  agentId,
  taskId: mintId('task', now, SHARD),
  lockedCents: 1000,
  commissionBasisPoints: 1800,
  funding,
})
export const [done, held, free] = [task('wallet'), task('wallet'), task('free')]
const payout = { ...book, payoutId: 'pay_1', workerId: w, amountCents: 200 }
const sent = { ...payout, payoutId: 'pay_2', amountCents: 50 }
const bt = { ...book, balanceTransactionId: 'txn_1', agentId: debtor, amountCents: 300 }

/** Fills an empty database. */
export const fillLedger = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    await openAccounts(tx, { ownerId: agentId, mode: 'live', freeTasks: 3 })
    await openAccounts(tx, { ownerId: debtor, mode: 'live' })
    await openAccounts(tx, { ownerId: w, mode: 'live' })
    await openAccounts(tx, { ownerId: x, mode: 'live' })
    await postEntries(
      tx,
      [
        deposit({ ...book, depositId: 'dep_1', agentId, amountCents: 5000 }),
        escrowLock(done),
        escrowLock(held),
        escrowLock(free),
        escrowRelease({ ...done, workerIds: [w, x], grossCents: 1000 }),
        payoutRequested(payout),
        payoutRequested(sent),
        payoutPaid(sent),
        chargeback({ ...bt, feeCents: 1500 }),
      ],
      { now },
    )
    await sql`set local role none`.execute(tx)
    for (const { taskId, funding } of [done, held, free])
      await sql`
      insert into tasks (id, agent_id, mode, type, status, description, budget_cents, budget_basis, locked_cents,
                         escrow_cents, funding, urgency, proof_required, consensus_count, deadline,
                         auto_approve_after, min_worker_level, skills, context, created_at, updated_at, ended_at)
      select ${taskId}, ${agentId}, 'live', 'custom', case when ended then 'completed' else 'pending' end::task_status,
             'A task', 1000, 'total', 1000, case when ended then 0 else 1000 end, ${funding}, 'standard', 'text', 1,
             ${now}, 0, 0, '{}', '{}', ${now}, ${now}, case when ended then ${now}::timestamptz end
        from (select ${taskId === done.taskId}::boolean as ended) s`.execute(tx)
    await sql`update ledger_agents set free_tasks_remaining = 2 where agent_id = ${agentId}`.execute(
      tx,
    )
  })

const insert = (columns: Record<string, string | number | null>) => {
  const row = {
    key: 'planted',
    line: 1,
    id: 'txn_planted',
    mode: 'live',
    kind: 'deposit',
    debit: 'asset:processor_balance',
    credit: 'liab:suspense',
    amount_cents: 1,
    shard: SHARD,
    request_hash: 0,
    created_at: now.toISOString(),
    ...columns,
  }
  const values = Object.values(row).map((value) => (value === null ? 'null' : `'${value}'`))
  return `insert into transfers (${Object.keys(row).join(', ')}) values (${values.join(', ')})`
}

/** A worker's slot in the completed task, with its outcome. */
export const slot = (workerId: string, outcome: 'done' | 'not_possible') =>
  `insert into assignments (id, task_id, agent_id, worker_id, status, pay_cents, deadline, accepted_at, expires_at,
                            outcome)
   values ('asg_${workerId}', '${done.taskId}', '${agentId}', '${workerId}', 'approved', 1, now(), now(), now(),
           '${outcome}')`

/** A dispute of the first worker's proof of that task, and what its agent was charged in the end. */
const aDispute = (status: string, debitedCents: number) =>
  `insert into disputes (id, task_id, agent_id, assignment_ids, reason, status, touches_trust, refunded_cents,
                         debited_cents, created_at, resolved_at)
   values ('dsp_1', '${done.taskId}', '${agentId}', '{asg_${w}}', 'No', '${status}', false, 0, ${debitedCents}, now(),
           case when '${status}' <> 'open' then now() end)`

/** A deposit, its refund and a payout, as rows without ledger entries. */
const [paidIn, paidBack, paidOut] = (['txn', 'rfd', 'po'] as const).map((prefix) =>
  mintId(prefix, now, SHARD),
) as [string, string, string]
const row = (table: string, columns: Record<string, string | number>) => {
  const at = now.toISOString()
  const all = { created_at: at, updated_at: at, ...columns }
  const values = Object.values(all).map((value) => `'${value}'`)
  return `insert into ${table} (${Object.keys(all).join(', ')}) values (${values.join(', ')})`
}
const aDeposit = (columns: Record<string, string | number>) =>
  row('deposits', {
    id: paidIn,
    agent_id: agentId,
    mode: 'live',
    amount_cents: 500,
    expires_at: now.toISOString(),
    ...columns,
  })
const paidDeposit = aDeposit({
  status: 'succeeded',
  charge_id: 'ch_x',
  succeeded_at: now.toISOString(),
})
const aRefund = (status: string) =>
  row('refunds', {
    id: paidBack,
    deposit_id: paidIn,
    agent_id: agentId,
    amount_cents: 200,
    status,
    requested_by: 'test',
    reason: 'test',
  })
const aPayout = (columns: Record<string, string | number>) =>
  row('payouts', {
    id: paidOut,
    worker_id: w,
    agent_id: agentId,
    task_id: done.taskId,
    mode: 'live',
    funding: 'wallet',
    amount_cents: 410,
    available_at: now.toISOString(),
    ...columns,
  })
const aMatch = (cents: number) => `
  insert into balance_transactions (id, type, reporting_category, amount_cents, fee_cents, net_cents, currency,
    created_at, available_on, mirrored_at, matched_at)
  values ('txn_m', 'charge', 'charge', ${cents}, 0, ${cents}, 'usd', now(), now(), now(), now())`

/** Pay for a worker of another shard: the part of the agent's shard, and that of the worker's. */
const crossing = { key: `task:${done.taskId}:goodwill:${w}`, kind: 'goodwill', amount_cents: 70 }
export const leaves = insert({ ...crossing, debit: 'exp:goodwill', credit: 'liab:clearing' })
export const arrives = insert({ ...crossing, debit: 'liab:clearing', credit: 'exp:goodwill' })

/** An invariant, the subject it must report, and statements that break it. */
export const PLANTED: [invariant: string, subject: string, ...statements: string[]][] = [
  ['what a movement puts into clearing in one shard leaves it in another', crossing.key, leaves],
  [
    'a statement counts without gaps, and each balance follows from the one before',
    agentId,
    `update transfers set agent_balance_cents = agent_balance_cents + 1 where agent_id = '${agentId}'
        and agent_statement_no = 1`,
  ],
  [
    'a statement counts without gaps, and each balance follows from the one before',
    agentId,
    `update transfers set agent_statement_no = agent_statement_no + 100 where agent_id = '${agentId}'
        and agent_statement_no = 2`,
  ],
  [
    'an agent’s wallet is the sum of its transfers',
    agentId,
    `update ledger_agents set wallet_cents = wallet_cents + 1 where agent_id = '${agentId}'`,
  ],
  [
    'an agent’s wallet is the sum of its transfers',
    agentId,
    `delete from transfers where key = 'deposit:dep_1:settled'`,
  ],
  [
    'a line is on the statement of everyone whose balance it moves',
    'planted',
    insert({ debit: 'liab:agent_wallet', agent_id: null }),
  ],
  [
    'an agent’s debt is the sum of its transfers',
    debtor,
    `update ledger_agents set receivable_cents = receivable_cents - 1 where agent_id = '${debtor}'`,
  ],
  [
    'nobody owes and owns at once',
    debtor,
    'alter table ledger_agents drop constraint agent_owes_or_owns',
    `update ledger_agents set wallet_cents = 1 where agent_id = '${debtor}'`,
  ],
  [
    'a worker’s payable is the sum of its transfers',
    w,
    `update ledger_workers set payable_cents = payable_cents + 1 where worker_id = '${w}'`,
  ],
  [
    'a worker’s debt is the sum of its transfers',
    x,
    `update ledger_workers set receivable_cents = 1 where worker_id = '${x}'`,
  ],
  [
    'money in transit is the sum of its transfers',
    'pay_1',
    `update ledger_transits set in_transit_cents = 0 where ref_id = 'pay_1'`,
  ],
  [
    'every touched balance has its row',
    debtor,
    `delete from ledger_agents where agent_id = '${debtor}'`,
  ],
  ['every touched balance has its row', w, `delete from ledger_workers where worker_id = '${w}'`],
  [
    'every touched balance has its row',
    'pay_2',
    `delete from ledger_transits where ref_id = 'pay_2'`,
  ],
  [
    'every touched balance has its row',
    debtor,
    `update ledger_agents set mode = 'test' where agent_id = '${debtor}'`,
  ],
  [
    'the lines of a movement are whole and of one book',
    'bt:txn_1',
    `delete from transfers where key = 'bt:txn_1' and line = 1`,
  ],
  [
    'the lines of a movement are whole and of one book',
    'bt:txn_1',
    `update transfers set mode = 'test' where key = 'bt:txn_1' and line = 2`,
  ],
  [
    'the lines of a movement are whole and of one book',
    'bt:txn_1',
    insert({ key: 'bt:txn_1', line: 3 }),
  ],
  [
    'no escrow is below zero',
    held.taskId,
    `delete from transfers where key = 'task:${held.taskId}:lock'`,
    insert({ key: `task:${held.taskId}:x`, debit: 'liab:escrow', task_id: held.taskId }),
  ],
  [
    'an open task holds its whole budget, an ended one nothing',
    held.taskId,
    insert({ key: `task:${held.taskId}:x`, debit: 'liab:escrow', task_id: held.taskId }),
  ],
  [
    'an open task holds its whole budget, an ended one nothing',
    done.taskId,
    `delete from transfers where key = 'task:${done.taskId}:settle' and line = 3`,
  ],
  [
    'a task was locked once, by its own budget, in its own book',
    held.taskId,
    `update transfers set amount_cents = 999 where key = 'task:${held.taskId}:lock'`,
  ],
  [
    'a task was locked once, by its own budget, in its own book',
    free.taskId,
    `update tasks set funding = 'wallet' where id = '${free.taskId}'`,
  ],
  [
    'an ended task was settled as its status says',
    done.taskId,
    `update tasks set status = 'disputed' where id = '${done.taskId}'`,
  ],
  [
    'an ended task was settled as its status says',
    held.taskId,
    `update tasks set status = 'expired', escrow_cents = 0, ended_at = now() where id = '${held.taskId}'`,
  ],
  [
    'an ended task was settled as its status says',
    done.taskId,
    `update tasks set status = 'cancelled' where id = '${done.taskId}'`,
  ],
  [
    'an ended task was settled as its status says',
    done.taskId,
    `update transfers set kind = 'escrow_refund' where key = 'task:${done.taskId}:settle'`,
    aDispute('upheld', 0),
  ],
  [
    'what the protection fund paid is what the worker got, and what the agent was charged for it',
    'dsp_1',
    aDispute('overturned', 0),
    slot(w, 'done'),
    `update assignments set net_cents = 410, reason = 'No' where worker_id = '${w}'`,
  ],
  [
    'what the protection fund paid is what the worker got, and what the agent was charged for it',
    'dsp_1',
    aDispute('open', 0),
    insert({ key: `task:${done.taskId}:goodwill:${w}`, kind: 'goodwill', ref_id: 'dsp_1' }),
  ],
  [
    'what the protection fund paid is what the worker got, and what the agent was charged for it',
    'dsp_1',
    aDispute('withdrawn', 500),
  ],
  [
    'the commission is the task’s own rate of what was released, rounded down',
    `task:${done.taskId}:settle`,
    `update transfers set amount_cents = 181 where key = 'task:${done.taskId}:settle' and credit = 'rev:commission'`,
  ],
  [
    'workers of one task who did alike are paid alike, to the cent',
    `task:${done.taskId}:settle`,
    ...[w, x].map((id) => slot(id, 'done')),
    `update transfers set amount_cents = 412 where key = 'task:${done.taskId}:settle' and worker_id = '${w}'`,
  ],
  [
    'workers of one task who did alike are paid alike, to the cent',
    `task:${done.taskId}:settle`,
    ...[w, x].map((id) => slot(id, 'not_possible')),
    `update transfers set amount_cents = 412 where key = 'task:${done.taskId}:settle' and worker_id = '${w}'`,
  ],
  [
    'free tasks used and left are what was granted',
    agentId,
    `update ledger_agents set free_tasks_remaining = 3 where agent_id = '${agentId}'`,
  ],
  [
    'free tasks used and left are what was granted',
    agentId,
    `update tasks set status = 'cancelled', escrow_cents = 0, ended_at = now() where id = '${free.taskId}'`,
    `update ledger_agents set free_tasks_remaining = 3 where agent_id = '${agentId}'`,
    insert({ key: `task:${free.taskId}:settle`, kind: 'cancel_compensation' }),
  ],
  [
    'a transfer, its agent and its task are of one book and one agent',
    'deposit:dep_1:settled',
    `insert into agents (id, mode, twin_id, name, email, webhook_secret, created_at)
       values ('${agentId}', 'test', 'none', 'Agent', 'a@example.com', 'secret', now())`,
  ],
  [
    'a transfer, its agent and its task are of one book and one agent',
    `task:${held.taskId}:lock`,
    `update tasks set mode = 'test' where id = '${held.taskId}'`,
  ],
  [
    'a transfer, its agent and its task are of one book and one agent',
    `task:${held.taskId}:lock`,
    `update transfers set agent_id = '${debtor}' where key = 'task:${held.taskId}:lock'`,
  ],
  ['a deposit that succeeded was posted, by its amount, and no other was', paidIn, paidDeposit],
  [
    'a deposit that succeeded was posted, by its amount, and no other was',
    paidIn,
    paidDeposit,
    insert({ key: `deposit:${paidIn}:settled`, amount_cents: 499, ref_id: paidIn }),
  ],
  [
    'a deposit that succeeded was posted, by its amount, and no other was',
    paidIn,
    aDeposit({ status: 'open' }),
    insert({ key: `deposit:${paidIn}:settled`, amount_cents: 500, ref_id: paidIn }),
  ],
  [
    'a deposit that succeeded was posted, by its amount, and no other was',
    'txn_y',
    insert({ key: 'deposit:txn_y:settled', ref_id: 'txn_y' }),
  ],
  [
    'a deposit’s refunds add up to what it says',
    paidIn,
    aDeposit({ status: 'open', refunded_cents: 100 }),
    aRefund('submitting'),
  ],
  [
    'a refund holds its money in transit until it is sent or refused',
    paidBack,
    aRefund('submitting'),
  ],
  [
    'a refund holds its money in transit until it is sent or refused',
    paidBack,
    aRefund('rejected'),
    `insert into ledger_transits (ref_id, mode, in_transit_cents) values ('${paidBack}', 'live', 200)`,
  ],
  [
    'a payout holds its money in transit until it is paid or has failed',
    paidOut,
    aPayout({ status: 'requested', account_id: 'acct_x' }),
  ],
  [
    'a payout holds its money in transit until it is paid or has failed',
    paidOut,
    aPayout({ status: 'awaiting_account' }),
    `insert into ledger_transits (ref_id, mode, in_transit_cents) values ('${paidOut}', 'live', 410)`,
  ],
  [
    'a payout that was paid was posted, by its amount, and no other was',
    paidOut,
    aPayout({ status: 'paid', paid_at: now.toISOString(), transfer_id: 'tr_x' }),
  ],
  [
    'a payout that was paid was posted, by its amount, and no other was',
    paidOut,
    aPayout({ status: 'failed' }),
    insert({ key: `payout:${paidOut}:paid`, amount_cents: 410 }),
  ],
  ['what was matched with the processor’s list says the same to the cent', 'txn_m', aMatch(3)],
  [
    'what was matched with the processor’s list says the same to the cent',
    'txn_m',
    aMatch(4999),
    `insert into processor_matches (key, balance_transaction_id) values ('deposit:dep_1:settled', 'txn_m')`,
  ],
]
