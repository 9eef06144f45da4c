/**
 * End requests that nobody has decided in two weeks, and protections after two years. The person is told and can ask
 * again.
 *
 *   called by   the clock, when `due_at` has passed
 *   moves       requested → lapsed, confirmed → ended
 *   money       none
 *   event       no_contact.answered (ours): emails the person
 */
import { sql } from 'kysely'
import { sweep } from '../kit/job.ts'
import { requestWork } from '../webhooks/record-event.ts'

export const endNoContact = sweep({
  name: 'targets.end-no-contact',
  isGlobal: true,

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('do_not_contact')
      .select('id')
      .where('due_at', '<=', clock.now())
      .orderBy('due_at')
      .limit(limit)
      .execute(),

  async move({ db, clock }, rows) {
    const now = clock.now()
    return db.transaction(async (tx) => {
      const ended = await tx
        .updateTable('do_not_contact')
        .set({
          state: sql`(case state when 'requested' then 'lapsed' else 'ended' end)::do_not_contact_state`,
          value: null,
          reason: null,
          due_at: null,
          ended_at: now,
        })
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .where('due_at', '<=', now)
        .returning('id')
        .execute()
      const works = ended.map(({ id }) => ({ type: 'no_contact.answered' as const, id }))
      await requestWork(tx, works, { now })
      return ended.length
    })
  },
})
