import assert from 'node:assert/strict'
import type { Marketplace } from './harness.ts'
import { opsByTwo } from './ops.ts'
import { tokenOf } from './people.ts'

/** Suspends or closes a worker as an operator does, and waits for the email. */
export async function shutOut(
  market: Marketplace,
  { id, email }: { id: string; email: string },
  how: 'suspend' | 'close' = 'suspend',
  ...words: string[]
) {
  const { out, isBad } = await opsByTwo(
    market,
    'worker',
    how,
    id,
    ...words,
    'Photos',
    'of',
    'others',
  )
  assert.equal(isBad, false, out)
  await market.work()
  const mail = await market.inbox.mailTo(email)
  const decision = await market.db.reader
    .selectFrom('worker_decisions')
    .selectAll()
    .where('worker_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { out, mail, token: tokenOf(mail), decision }
}

/** From now on no second operator must agree to close a worker's account. */
export const closeAlone = (market: Marketplace) =>
  market.asOwner(`update two_person_limits set over_cents = null where kind = 'worker.close'`)

/** The status of a worker's account in the database. */
export async function accountStatus(market: Marketplace, workerId: string): Promise<string> {
  const row = await market.db.reader
    .selectFrom('workers')
    .select('status')
    .where('id', '=', workerId)
    .executeTakeFirstOrThrow()
  return row.status
}

export const objectBy = (market: Marketplace, token: string, statement = 'The photos are mine') =>
  market.call('POST', '/worker/objections', { body: { token, statement } })

/** Expires every link to a page about a decision. */
export const endAllLinks = (market: Marketplace) =>
  market.asOwner(
    `update objection_links set created_at = created_at - interval '1 day', expires_at = $1`,
    [market.now()],
  )
