/** Disputes of a suspended or closed worker's work: those that can be appealed, and the state of their appeals. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { titleOf } from '../kit/words.ts'
import { closedIfOpenedBy, windowCloses } from './appeal-window.ts'
import type { Decision } from './decisions.ts'

const SHOWN_MAX = 50

export const ShutOutDispute = named(
  'DecisionDispute',
  z.object({
    task_id: z.string(),
    title: z.string(),
    pay_cents: z.int().describe('The amount that the work would have paid'),
    reason: z.string().describe('The agent’s reason'),
    appeal_until: z.iso.datetime(),
    can_appeal: z.boolean().describe('With POST /worker/objections/appeal'),
    appealed_at: z.iso.datetime().nullable(),
    ruling: z
      .enum(['upheld', 'overturned', 'split'])
      .nullable()
      .describe(
        '`upheld`: nothing is paid; `overturned`: everything is paid; `split`: half is paid',
      ),
    ruling_note: z.string().nullable(),
  }),
)

interface Row {
  task_id: string
  title: string | null
  description: string
  pay_cents: number
  reason: string
  opened_at: Date
  appealed_at: Date | null
  ruling: 'upheld' | 'overturned' | 'split' | null
  ruling_note: string | null
}

/** Newest first. An appeal that was ruled on before the account was suspended or closed is left out. */
export async function shutOutDisputes(
  db: Reader,
  { worker_id, decided_at }: Pick<Decision, 'worker_id' | 'decided_at'>,
  { config, now }: { config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
): Promise<z.input<typeof ShutOutDispute>[]> {
  const { rows } = await sql<Row>`
    select a.task_id, t.title, t.description, a.pay_cents, d.reason,
           coalesce(d.decided_at, d.created_at) as opened_at,
           p.created_at as appealed_at, p.ruling, p.ruling_note
      from worker_assignments a
      join worker_tasks t on t.id = a.task_id
      join worker_disputes d on d.task_id = a.task_id and a.id = any(d.assignment_ids)
       and d.status not in ('held', 'rejected', 'lapsed') and not d.is_decided_by_agent
      left join worker_appeals p on p.task_id = a.task_id and p.dispute_id = d.id and p.assignment_id = a.id
     where a.worker_id = ${worker_id}
       and case when p.id is null
             then a.status = 'disputed'
              and coalesce(d.decided_at, d.created_at) > ${closedIfOpenedBy(now, config)}
             else p.ruled_at is null or p.ruled_at >= ${decided_at} end
     order by a.id desc limit ${SHOWN_MAX}`.execute(db)
  return rows.map((row) => ({
    task_id: row.task_id,
    title: row.title ?? titleOf(row.description),
    pay_cents: row.pay_cents,
    reason: row.reason,
    appeal_until: windowCloses(row.opened_at, config).toISOString(),
    can_appeal: row.appealed_at === null,
    appealed_at: row.appealed_at?.toISOString() ?? null,
    ruling: row.ruling,
    ruling_note: row.ruling_note,
  }))
}
