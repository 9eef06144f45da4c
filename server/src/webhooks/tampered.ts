/**
 * Pings that are signed wrongly on purpose. A receiver that checks signatures refuses them, and has then shown once
 * that it does; what it answers says nothing about how it fares.
 */
import { randomBytes } from 'node:crypto'
import type { Db } from '../kit/db.ts'

/** What the event of such a ping says: whoever sends it knows by this how to sign. */
export const TAMPERED = '{"tampered":true}'

export const isTampered = ({ type, data_text }: { type: string; data_text: string }) =>
  type === 'webhook.ping' && data_text === TAMPERED

/** The same headers, with a signature of nobody's. */
export const tamper = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
})

/** Whether the receiver has seen that it was not ours. */
export const rejectedForgery = (status: number | null) =>
  status !== null && status >= 400 && status < 500

export async function noteChecked(
  db: Db,
  { laneId, now }: { laneId: string; now: Date },
): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable('webhook_lanes')
      .set({ signature_checked_at: now })
      .where('id', '=', laneId)
      .execute(),
  )
}
