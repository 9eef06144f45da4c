/**
 * Ask workers whether they are fine at the time they chose, and show the desk who doesn't answer.
 *
 *   called by   the clock
 *   moves       a check-in: waiting → asked → missed; any → none once the worker has sent proof or left the task
 *   money       none
 *   event       check_in.due (ours): notifies the worker
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { type Background, sweep } from '../kit/job.ts'
import { latestPart } from '../tasks/queries.ts'
import { requestWork } from '../webhooks/record-event.ts'
import type { CheckIn } from './check-ins.ts'

const MINUTE_MS = 60_000
/** How often a missed check-in is compared with the task: proof means that the worker is fine. */
const AGAIN_MS = 5 * MINUTE_MS

export const lookAfter = sweep({
  name: 'safety.check-ins',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('check_ins')
      .select('worker_id as id')
      .where('check_at', '<=', clock.now())
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  async move(background, rows) {
    let moved = 0
    for (const { id } of rows) if (await lookAt(background, id)) moved += 1
    return moved
  },
})

async function lookAt({ db, config, clock }: Background, workerId: string): Promise<boolean> {
  const now = clock.now()
  return db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('check_ins')
      .selectAll()
      .where('worker_id', '=', workerId)
      .where('check_at', '<=', now)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (row === undefined) return false
    const { reader } = db.shards.at(row.task_id)
    const part = await latestPart(reader, { taskId: row.task_id, workerId })
    // A worker whose time ran out, or whose task was canceled, has given no sign of life.
    const isSilent =
      part === undefined || ['accepted', 'expired', 'cancelled'].includes(part.status)
    if (isSilent) await moveOn(tx, row, { config, now })
    else await tx.deleteFrom('check_ins').where('worker_id', '=', workerId).execute()
    return true
  })
}

async function moveOn(
  tx: Tx,
  row: CheckIn,
  { config, now }: { config: Pick<Config, 'CHECK_IN_GRACE_MINUTES'>; now: Date },
): Promise<void> {
  const { worker_id, task_id, at, asked_at, missed_at } = row
  const graceMs = config.CHECK_IN_GRACE_MINUTES * MINUTE_MS
  const becomes =
    asked_at === null
      ? { asked_at: now, check_at: new Date(now.getTime() + graceMs) }
      : { missed_at: missed_at ?? now, check_at: new Date(now.getTime() + AGAIN_MS) }
  await tx.updateTable('check_ins').set(becomes).where('worker_id', '=', worker_id).execute()
  if (asked_at === null)
    await requestWork(
      tx,
      [{ type: 'check_in.due', id: worker_id, data: { task_id, at: at.toISOString() } }],
      { now },
    )
}
