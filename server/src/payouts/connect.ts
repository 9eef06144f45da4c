/**
 * Connect a worker to the payment processor: open an account there and return an onboarding link.
 *
 *   called by   a worker; again for a fresh link to the same account
 *   moves       the worker's payout account: (none) → onboarding
 *   money       none
 *   event       none
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../kit/db.ts'
import { type Answer, answerWith, endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { publicUrl } from '../kit/public-url.ts'
import type { Processor } from '../processor/client.ts'
import { hurriedProcessorOf } from '../processor/client.ts'
import type { Link } from '../processor/client-accounts.ts'
import { paymentsUnavailable, processorUnavailable } from '../processor/errors.ts'
import type { Outcome } from '../processor/outcome.ts'
import { testWorker } from '../workers/errors.ts'
import { PayoutStatus } from '../workers/profile.ts'
import { accountClosed, accountRefused, accountRejected } from './errors.ts'
import { changeCountry, makeAccount, recordAccount } from './make-account.ts'
import type { PayoutAccount } from './queries.ts'

const RETRY_AFTER_MS = 5000

export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must be two letters such as US')
  .optional()
  .describe('Where you live; used when the account is opened, and can’t be changed later')

export const connect = endpoint({
  method: 'POST',
  path: '/worker/stripe/connect',
  name: 'connectPayouts',
  auth: 'worker',
  access: { mode: 'live' },
  summary: 'Set up your payouts',
  description:
    'The link works once, until expires_at. To get a new link, call this again without an ' +
    'Idempotency-Key or with a new one: the same key returns the first response again, even if ' +
    'its link no longer works.',
  body: z.object({ country: Country }),
  success: {
    status: 200,
    body: z.object({
      account_id: z.string(),
      onboarding_url: z.string().describe('Works once'),
      expires_at: z.iso.datetime(),
      status: PayoutStatus,
    }),
  },
  errors: [
    paymentsUnavailable,
    processorUnavailable,
    testWorker,
    accountClosed,
    accountRejected,
    accountRefused,
  ],
  isSecret: true,

  transaction: 'own',
  async handler({ db, worker, body, config, now, warnings, recall, once }) {
    const link = () =>
      linkAccount({ db, config, now }, { worker, country: body.country, pages: PAGES })
    return answerOnce({ recall, once }, link, (linked) =>
      answerWith(200, { account_id: linked.account.account_id, ...viewLink(linked) }, warnings),
    )
  },
})

/** Returns one link per Idempotency-Key. The processor is called outside the transaction. */
export async function answerOnce(
  {
    recall,
    once,
  }: {
    recall: () => Promise<Answer | undefined>
    once: (effect: () => Promise<Answer>) => Promise<Answer>
  },
  link: () => Promise<Linked>,
  answer: (linked: Linked) => Answer,
): Promise<Answer> {
  // A response is already stored; only `once` can decrypt it.
  if ((await recall()) !== undefined) return once(() => assert.fail('it is there'))
  const linked = await link().catch((error: unknown) =>
    // A refusal is stored under its idempotency key like any other response.
    once(async () => {
      throw error
    }),
  )
  return 'isReplay' in linked ? linked : once(async () => answer(linked))
}

export const viewLink = ({ account, link }: Linked) => ({
  onboarding_url: link.url,
  expires_at: link.expiresAt.toISOString(),
  status: account.status,
})

interface Linked {
  account: PayoutAccount
  link: Link
}

/** Our pages that the processor redirects back to. */
interface Pages {
  /** For a link that was already used or has expired. */
  refresh: string
  /** After the worker has finished the processor's onboarding. */
  return: string
}
const PAGES: Pages = { refresh: '/payouts/refresh', return: '/payouts/return' }

interface Connecting {
  db: Db
  config: Config
  now: Date
}

export async function linkAccount(
  connecting: Connecting,
  asked: { worker: WorkerCaller; country: string | undefined; pages: Pages },
): Promise<Linked> {
  const { account, processor } = await setUpAccount(connecting, asked)
  if (account.status === 'rejected') throw accountRejected()
  const { config } = connecting
  return { account, link: await onboardingLink(processor, account, { config, pages: asked.pages }) }
}

/** Returns the worker's account; opens one if there is none yet. */
export async function setUpAccount(
  { db, config, now }: Connecting,
  { worker, country }: { worker: WorkerCaller; country?: string | undefined },
): Promise<{ account: PayoutAccount; processor: Processor }> {
  if (worker.mode === 'test') throw testWorker()
  const processor = hurriedProcessorOf(config)
  if (processor === undefined) throw paymentsUnavailable()
  const of = { workerId: worker.id, country: country ?? config.CONNECT_COUNTRY, now }
  const row = await db.transaction((tx) => recordAccount(tx, of))
  const account = row.account_id === null ? await openAccount(row) : row
  if (account.status === 'closed') throw accountClosed()
  return { account, processor }

  async function openAccount(asked: PayoutAccount): Promise<PayoutAccount> {
    const making = { db, config, processor: processor!, now }
    let made = await makeAccount(making, asked)
    // Retry the original country first, since that request may have succeeded. Switch countries only after a definite
    // refusal.
    if (made.kind === 'definite' && country !== undefined && country !== asked.country)
      made = await makeAccount(making, await db.transaction((tx) => changeCountry(tx, of)))
    if (made.kind === 'definite' && made.isKeyRefused !== true) throw accountRefused()
    return valueOf(made)
  }
}

/** A new link; it works once and expires within minutes. */
export async function onboardingLink(
  processor: Processor,
  { account_id: accountId }: PayoutAccount,
  { config, pages = PAGES }: { config: Config; pages?: Pages },
): Promise<Link> {
  const base = publicUrl(config)
  return valueOf(
    await processor.createOnboardingLink({
      accountId: accountId!,
      refreshUrl: base + pages.refresh,
      returnUrl: base + pages.return,
    }),
  )
}

function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'ok') return outcome.value
  const afterMs = (outcome.kind === 'retry_later' ? outcome.afterMs : undefined) ?? RETRY_AFTER_MS
  throw processorUnavailable({ retry_after_seconds: Math.ceil(afterMs / 1000) })
}
