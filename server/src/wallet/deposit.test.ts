import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { idPattern } from '../kit/ids.ts'

const market = await marketplace({ processor: true })

/** The checkout pages that the processor has created for a deposit. */
async function pagesOf(depositId: string) {
  const { data } = await market.sandbox.control('GET', 'objects/checkout.session?limit=100')
  return (data as { id: string; client_reference_id: string }[]).filter(
    ({ client_reference_id }) => client_reference_id === depositId,
  )
}

const rowOf = (depositId: string) =>
  market.db.reader
    .selectFrom('deposits')
    .selectAll()
    .where('id', '=', depositId)
    .executeTakeFirstOrThrow()

const rowsOf = (agentId: string) =>
  market.db.reader.selectFrom('deposits').selectAll().where('agent_id', '=', agentId).execute()

const fault = (mode: string, more: Record<string, unknown> = {}) =>
  market.sandbox.control('POST', 'faults', {
    match: 'POST /v1/checkout/sessions',
    mode,
    times: 1,
    ...more,
  })

describe('POST /wallet/deposit', () => {
  test('[4.3-deposit] [4.3-deposit-201] [1-checkout] 201: returns a payment page of the processor', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })

    assert.equal(status, 201)
    const { checkout_url, session_id, transaction_id, ...rest } = body
    assert.match(transaction_id, idPattern('txn'))
    assert.match(session_id, /^cs_test_/)
    assert(checkout_url.startsWith(market.sandbox.url))
    const page = await fetch(checkout_url)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /\$25\.00/)
    assert.deepEqual(rest, {
      amount_cents: 2500,
      status: 'pending',
      expires_at: (await rowOf(transaction_id)).expires_at.toISOString(),
    })
    const minutes = (new Date(rest.expires_at).getTime() - market.now().getTime()) / 60_000
    assert(minutes > 59 && minutes <= 60)
    assert.equal(await market.balance(agent.id), 0)
  })

  test('[1-agent-funds] a payment on that page is credited to the wallet and pays for a task', async () => {
    const agent = await market.agent({ freeTasks: false })
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })

    await market.sandbox.pay(body.session_id)
    await market.settle()

    assert.equal(await market.balance(agent.id), 2500)
    const created = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
    assert.equal(created.status, 201)
    assert.equal(await market.balance(agent.id), 0)
  })

  for (const path of [
    '/api/v1/api/v1/wallet/deposit',
    '/api/v1//api/v1/wallet/deposit',
    '/api/api/v1/wallet/deposit',
    '/api/v1/wallet/deposit',
  ])
    test(`201 at ${path}: deposit_url works joined to the base URL and to the origin`, async () => {
      const agent = await market.agent()

      const response = await fetch(new URL(path, market.server.addresses.api), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${agent.api_key}` },
        body: JSON.stringify({ amount_cents: 2500 }),
      })

      assert.equal(response.status, 201)
      assert.match(((await response.json()) as { checkout_url: string }).checkout_url, /^http/)
    })

  test('[4.3-deposit-min] [8-deposit-min] 400 below 500 cents, and 201 from there', async () => {
    const agent = await market.agent()

    const refused = await agent.post('/wallet/deposit', { amount_cents: 499 })
    const taken = await agent.post('/wallet/deposit', { amount_cents: 500 })

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error, 'amount_cents must be at least 500 ($5.00)')
    assert.equal(refused.body.details[0].path, 'amount_cents')
    assert.equal(taken.status, 201)
    assert.equal((await rowsOf(agent.id)).length, 1)
  })

  for (const amount_cents of [1_000_001, 0, -500, 500.5, '$5', null, undefined])
    test(`400 for ${JSON.stringify(amount_cents)}`, async () => {
      const agent = await market.agent()

      const { status, body } = await agent.post('/wallet/deposit', { amount_cents })

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'amount_cents')
      assert.deepEqual(await rowsOf(agent.id), [])
    })

  test('201 for a restricted agent, which may owe money', async () => {
    const agent = await market.agent()
    await market.asOwner(`update agents set status = 'restricted' where id = $1`, [agent.id])

    const { status } = await agent.post('/wallet/deposit', { amount_cents: 500 })

    assert.equal(status, 201)
  })

  test('401 without a key', async () => {
    const { status } = await market.call('POST', '/wallet/deposit', { body: { amount_cents: 500 } })

    assert.equal(status, 401)
  })

  test('503 payments_unavailable without a processor; nothing is created', async () => {
    const without = await marketplace()
    const agent = await without.agent()

    const { status, body } = await agent.post('/wallet/deposit', { amount_cents: 500 })

    assert.equal(status, 503)
    assert.equal(body.code, 'payments_unavailable')
    const rows = await without.db.reader.selectFrom('deposits').select('id').execute()
    assert.deepEqual(rows, [])
  })

  describe('under an Idempotency-Key', () => {
    const body = { amount_cents: 1500 }

    test('the first response is replayed', async () => {
      const agent = await market.agent()
      const key = { 'idempotency-key': 'deposit-1' }

      const first = await agent.post('/wallet/deposit', body, key)
      const second = await agent.post('/wallet/deposit', body, key)

      assert.equal(second.text, first.text)
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      assert.equal((await pagesOf(first.body.transaction_id)).length, 1)
    })

    for (const mode of ['error_after', 'reset_after', 'json_without_error'] as const)
      test(`a retry after a lost response (${mode}) continues with the same deposit and the same page`, async () => {
        const agent = await market.agent()
        const key = { 'idempotency-key': 'deposit-2' }
        await fault(mode, { times: 3, stores: 'answer' })

        const lost = await agent.post('/wallet/deposit', body, key)
        await market.sandbox.control('DELETE', 'faults')
        const answered = await agent.post('/wallet/deposit', body, key)

        assert.equal(lost.status, 503)
        assert.equal(lost.body.code, 'processor_unavailable')
        assert(lost.body.retry_after_seconds > 0)
        assert.equal(answered.status, 201)
        const rows = await rowsOf(agent.id)
        assert.deepEqual(
          rows.map(({ id, status }) => [id, status]),
          [[answered.body.transaction_id, 'open']],
        )
        assert.equal((await pagesOf(rows[0]!.id)).length, 1)
      })

    test('a lost response without a retry is resolved by the timer', async () => {
      const agent = await market.agent()
      await fault('reset_before', { times: 3 })
      await agent.post('/wallet/deposit', body, { 'idempotency-key': 'deposit-3' })
      await market.sandbox.control('DELETE', 'faults')
      await market.events()

      market.advance(121_000)
      await market.sweep()
      await market.work()

      const [row] = await rowsOf(agent.id)
      assert.equal(row!.status, 'open')
      assert.equal((await pagesOf(row!.id)).length, 1)
      const answered = await agent.post('/wallet/deposit', body, {
        'idempotency-key': 'deposit-3',
      })
      assert.equal(answered.body.transaction_id, row!.id)
      assert.equal(answered.body.session_id, row!.session_id)
    })

    test('422 for another amount, whether there was a response or not', async () => {
      const agent = await market.agent()
      const key = { 'idempotency-key': 'deposit-4' }
      await fault('reset_before', { times: 3 })

      const lost = await agent.post('/wallet/deposit', body, key)
      await market.sandbox.control('DELETE', 'faults')
      const early = await agent.post('/wallet/deposit', { amount_cents: 1600 }, key)
      await agent.post('/wallet/deposit', body, key)
      const late = await agent.post('/wallet/deposit', { amount_cents: 1600 }, key)

      assert.equal(lost.status, 503)
      assert.deepEqual(
        [early, late].map(({ status, body }) => [status, body.code]),
        [
          [422, 'idempotency_mismatch'],
          [422, 'idempotency_mismatch'],
        ],
      )
      assert.equal((await rowsOf(agent.id)).length, 1)
    })

    test('eight concurrent requests give one deposit, one page and eight equal responses', async () => {
      const agent = await market.agent()
      const key = { 'idempotency-key': 'deposit-5' }

      const replies = await Promise.all(
        Array.from({ length: 8 }, () => agent.post('/wallet/deposit', body, key)),
      )

      assert.deepEqual(
        replies.map(({ status }) => status),
        replies.map(() => 201),
      )
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
      const rows = await rowsOf(agent.id)
      assert.equal(rows.length, 1)
      assert.equal((await pagesOf(rows[0]!.id)).length, 1)
    })
  })

  describe('if the processor refuses to create a page', () => {
    test('503; the deposit fails in the wallet, and its key opens another', async () => {
      const agent = await market.agent()
      const key = { 'idempotency-key': 'deposit-6' }
      await fault('error_before', { status: 400, code: 'parameter_invalid', times: 2 })

      const refused = await agent.post('/wallet/deposit', { amount_cents: 700 }, key)
      await market.work()
      await market.sandbox.control('DELETE', 'faults')
      const again = await agent.post('/wallet/deposit', { amount_cents: 700 }, key)

      assert.equal(refused.status, 503)
      assert.equal(refused.body.code, 'processor_unavailable')
      assert.equal(again.status, 201)
      const { body: wallet } = await agent.get('/wallet')
      const shown = new Map<string, string>(
        wallet.transactions.map((row: { id: string; status: string }) => [row.id, row.status]),
      )
      assert.equal(shown.size, 2)
      for (const { id } of await rowsOf(agent.id))
        assert.equal(shown.get(id), id === again.body.transaction_id ? 'pending' : 'failed')
    })
  })

  describe('in test mode', () => {
    test('201: test money is credited at once, without the processor', async () => {
      const agent = await market.agent()
      await market.events()

      const { status, body } = await agent.test.post('/wallet/deposit', { amount_cents: 5000 })

      assert.equal(status, 201)
      assert.equal(body.session_id, `test_${body.transaction_id}`)
      assert.equal(body.status, 'posted')
      assert.match(body.checkout_url, /\/wallet\?test=1$/)
      assert.deepEqual(await pagesOf(body.transaction_id), [])
      const { body: wallet } = await agent.test.get('/wallet')
      assert.equal(wallet.balance_cents, 105_000)
      assert(wallet.transactions.some(({ id }: { id: string }) => id === body.transaction_id))
      assert.equal(await market.balance(agent.id), 0)
      const told = await market.events()
      assert.deepEqual(
        told.map(({ type, data }) => [type, data]),
        [
          [
            'deposit.succeeded',
            {
              deposit: {
                transaction_id: body.transaction_id,
                amount_cents: 5000,
                created_at: market.now().toISOString(),
              },
            },
          ],
        ],
      )
    })

    test('an Idempotency-Key credits it once', async () => {
      const agent = await market.agent()
      const key = { 'idempotency-key': 'play-1' }

      const replies = await Promise.all(
        Array.from({ length: 4 }, () =>
          agent.test.post('/wallet/deposit', { amount_cents: 5000 }, key),
        ),
      )

      assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
      const { body: wallet } = await agent.test.get('/wallet')
      assert.equal(wallet.balance_cents, 105_000)
    })
  })
})
