/**
 * Remove the files of expired test agents. The bytes go first: a row without bytes is found again, but bytes without a
 * row never are. Sample files are shared by the rows of many agents and stay.
 *
 *   called by   the clock, TEST_KEEP_HOURS after expires_at of an agent has passed
 *   moves       a file of a closed test agent → (none)
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { sweep } from '../kit/job.ts'
import { filesOf } from './files.ts'
import { removeBytes } from './remove-files.ts'

const HOUR_MS = 3_600_000

export const removeEnded = sweep({
  name: 'files.remove-ended',
  isTest: true,

  async due({ db, clock, config }, limit) {
    const endedBefore = new Date(clock.now().getTime() - config.TEST_KEEP_HOURS * HOUR_MS)
    const { rows } = await sql<{ id: string }>`
      select f.id
        from agents a join workers w on w.agent_id = a.id join files f on f.worker_id = w.id
       where a.mode = 'test' and a.status = 'closed' and a.expires_at <= ${endedBefore} and w.mode = 'test'
       limit ${limit}`.execute(db.reader)
    return rows
  },

  async move({ db, config, metrics }, rows) {
    const { store } = filesOf(config)
    const found = await db.reader
      .selectFrom('files')
      .select(['id', 'bytes', 'store_key'])
      .where('id', '=', sql<string>`any(${rows.map(({ id }) => id)})`)
      .execute()
    const own = await removeBytes(store, found)
    // Check the agent again: a live or still open agent keeps its rows even if `due` returned them.
    const { numAffectedRows = 0n } = await sql`
      delete from files f using workers w, agents a
       where f.id = any(${found.map(({ id }) => id)}) and w.id = f.worker_id and a.id = w.agent_id
         and a.mode = 'test' and a.status = 'closed'`.execute(db.reader)
    metrics.erasedRows.inc({ table: 'files' }, Number(numAffectedRows))
    metrics.erasedBytes.inc(own.reduce((sum, { bytes }) => sum + bytes, 0))
    return Number(numAffectedRows)
  },
})
