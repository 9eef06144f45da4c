/** Invariants of a scene after any operations, and a description of its visible state. */
import type pg from 'pg'
import { commissionCents } from '../../src/kit/money.ts'
import { canMove, hasEnded, STATUSES, type TaskStatus } from '../../src/tasks/status.ts'
import type { Json } from '../harness.ts'
import { NOW, type Scene } from './scenes.ts'

/** The result of one step: an HTTP response, the number of tasks that a timer moved, or whether an entry was posted. */
export interface Told extends Json {
  status: number
}

interface TaskRow {
  id: string
  status: TaskStatus
  locked_cents: number
  commission_basis_points: number
  escrow_cents: number
  consensus_count: number
  slots_extra: number
  slots_taken: number
  proofs_received: number
  decides_by: string | null
  approved_by: string | null
  settlement: Json | null
}

interface TransferRow {
  key: string
  line: number
  kind: string
  debit: string
  credit: string
  amount_cents: number
  agent_id: string | null
  worker_id: string | null
  task_id: string | null
  ref_id: string | null
}

export interface State {
  task: TaskRow
  /** All of the agent's tasks, including the scene's own. */
  tasks: TaskRow[]
  assignments: Json[]
  proofs: Json[]
  disputes: Json[]
  transfers: TransferRow[]
  agent: { wallet_cents: number; receivable_cents: number }
  workers: Json[]
  transits: { ref_id: string; in_transit_cents: number }[]
  trust: Json[]
  events: Json[]
  open: string[]
  keys: Json[]
}

/** All rows of a scene in one round trip. */
const READ = `
  with mine as materialized (select * from tasks where agent_id = $1),
  moved as materialized (
    select f.* from transfers f where f.key in (
      select key from transfers where agent_id = $1 and agent_statement_no is not null
      union select key from transfers where worker_id = any($2) and worker_statement_no is not null
      union select t.key from mine cross join lateral (
        select key from transfers where key >= 'task:' || mine.id || ':' and key < 'task:' || mine.id || ';') t)
  )
  select json_build_object(
    'tasks', (select json_agg(r order by r.id) from (
      select id, status, status_reason, locked_cents, commission_basis_points, escrow_cents, consensus_count, slots_extra, slots_taken,
             proofs_received, review_due_at, decides_by, approved_by, settlement, consensus from mine) r),
    'assignments', (select coalesce(json_agg(r order by r.worker_id, r.id), '[]') from (
      select a.id, a.task_id, a.worker_id, a.status, a.net_cents, a.pay_cents, a.revisions, a.outcome
        from assignments a where a.task_id in (select id from mine)) r),
    'proofs', (select coalesce(json_agg(r order by r.worker_id, r.id), '[]') from (
      select p.id, p.task_id, p.worker_id from proofs p where p.task_id in (select id from mine)) r),
    'disputes', (select coalesce(json_agg(r order by r.id), '[]') from (
      select d.id, d.task_id, d.status, d.reason, d.refunded_cents, d.touches_trust from disputes d
       where d.task_id in (select id from mine)) r),
    'transfers', (select coalesce(json_agg(r order by r.key, r.line), '[]') from (
      select key, line, kind, debit, credit, amount_cents, agent_id, worker_id, task_id, ref_id from moved) r),
    'agent', (select row_to_json(r) from (
      select wallet_cents, receivable_cents from ledger_agents where agent_id = $1) r),
    'workers', (select json_agg(r order by r.id) from (
      select l.worker_id as id, l.payable_cents, l.receivable_cents, w.approved_count, w.disputed_count,
             w.trust_pending
        from ledger_workers l join workers w on w.id = l.worker_id where l.worker_id = any($2)) r),
    'transits', (select coalesce(json_agg(r order by r.ref_id), '[]') from (
      select ref_id, in_transit_cents from ledger_transits where ref_id in (select ref_id from moved)) r),
    'trust', (select coalesce(json_agg(r order by r.worker_id, r.cause), '[]') from (
      select worker_id, cause, task_id, bad, pending_since from trust_events where worker_id = any($2)) r),
    'events', (select coalesce(json_agg(r order by r.type, r.task_id), '[]') from (
      select type, task_id from outbox where agent_id = $1) r),
    'open', (select coalesce(json_agg(task_id), '[]') from open_tasks where task_id in (select id from mine)),
    'keys', (select coalesce(json_agg(r order by r.status), '[]') from (
      select principal, status from idempotency_keys where principal = $1 or principal = any($2)) r)
  ) as state`

export async function readState(pool: pg.Pool, scene: Scene): Promise<State> {
  const { rows } = await pool.query<{ state: Omit<State, 'task'> }>({
    name: 'read_scene',
    text: READ,
    values: [scene.agentId, scene.workers],
  })
  const { state } = rows[0]!
  return { ...state, task: state.tasks.find(({ id }) => id === scene.taskId)! }
}

const ESCROW = 'liab:escrow'
const IN_TRANSIT = ['liab:payout_in_transit', 'liab:refund_in_transit']

/** Checks I1 to I7 of the books, I8 of the statuses, and the slot counts; returns the violations as text. */
export function brokenRules(scene: Scene, state: State, told: Told[]): string[] {
  return [
    ...told.flatMap(({ status, defect }) =>
      status >= 500 ? [`told ${status}: ${JSON.stringify(defect)}`] : [],
    ),
    ...brokenBooks(scene, state),
    ...state.tasks.flatMap((task) => [...brokenEscrow(task, state), ...brokenSlots(task, state)]),
    ...brokenPath(scene, state, told.length),
    ...brokenRecords(state),
  ]
}

function brokenBooks(scene: Scene, { transfers, agent, workers, transits }: State): string[] {
  const broken: string[] = []
  const expect = (what: string, is: number, should: number) => {
    if (is !== should) broken.push(`${what} is ${is}, by the transfers ${should}`)
    if (is < 0) broken.push(`${what} is below zero: ${is}`)
  }
  const sum = (account: string, of: (row: TransferRow) => boolean) =>
    transfers.filter(of).reduce((cents, { debit, credit, amount_cents }) => {
      if (credit === account) return cents + amount_cents
      return debit === account ? cents - amount_cents : cents
    }, 0)

  for (const [key, lines] of Map.groupBy(transfers, (row) => row.key))
    if (lines.some(({ line }, i) => line !== i + 1)) broken.push(`${key} is not whole`)
  const isMine = ({ agent_id }: TransferRow) => agent_id === scene.agentId
  expect('the wallet', agent.wallet_cents, sum('liab:agent_wallet', isMine))
  expect('the debt', agent.receivable_cents, -sum('asset:agent_receivable', isMine))
  if (agent.wallet_cents > 0 && agent.receivable_cents > 0) broken.push('owes and owns at once')
  for (const { id, payable_cents } of workers)
    expect(
      'a worker’s payable',
      payable_cents as number,
      sum('liab:worker_payable', (row) => row.worker_id === id),
    )
  for (const { ref_id, in_transit_cents } of transits)
    expect(
      'what is in transit',
      in_transit_cents,
      IN_TRANSIT.reduce(
        (cents, account) => cents + sum(account, (row) => row.ref_id === ref_id),
        0,
      ),
    )
  return broken
}

/** The ledger entries that may have settled a finished task. */
const SETTLED_BY: Partial<Record<TaskStatus, string[]>> = {
  completed: ['escrow_release'],
  disputed: ['escrow_refund'],
  cancelled: ['escrow_refund', 'cancel_compensation'],
  expired: ['escrow_refund', 'cancel_compensation'],
}

function brokenEscrow(task: TaskRow, { transfers }: State): string[] {
  const broken: string[] = []
  const own = transfers.filter(
    ({ task_id, debit, credit }) => task_id === task.id && [debit, credit].includes(ESCROW),
  )
  const held = own.reduce(
    (cents, row) => cents + (row.credit === ESCROW ? row.amount_cents : -row.amount_cents),
    0,
  )
  if (held !== task.escrow_cents)
    broken.push(`the task says that ${task.escrow_cents} is in escrow, its transfers ${held}`)
  if (held !== (hasEnded(task.status) ? 0 : task.locked_cents))
    broken.push(`${task.status} with ${held} of ${task.locked_cents} in escrow`)

  const kinds = ['escrow_lock', 'free_task_lock', 'tip']
  const settlements = Map.groupBy(
    own.filter(({ kind }) => !kinds.includes(kind)),
    ({ key }) => key,
  )
  if (settlements.size > 1) broken.push(`settled ${settlements.size} times`)
  if (!hasEnded(task.status)) return broken

  const lines = [...settlements.values()][0] ?? []
  const kind = lines[0]?.kind ?? 'nothing'
  if (!SETTLED_BY[task.status]!.includes(kind))
    broken.push(`${task.status}, and ${kind} was posted`)
  const to = (account: string) =>
    lines.filter(({ credit }) => credit === account).reduce((sum, row) => sum + row.amount_cents, 0)
  const [workers, commission] = [to('liab:worker_payable'), to('rev:commission')]
  const refund = to('liab:agent_wallet') + to('asset:agent_receivable')
  if (workers + commission + refund !== task.locked_cents)
    broken.push(`${workers} + ${commission} + ${refund} is not the budget of ${task.locked_cents}`)
  const { settlement } = task
  const isRelease = kind === 'escrow_release'
  const due = isRelease
    ? commissionCents(workers + commission, task.commission_basis_points)
    : (settlement?.commission_cents ?? 0)
  if (commission !== due) broken.push(`a commission of ${commission} in place of ${due}`)
  if (settlement !== null && settlement.refunded_cents !== refund)
    broken.push(`told as refunded are ${settlement.refunded_cents}, refunded ${refund}`)
  return broken
}

function brokenSlots(task: TaskRow, { assignments, open }: State): string[] {
  const broken: string[] = []
  const own = assignments.filter(({ task_id }) => task_id === task.id)
  const count = (...statuses: string[]) =>
    own.filter(({ status }) => statuses.includes(status as string)).length
  const slots = task.consensus_count + task.slots_extra
  const live = own.filter(
    ({ status }) => !['released', 'expired', 'cancelled'].includes(status as string),
  )
  if (live.length > slots) broken.push(`${live.length} workers in ${slots} slots`)
  if (new Set(live.map(({ worker_id }) => worker_id as string)).size < live.length)
    broken.push('a worker has two slots')
  if (hasEnded(task.status)) {
    if (count('accepted', 'submitted') > 0) broken.push(`${task.status}, and somebody is at it`)
    if (open.includes(task.id)) broken.push(`${task.status}, and in the feed`)
    return broken
  }

  // A separately disputed proof keeps its slot: nobody works on it again.
  const taken = count('accepted', 'submitted', 'disputed')
  if (task.slots_taken !== taken)
    broken.push(`slots_taken is ${task.slots_taken}, taken are ${taken}`)
  const received = count('submitted', 'disputed')
  if (task.proofs_received !== received)
    broken.push(`proofs_received is ${task.proofs_received}, there are ${received}`)
  if ((task.status === 'pending') !== (taken === 0))
    broken.push(`${task.status} with ${taken} at it`)
  if (task.status === 'proof_submitted' && count('accepted') > 0)
    broken.push('proof_submitted, and somebody is at it')
  if (open.includes(task.id) && task.slots_taken === slots) broken.push('full, and in the feed')
  return broken
}

/** Checks that there are no more moves than operations, and that each is in the transition table. */
function brokenPath({ status }: Scene, { task }: State, moves: number): string[] {
  let reached = new Set<TaskStatus>([status])
  for (let i = 0; i < moves; i += 1)
    reached = new Set([
      ...reached,
      ...STATUSES.filter((to) => [...reached].some((from) => canMove(from, to))),
    ])
  return reached.has(task.status) ? [] : [`from ${status} to ${task.status} in ${moves} moves`]
}

const ENDS = ['task.completed', 'task.expired', 'task.cancelled']

function brokenRecords({ tasks, trust, workers, events, assignments, disputes }: State): string[] {
  const broken: string[] = []
  for (const { id, decides_by } of tasks) {
    const held = disputes.filter(({ task_id, status }) => task_id === id && status === 'held')
    if (held.length !== (decides_by === null ? 0 : 1))
      broken.push(`${held.length} held disputes, and decides_by is ${decides_by}`)
  }
  for (const task of tasks) {
    const ends = events
      .filter(({ task_id, type }) => task_id === task.id && ENDS.includes(type as string))
      .map(({ type }) => type as string)
      .join(', ')
    const expected = ENDS.includes(`task.${task.status}`) ? `task.${task.status}` : ''
    if (ends !== expected) broken.push(`${task.status}, and told as ${ends || 'nothing'}`)
  }
  for (const { id, approved_count, disputed_count, trust_pending } of workers) {
    const of = (cause: string) =>
      trust.filter(({ worker_id, cause: found }) => worker_id === id && found === cause).length
    if (approved_count !== 100 + of('approved')) broken.push('approved_count is not what happened')
    if (disputed_count !== of('disputed')) broken.push('disputed_count is not what happened')
    const pending = trust
      .filter(({ worker_id, pending_since }) => worker_id === id && pending_since !== null)
      .reduce((sum, { bad }) => sum + (bad as number), 0)
    if (trust_pending !== pending) broken.push('trust_pending is not what is pending')
    const approved = assignments.filter(
      ({ worker_id, status }) => worker_id === id && status === 'approved',
    ).length
    if (approved !== of('approved'))
      broken.push(`${approved} approved, ${of('approved')} in the trust`)
  }
  return broken
}

/** The whole visible state, with names in place of ids and times: equal for scenes that ended alike. */
export function describeEnd(scene: Scene, state: State, told: Told[]): string {
  const { agent, tasks, assignments, proofs, disputes, transfers, workers, transits, trust } = state
  const seen = {
    told,
    agent,
    tasks,
    assignments,
    proofs,
    disputes,
    transfers,
    workers,
    transits,
    trust,
    events: state.events,
    open: state.open,
    keys: state.keys,
  }
  return JSON.stringify(withNames(scene, seen))
}

function withNames(scene: Scene, seen: unknown): unknown {
  const names = new Map<string, string>([
    [scene.agentId, 'agent'],
    [scene.taskId, 'task'],
    ...(scene.otherId === undefined ? [] : [[scene.otherId, 'other'] as const]),
    ...scene.workers.map((id, i) => [id, `worker ${i + 1}`] as const),
    ...scene.assignments.map((id, i) => [id, `assignment ${i + 1}`] as const),
  ])
  const renamed = (text: string) =>
    text
      .replaceAll(
        /(agent|task|worker|asg|proof|dsp|txn|evt|key)_[0-9a-z]{26}/g,
        (id, kind: string) => names.get(id) ?? `a ${kind}`,
      )
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, (time) =>
        String(new Date(time).getTime() - NOW.getTime()),
      )
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return renamed(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]))
  }
  const named = walk(seen) as Record<string, unknown>
  // Without their ids rows have no inherent order; responses keep theirs.
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) =>
      name !== 'told' && Array.isArray(value)
        ? [name, value.map((row) => JSON.stringify(row)).sort()]
        : [name, value],
    ),
  )
}
