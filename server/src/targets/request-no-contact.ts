/**
 * Ask not to be called, visited or photographed through tasks.
 *
 *   called by   anyone, from the page /do-not-contact
 *   moves       (none) → requested; an operator confirms it, so that nobody can block a stranger's number
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Shards, Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId } from '../kit/ids.ts'
import { readTarget, type Target, TARGET_KINDS } from './find-targets.ts'
import { hashTarget } from './hash.ts'

const DECIDE_DAYS = 14
const DAY_MS = 86_400_000
/** More requests about one target tell an operator nothing new. */
const OF_TARGET_MAX = 5

export const requestNoContact = endpoint({
  method: 'POST',
  path: '/do-not-contact/requests',
  auth: 'none',
  access: { by: 'anyone' },
  limits: ['no_contact'],
  summary: 'Ask not to be contacted through tasks',
  isInternal: true,
  body: z.object({
    kind: z.enum(TARGET_KINDS),
    value: z.string().trim().min(1).max(300),
    reason: z.string().trim().max(1000).optional(),
    email: z.email('must be an email address').max(254).optional(),
  }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [],

  async handler({ tx, body, shards, now }) {
    const target = readTarget(body.kind, body.value)
    if ('problem' in target) throw invalidField('value', target.problem)
    await recordRequest(tx, { ...body, target, shards, now })
    return { message: 'We have received your request. A person will look at it.' }
  },
})

interface RecordRequest {
  target: Target
  value: string
  reason?: string | undefined
  email?: string | undefined
  shards: Shards
  now: Date
}

export async function recordRequest(
  tx: Tx,
  { target, value, reason, email, shards, now }: RecordRequest,
): Promise<void> {
  const hash = await hashTarget(shards, target)
  const { count } = await tx
    .selectFrom('do_not_contact')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('target', '=', hash)
    .where('state', '=', 'requested')
    .executeTakeFirstOrThrow()
  if (count >= OF_TARGET_MAX) return
  await tx
    .insertInto('do_not_contact')
    .values({
      id: mintId('dnc', now, 0),
      kind: target.kind,
      target: hash,
      value,
      reason: reason ?? null,
      email: email ?? null,
      created_at: now,
      due_at: new Date(now.getTime() + DECIDE_DAYS * DAY_MS),
    })
    .execute()
}
