/**
 * Resume the webhooks to a receiver.
 *
 *   called by   an operator with the right `operate`
 *   moves       see webhooks/pause-receiver.ts
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { resumeReceiver as resume } from '../../webhooks/pause-receiver.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { neverSent } from './pause-receiver.ts'

export const resumeReceiver = decision({
  kind: 'receiver.resume',
  right: 'operate',
  title: 'Resume webhooks to a receiver',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const lane = await db.shards
      .at(subject)
      .reader.selectFrom('webhook_lanes')
      .select('id')
      .where('id', '=', subject)
      .executeTakeFirst()
    if (lane === undefined) throw neverSent(subject)
    return {
      ...NO_EFFECT,
      changes: ['Waiting deliveries are sent now'],
      undo: 'Pause the receiver',
    }
  },

  async carryOut({ db, clock }, { subject }) {
    const isKnown = await db.shards
      .at(subject)
      .transaction((tx) => resume(tx, { laneId: subject, now: clock.now() }))
    if (!isKnown) throw neverSent(subject)
    return { receiver: subject }
  },

  undo: ({ subject }) => ({ kind: 'receiver.pause', subject, input: { hours: 1 } }),
})
