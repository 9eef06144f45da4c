/**
 * Log in: returns a token that is valid for seven days.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Shards } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { emailNotVerified, invalidPassword, workerClosed, workerSuspended } from './errors.ts'
import { refuseShutOut } from './decisions.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { byId, type Worker, workerIdOf } from './queries.ts'
import { startSession } from './sessions.ts'
import { tokensOf } from './tokens.ts'
import { AccountView, viewAccount } from './view.ts'

export const Credentials = named(
  'Credentials',
  z.object({
    email: z.string().min(1).max(254),
    password: z.string().min(1).max(1000),
  }),
)

export const logIn = endpoint({
  method: 'POST',
  path: '/worker/login',
  name: 'logInWorker',
  auth: 'none',
  access: { by: 'password' },
  limits: ['login'],
  readOnlyMode: 'served',
  summary: 'Log in as a worker and get a token',
  description:
    'An unknown email gets the same response as a wrong password. Send the token as `Authorization: Bearer`.',
  body: Credentials,
  success: {
    status: 200,
    body: z.object({ worker: AccountView, token: z.string(), expires_at: z.string() }),
  },
  errors: [invalidPassword, emailNotVerified, workerSuspended, workerClosed],
  isSecret: true,

  transaction: 'own',
  async handler({ shards, body, now, config, headers, warnings, once }) {
    const worker = await checkPassword(shards, { ...body, now })
    // Outside of `once`: the link in the response is not stored.
    await refuseShutOut(shards, worker, { config, now })
    return once(async (_, runAt) => {
      // Reported only after the password was verified, so that nobody else learns the state of an account.
      if (worker.status === 'unverified') throw emailNotVerified()

      const login = { worker, tokens: tokensOf(config), userAgent: headers['user-agent'], now }
      const { token, expiresAt } = await runAt(shards.at(worker.id), (tx) =>
        startSession(tx, login),
      )
      const result = {
        worker: viewAccount(worker, now),
        token,
        expires_at: expiresAt.toISOString(),
      }
      return answerWith(200, result, warnings)
    })
  },
})

/** Returns the worker if the password is right. An unknown email takes as long, against timing attacks. */
export async function checkPassword(
  shards: Shards,
  { email, password, now }: z.output<typeof Credentials> & { now: Date },
): Promise<Worker> {
  const workerId = (await workerIdOf(shards.global.reader, email)) ?? 'nobody'
  const found = await byId(shards.at(workerId).reader, workerId)
  // An old address is reserved for undoing a change, but no longer logs in.
  const worker = found?.email.toLowerCase() === email.toLowerCase() ? found : undefined
  const { isRight, isOutdated } = await verifyPassword(password, worker?.password_hash)
  if (worker === undefined || !isRight) throw invalidPassword()
  if (isOutdated) await renewHash(shards, { worker, password, now })
  return worker
}

/** Rehashes with the current parameters. This is only possible at login, when the password is available. */
async function renewHash(
  shards: Shards,
  { worker, password, now }: { worker: Worker; password: string; now: Date },
): Promise<void> {
  const password_hash = await hashPassword(password)
  await shards.at(worker.id).transaction((tx) =>
    tx
      .updateTable('workers')
      .set({ password_hash, updated_at: now })
      .where('id', '=', worker.id)
      // Don't overwrite a password that was changed in the meantime.
      .where('password_hash', '=', worker.password_hash)
      .execute(),
  )
}
