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
 * A device of a worker who has not logged out everywhere since, nor chosen a new password: it may be lost, and shows
 * what is pushed to it to whoever has it.
 */
export const isLetIn = sql<boolean>`push_subscriptions.session_version =
  (select w.session_version from workers w where w.id = push_subscriptions.worker_id)`
