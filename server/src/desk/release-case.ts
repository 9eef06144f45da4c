/**
 * Release a case, so that a colleague can take it. The clock releases cases that have ended.
 *
 *   called by   an operator with the right `note`; the clock
 *   moves       a case: with somebody → unassigned
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { job } from '../kit/job.ts'
import { appendAudit } from '../operators/audit.ts'
import { waitingAmong } from '../ops/read-queues.ts'
import { ObjectId } from './objects/object.ts'

/** A case that is in no queue may be about something that an operator looks into: it ends after a day. */
const KEPT_MS = 24 * 3_600_000
const BATCH = 500

export const releaseCase = deskOperation({
  method: 'DELETE',
  path: '/cases/:id/assignment',
  name: 'releaseCase',
  right: 'note',
  summary: 'Release a case',
  params: z.object({ id: ObjectId }),
  success: { status: 200, body: z.object({ assignment: z.null() }) },
  errors: [],

  async handler({ background, params: { id }, operator, now }) {
    await background.db.shards.global.transaction(async (tx) => {
      const released = await tx
        .deleteFrom('case_assignments')
        .where('subject', '=', id)
        .returning('operator_id')
        .executeTakeFirst()
      if (released === undefined) return
      const detail = { from: released.operator_id }
      await appendAudit(tx, { operator, action: 'case.release', subject: id, detail }, { now })
    })
    return { assignment: null }
  },
})

export const releaseEndedCases = job({
  name: 'desk.release-cases',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '*/10 * * * *',
  isGlobal: true,

  async run({ db, clock }) {
    const { shards } = db
    const before = new Date(clock.now().getTime() - KEPT_MS)
    let after = ''
    for (;;) {
      const rows = await shards.global.reader
        .selectFrom('case_assignments')
        .select('subject')
        .where('since', '<=', before)
        .where('subject', '>', after)
        .orderBy('subject')
        .limit(BATCH)
        .execute()
      if (rows.length === 0) return
      const subjects = rows.map(({ subject }) => subject)
      const waiting = await waitingAmong(shards, subjects)
      const ended = subjects.filter((subject) => !waiting.has(subject))
      if (ended.length > 0)
        await shards.global.transaction((tx) =>
          tx
            .deleteFrom('case_assignments')
            .where('subject', 'in', ended)
            .where('since', '<=', before)
            .execute(),
        )
      after = subjects.at(-1)!
    }
  },
})
