import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { readConfig } from '../config.ts'
import { processorOf } from './client.ts'

const KEY = 'sk_test_abcdefghij1234567890'
const TRANSFER = {
  id: 'tr_1',
  object: 'transfer',
  amount: 410,
  amount_reversed: 0,
  balance_transaction: 'txn_1',
  created: 1_700_000_000,
  currency: 'usd',
  description: null,
  destination: 'acct_1',
  livemode: false,
  metadata: { payout_id: 'po_1' },
  reversals: { object: 'list', data: [], has_more: false, url: '/v1/transfers/tr_1/reversals' },
  reversed: false,
  source_transaction: null,
  transfer_group: 'task_1',
}
const PAYOUT = {
  payoutId: 'po_1',
  taskId: 'task_1',
  workerId: 'worker_1',
  accountId: 'acct_1',
  amountCents: 410,
  key: 'payout_po_1_a1',
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  /** Text is sent unchanged. */
  body: unknown
}
interface Request {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}
type Behaviour = (request: Request, response: ServerResponse, count: number) => Answer | undefined

const stops: (() => Promise<void>)[] = []
after(async () => {
  for (const stop of stops) await stop()
})

/** Starts a server with scripted responses and an adapter that talks to it; also returns the received requests. */
async function speakingTo(behaviour: Behaviour | Answer, settings: Record<string, string> = {}) {
  const requests: Request[] = []
  const behave = typeof behaviour === 'function' ? behaviour : () => behaviour
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body: Buffer.concat(chunks).toString() }
      requests.push(request)
      const answer = behave(request, response, requests.length)
      if (answer === undefined) return
      response.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        'request-id': `req_${requests.length}`,
        ...answer.headers,
      })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const config = readConfig({
    STRIPE_SECRET_KEY: KEY,
    STRIPE_API_BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    STRIPE_TIMEOUT_MS: '300',
    STRIPE_RETRIES: '0',
    ...settings,
  })
  return { processor: processorOf(config)!, requests, config }
}

const refusal = (type: string, code?: string, message = 'No.') => ({
  error: { type, message, ...(code === undefined ? {} : { code }) },
})

/** Two retries, the server's default. */
const RETRIES = { STRIPE_RETRIES: '2' }
const UNSURE = { kind: 'ambiguous', isAnswer: false }

describe('the outcome of a response, each after two retries if the package makes them', {
  concurrency: true,
}, () => {
  const table: {
    name: string
    answer: Behaviour | Answer
    outcome: Record<string, unknown>
    requests: number
  }[] = [
    {
      name: 'a transfer: ok',
      answer: { body: TRANSFER },
      outcome: { kind: 'ok' },
      requests: 1,
    },
    {
      name: '503 in JSON without an error: ambiguous, not ok',
      answer: { status: 503, body: { message: 'no upstream' } },
      outcome: { ...UNSURE, cause: 'response 503 without an error' },
      requests: 3,
    },
    {
      name: '404 in JSON without an error: ambiguous, not ok',
      answer: { status: 404, body: { message: 'no such route' } },
      outcome: { ...UNSURE, cause: 'response 404 without an error' },
      requests: 1,
    },
    {
      name: '503 that looks like a transfer: ambiguous',
      answer: { status: 503, body: TRANSFER },
      outcome: UNSURE,
      requests: 3,
    },
    {
      name: '400 idempotency_error: definite',
      answer: { status: 400, body: refusal('idempotency_error') },
      outcome: { kind: 'definite', code: 'idempotency_error', message: 'No.' },
      requests: 1,
    },
    {
      name: '409 while the first is still running: later',
      answer: { status: 409, body: refusal('idempotency_error', 'idempotency_key_in_use') },
      outcome: { kind: 'retry_later', code: 'idempotency_key_in_use' },
      requests: 3,
    },
    {
      name: '400 balance_insufficient: definite',
      answer: { status: 400, body: refusal('invalid_request_error', 'balance_insufficient') },
      outcome: { kind: 'definite', code: 'balance_insufficient', message: 'No.' },
      requests: 1,
    },
    {
      name: '400 without a code is named by its type: definite',
      answer: { status: 400, body: refusal('invalid_request_error') },
      outcome: { kind: 'definite', code: 'invalid_request_error', message: 'No.' },
      requests: 1,
    },
    {
      name: '404 resource_missing: definite',
      answer: { status: 404, body: refusal('invalid_request_error', 'resource_missing') },
      outcome: { kind: 'definite', code: 'resource_missing', message: 'No.' },
      requests: 1,
    },
    {
      name: '402: definite',
      answer: { status: 402, body: refusal('card_error', 'card_declined') },
      outcome: { kind: 'definite', code: 'card_declined', message: 'No.' },
      requests: 1,
    },
    {
      name: '401: definite, and it was our key',
      answer: { status: 401, body: refusal('invalid_request_error') },
      outcome: { kind: 'definite', code: 'invalid_request_error', isKeyRefused: true },
      requests: 1,
    },
    {
      name: '403 for a missing permission: definite, and it was our key',
      answer: { status: 403, body: refusal('invalid_request_error', 'more_permissions_required') },
      outcome: { kind: 'definite', code: 'more_permissions_required', isKeyRefused: true },
      requests: 1,
    },
    {
      name: '403 for an account that is no longer ours: definite, and it was not our key',
      answer: { status: 403, body: refusal('invalid_request_error', 'account_invalid') },
      outcome: { kind: 'definite', code: 'account_invalid', isKeyRefused: undefined },
      requests: 1,
    },
    {
      name: '429: later, and not retried at once',
      answer: { status: 429, body: refusal('invalid_request_error', 'rate_limit') },
      outcome: { kind: 'retry_later', code: 'rate_limit', afterMs: undefined },
      requests: 1,
    },
    {
      name: '429 that asks for a pause: later, after that',
      answer: {
        status: 429,
        headers: { 'retry-after': '7' },
        body: refusal('invalid_request_error', 'rate_limit'),
      },
      outcome: { kind: 'retry_later', code: 'rate_limit', afterMs: 7000 },
      requests: 1,
    },
    {
      name: '429 lock_timeout with stripe-should-retry: retried, then later',
      answer: {
        status: 429,
        headers: { 'stripe-should-retry': 'true' },
        body: refusal('invalid_request_error', 'lock_timeout'),
      },
      outcome: { kind: 'retry_later', code: 'lock_timeout' },
      requests: 3,
    },
    {
      name: '400 lock_timeout: later',
      answer: { status: 400, body: refusal('invalid_request_error', 'lock_timeout') },
      outcome: { kind: 'retry_later', code: 'lock_timeout' },
      requests: 1,
    },
    {
      name: '500 in JSON: ambiguous, a response of the processor itself',
      answer: (_request, _response, count) => ({
        status: 500,
        body: refusal('api_error', undefined, `Something broke (req_${count})`),
      }),
      outcome: {
        kind: 'ambiguous',
        isAnswer: true,
        cause: 'response 500 api_error: Something broke ()',
      },
      requests: 3,
    },
    {
      name: '500 that is not retryable: ambiguous after one',
      answer: {
        status: 500,
        headers: { 'stripe-should-retry': 'false' },
        body: refusal('api_error'),
      },
      outcome: { kind: 'ambiguous', isAnswer: true },
      requests: 1,
    },
    {
      name: '500, then the transfer: ok',
      answer: (_request, _response, count) =>
        count === 1 ? { status: 500, body: refusal('api_error') } : { body: TRANSFER },
      outcome: { kind: 'ok' },
      requests: 2,
    },
    {
      name: '424, neither refused nor done: ambiguous',
      answer: { status: 424, body: refusal('api_error') },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: '502 in HTML: ambiguous',
      answer: { status: 502, body: '<html><h1>Bad Gateway</h1></html>' },
      outcome: UNSURE,
      requests: 3,
    },
    {
      name: '200 in HTML: ambiguous',
      answer: { body: '<html>Sign in to the hotel’s network</html>' },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: '302: ambiguous',
      answer: { status: 302, headers: { location: '/elsewhere' }, body: {} },
      outcome: { ...UNSURE, cause: 'response 302 without an error' },
      requests: 1,
    },
    {
      name: 'a gateway’s own error, in words: ambiguous',
      answer: { status: 403, body: { error: 'forbidden', error_description: 'by the firewall' } },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: 'a gateway’s own error, as an object: ambiguous',
      answer: { status: 404, body: { error: { message: 'no route matched' } } },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: 'another object: ambiguous',
      answer: { body: { ...TRANSFER, object: 'charge' } },
      outcome: { ...UNSURE, cause: 'the response is not a transfer' },
      requests: 1,
    },
    {
      name: 'a transfer without an id: ambiguous',
      answer: { body: { ...TRANSFER, id: undefined } },
      outcome: { ...UNSURE, cause: 'transfer without an id' },
      requests: 1,
    },
    {
      name: 'a transfer without an amount: ambiguous',
      answer: { body: { ...TRANSFER, amount: undefined } },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: 'an amount that is not a whole number of cents: ambiguous',
      answer: { body: { ...TRANSFER, amount: 4.1 } },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: 'a transfer of the other mode: ambiguous',
      answer: { body: { ...TRANSFER, livemode: true } },
      outcome: { ...UNSURE, cause: 'transfer of the other mode' },
      requests: 1,
    },
    {
      name: 'truncated JSON: ambiguous',
      answer: { body: JSON.stringify(TRANSFER).slice(0, 100) },
      outcome: UNSURE,
      requests: 1,
    },
    ...['', 'null', '"OK"', '5', '[]', 'true'].map((body) => ({
      name: `the body ${body || '(nothing)'}: ambiguous`,
      answer: { body },
      outcome: UNSURE,
      requests: 1,
    })),
    {
      name: 'a connection that is reset: ambiguous',
      answer: (_request, response) => void response.socket?.resetAndDestroy(),
      outcome: UNSURE,
      requests: 3,
    },
    {
      name: 'a connection that ends in the middle of the body: ambiguous',
      answer: (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"id":', () => response.socket?.destroy())
        return undefined
      },
      outcome: UNSURE,
      requests: 1,
    },
    {
      name: 'a timeout: ambiguous',
      answer: () => undefined,
      outcome: {
        ...UNSURE,
        cause: 'ETIMEDOUT Request aborted due to timeout being reached (300ms)',
      },
      requests: 3,
    },
  ]
  for (const { name, answer, outcome, requests: count } of table)
    test(name, async () => {
      const { processor, requests } = await speakingTo(answer, RETRIES)

      const actual = await processor.createTransfer(PAYOUT)

      const known = Object.fromEntries(
        Object.keys(outcome).map((name) => [name, read(actual, name)]),
      )
      assert.deepEqual(known, outcome)
      assert.equal(requests.length, count)
      const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']))
      assert.deepEqual([...keys], [PAYOUT.key])
    })

  const read = (outcome: object, name: string) => (outcome as Record<string, unknown>)[name]

  test('a reset connection is retried once even without retries', async () => {
    const { processor, requests } = await speakingTo(
      (_request, response) => void response.socket?.resetAndDestroy(),
    )

    const { kind } = await processor.createTransfer(PAYOUT)

    assert.equal(kind, 'ambiguous')
    assert.equal(requests.length, 2)
    assert.equal(requests[0]!.headers['idempotency-key'], requests[1]!.headers['idempotency-key'])
  })

  test('a response that trickles endlessly times out', async () => {
    const { processor } = await speakingTo((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
      return undefined
    })

    const outcome = await processor.createTransfer(PAYOUT)

    assert.equal(outcome.kind, 'ambiguous')
  })

  test('an unreachable host is ambiguous', async () => {
    const config = readConfig({
      STRIPE_SECRET_KEY: KEY,
      STRIPE_API_BASE: 'http://127.0.0.1:1',
      STRIPE_RETRIES: '0',
    })

    const outcome = await processorOf(config)!.createTransfer(PAYOUT)

    assert.equal(outcome.kind, 'ambiguous')
  })

  test('the errors of the v2 API are distinguished as well', async () => {
    const account = { workerId: 'worker_1', email: 'a@b.c', name: 'Ann', country: 'US' }
    const answers: [Answer, string][] = [
      [{ status: 429, body: refusal('rate_limit', 'rate_limit_exceeded') }, 'retry_later'],
      [
        { status: 409, body: refusal('idempotency_error', 'idempotency_key_in_use') },
        'retry_later',
      ],
      [{ status: 400, body: { error: { code: 'invalid_fields', message: 'No.' } } }, 'definite'],
      [{ status: 400, body: refusal('idempotency_error') }, 'definite'],
      [
        { status: 422, body: refusal('feature_not_enabled', 'accounts_v2_not_enabled') },
        'definite',
      ],
      [{ status: 500, body: { error: { code: 'internal', message: 'No.' } } }, 'ambiguous'],
      [{ status: 500, body: refusal('cannot_proceed') }, 'ambiguous'],
    ]

    const outcomes = await Promise.all(
      answers.map(async ([answer]) => (await speakingTo(answer)).processor.createAccount(account)),
    )

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      answers.map(([, kind]) => kind),
    )
  })
})

describe('a request', () => {
  test('names the API version of the code, and nothing about this machine', async () => {
    const { processor, requests } = await speakingTo({ body: TRANSFER })

    await processor.getTransfer('tr_1')
    await processor.getTransfer('tr_1')

    const { headers } = requests[1]!
    const about = JSON.parse(String(headers['x-stripe-client-user-agent'])) as object
    assert.equal(headers['stripe-version'], '2026-10-28.endive')
    assert.equal(headers['x-stripe-client-telemetry'], undefined)
    assert.equal('platform' in about, false)
    assert.equal('telemetry_id' in about, false)
  })

  test('creates a checkout under the deposit’s key, for the amount in dollars only', async () => {
    const { processor, requests } = await speakingTo({ body: checkout() })

    const outcome = await processor.createCheckout({
      depositId: 'txn_9',
      agentId: 'agent_9',
      email: 'robot@example.com',
      amountCents: 2500,
      expiresAt: new Date('2026-11-15T10:00:00.900Z'),
      successUrl: 'https://legwork.example/wallet?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://legwork.example/wallet',
    })

    const [{ method, path, headers, body }] = requests as [Request]
    assert.equal(outcome.kind, 'ok')
    assert.equal(`${method} ${path}`, 'POST /v1/checkout/sessions')
    assert.equal(headers['idempotency-key'], 'deposit_txn_9')
    assert.equal(headers.authorization, `Bearer ${KEY}`)
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      mode: 'payment',
      ui_mode: 'hosted_page',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '2500',
      'line_items[0][price_data][product_data][name]': 'Wallet deposit',
      client_reference_id: 'txn_9',
      customer_email: 'robot@example.com',
      'metadata[deposit_id]': 'txn_9',
      'metadata[agent_id]': 'agent_9',
      'payment_intent_data[metadata][deposit_id]': 'txn_9',
      'payment_intent_data[metadata][agent_id]': 'agent_9',
      'adaptive_pricing[enabled]': 'false',
      'allowed_payment_method_types[0]': 'card',
      'allowed_payment_method_types[1]': 'link',
      expires_at: '1794736800',
      success_url: 'https://legwork.example/wallet?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://legwork.example/wallet',
    })
  })

  test('creates a transfer under the attempt’s key, to one account, grouped by the task', async () => {
    const { processor, requests } = await speakingTo({ body: TRANSFER })

    const outcome = await processor.createTransfer(PAYOUT)

    const [{ headers, body }] = requests as [Request]
    assert.equal(headers['idempotency-key'], 'payout_po_1_a1')
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      amount: '410',
      currency: 'usd',
      destination: 'acct_1',
      transfer_group: 'task_1',
      description: 'Legwork task_1',
      'metadata[payout_id]': 'po_1',
      'metadata[task_id]': 'task_1',
      'metadata[worker_id]': 'worker_1',
    })
    assert.deepEqual(outcome, {
      kind: 'ok',
      value: {
        id: 'tr_1',
        amountCents: 410,
        reversedCents: 0,
        currency: 'usd',
        destination: 'acct_1',
        payoutId: 'po_1',
        workerId: undefined,
        transferGroup: 'task_1',
        balanceTransactionId: 'txn_1',
        reversals: [],
        createdAt: new Date(1_700_000_000_000),
      },
    })
  })

  test('creates an account under the worker’s key, which can only receive money', async () => {
    const { processor, requests } = await speakingTo({ body: accountV2() })

    const outcome = await processor.createAccount({
      workerId: 'worker_1',
      email: 'ann@example.com',
      name: 'Ann',
      country: 'US',
    })

    const [{ path, headers, body }] = requests as [Request]
    assert.equal(path, '/v2/core/accounts')
    assert.equal(headers['idempotency-key'], 'acct_worker_1')
    assert.deepEqual(JSON.parse(body), {
      contact_email: 'ann@example.com',
      display_name: 'Ann',
      dashboard: 'express',
      identity: { country: 'us', entity_type: 'individual' },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
      defaults: {
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
      metadata: { worker_id: 'worker_1' },
      include: ['configuration.recipient', 'requirements'],
    })
    assert.equal(outcome.kind, 'ok')
  })

  test('creates the same account by the v1 API, if that is configured', async () => {
    const { processor, requests } = await speakingTo(
      { body: accountV1() },
      { CONNECT_ACCOUNTS_API: 'v1' },
    )

    const outcome = await processor.createAccount({
      workerId: 'worker_1',
      email: 'ann@example.com',
      name: 'Ann',
      country: 'US',
    })

    const [{ path, headers, body }] = requests as [Request]
    assert.equal(path, '/v1/accounts')
    assert.equal(headers['idempotency-key'], 'acct_worker_1')
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      'controller[stripe_dashboard][type]': 'express',
      'controller[fees][payer]': 'application',
      'controller[losses][payments]': 'application',
      'controller[requirement_collection]': 'stripe',
      'capabilities[transfers][requested]': 'true',
      business_type: 'individual',
      country: 'US',
      email: 'ann@example.com',
      'metadata[worker_id]': 'worker_1',
    })
    assert.equal(outcome.kind, 'ok')
  })

  test('schedules weekly payouts to the bank, of everything unless a reserve is set', async () => {
    const body = { object: 'balance_settings', payments: {} }
    const all = await speakingTo({ body }, { BANK_PAYOUT_MINIMUM_CENTS: '0' })
    const some = await speakingTo({ body }, { BANK_PAYOUT_MINIMUM_CENTS: '1000' })

    await all.processor.setPayoutSchedule('acct_1')
    await some.processor.setPayoutSchedule('acct_1')

    const schedule = {
      'payments[debit_negative_balances]': 'true',
      'payments[payouts][schedule][interval]': 'weekly',
      'payments[payouts][schedule][weekly_payout_days][0]': 'friday',
    }
    const sent = [...all.requests, ...some.requests]
    assert.deepEqual(
      sent.map(({ headers }) => headers['stripe-account']),
      ['acct_1', 'acct_1'],
    )
    assert.deepEqual(
      sent.map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
      [schedule, { ...schedule, 'payments[payouts][minimum_balance_by_currency][usd]': '1000' }],
    )
  })
})

describe('a response is parsed', () => {
  test('for a paid checkout, with its charge and the fee', async () => {
    const { processor, requests } = await speakingTo({
      body: checkout({
        status: 'complete',
        payment_status: 'paid',
        url: null,
        payment_intent: {
          id: 'pi_1',
          object: 'payment_intent',
          metadata: { deposit_id: 'txn_9', agent_id: 'agent_9' },
          latest_charge: charge({ balance_transaction: balanceTransaction() }),
        },
      }),
    })

    const outcome = await processor.getCheckout('cs_test_1')

    assert(outcome.kind === 'ok')
    const { charge: paid, ...session } = outcome.value
    assert.match(requests[0]!.path, /expand.*payment_intent\.latest_charge\.balance_transaction/)
    assert.deepEqual(session, {
      id: 'cs_test_1',
      url: undefined,
      status: 'complete',
      paymentStatus: 'paid',
      amountCents: 2500,
      currency: 'usd',
      depositId: 'txn_9',
      agentId: 'agent_9',
      paymentIntentId: 'pi_1',
      expiresAt: new Date(1_700_003_600_000),
    })
    assert.equal(paid?.depositId, 'txn_9')
    assert.equal(paid?.balanceTransaction?.feeCents, 103)
    assert.equal(paid?.balanceTransaction?.netCents, 2397)
  })

  test('for a charge whose fee is not known yet', async () => {
    const { processor } = await speakingTo({ body: charge({ balance_transaction: null }) })

    const outcome = await processor.getCharge('ch_1')

    assert(outcome.kind === 'ok')
    assert.equal(outcome.value.balanceTransaction, undefined)
    assert.equal(outcome.value.paid, true)
  })

  test('for a new checkout without a page as ambiguous', async () => {
    const { processor } = await speakingTo({ body: checkout({ url: null }) })

    const outcome = await processor.createCheckout({
      depositId: 'txn_9',
      agentId: 'agent_9',
      email: 'robot@example.com',
      amountCents: 2500,
      expiresAt: new Date(),
      successUrl: 'https://legwork.example',
      cancelUrl: 'https://legwork.example',
    })

    assert.equal(outcome.kind, 'ambiguous')
  })

  test('for an account: whether it may receive money, and what its worker has to answer', async () => {
    const requirement = (description: string, from: string, status: string) => ({
      awaiting_action_from: from,
      description,
      errors: [],
      impact: {},
      minimum_deadline: { status },
      requested_reasons: [],
    })
    const { processor } = await speakingTo({
      body: accountV2({
        status: 'restricted',
        entries: [
          requirement('identity.individual.date_of_birth', 'user', 'past_due'),
          requirement('identity.individual.id_number', 'user', 'eventually_due'),
          requirement('identity.individual.document', 'stripe', 'currently_due'),
        ],
      }),
    })

    const outcome = await processor.getAccount('acct_1')

    assert.deepEqual(outcome, {
      kind: 'ok',
      value: {
        id: 'acct_1',
        workerId: 'worker_1',
        transfers: 'restricted',
        requirementsDue: ['identity.individual.date_of_birth'],
        detailsSubmitted: false,
        isClosed: false,
      },
    })
  })

  test('for an account of the v1 API', async () => {
    const rows = [
      ['active', null, 'active'],
      ['pending', null, 'pending'],
      ['inactive', 'requirements.past_due', 'restricted'],
      ['inactive', 'rejected.fraud', 'rejected'],
      [undefined, null, 'unsupported'],
    ] as const

    const outcomes = await Promise.all(
      rows.map(async ([transfers, disabled_reason]) => {
        const body = accountV1({ transfers, disabled_reason })
        const { processor } = await speakingTo({ body }, { CONNECT_ACCOUNTS_API: 'v1' })
        return processor.getAccount('acct_1')
      }),
    )

    assert.deepEqual(
      outcomes.map((outcome) => outcome.kind === 'ok' && outcome.value.transfers),
      rows.map(([, , expected]) => expected),
    )
  })

  test('for a transfer with more reversals than it contains, which are fetched', async () => {
    const reversal = (id: string) => ({
      id,
      object: 'transfer_reversal',
      amount: 10,
      balance_transaction: `txn_${id}`,
      created: 1_700_000_000,
      currency: 'usd',
      metadata: {},
      transfer: 'tr_1',
    })
    const { processor } = await speakingTo(({ path }) =>
      path.includes('/reversals')
        ? { body: page([reversal('trr_1'), reversal('trr_2')], false) }
        : {
            body: { ...TRANSFER, amount_reversed: 20, reversals: page([reversal('trr_2')], true) },
          },
    )

    const outcome = await processor.getTransfer('tr_1')

    assert(outcome.kind === 'ok')
    assert.equal(outcome.value.reversedCents, 20)
    assert.deepEqual(
      outcome.value.reversals.map(({ id }) => id),
      ['trr_1', 'trr_2'],
    )
  })

  test('for balances without taking other currencies for dollars', async () => {
    const { processor } = await speakingTo({
      body: {
        object: 'balance',
        livemode: false,
        available: [
          { amount: 700, currency: 'eur' },
          { amount: 500, currency: 'usd' },
        ],
        pending: [{ amount: -20, currency: 'usd' }],
      },
    })

    const outcome = await processor.getBalance()

    assert.deepEqual(outcome, {
      kind: 'ok',
      value: { availableCents: 500, pendingCents: -20, connectReservedCents: 0 },
    })
  })
})

describe('a list', () => {
  const ids = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => balanceTransaction(`txn_${from + index}`))

  test('is read to its end, page by page', async () => {
    const { processor, requests } = await speakingTo(({ path }) =>
      path.includes('starting_after=txn_99')
        ? { body: page(ids(5, 100), false) }
        : { body: page(ids(100), true) },
    )

    const seen: string[] = []
    const createdFrom = new Date('2026-11-15T00:00:00Z')
    for await (const outcome of processor.listBalanceTransactions({ createdFrom })) {
      assert(outcome.kind === 'ok')
      seen.push(...outcome.value.map(({ id }) => id))
    }

    assert.equal(new Set(seen).size, 105)
    assert.equal(requests.length, 2)
    assert.match(decodeURIComponent(requests[1]!.path), /created\[gte\]=1794700800/)
  })

  test('ends with an error if it breaks off', async () => {
    const { processor } = await speakingTo((_request, _response, count) =>
      count === 1
        ? { body: page(ids(100), true) }
        : { status: 503, body: { message: 'no upstream' } },
    )

    const kinds: string[] = []
    for await (const { kind } of processor.listBalanceTransactions({ createdFrom: new Date() }))
      kinds.push(kind)

    assert.deepEqual(kinds, ['ok', 'ambiguous'])
  })

  test('that repeats the same page is aborted', async () => {
    const { processor, requests } = await speakingTo({ body: page([TRANSFER], true) })

    const outcome = await processor.listTransfers('task_1')

    assert.equal(outcome.kind, 'ambiguous')
    assert.equal(requests.length, 2)
  })

  test('without `data`, or of another kind, is ambiguous, not empty', async () => {
    const bodies = [{ object: 'list' }, { object: 'list', data: [{}] }, { data: [] }]

    const outcomes = await Promise.all(
      bodies.map(async (body) => (await speakingTo({ body })).processor.listRefunds('pi_1')),
    )

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['ambiguous', 'ambiguous', 'ambiguous'],
    )
  })

  test('of undelivered notifications requests only those', async () => {
    const { processor, requests } = await speakingTo({ body: page([event()], false) })

    const pages = await Array.fromAsync(
      processor.listUndeliveredEvents({ createdFrom: new Date(1_700_000_000_000) }),
    )

    assert.match(requests[0]!.path, /delivery_success=false/)
    assert(pages[0]?.kind === 'ok')
    assert.deepEqual(pages[0].value[0]?.objectId, 'cs_test_1')
  })
})

describe('secrets', () => {
  test('the key is in no outcome, whatever a response contains', async () => {
    const echo: Behaviour = ({ headers }, _response, count) => ({
      status: [401, 500, 200][count - 1]!,
      body: refusal(
        'invalid_request_error',
        'x',
        `Invalid: ${headers.authorization} whsec_secret1`,
      ),
    })
    const { processor } = await speakingTo(echo)

    const outcomes = [
      await processor.createTransfer(PAYOUT),
      await processor.createTransfer(PAYOUT),
      await processor.createTransfer(PAYOUT),
    ]

    const text = JSON.stringify(outcomes)
    assert.equal(text.includes(KEY), false)
    assert.equal(text.includes('whsec_secret1'), false)
    assert.match(text, /Invalid: Bearer \[secret\]/)
  })

  test('a live key is sent to no other host', async () => {
    const { config } = await speakingTo({ body: TRANSFER })

    for (const STRIPE_SECRET_KEY of ['sk_live_1234567890', 'rk_live_1234567890'])
      assert.throws(() => processorOf({ ...config, STRIPE_SECRET_KEY }), /live key/)
  })

  test('the key determines whether real money moves', () => {
    const modes = ['sk_test_1', 'rk_test_1', 'sk_live_1', 'rk_live_1'].map(
      (STRIPE_SECRET_KEY) => processorOf(readConfig({ STRIPE_SECRET_KEY }))?.livemode,
    )

    assert.deepEqual(modes, [false, false, true, true])
  })

  test('without a key there is no processor; with one, there is one for each server', () => {
    const config = readConfig({ STRIPE_SECRET_KEY: KEY })

    assert.equal(processorOf(readConfig({})), undefined)
    assert.equal(processorOf(config), processorOf(config))
    assert.notEqual(processorOf(config), processorOf(readConfig({ STRIPE_SECRET_KEY: KEY })))
  })
})

describe('a notification', () => {
  const processor = processorOf(readConfig({ STRIPE_SECRET_KEY: KEY }))!
  const now = new Date('2026-11-15T12:00:00Z')
  const signed = (body: Buffer | string, secret: string, at = now) => {
    const time = Math.floor(at.getTime() / 1000)
    const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
    return `t=${time},v1=${signature}`
  }
  const snapshot = Buffer.from(JSON.stringify(event()))
  const thin = Buffer.from(
    JSON.stringify({
      id: 'evt_thin_1',
      object: 'v2.core.event',
      type: 'v2.core.account[requirements].updated',
      created: '2026-11-15T11:59:59.123Z',
      livemode: false,
      related_object: { id: 'acct_1', type: 'v2.core.account', url: '/v2/core/accounts/acct_1' },
    }),
  )

  test('is accepted if one of the secrets has signed it', () => {
    const secrets = ['whsec_new', 'whsec_old']

    const read = processor.readSnapshot(snapshot, signed(snapshot, 'whsec_old'), { secrets, now })

    assert.deepEqual(read, {
      id: 'evt_1',
      type: 'checkout.session.completed',
      account: undefined,
      livemode: false,
      createdAt: new Date(1_700_000_000_000),
      objectId: 'cs_test_1',
      objectType: 'checkout.session',
      payload: event(),
    })
  })

  test('that is thin names its object, and its payload is plain JSON', () => {
    const read = processor.readThin(thin, signed(thin, 'whsec_v2'), { secrets: ['whsec_v2'], now })

    assert.deepEqual(read, {
      id: 'evt_thin_1',
      type: 'v2.core.account[requirements].updated',
      account: undefined,
      livemode: false,
      createdAt: new Date('2026-11-15T11:59:59.123Z'),
      objectId: 'acct_1',
      objectType: 'v2.core.account',
      payload: JSON.parse(thin.toString()),
    })
  })

  test('without an object id is accepted as well', () => {
    const body = Buffer.from(
      JSON.stringify({ ...event(), account: 'acct_2', data: { object: { object: 'balance' } } }),
    )

    const read = processor.readSnapshot(body, signed(body, 'whsec_a'), {
      secrets: ['whsec_a'],
      now,
    })

    assert.equal(read?.objectId, undefined)
    assert.equal(read?.objectType, 'balance')
    assert.equal(read?.account, 'acct_2')
  })

  test('is refused with another secret, another body, no signature or no secret', () => {
    const receipt = { secrets: ['whsec_a'], now }
    const other = Buffer.from(snapshot.toString().replace('cs_test_1', 'cs_test_2'))
    const signature = signed(snapshot, 'whsec_a')

    const read = [
      processor.readSnapshot(snapshot, signed(snapshot, 'whsec_b'), receipt),
      processor.readSnapshot(other, signature, receipt),
      processor.readSnapshot(snapshot, '', receipt),
      processor.readSnapshot(snapshot, 't=1', receipt),
      processor.readSnapshot(Buffer.alloc(0), signed('', 'whsec_a'), receipt),
      processor.readSnapshot(snapshot, signed(snapshot, ''), { secrets: [''], now }),
      processor.readSnapshot(snapshot, signature, { secrets: [], now }),
    ]

    assert.deepEqual(
      read,
      read.map(() => undefined),
    )
  })

  test('is refused after five minutes, by the given clock', () => {
    const receipt = { secrets: ['whsec_a'], now }
    const [young, old] = [299_000, 301_000].map((ms) => new Date(now.getTime() - ms))

    assert(processor.readSnapshot(snapshot, signed(snapshot, 'whsec_a', young), receipt))
    assert(processor.readThin(thin, signed(thin, 'whsec_a', young), receipt))
    assert.equal(
      processor.readSnapshot(snapshot, signed(snapshot, 'whsec_a', old), receipt),
      undefined,
    )
    assert.equal(processor.readThin(thin, signed(thin, 'whsec_a', old), receipt), undefined)
  })

  test('of one kind is refused where the other is expected, and so is an invalid one', () => {
    const receipt = { secrets: ['whsec_a'], now }
    const nothing = [
      '{}',
      '[]',
      'null',
      '"x"',
      '{',
      '{"object":"event","id":"evt_1"}',
      '{"object":"event","id":"evt_1","data":{"object":{}}}',
      '{"object":"v2.core.event","id":"evt_1"}',
    ].map((text) => Buffer.from(text))

    const read = [
      processor.readSnapshot(thin, signed(thin, 'whsec_a'), receipt),
      processor.readThin(snapshot, signed(snapshot, 'whsec_a'), receipt),
      ...nothing.map((body) => processor.readSnapshot(body, signed(body, 'whsec_a'), receipt)),
      ...nothing.map((body) => processor.readThin(body, signed(body, 'whsec_a'), receipt)),
    ]

    assert.deepEqual(
      read,
      read.map(() => undefined),
    )
  })
})

function page(data: object[], has_more: boolean) {
  return { object: 'list', data, has_more, url: '/v1/things' }
}

function event() {
  return {
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    created: 1_700_000_000,
    livemode: false,
    data: { object: { id: 'cs_test_1', object: 'checkout.session' } },
  }
}

function checkout(fields: object = {}) {
  return {
    id: 'cs_test_1',
    object: 'checkout.session',
    livemode: false,
    status: 'open',
    payment_status: 'unpaid',
    url: 'https://checkout.example/c/pay/cs_test_1',
    amount_total: 2500,
    currency: 'usd',
    metadata: { deposit_id: 'txn_9', agent_id: 'agent_9' },
    payment_intent: null,
    expires_at: 1_700_003_600,
    ...fields,
  }
}

function charge(fields: object = {}) {
  return {
    id: 'ch_1',
    object: 'charge',
    livemode: false,
    amount: 2500,
    amount_refunded: 0,
    currency: 'usd',
    status: 'succeeded',
    paid: true,
    disputed: false,
    failure_code: null,
    metadata: {},
    payment_intent: 'pi_1',
    created: 1_700_000_000,
    ...fields,
  }
}

function balanceTransaction(id = 'txn_1') {
  return {
    id,
    object: 'balance_transaction',
    type: 'charge',
    reporting_category: 'charge',
    amount: 2500,
    fee: 103,
    net: 2397,
    currency: 'usd',
    source: 'ch_1',
    status: 'pending',
    balance_type: 'payments',
    description: null,
    created: 1_700_000_000,
    available_on: 1_700_172_800,
  }
}

function accountV2({ status = 'active', entries = [] as object[] } = {}) {
  return {
    id: 'acct_1',
    object: 'v2.core.account',
    applied_configurations: ['recipient'],
    created: '2026-11-15T00:00:00.000Z',
    livemode: false,
    metadata: { worker_id: 'worker_1' },
    configuration: {
      recipient: {
        applied: true,
        capabilities: { stripe_balance: { stripe_transfers: { status, status_details: [] } } },
      },
    },
    requirements: { entries },
  }
}

interface OlderAccount {
  transfers?: string | undefined
  disabled_reason?: string | null
}

function accountV1({ transfers, disabled_reason = null }: OlderAccount = {}) {
  return {
    id: 'acct_1',
    object: 'account',
    capabilities: { transfers },
    details_submitted: false,
    metadata: { worker_id: 'worker_1' },
    requirements: { currently_due: [], past_due: [], disabled_reason },
  }
}
