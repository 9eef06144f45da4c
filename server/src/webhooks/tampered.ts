/**
 * Pings with a deliberately wrong signature. A receiver that rejects one has proven that it verifies signatures. The
 * response doesn't affect the receiver's health.
 */
import { randomBytes } from 'node:crypto'
import type { Db } from '../kit/db.ts'

/** The event data of such a ping. It tells the deliverer to sign wrongly. */
export const TAMPERED = { tampered: true }

export const isTampered = ({ type, data }: { type: string; data: unknown }) =>
  type === 'webhook.ping' && (data as Partial<typeof TAMPERED>).tampered === true

/** The same headers with a random signature. */
export const tamper = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
})

/** Whether the receiver noticed that the signature was wrong. */
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
