/**
 * Close the missed check-in of a worker, with what is known about the worker as the reason.
 *
 *   called by   an operator with the right `answer`
 *   moves       see safety/close-check-in.ts
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { closeCheckIn as close } from '../../safety/close-check-in.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const closeCheckIn = decision({
  kind: 'check_in.close',
  right: 'answer',
  title: 'Close a missed check-in',
  input: z.object({}),

  async preview({ db }, { subject: workerId }) {
    const missed = await db.shards
      .at(workerId)
      .reader.selectFrom('check_ins')
      .select('worker_id')
      .where('worker_id', '=', workerId)
      .where('missed_at', 'is not', null)
      .executeTakeFirst()
    if (missed === undefined)
      throw decisionRefused({ why: `${workerId} has not missed a check-in` })
    return { ...NO_EFFECT, changes: ['The check-in leaves the queue; your reason stays on record'] }
  },

  async carryOut({ db }, { subject: workerId }) {
    await db.shards.at(workerId).transaction((tx) => close(tx, { workerId }))
    return { worker_id: workerId }
  },
})
