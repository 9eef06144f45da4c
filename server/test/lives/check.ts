/** Compares what the clients were told with what the database holds. */
import pg from 'pg'
import { auditPatiently } from '../../src/ledger/audit-patiently.ts'
import type { Acknowledged, Begun, Line } from './log.ts'

const DETAILS_MAX = 20

export interface Verdict {
  /** Acknowledged, but not in the database. */
  lost: number
  /** Done twice: two tasks for one request, two proofs, two decisions, or escrow that left twice. */
  doubled: number
  /** A key whose responses differ, or a response that contradicts the database. */
  mismatched: number
  /** Responses from 500 to 599 other than 503. */
  other5xx: number
  /** Refusals that no race explains. */
  refused: number
  /** Ledger invariants that don't hold. */
  breaks: number
  acknowledged: number
  /** Tasks that the clients began. */
  begun: number
  /** The first findings, in words. */
  details: string[]
}

interface TaskRow {
  id: string
  agent_id: string
  description: string
  budget_cents: number
  status: string
  workers: string[]
  proofs: number
  locked_cents: number
  unlocked_cents: number
}

const TASKS = `
  select t.id, t.agent_id, t.description, t.budget_cents, t.status::text,
         array(select worker_id from assignments a where a.task_id = t.id) as workers,
         (select count(*)::int from proofs p where p.task_id = t.id) as proofs,
         coalesce((select sum(amount_cents) from transfers where key = 'task:' || t.id || ':lock'
                      and credit = 'liab:escrow'), 0)::int as locked_cents,
         coalesce((select sum(amount_cents) from transfers where key = 'task:' || t.id || ':settle'
                      and debit = 'liab:escrow'), 0)::int as unlocked_cents
    from tasks t where t.description like 'Life %'`

/** All 0 except for the counts, if every promise was kept. */
export async function checkLives(
  databaseUrl: string,
  { lines }: { lines: readonly Line[] },
): Promise<Verdict> {
  const rows = await readTasks(databaseUrl)
  const breaks = await auditPatiently(databaseUrl)

  const verdict: Verdict = {
    lost: 0,
    doubled: 0,
    mismatched: 0,
    other5xx: 0,
    refused: 0,
    breaks: breaks.length,
    acknowledged: 0,
    begun: 0,
    details: breaks.map(({ invariant, subject }) => `${invariant}: ${subject}`),
  }
  const found = (
    kind: 'lost' | 'doubled' | 'mismatched' | 'other5xx' | 'refused',
    what: string,
  ) => {
    verdict[kind] += 1
    if (verdict.details.length < DETAILS_MAX) verdict.details.push(`${kind}: ${what}`)
  }

  for (const line of lines)
    if (line.kind === 'fault') {
      const what = `${line.step} of ${line.life}: ${line.status} ${line.text.slice(0, 300)}`
      found(line.what === '5xx' ? 'other5xx' : 'mismatched', what)
    }
  const tasks = Map.groupBy(rows, ({ description }) => description)
  const begun = lines.filter((line) => line.kind === 'begun')
  const acknowledged = Map.groupBy(
    lines.filter((line) => line.kind === 'acknowledged'),
    ({ life }) => life,
  )
  verdict.begun = begun.length
  for (const one of begun) {
    const acks = acknowledged.get(one.life) ?? []
    verdict.acknowledged += acks.length
    checkLife(one, { acks, rows: tasks.get(one.life) ?? [], found })
  }
  return verdict
}

async function readTasks(databaseUrl: string): Promise<TaskRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<TaskRow>(TASKS)).rows
  } finally {
    await client.end()
  }
}

type Found = (kind: 'lost' | 'doubled' | 'mismatched' | 'refused', what: string) => void

function checkLife(
  { life, agent_id, worker_id, budget_cents }: Begun,
  { acks, rows, found }: { acks: Acknowledged[]; rows: TaskRow[]; found: Found },
): void {
  const succeeded = acks.filter(({ status }) => status < 300)
  const created = succeeded.find(({ step }) => step === 'create')
  const task = rows.find(({ id }) => id === created?.task_id)
  for (let i = 1; i < rows.length; i += 1) found('doubled', `${life} is also task ${rows[i]!.id}`)
  for (const ack of acks)
    if (ack.status >= 300 && !isLostRace(ack, acks))
      found('refused', `${ack.step} of ${life}: ${ack.status} ${ack.code ?? ''}`)
  if (created === undefined) return
  if (task === undefined) {
    for (const ack of succeeded) found('lost', `${ack.step} of ${life}, task ${ack.task_id ?? '?'}`)
    return
  }
  if (task.agent_id !== agent_id || task.budget_cents !== budget_cents)
    found('mismatched', `${life} has another agent or budget than its request`)

  for (const { step, task_status } of succeeded) {
    const isLost =
      (step === 'accept' && !task.workers.includes(worker_id)) ||
      (step === 'proof' && task.proofs === 0) ||
      (step === 'approve' && task.status !== 'completed') ||
      (step === 'dispute' && task_status === 'disputed' && task.status !== 'disputed')
    if (isLost) found('lost', `${step} of ${life}: the task is ${task.status}`)
  }
  if (task.proofs > 1) found('doubled', `${life} has ${task.proofs} proofs`)
  if (task.workers.length > 1) found('doubled', `${life} has ${task.workers.length} assignments`)
  const decisions = new Set(
    succeeded.map(({ task_status }) => task_status).filter((status) => isEnd(status)),
  )
  if (decisions.size > 1) found('doubled', `${life} was decided as ${[...decisions].join(' and ')}`)
  if (task.locked_cents !== task.budget_cents)
    found('mismatched', `${life} locked ${task.locked_cents} instead of ${task.budget_cents} cents`)
  const owed = isEnd(task.status) ? task.budget_cents : 0
  if (task.unlocked_cents !== owed)
    found(
      task.unlocked_cents > owed ? 'doubled' : 'lost',
      `${life} is ${task.status}, and ${task.unlocked_cents} of ${owed} cents left its escrow`,
    )
}

const isEnd = (status: string | null) => status === 'completed' || status === 'disputed'

/** An approval that lost to the dispute of the same task, or the other way around. */
function isLostRace({ step, code }: Acknowledged, acks: Acknowledged[]): boolean {
  if (code !== 'invalid_state') return false
  const other = { approve: 'dispute', dispute: 'approve' }[step as string]
  return acks.some((ack) => ack.step === other)
}
