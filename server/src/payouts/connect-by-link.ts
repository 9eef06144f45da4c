/**
 * Connect a suspended or closed worker to the payment processor, so their earned money can be paid out.
 *
 *   called by   the holder of a link to the page about a decision; the link stays valid whether or not they objected
 *   moves       the worker's payout account: (none) → onboarding
 *   money       none; payouts that wait for the account follow once the processor has checked it
 *   event       none
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { paymentsUnavailable, processorUnavailable } from '../processor/errors.ts'
import { LINK_ERRORS, workerByLink } from '../workers/decisions.ts'
import { LinkToken } from '../workers/links.ts'
import { PayoutStatus } from '../workers/profile.ts'
import { answerOnce, Country, linkAccount, viewLink } from './connect.ts'
import { accountClosed, accountRefused, accountRejected } from './errors.ts'

const BODY_MAX_BYTES = 4096
// Never put the token into a URL that the processor sees: the page keeps it while its tab is open.
const PAGE = '/objection'

export const connectByLink = endpoint({
  method: 'POST',
  path: '/worker/objections/payout-account',
  name: 'connectPayoutsByLink',
  auth: 'none',
  access: { by: 'mailed link' },
  summary: 'Set up payouts for a suspended or closed account',
  description:
    'Same as POST /worker/stripe/connect, for a worker without a session. Works before and ' +
    'after an objection, until the account is active again.',
  body: z.object({ token: LinkToken, country: Country }),
  bodyMaxBytes: BODY_MAX_BYTES,
  success: {
    status: 200,
    body: z.object({
      onboarding_url: z.string().describe('Works once'),
      expires_at: z.iso.datetime(),
      status: PayoutStatus,
    }),
  },
  errors: [
    ...LINK_ERRORS,
    paymentsUnavailable,
    processorUnavailable,
    accountClosed,
    accountRejected,
    accountRefused,
  ],
  isSecret: true,

  transaction: 'own',
  async handler({ db, body: { token, country }, config, now, warnings, recall, once }) {
    const link = async () => {
      const { id, mode, agent_id } = await workerByLink(db.reader, { token, now })
      const worker = { id, mode, agentId: agent_id }
      const pages = { refresh: PAGE, return: PAGE }
      return linkAccount({ db, config, now }, { worker, country, pages })
    }
    return answerOnce({ recall, once }, link, (linked) =>
      answerWith(200, viewLink(linked), warnings),
    )
  },
})
