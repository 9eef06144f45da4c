/**
 * The page where agents' owners land when they return from the payment processor. Returning proves nothing: the page
 * shows what we know and triggers an earlier status check.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isUnreachable, type Tx } from '../kit/db.ts'
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

interface PagesParts extends Pick<ServerParts, 'shards'> {
  /** Records a refusal in logs and metrics, for endpoints and pages alike. */
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError
}

export function serveMoneyPages(server: FastifyInstance, { shards, refuse }: PagesParts): void {
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
      let unreached: Error | undefined
      for (const db of shards.all) {
        const look = (tx: Tx) => lookAtCheckoutSoon(tx, { sessionId, now: request.now })
        const deposit = await db.transaction(look).catch((error: unknown) => {
          if (!isUnreachable(error)) throw error
          unreached = error as Error
          return undefined
        })
        if (deposit !== undefined) return show(reply, 200, paymentPage(deposit))
      }
      if (unreached !== undefined) throw unreached
      return show(reply, 404, unknownPayment)
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
        content: `<p role="status">The payment of ${amount} is not confirmed yet. This takes a few seconds.</p>
<p class="aside">This page updates automatically. You can also close it; your payment isn’t affected.</p>
${lookAgain}`,
      }
    case 'processing':
      return {
        title: 'Your bank transfer is on its way',
        refreshSeconds: REFRESH_SECONDS_BANK,
        content: `<p role="status">${amount} is on its way. Bank payments take a few days.</p>
<p>Next: close this page. The money is added to your wallet as soon as your bank confirms it.</p>
${lookAgain}`,
      }
    case 'failed':
    case 'expired':
      return {
        title: 'Payment not completed',
        content: `<p>The payment of ${amount} did not go through. You were not charged.</p>
<p>Next: start a new deposit and pay with another card.</p>`,
      }
    case 'mismatched':
      return {
        title: 'We’re reviewing your payment',
        content: `<p>The amount we received is not the ${amount} you requested. Our team is reviewing it.</p>`,
      }
    default:
      return {
        title: `${amount} added to your wallet`,
        content: `<p role="status">Your payment has arrived.</p>
<p>Next: close this page. You can spend the money on tasks right away;
<code>GET /api/v1/wallet</code> shows it.</p>`,
      }
  }
}

/** An empty href links to the current page. */
const lookAgain = '<p><a class="act" href="">Refresh</a></p>'

const wallet: Page = {
  title: 'Your wallet',
  content:
    '<p>Call <code>GET /api/v1/wallet</code> with your key to see your balance and transactions.</p>',
}

const playMoney: Page = {
  title: 'Test deposits need no card',
  content: `<p>With a test key, deposits arrive immediately and nobody is charged.</p>
<p>Next: create tasks with the same key.</p>`,
}

const nothingPaid: Page = {
  title: 'Payment canceled',
  content: `<p>You left the payment page before paying. You were not charged.</p>
<p>Next: pay on the same page within the hour, or start a new deposit.</p>`,
}

const unknownPayment: Page = {
  title: 'Payment not found',
  content: `<p>The link is incomplete or belongs to another server.</p>
<p>Next: open the complete link again.
<code>GET /api/v1/wallet</code> shows all payments we have received.</p>`,
}
