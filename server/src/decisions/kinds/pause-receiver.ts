/**
 * Pause the webhooks to a receiver.
 *
 *   called by   an operator with the right `operate`
 *   moves       see webhooks/pause-receiver.ts
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { pauseReceiver as pause } from '../../webhooks/pause-receiver.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

const HOUR_MS = 3_600_000
/** A pause longer than the retry period of a delivery makes no sense. */
export const PAUSE_HOURS_MAX = 24

/** The subject is the agent's id, for a host of its callback URLs followed by a blank and the host. */
export const pauseReceiver = decision({
  kind: 'receiver.pause',
  right: 'operate',
  title: 'Pause webhooks to a receiver',
  input: z.object({ hours: z.int().min(1).max(PAUSE_HOURS_MAX) }),

  async preview({ db }, { subject, input: { hours } }) {
    const lane = await db.shards
      .at(subject)
      .reader.selectFrom('webhook_lanes')
      .select('id')
      .where('id', '=', subject)
      .executeTakeFirst()
    if (lane === undefined) throw neverSent(subject)
    return {
      ...NO_EFFECT,
      changes: [
        `Nothing is sent to it for ${hours} hours; waiting deliveries don’t use up attempts`,
      ],
      undo: 'Resume the receiver',
    }
  },

  async carryOut({ db, clock }, { subject, input: { hours } }) {
    const until = new Date(clock.now().getTime() + hours * HOUR_MS)
    const isKnown = await db.shards
      .at(subject)
      .transaction((tx) => pause(tx, { laneId: subject, until }))
    if (!isKnown) throw neverSent(subject)
    return { receiver: subject, until }
  },

  undo: ({ subject }) => ({ kind: 'receiver.resume', subject, input: {} }),
})

export const neverSent = (laneId: string) =>
  decisionRefused({ why: `No webhook was ever sent to ${laneId}` })
