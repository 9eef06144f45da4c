/**
 * The pages on which people land when they come back from the processor. Coming back proves nothing: they show what we
 * know, and make us look again sooner.
 */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { formatCents } from '../kit/money.ts'
import { idPattern } from '../kit/ids.ts'
import { lookAtAccountSoon } from '../payouts/refresh-account.ts'
import { lookAtCheckoutSoon } from '../wallet/settle-deposit.ts'
import { didNotWork, type Page, show } from './page-layout.ts'
import type { PagesParts } from './pages.ts'

const REFRESH_SECONDS = 2
const REFRESH_SECONDS_BANK = 15

const Wallet = z.object({
  session_id: z.string().max(255).optional().catch(undefined),
  cancelled: z.string().optional().catch(undefined),
  test: z.string().optional().catch(undefined),
})
const Account = z.object({
  worker: z.string().regex(idPattern('worker')).optional().catch(undefined),
})

/** Beside the API, not in it: one of them has a namesake there. */
const at = (page: 'wallet' | 'payouts/return' | 'payouts/refresh') => `/${page}`

export function serveMoneyPages(server: FastifyInstance, { db, refuse }: PagesParts): void {
  void server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => {
      const refusal = refuse(error, request, reply)
      return show(reply, refusal.status, didNotWork(refusal))
    })

    pages.get(at('wallet'), async (request, reply) => {
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

    pages.get(at('payouts/return'), async (request, reply) => {
      const { worker: workerId } = Account.parse(request.query)
      if (workerId !== undefined)
        await db.transaction((tx) => lookAtAccountSoon(tx, { workerId, now: request.now }))
      return show(reply, 200, detailsSent)
    })

    pages.get(at('payouts/refresh'), (_, reply) => show(reply, 200, linkIsUsed))
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

/** An empty address is this page's own. */
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

const detailsSent: Page = {
  title: 'Thank you',
  content: `<p>Your details are with the payment processor. It checks them now, often within a minute.</p>
<p>What comes next: go back to Legwork, where the status of your payouts is shown.
What you have earned waits for you.</p>`,
}

const linkIsUsed: Page = {
  title: 'This link works only once',
  content: `<p>It was opened before, or it is too old.</p>
<p>What comes next: go back to Legwork and press “Set up payouts” again. What you have filled in is kept.</p>`,
}
