/** Check-ins: a worker asks to be checked on at a time. Nobody is at two places, so a worker has one at a time. */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'

export type CheckIn = Selectable<Schema['check_ins']>

export const CheckInView = named(
  'CheckIn',
  z.object({
    task_id: z.string(),
    at: z.iso.datetime().describe('When we ask whether you are fine'),
    contact: z.string().nullable().describe('Whom to call if you don’t answer'),
    asked_at: z.iso.datetime().nullable(),
    missed_at: z.iso
      .datetime()
      .nullable()
      .describe('Since when your answer is missing: a person on our team sees it'),
  }),
)

export const viewCheckIn = (row: CheckIn): z.output<typeof CheckInView> => ({
  task_id: row.task_id,
  at: row.at.toISOString(),
  contact: row.contact,
  asked_at: row.asked_at?.toISOString() ?? null,
  missed_at: row.missed_at?.toISOString() ?? null,
})

export const checkInOf = (db: Reader, workerId: string): Promise<CheckIn | undefined> =>
  db.selectFrom('check_ins').selectAll().where('worker_id', '=', workerId).executeTakeFirst()
