/**
 * Link a worker to the processor's dashboard, which shows what has arrived and when it goes to the bank.
 *
 *   called by   a worker
 *   moves       nothing; if there is no account, one is opened, as in connect.ts
 *   money       none
 *   event       none
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../kit/db.ts'
import { answerWith, endpoint, type WorkerCaller } from '../kit/endpoint.ts'
import { paymentsUnavailable, processorUnavailable } from '../processor/errors.ts'
import { testWorker } from '../workers/errors.ts'
import { onboardingLink, setUpAccount } from './connect.ts'
import { accountClosed, accountRefused, accountRejected, onboardingRequired } from './errors.ts'

const RETRY_AFTER_SECONDS = 5

export const openDashboard = endpoint({
  method: 'POST',
  path: '/worker/stripe/dashboard',
  name: 'openPayoutDashboard',
  auth: 'worker',
  access: { mode: 'live' },
  summary: 'Open your payout dashboard',
  description:
    'The link works once. If your payouts are not set up yet, the error contains a link to do so.',
  success: {
    status: 200,
    body: z.object({ dashboard_url: z.string().describe('Works once') }),
  },
  errors: [
    paymentsUnavailable,
    processorUnavailable,
    testWorker,
    accountClosed,
    accountRejected,
    accountRefused,
    onboardingRequired,
  ],
  isSecret: true,

  transaction: 'own',
  async handler({ db, worker, config, now, warnings, recall, once }) {
    // A response is already stored; only `once` can decrypt it.
    if ((await recall()) !== undefined) return once(() => assert.fail('it is there'))
    // Do not store refusals under the idempotency key here: they are not encrypted, and this one may contain a link.
    const url = await dashboardLink({ db, config, now }, worker)
    return once(async () => answerWith(200, { dashboard_url: url }, warnings))
  },
})

async function dashboardLink(
  opening: { db: Db; config: Config; now: Date },
  worker: WorkerCaller,
): Promise<string> {
  const { account, processor } = await setUpAccount(opening, { worker })
  // Ask even if we have not heard that onboarding is complete: the processor knows first.
  const made = await processor.createDashboardLink(account.account_id!)
  if (made.kind === 'ok') return made.value.url
  if (made.kind !== 'definite' || made.isKeyRefused === true)
    throw processorUnavailable({ retry_after_seconds: RETRY_AFTER_SECONDS })
  if (account.status === 'rejected') throw accountRejected()
  const { url } = await onboardingLink(processor, account, { config: opening.config })
  throw onboardingRequired({ onboarding_url: url })
}
