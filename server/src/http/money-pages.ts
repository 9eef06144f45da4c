/**
 * The page where agents' owners land when they return from the payment processor. Returning proves nothing: the page
 * shows what we know and triggers an earlier status check.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ApiError } from '../kit/errors.ts'
import { formatCents } from '../kit/money.ts'
import { lookAtCheckoutSoon } from '../wallet/settle-deposit.ts'
import { didNotWork, type Page, show } from './page-layout.ts'
import type { ServerParts } from './server-parts.ts'

const REFRESH_SECONDS = 2
const REFRESH_SECONDS_BANK = 15

const Wallet = z.object({
  session_id: z.string().max(255).optional().catch(undefined),
  cancelled: z.string().optional().catch(undefined),
  test: z.string().optional().catch(undefined),
})
/** Outside the API's path, because the API has an endpoint of the same name. */
const PAGE = 'wallet'

interface PagesParts extends Pick<ServerParts, 'db'> {
  /** Records a refusal in logs and metrics, for endpoints and pages alike. */
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError
}

export function serveMoneyPages(server: FastifyInstance, { db, refuse }: PagesParts): void {
  void server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => {
      const refusal = refuse(error, request, reply)
      return show(reply, refusal.status, didNotWork(refusal))
    })

    pages.get(`/${PAGE}`, { config: { access: 'anyone' } }, async (request, reply) => {
      const { session_id: sessionId, cancelled, test } = Wallet.parse(request.query)
      if (test !== undefined) return show(reply, 200, playMoney)
      if (cancelled !== undefined) return show(reply, 200, nothingPaid)
      if (sessionId === undefined) return show(reply, 200, wallet)
      const deposit = await db.transaction((tx) =>
        lookAtCheckoutSoon(tx, { sessionId, now: request.now }),
      )
      if (deposit === undefined) return show(reply, 404, unknownPayment)
      return show(reply, 200, paymentPage(deposit))
    })
  })
}

function paymentPage({ status, amount_cents }: { status: string; amount_cents: number }): Page {
  const amount = formatCents(amount_cents)
  switch (status) {
    case 'creating':
    case 'open':
      return {
        title: 'Your payment is being confirmed',
        refreshSeconds: REFRESH_SECONDS,
        content: `<p role="status">The payment of ${amount} is not confirmed yet. That takes a few seconds.</p>
<p class="aside">This page looks again by itself. You can also close it: nothing is lost.</p>
${lookAgain}`,
      }
    case 'processing':
      return {
        title: 'Your bank has been asked',
        refreshSeconds: REFRESH_SECONDS_BANK,
        content: `<p role="status">${amount} are on their way. A bank takes some days.</p>
<p>What comes next: close this page. The money is in your wallet as soon as your bank has confirmed it.</p>
${lookAgain}`,
      }
    case 'failed':
    case 'expired':
      return {
        title: 'Nothing was paid',
        content: `<p>The payment of ${amount} did not go through, and nothing was taken.</p>
<p>What comes next: ask for a new deposit, and pay with another card.</p>`,
      }
    case 'mismatched':
      return {
        title: 'We are looking at your payment',
        content: `<p>What arrived is not the ${amount} that was asked for. A person looks at it; nothing is lost.</p>`,
      }
    default:
      return {
        title: `${amount} added to your wallet`,
        content: `<p role="status">Your payment has arrived.</p>
<p>What comes next: close this page. The money can be spent on tasks at once;
<code>GET /api/v1/wallet</code> shows it.</p>`,
      }
  }
}

/** An empty href links to the current page. */
const lookAgain = '<p><a class="act" href="">Look again</a></p>'

const wallet: Page = {
  title: 'Your wallet',
  content: `<p>Ask <code>GET /api/v1/wallet</code> with your key: it shows the balance and every movement.</p>`,
}

const playMoney: Page = {
  title: 'Play money needs no card',
  content: `<p>With a test key a deposit has arrived when it is asked for, and nobody pays.</p>
<p>What comes next: create tasks with the same key.</p>`,
}

const nothingPaid: Page = {
  title: 'Nothing was paid',
  content: `<p>You left the payment page before paying.</p>
<p>What comes next: the page stays open for an hour under the same address; or ask for a new deposit.</p>`,
}

const unknownPayment: Page = {
  title: 'We do not know this payment',
  content: `<p>The address is not complete, or it belongs to another server.</p>
<p>What comes next: open it once more, whole.
<code>GET /api/v1/wallet</code> shows every payment that has arrived.</p>`,
}
