/**
 * Choose a new password while logged in. Needs the current one, so that a stolen session is not enough.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       worker.password_changed (ours): notifies the worker by email
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { lockWorker } from './decisions.ts'
import { testWorker, wrongPassword } from './errors.ts'
import { endLinks } from './links.ts'
import { hashPassword, NewPassword, refuseGuessable } from './passwords.ts'
import { CurrentPassword, provePassword } from './prove-password.ts'
import { callingWorker } from './queries.ts'
import { endSessionsExcept } from './sessions.ts'

export const changePassword = endpoint({
  method: 'POST',
  path: '/worker/password',
  name: 'changePassword',
  auth: 'worker',
  access: { mode: 'live' },
  limits: ['login'],
  summary: 'Choose a new password',
  description: 'Ends every other session. We tell you by email.',
  body: z.object({ current_password: CurrentPassword, password: NewPassword }),
  success: { status: 200, body: z.object({ message: z.string() }) },
  errors: [wrongPassword, testWorker],
  isSecret: true,

  transaction: 'own',
  async handler({ db, worker: { id: workerId, sessionId }, body, now, config, ...reply }) {
    const { warnings, recall, once } = reply
    // A repeated request gets the stored response: its current password is no longer the current one.
    if ((await recall()) !== undefined) return once(() => assert.fail('it is there'))
    const worker = await callingWorker(db.reader, workerId)
    await provePassword(worker, body.current_password)
    if (body.password === body.current_password)
      throw invalidField('password', 'must not be your current password')
    refuseGuessable(config, { ...body, email: worker.email, name: worker.name })
    const change = {
      workerId,
      sessionId,
      old_hash: worker.password_hash,
      // Hash before the transaction, because it is slow.
      password_hash: await hashPassword(body.password),
      now,
    }
    return once(async (tx) => {
      await setPassword(tx, change)
      return answerWith(200, { message: 'Your password has been changed' }, warnings)
    })
  },
})

interface SetPassword {
  workerId: string
  sessionId: string | undefined
  old_hash: string
  password_hash: string
  now: Date
}

async function setPassword(
  tx: Tx,
  { workerId, sessionId, old_hash, password_hash, now }: SetPassword,
): Promise<void> {
  const worker = await lockWorker(tx, workerId)
  // The password that was proven is no longer the current one.
  if (worker?.password_hash !== old_hash) throw wrongPassword()
  await tx
    .updateTable('workers')
    .set({ password_hash, updated_at: now })
    .where('id', '=', workerId)
    .execute()
  await endLinks(tx, { workerId, purpose: 'reset', now })
  await endSessionsExcept(tx, { workerId, sessionId, now })
  await requestWork(tx, [{ type: 'worker.password_changed', id: workerId }], { now })
}
