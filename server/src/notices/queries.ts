import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { idPattern } from '../kit/ids.ts'

export const NoticeId = z.string().regex(idPattern('ntc'), 'is not the id of a notice')

export async function unreadOf(db: Reader, workerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notices')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('worker_id', '=', workerId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Whether the device is still trusted: its worker has not logged out everywhere or changed the password since.
 * Otherwise it may be lost, and would show notices to whoever has it.
 */
export const isLetIn = sql<boolean>`push_subscriptions.session_version =
  (select w.session_version from workers w where w.id = push_subscriptions.worker_id)`
