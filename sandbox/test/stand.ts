/**
 * Tests our contract with the processor, using the processor's own unmodified package.
 *
 * Always runs against the sandbox. With STRIPE_TEST_KEY set, the same tests also run against Stripe; it has to be the
 * key of a Stripe sandbox with Connect enabled. Tests that need clicks on a page or injected faults run only against
 * our sandbox: `sandboxTest`.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import Stripe from 'stripe'
import { startSandbox } from '../src/server.ts'

export const GOOD_CARD = '4242424242424242'
export const DECLINED_CARD = '4000000000000002'
export const DISPUTED_CARD = '4000000000000259'
export const SECRETS = { account: 'whsec_account', connect: 'whsec_connect', v2: 'whsec_v2' }
const KEY = 'sk_test_contract'
const { STRIPE_TEST_KEY = '' } = process.env
// Must come before any test is declared: Node ignores what a file throws after that.
if (STRIPE_TEST_KEY)
  assert.match(STRIPE_TEST_KEY, /^[sr]k_test_/, 'the key must not move real money')
const QUICK: Stripe.StripeConfig = { maxNetworkRetries: 0, timeout: 5000, telemetry: false }

/** Tests know the shape of a response better than the compiler does. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>

type Test = (name: string, run: () => Promise<void>) => void

/** What both processors provide. */
export interface Processor {
  stripe: Stripe
  /** Another client, with other retries or timeouts. */
  client(config?: Stripe.StripeConfig): Stripe
  test: Test
  /** Runs only against the sandbox. */
  sandboxTest(name: string, run: (sandbox: Sandbox) => Promise<void>): void
}

/** Declares a part of the contract, once for each available processor; each part has its own sandbox. */
export async function contract(
  title: string,
  declare: (processor: Processor) => void,
): Promise<void> {
  const sandbox = await open()
  describe(`${title}, at the sandbox`, () => {
    after(() => sandbox.stop())
    declare({
      stripe: sandbox.stripe,
      client: sandbox.client,
      test: (name, run) => void test(name, run),
      sandboxTest: (name, run) => void test(name, () => run(sandbox)),
    })
  })

  if (!STRIPE_TEST_KEY) return
  describe(`${title}, at Stripe`, () => {
    const client = (config: Stripe.StripeConfig = {}) =>
      new Stripe(STRIPE_TEST_KEY, { ...QUICK, timeout: 30_000, maxNetworkRetries: 2, ...config })
    declare({
      stripe: client(),
      client,
      test: (name, run) => void test(name, run),
      sandboxTest: () => undefined,
    })
  })
}

export type Sandbox = Awaited<ReturnType<typeof open>>

async function open() {
  const receiver = await openReceiver()
  const server = await startSandbox({ token: 'control', retryDelaysMs: [20, 40, 80, 160] })
  const sandbox = standAt(server.url, 'control')
  for (const [kind, secret] of Object.entries(SECRETS))
    await sandbox.control('POST', 'endpoints', { kind, url: `${receiver.url}/${kind}`, secret })
  return {
    ...sandbox,
    receiver,
    async stop() {
      await server.stop()
      await receiver.stop()
    },
  }
}

export type Stand = ReturnType<typeof standAt>

/** A sandbox at `url`, with helpers for tests. */
export function standAt(url: string, token: string) {
  const { hostname: host, port } = new URL(url)
  const client = (config: Stripe.StripeConfig = {}) =>
    new Stripe(KEY, { ...QUICK, host, port, protocol: 'http', ...config })
  const stripe = client()

  async function control(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(`${url}/_sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }

  return {
    url,
    stripe,
    client,
    control,
    fault: (fault: object) => control('POST', 'faults', [fault]),
    advance: (seconds: number) => control('POST', 'clock/advance', { seconds }),
    /** Adds the operator's own money, to pay from. */
    fund: (amount: number) => control('POST', 'topups', { amount }),
    flush: () => control('POST', 'deliveries/flush'),

    async paidCharge(amount: number, card = GOOD_CARD): Promise<Stripe.Charge> {
      const { id } = await createSession(stripe, { amount })
      await control('POST', `sessions/${id}/pay`, { card })
      return chargeOf(stripe, id)
    },

    async activeAccount(workerId = randomUUID()): Promise<string> {
      const { id } = await createAccount(stripe, workerId)
      await control('POST', `accounts/${id}/submit`, { outcome: 'verified' })
      return id
    },

    async countTransfers(group: string): Promise<number> {
      return (await stripe.transfers.list({ transfer_group: group, limit: 100 })).data.length
    },

    /** Opens a hosted page and submits its form, overriding the given fields. */
    async submitPage(page: string, fields: Record<string, string>) {
      const opened = await fetch(page, { redirect: 'manual' })
      assert.equal(opened.status, 200, `${page} answers ${opened.status}`)
      const form = formIn(await opened.text())
      const response = await fetch(new URL(form.action, page), {
        method: 'POST',
        headers: { origin: url, cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '' },
        body: new URLSearchParams({ ...form.fields, ...fields }),
        redirect: 'manual',
      })
      return {
        status: response.status,
        location: response.headers.get('location'),
        text: await response.text(),
      }
    },
  }
}

/** The first form of a page: its action and its field values. */
function formIn(page: string): { action: string; fields: Record<string, string> } {
  const form = /<form\b[^>]*\bmethod="post"[^>]*>[^]*?<\/form>/.exec(page)?.[0]
  assert(form, 'the page has a form')
  const attribute = (tag: string, name: string) =>
    new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&')
  const inputs = form
    .match(/<input\b[^>]*>/g)
    ?.filter((tag) => attribute(tag, 'type') !== 'radio' || /\bchecked\b/.test(tag))
  const fields = (inputs ?? []).map((tag) => [
    attribute(tag, 'name') ?? '',
    attribute(tag, 'value') ?? '',
  ])
  return { action: attribute(form, 'action') ?? '', fields: Object.fromEntries(fields) }
}

interface NewSession {
  amount?: number
  key?: string
  deposit?: string
  params?: Stripe.Checkout.SessionCreateParams
}

/** Creates a session as the server does for a deposit. */
export function createSession(
  stripe: Stripe,
  { amount = 2500, key = randomUUID(), deposit = 'txn_1', params = {} }: NewSession = {},
) {
  const metadata = { deposit_id: deposit, agent_id: 'agent_1' }
  return stripe.checkout.sessions.create(
    {
      mode: 'payment',
      ui_mode: 'hosted_page',
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: amount,
            product_data: { name: 'Wallet deposit' },
          },
        },
      ],
      client_reference_id: deposit,
      customer_email: 'robot@example.com',
      metadata,
      payment_intent_data: { metadata },
      adaptive_pricing: { enabled: false },
      allowed_payment_method_types: ['card', 'link'],
      success_url: 'https://legwork.example/wallet?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://legwork.example/wallet',
      ...params,
    },
    { idempotencyKey: key },
  )
}

/** The latest charge of a session, with its payment intent and its balance transaction. */
export async function chargeOf(stripe: Stripe, sessionId: string): Promise<Stripe.Charge> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  })
  const intent = session.payment_intent as Stripe.PaymentIntent
  return intent.latest_charge as Stripe.Charge
}

/** Creates an account as the server does for a worker. */
export function createAccount(stripe: Stripe, workerId: string) {
  return stripe.v2.core.accounts.create(
    {
      contact_email: 'worker@example.com',
      display_name: 'Ann Worker',
      dashboard: 'express',
      identity: { country: 'us', entity_type: 'individual' },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
      defaults: {
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
      metadata: { worker_id: workerId },
      include: ['configuration.recipient', 'requirements'],
    },
    { idempotencyKey: `acct_${workerId}` },
  )
}

interface NewTransfer {
  amount?: number
  key?: string
  group?: string
}

export function createTransfer(
  stripe: Stripe,
  destination: string,
  { amount = 410, key = randomUUID(), group = 'task_1' }: NewTransfer = {},
) {
  return stripe.transfers.create(
    {
      amount,
      currency: 'usd',
      destination,
      transfer_group: group,
      metadata: { payout_id: 'po_1' },
    },
    { idempotencyKey: key },
  )
}

/** The id of a reference, expanded or not. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  assert(reference, 'the reference is set')
  return typeof reference === 'string' ? reference : reference.id
}

/** Returns the error of a call, and asserts that there is one. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert(outcome instanceof Stripe.errors.StripeError, 'the call is refused by the processor')
  return outcome
}

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  type: string
  id: string
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** Receives what the sandbox sends, and responds with 200 unless told otherwise. */
async function openReceiver() {
  const received: Received[] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { type, id } = JSON.parse(body.toString()) as { type: string; id: string }
      received.push({ path: request.url ?? '', headers: request.headers, body, type, id })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Status codes for the next deliveries, one each. */
    answerWith: (...statuses: number[]) => void answers.push(...statuses),
    forget: () => void received.splice(0),
    typesAt: (path: string) => received.filter((one) => one.path === path).map(({ type }) => type),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
