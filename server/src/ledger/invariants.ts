/**
 * The ledger's invariants. Those of lines and of rows are queries that return the subjects that violate them; those of
 * owners are rules about the sums of a statement. The audit (audit.ts) applies them to slices of the ledger.
 *
 * A query reads only what its pass puts into scope: `transfers`, `tasks` and so on name the rows of one slice, and
 * `all_tasks` and `all_assignments` those of the whole shard. No query joins an agent's row with one of a worker, who
 * can be in another shard; docs/money.md lists which invariants hold in each shard.
 */
import { COMMISSION_BASIS_POINTS } from '../kit/money.ts'

const IN_TRANSIT = `('liab:payout_in_transit', 'liab:refund_in_transit')`
const OF_AGENT = `('liab:agent_wallet', 'asset:agent_receivable')`
const OF_WORKER = `('liab:worker_payable', 'asset:worker_receivable')`
/** A worker of another shard is paid through clearing. */
const TO_WORKER = `('liab:worker_payable', 'liab:clearing')`

/** Of the lines of whole movements. */
export const OF_LINES: Record<string, string> = {
  'the lines of a movement are whole and of one book': `
    select key from transfers group by key
    having count(*) <> max(line) or min(mode) <> max(mode) or min(request_hash) <> max(request_hash)
        or min(kind) <> max(kind)`,
  // The statements' own checks find lines by their numbers, so a line without one must not move a balance.
  'a line is on the statement of everyone whose balance it moves': `
    select key from transfers
     where (agent_id is null or agent_statement_no is null or agent_balance_cents is null)
       and (debit in ${OF_AGENT} or credit in ${OF_AGENT})
        or (worker_id is null or worker_statement_no is null or worker_balance_cents is null)
       and (debit in ${OF_WORKER} or credit in ${OF_WORKER})
        or (debit in ${IN_TRANSIT} or credit in ${IN_TRANSIT})
       and starts_with(key, 'payout:' || ref_id || ':') is not true
       and starts_with(key, 'refund:' || ref_id || ':') is not true`,
  'a transfer, its agent and its task are of one book and one agent': `
    select f.key from transfers f
      left join agents a on a.id = f.agent_id left join all_tasks t on t.id = f.task_id
     where a.mode <> f.mode or t.mode <> f.mode or t.agent_id <> f.agent_id`,
}

/** Of tasks; `transfers` has the lines whose keys begin with `task:`, each with its task's id as `task`. */
export const OF_TASKS: Record<string, string> = {
  'no escrow is below zero': `
    select coalesce(task_id, '?') from transfers where 'liab:escrow' in (debit, credit) group by task_id
    having sum(case when credit = 'liab:escrow' then amount_cents else -amount_cents end) < 0`,
  'an open task holds its whole budget, an ended one nothing': `
    select t.id from tasks t left join (
      select task, sum(case when credit = 'liab:escrow' then amount_cents else -amount_cents end) as cents
        from transfers where 'liab:escrow' in (debit, credit) group by task) f on f.task = t.id
     where t.escrow_cents <> coalesce(f.cents, 0)`,
  'a task was locked once, by its own budget, in its own book': `
    select t.id from tasks t left join transfers f on f.key = 'task:' || t.id || ':lock' and f.line = 1
         and f.amount_cents = t.locked_cents and f.mode = t.mode and f.agent_id = t.agent_id
         and f.kind = case t.funding when 'free' then 'free_task_lock' else 'escrow_lock' end
     where f.key is null`,
  'an ended task was settled as its status says': `
    select t.id from tasks t left join transfers f on f.key = 'task:' || t.id || ':settle' and f.line = 1
     where t.ended_at is not null and (
       case t.status when 'completed' then f.kind = 'escrow_release' or
                       -- Paid by the protection fund, since the budget had gone back.
                       f.kind in ('escrow_refund', 'free_task_return') and exists (
                         select 1 from disputes d
                          where d.task_id = t.id and d.status in ('withdrawn', 'overturned'))
                     when 'disputed' then f.kind in ('escrow_refund', 'free_task_return')
                     else f.kind in ('escrow_refund', 'free_task_return', 'cancel_compensation') end) is not true`,
  // A release whose task has no row is checked against the rate for new tasks.
  'the commission is the task’s own rate of what was released, rounded down': `
    select f.key from transfers f left join tasks t on t.id = f.task_id
     where f.kind = 'escrow_release' and f.debit = 'liab:escrow' group by f.key
    having coalesce(sum(f.amount_cents) filter (where f.credit = 'rev:commission'), 0) <>
      floor(coalesce(max(t.commission_basis_points), ${COMMISSION_BASIS_POINTS}) / 10000.0 *
        coalesce(sum(f.amount_cents) filter (where f.credit = 'rev:commission' or f.credit in ${TO_WORKER}), 0))`,
  'workers of one task who did alike are paid alike, to the cent': `
    select f.key from transfers f
      join assignments a on a.task_id = f.task_id and a.worker_id = f.worker_id and a.status = 'approved'
     where f.kind = 'escrow_release' and f.debit = 'liab:escrow' and f.credit in ${TO_WORKER} group by f.key, a.outcome
    having max(f.amount_cents) - min(f.amount_cents) > 1`,
  'what the protection fund paid is what the worker got, and what the agent was charged for it': `
    select d.id from disputes d left join (
      select task, ref_id,
             sum(amount_cents) filter (where starts_with(key, 'task:' || task || ':goodwill:')) as paid_cents,
             sum(amount_cents) filter (where starts_with(key, 'task:' || task || ':appeal:')) as charged_cents
        from transfers where ref_id is not null group by task, ref_id) f on f.task = d.task_id and f.ref_id = d.id
     where coalesce(f.paid_cents, 0) <>
           (select coalesce(sum(a.net_cents), 0) from all_assignments a
             where a.task_id = d.task_id and a.id = any(d.assignment_ids) and d.resolved_at is not null
               and a.reason is not null)
        or coalesce(f.charged_cents, 0) <> d.debited_cents`,
}

/** Of deposits, with `lines` of each deposit's movement. */
export const OF_DEPOSITS: Record<string, string> = {
  'a deposit that succeeded was posted, by its amount, and no other was': `
    select d.id from deposits d
      left join transfers f on f.key = 'deposit:' || d.id || ':settled' and f.kind = 'deposit'
     group by d.id, d.succeeded_at, d.amount_cents, d.mode having (d.succeeded_at is not null) <> (count(f.key) > 0)
        or count(f.key) > 0 and (sum(f.amount_cents) <> d.amount_cents or bool_or(f.mode <> d.mode))`,
  'a deposit’s refunds add up to what it says': `
    select d.id from deposits d where d.refunded_cents <> least(d.amount_cents, coalesce((
      select sum(r.amount_cents) from refunds r
       where r.deposit_id = d.id and r.status not in ('rejected', 'failed')), 0))`,
}

/** The other half of the deposits' first invariant: found by the lines. */
export const DEPOSITS_WITHOUT_ROW: Record<string, string> = {
  'a deposit that succeeded was posted, by its amount, and no other was': `
    select f.ref_id from transfers f
     where f.kind = 'deposit' and f.ref_id ~ '^txn_' and not exists (select 1 from deposits d where d.id = f.ref_id)`,
}

export const OF_REFUNDS: Record<string, string> = {
  'a refund holds its money in transit until it is sent or refused': `
    select r.id from refunds r left join ledger_transits t on t.ref_id = r.id
     where coalesce(t.in_transit_cents, 0) <>
           case when r.status in ('requested', 'submitting') then r.amount_cents else 0 end`,
}

export const OF_PAYOUTS: Record<string, string> = {
  'a payout holds its money in transit until it is paid or has failed': `
    select p.id from payouts p left join ledger_transits t on t.ref_id = p.id
     where coalesce(t.in_transit_cents, 0) <>
           case when p.account_id is not null
                 and p.status in ('requested', 'submitting', 'awaiting_funds', 'awaiting_account')
                then p.amount_cents else 0 end`,
  'a payout that was paid was posted, by its amount, and no other was': `
    select p.id from payouts p left join transfers f on f.key = 'payout:' || p.id || ':paid'
     where (p.paid_at is not null) <> (f.key is not null) or f.amount_cents <> p.amount_cents or f.mode <> p.mode`,
}

export const OF_TRANSITS: Record<string, string> = {
  'money in transit is the sum of its transfers': `
    select b.ref_id from ledger_transits b where b.in_transit_cents <> (
      select coalesce(sum(case when credit in ${IN_TRANSIT} then amount_cents else -amount_cents end), 0)
        from (select * from transfers f
               where f.key >= 'payout:' || b.ref_id || ':' and f.key < 'payout:' || b.ref_id || ';'
               union all
              select * from transfers f
               where f.key >= 'refund:' || b.ref_id || ':' and f.key < 'refund:' || b.ref_id || ';') f
       where debit in ${IN_TRANSIT} or credit in ${IN_TRANSIT})`,
}

/** The half of it that is found by the lines. */
export const TRANSITS_WITHOUT_ROW: Record<string, string> = {
  'every touched balance has its row': `
    select distinct coalesce(f.ref_id, '?') from transfers f left join ledger_transits b on b.ref_id = f.ref_id
     where (f.debit in ${IN_TRANSIT} or f.credit in ${IN_TRANSIT}) and b.mode is distinct from f.mode`,
}

/** A transaction of the processor's list that was matched, beside the sum of the lines that it was matched with. */
export interface Matched {
  id: string
  net_cents: number
  ledger_cents: number
}

export const OF_MATCHES: Record<string, (matched: Matched) => boolean> = {
  'what was matched with the processor’s list says the same to the cent': ({
    net_cents,
    ledger_cents,
  }) => net_cents !== ledger_cents,
}

/** The sums of one agent's or worker's statement, beside its row of balances. */
export interface Owner {
  owner_id: string
  /** The newest line. */
  statement_no: number
  balance_cents: number
  /** An agent's wallet or a worker's payable. */
  own_cents: number
  owed_cents: number
  free_tasks_used: number
  /** A number is missing, or a balance doesn't follow from the one before. */
  is_gapped: boolean
  has_lines: boolean
  mode: 'live' | 'test' | null
  /** The row of balances, null if there is none. */
  row_mode: 'live' | 'test' | null
  row_no: number | null
  row_own_cents: number | null
  row_owed_cents: number | null
  row_free_tasks_used: number | null
}

type Rule = (owner: Owner) => boolean

const ownDiffers: Rule = (owner) => owner.own_cents !== (owner.row_own_cents ?? 0)
const owedDiffers: Rule = (owner) => owner.owed_cents !== (owner.row_owed_cents ?? 0)

const OF_OWNERS: Record<string, Rule> = {
  'every touched balance has its row': ({ has_lines, mode, row_mode }) =>
    has_lines && row_mode !== mode,
  'a statement counts without gaps, and each balance follows from the one before': (owner) =>
    owner.is_gapped || (owner.row_no !== null && owner.row_no !== owner.statement_no),
}

export const OF_AGENTS: Record<string, Rule> = {
  'an agent’s wallet is the sum of its transfers': ownDiffers,
  'an agent’s debt is the sum of its transfers': owedDiffers,
  'nobody owes and owns at once': ({ row_own_cents, row_owed_cents }) =>
    (row_own_cents ?? 0) > 0 && (row_owed_cents ?? 0) > 0,
  ...OF_OWNERS,
  'free tasks used and left are what was granted': (owner) =>
    owner.row_free_tasks_used !== null && owner.free_tasks_used !== owner.row_free_tasks_used,
}

export const OF_WORKERS: Record<string, Rule> = {
  'a worker’s payable is the sum of its transfers': ownDiffers,
  'a worker’s debt is the sum of its transfers': owedDiffers,
  ...OF_OWNERS,
}

/**
 * Checked over all shards, for each live movement that uses clearing: what leaves it for a worker in one shard came in
 * another. Both are posted together, under one key.
 */
export const CLEARED = 'what a movement puts into clearing in one shard leaves it in another'

/** A round compares the checksums of each day with those of the round before. */
export const UNCHANGED = 'the lines of a day that was audited have not changed since'

/** Checked by counts/check.ts. */
export const COUNTED = 'an agent’s counts are those of its rows'
