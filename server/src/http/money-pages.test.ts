import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace({ processor: true })
const HOUR = 3_600_000

async function open(path: string) {
  const { origin } = new URL(market.server.addresses.api!)
  const response = await fetch(origin + path)
  const html = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    html,
    title: /<h1>(.*?)<\/h1>/.exec(html)?.[1],
    looksAgain: html.includes('data-again='),
  }
}

async function deposit(amountCents = 2500) {
  const agent = await market.agent({ freeTasks: false })
  const { status, body, text } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  assert.equal(status, 201, text)
  const sessionId = body.session_id as string
  return {
    agent,
    sessionId,
    id: body.transaction_id as string,
    page: `/wallet?session_id=${sessionId}`,
  }
}

/** How many outbox entries of this type are still pending. */
async function asked(type: string, id: string): Promise<number> {
  const rows = await market.asOwner(`select 1 from outbox where type = $1 and data ->> 'id' = $2`, [
    type,
    id,
  ])
  return rows.length
}

describe('the return page of a payment', () => {
  test('says that nothing is confirmed, checks the payment, and refreshes; it credits nothing', async () => {
    const { agent, id, page } = await deposit()
    market.advance(5000)

    const first = await open(page)
    const second = await open(page)

    assert.equal(first.status, 200)
    assert.equal(first.title, 'Your payment is being confirmed')
    assert(first.looksAgain)
    assert.match(first.html, /<a class="act" href="">Refresh<\/a>/)
    assert.equal(second.title, first.title)
    assert.equal(await asked('deposit.look', id), 1, 'frequent reloads cause one check')
    await market.work()
    assert.equal(await market.balance(agent.id), 0)
  })

  test('refreshes by the only script that its policy allows', async () => {
    const { page } = await deposit()

    const { headers, html } = await open(page)

    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text!)
    assert.equal(scripts.length, 1)
    assert(
      headers
        .get('content-security-policy')!
        .includes(`script-src 'sha256-${hash('sha256', scripts[0]!, 'base64')}';`),
    )
  })

  test('says that the money has arrived, although no notification came', async () => {
    const { agent, sessionId, page } = await deposit()
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await market.sandbox.pay(sessionId)
    market.advance(5000)

    const before = await open(page)
    await market.work()
    const after = await open(page)
    await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })

    assert.equal(before.title, 'Your payment is being confirmed')
    assert.equal(after.title, '$25.00 added to your wallet')
    assert(!after.looksAgain)
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('says that a bank transfer takes days', async () => {
    const { sessionId, page } = await deposit(9900)
    await market.sandbox.pay(sessionId, 'bank_debit')
    await market.settle()

    const { title, looksAgain } = await open(page)

    assert.equal(title, 'Your bank transfer is on its way')
    assert(looksAgain)
  })

  test('says that nothing was paid after the session expired', async () => {
    const { page } = await deposit()
    market.advance(2 * HOUR)
    await market.settle()

    const { status, title, html } = await open(page)

    assert.equal(status, 200)
    assert.equal(title, 'Payment not completed')
    assert.match(html, /Next: start a new deposit/)
  })

  test('shows the state after a cancellation, for test money, and on a plain visit', async () => {
    const titles = await Promise.all(
      ['/wallet?cancelled=1', '/wallet?test=1', '/wallet'].map(async (page) => {
        const { status, title } = await open(page)
        return [status, title]
      }),
    )

    assert.deepEqual(titles, [
      [200, 'Payment canceled'],
      [200, 'Test deposits need no card'],
      [200, 'Your wallet'],
    ])
  })

  test('404 for an unknown payment, without echoing the input', async () => {
    const { status, title, html } = await open('/wallet?session_id=%3Cscript%3Ecs_x')

    assert.equal(status, 404)
    assert.equal(title, 'Payment not found')
    assert.doesNotMatch(html, /script|cs_x/)
  })
})

test('the return page loads nothing, sends no referrer, is not cached, and runs one script at most', async () => {
  for (const page of ['/wallet', '/wallet?cancelled=1', '/wallet?session_id=x']) {
    const { headers, html } = await open(page)

    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-/,
    )
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.doesNotMatch(html, /<script|src=/)
  }
})
