/**
 * Ask to change the email. It changes when the link to the new address is opened. The response doesn't reveal whether
 * somebody else has the address.
 *
 *   called by   a worker
 *   moves       an email change: (none) → pending
 *   money       none
 *   event       worker.email_changing (ours): mails a link to the new address and a warning to the old one
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { lockWorker } from './decisions.ts'
import { type EmailChange, EmailChangeView, endChanges, viewChange } from './email-changes.ts'
import { testWorker, tooManyEmailChanges, wrongPassword } from './errors.ts'
import { CurrentPassword, provePassword } from './prove-password.ts'
import { callingWorker } from './queries.ts'

const HOUR_MS = 3_600_000

export const changeEmail = endpoint({
  method: 'POST',
  path: '/worker/email',
  name: 'changeWorkerEmail',
  auth: 'worker',
  access: { mode: 'live' },
  limits: ['login'],
  summary: 'Ask to change your email',
  description:
    'We email a link to the new address, and a warning to the old one. The email changes when the ' +
    'link is opened. Another request replaces this one.',
  body: z.object({
    email: z.email('must be an email address').max(254),
    current_password: CurrentPassword,
  }),
  success: { status: 202, body: z.object({ change: EmailChangeView }) },
  errors: [wrongPassword, testWorker, tooManyEmailChanges],

  transaction: 'own',
  async handler({ db, worker: { id: workerId }, body, now, config, warnings, once }) {
    const worker = await callingWorker(db.reader, workerId)
    await provePassword(worker, body.current_password)
    return once(async (tx) => {
      const change = await requestEmailChange(tx, { workerId, email: body.email, config, now })
      return answerWith(202, { change: viewChange(change) }, warnings)
    })
  },
})

interface RequestEmailChange {
  workerId: string
  email: string
  config: Config
  now: Date
}

async function requestEmailChange(
  tx: Tx,
  { workerId, email, config, now }: RequestEmailChange,
): Promise<EmailChange> {
  const worker = await lockWorker(tx, workerId)
  if (worker === undefined || worker.email.toLowerCase() === email.toLowerCase())
    throw invalidField('email', 'is already your email')
  await limitMails(tx, { workerId, config, now })
  const earlier = await tx
    .selectFrom('worker_email_changes')
    .select('id')
    .where('worker_id', '=', workerId)
    .where('confirmed_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
  await endChanges(tx, { workerId, ids: earlier.map(({ id }) => id), endedFor: 'replaced', now })
  const change = await tx
    .insertInto('worker_email_changes')
    .values({
      id: mintId('wec', now, shardOf(workerId)),
      worker_id: workerId,
      old_email: worker.email,
      new_email: email,
      created_at: now,
      expires_at: new Date(now.getTime() + config.VERIFY_LINK_HOURS * HOUR_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await requestWork(tx, [{ type: 'worker.email_changing', id: change.id }], { now })
  return change
}

/** Anybody can register, and could otherwise have us mail strangers all day. */
async function limitMails(
  tx: Tx,
  { workerId, config, now }: { workerId: string; config: Config; now: Date },
): Promise<void> {
  const { count } = await tx
    .selectFrom('worker_email_changes')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('worker_id', '=', workerId)
    .where('created_at', '>', new Date(now.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  if (count >= config.LIMIT_MAILS_PER_HOUR) throw tooManyEmailChanges()
}
