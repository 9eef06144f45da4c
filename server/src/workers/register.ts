/**
 * Register a worker. The account becomes active when the worker follows the mailed link.
 *
 *   called by   anyone
 *   moves       nothing
 *   money       none; the worker's accounts are opened
 *   event       mail.requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import { type Language, languageAskedFor } from '../email/languages.ts'
import { openAccounts } from '../ledger/journal.ts'
import { type Tx, violates } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { registrationsOff } from '../kit/errors.ts'
import { mintId, randomShard } from '../kit/ids.ts'
import { requestMail } from '../webhooks/record-event.ts'
import { workerExists } from './errors.ts'
import { hashPassword, NewPassword, refuseGuessable } from './passwords.ts'
import { type Worker, workerIdOf } from './queries.ts'
import { AccountView, Adult, AppLanguage, viewAccount } from './view.ts'

export const register = endpoint({
  method: 'POST',
  path: '/worker/register',
  name: 'registerWorker',
  auth: 'none',
  access: { by: 'anyone' },
  limits: ['register_worker'],
  summary: 'Register as a worker',
  description:
    'We email a link to the address; the account becomes active when the link is opened.',
  body: z.object({
    name: z.string().trim().min(1).max(100),
    email: z.email('must be an email address').max(254),
    password: NewPassword,
    app_language: AppLanguage.optional().describe(
      'The language of the app and of our emails; by default the best match of Accept-Language',
    ),
    adult: Adult,
  }),
  success: { status: 201, body: z.object({ worker: AccountView }) },
  errors: [workerExists, registrationsOff],
  isSecret: true,

  transaction: 'own',
  async handler({
    db,
    shards,
    switches,
    body,
    now,
    config,
    address,
    headers,
    warnings,
    ...request
  }) {
    refuseGuessable(config, body)
    if (await switches.isStopped('registrations')) {
      const earlier = await request.recall()
      if (earlier !== undefined) return earlier
      throw registrationsOff()
    }
    // Hash before the transaction, because it is slow and would occupy a connection.
    const isKnown = (await workerIdOf(db.reader, body.email)) !== undefined
    const password_hash = isKnown ? undefined : await hashPassword(body.password)
    return request.once(async (tx, runAt) => {
      if (password_hash === undefined) throw workerExists()
      const id = mintId('worker', now, randomShard())
      await reserveEmail(tx, { email: body.email, workerId: id })
      const details = {
        ...body,
        id,
        password_hash,
        app_language: body.app_language ?? languageAskedFor(headers['accept-language']),
        address: address(),
        terms_version: body.adult ? config.TERMS_VERSION : null,
        now,
      }
      const worker = await runAt(shards.at(id), (own) => registerWorker(own, details))
      return answerWith(201, { worker: viewAccount(worker, now) }, warnings)
    })
  },
})

async function reserveEmail(
  tx: Tx,
  { email, workerId }: { email: string; workerId: string },
): Promise<void> {
  await tx
    .insertInto('worker_emails')
    .values({ email: email.toLowerCase(), worker_id: workerId })
    .execute()
    .catch((error: unknown) => {
      // A concurrent registration has taken the same email.
      throw violates(error, 'worker_emails_taken') ? workerExists() : error
    })
}

interface RegisterWorker {
  id: string
  name: string
  email: string
  password_hash: string
  app_language: Language
  address: string | undefined
  /** Null unless the worker has confirmed being an adult. */
  terms_version: string | null
  now: Date
}

async function registerWorker(
  tx: Tx,
  { id, name, email, password_hash, app_language, address, terms_version, now }: RegisterWorker,
): Promise<Worker> {
  const worker = await tx
    .insertInto('workers')
    .values({
      id,
      mode: 'live',
      name,
      email,
      password_hash,
      app_language,
      registered_from: address ?? null,
      terms_version,
      adult_confirmed_at: terms_version === null ? null : now,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await openAccounts(tx, { ownerId: id, mode: 'live' })
  await requestMail(tx, { workerId: id, template: 'verify', now })
  return worker
}
