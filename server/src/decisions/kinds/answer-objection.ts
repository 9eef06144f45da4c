/**
 * Answer a worker's objection, which is a request for a person's review.
 *
 *   called by   an operator with the right `rule`
 *   moves       see workers/reply-to-objection.ts
 *   money       none
 *   event       worker.objection_upheld or worker.reinstated (ours)
 */
import { z } from 'zod'
import { decisionInForce, hasObjectionWaiting } from '../../workers/decisions.ts'
import { replyToObjection } from '../../workers/reply-to-objection.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { orRefuse, workerOf } from './workers.ts'

export const answerObjection = decision({
  kind: 'objection.answer',
  right: 'rule',
  title: 'Answer an objection',
  input: z.object({ reply: z.enum(['upheld', 'reinstated']) }),

  async preview({ db }, { subject, input: { reply } }) {
    const { reader } = db.shards.at(subject)
    const workerId = await workerOf(reader, subject)
    const inForce = workerId === undefined ? undefined : await decisionInForce(reader, workerId)
    if (inForce === undefined || !hasObjectionWaiting(inForce))
      throw decisionRefused({ why: `${subject} has no objection that needs a reply` })
    return {
      amount_cents: null,
      lines: [],
      tells: [
        { who: 'worker', id: inForce.worker_id, what: 'the answer and your reason: by email' },
      ],
      changes: [
        reply === 'reinstated'
          ? 'The worker can log in and accept tasks again'
          : `The account stays ${inForce.kind}`,
      ],
      undo: reply === 'reinstated' ? 'Suspend the worker again' : 'Reinstate the worker',
    }
  },

  carryOut: ({ db, clock }, { subject, input: { reply }, reason, operator }) =>
    orRefuse(
      db.shards.at(subject).transaction((tx) =>
        replyToObjection(tx, {
          id: subject,
          reply,
          note: reason,
          operator,
          now: clock.now(),
        }),
      ),
    ),

  findDone: ({ db }, { subject, operator, since }) =>
    db.shards
      .at(subject)
      .reader.selectFrom('worker_decisions')
      .selectAll()
      .where((row) => row.or([row('id', '=', subject), row('worker_id', '=', subject)]))
      .where('replied_by', '=', operator)
      .where('replied_at', '>=', since)
      .executeTakeFirst(),
})
