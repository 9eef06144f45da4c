/**
 * Reinstate a suspended or closed worker.
 *
 *   called by   an operator with the right `rule`
 *   moves       see workers/reinstate.ts
 *   money       none
 *   event       worker.reinstated (ours)
 */
import { z } from 'zod'
import { decisionInForce } from '../../workers/decisions.ts'
import { byId } from '../../workers/queries.ts'
import { refusalToReinstate, reinstateWorker as reinstate } from '../../workers/reinstate.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { orRefuse } from './workers.ts'

export const reinstateWorker = decision({
  kind: 'worker.reinstate',
  right: 'rule',
  title: 'Reinstate a worker',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const { reader } = db.shards.at(subject)
    const inForce = await decisionInForce(reader, subject)
    const why = refusalToReinstate(subject, await byId(reader, subject), inForce)
    if (why !== undefined) throw decisionRefused({ why })
    return {
      amount_cents: null,
      lines: [],
      tells: [{ who: 'worker', id: subject, what: 'your reason: by email' }],
      changes: ['The worker can log in and accept tasks again'],
      undo: 'Suspend the worker again',
    }
  },

  carryOut: ({ db, clock }, { subject, reason, operator }) =>
    orRefuse(
      db.shards
        .at(subject)
        .transaction((tx) =>
          reinstate(tx, { workerId: subject, note: reason, operator, now: clock.now() }),
        ),
    ),

  findDone: ({ db }, { subject, operator, since }) =>
    db.shards
      .at(subject)
      .reader.selectFrom('worker_decisions')
      .selectAll()
      .where('worker_id', '=', subject)
      .where('ended_by', '=', operator)
      .where('ended_at', '>=', since)
      .executeTakeFirst(),

  undo: ({ subject }) => ({ kind: 'worker.suspend', subject, input: { tasks: [] } }),
})
