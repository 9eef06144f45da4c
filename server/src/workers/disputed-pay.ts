import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { titleOf } from '../kit/words.ts'
import { closedIfOpenedBy, windowCloses } from './appeal-window.ts'

/** Pay of one task that an agent disputes, while the outcome is open. */
export const DisputedPay = named(
  'DisputedPay',
  z.object({
    task_id: z.string(),
    title: z.string().describe('The task’s title, or the first sentence of its description'),
    pay_cents: z.int().describe('What you get if the dispute ends in your favor'),
    next: z
      .enum(['you_appeal', 'agent_replies', 'operator_decides'])
      .describe(
        '`you_appeal`: it counts against you unless you appeal by `until`; `agent_replies`: you ' +
          'win unless the agent replies by then; `operator_decides`: if there is an `until` and ' +
          'nobody decides by then, you are paid',
      ),
    until: z.iso.datetime().nullable(),
  }),
)
export type DisputedPay = z.output<typeof DisputedPay>

interface Row {
  task_id: string
  title: string | null
  description: string
  pay_cents: number
  ended_at: Date
  is_appealed: boolean
  is_answered: boolean
  agent_until: Date | null
  /** Only for a held dispute. */
  decides_by: Date | null
}

/** The worker's pay in open disputes, the nearest deadline first. */
export async function disputedPay(
  db: Reader,
  { workerId, config, now }: { workerId: string; config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
): Promise<DisputedPay[]> {
  const { rows } = await sql<Row>`
    select a.task_id, t.title, t.description, a.pay_cents, a.ended_at, h.decides_by,
           p.assignment_id is not null as is_appealed, p.answered_at is not null as is_answered, p.agent_until
      from worker_assignments a
      join worker_tasks t on t.id = a.task_id
      left join lateral (
        select p.assignment_id, p.answered_at, p.agent_until, p.ruling from worker_appeals p
         where p.task_id = a.task_id and p.assignment_id = a.id
         order by p.id desc limit 1) p on true
      left join lateral (
        select d.decides_by from worker_disputes d
         where d.task_id = a.task_id and d.status = 'held' and a.id = any(d.assignment_ids)
         limit 1) h on true
     where a.worker_id = ${workerId} and a.status in ('submitted', 'disputed')
       and case a.status
             when 'submitted' then h.decides_by is not null
             else p.ruling is null and (p.assignment_id is not null or a.ended_at > ${closedIfOpenedBy(now, config)})
           end
     order by a.id`.execute(db)
  return rows.map((row) => viewDisputed(row, config)).sort(byDeadline)
}

function viewDisputed(row: Row, config: Pick<Config, 'APPEAL_HOURS'>): DisputedPay {
  return {
    task_id: row.task_id,
    title: row.title ?? titleOf(row.description),
    pay_cents: row.pay_cents,
    ...nextOf(row, config),
  }
}

function nextOf(
  row: Row,
  config: Pick<Config, 'APPEAL_HOURS'>,
): Pick<DisputedPay, 'next' | 'until'> {
  if (row.decides_by !== null)
    return { next: 'operator_decides', until: row.decides_by.toISOString() }
  if (!row.is_appealed)
    return { next: 'you_appeal', until: windowCloses(row.ended_at, config).toISOString() }
  return row.is_answered
    ? { next: 'operator_decides', until: null }
    : { next: 'agent_replies', until: row.agent_until!.toISOString() }
}

/** Those without a deadline last. */
const byDeadline = (one: DisputedPay, other: DisputedPay) =>
  (one.until ?? '9999').localeCompare(other.until ?? '9999')
