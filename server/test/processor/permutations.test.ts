/**
 * The processor reports one fact in several webhooks, in no particular order, some of them twice. Here they arrive in
 * every possible order, each as itself and once more under another id; either after everything has happened, or as soon
 * as their own cause has, while the rest is still to come. The ledger must be the same, line by line.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GOOD_CARD } from '../sandbox.ts'
import { type Json, type Marketplace, marketplace } from '../harness.ts'
import { linesOf, type Posting, POSTINGS } from './lines.ts'
import { notify } from './notify.ts'

const TIMEOUT_MS = 240_000
const AT_ONCE = 8
const AMOUNT = 5000
const HOUR_MS = 3_600_000

/** One deposit, on its way through a story. */
interface Track {
  order: readonly string[]
  isMeanwhile: boolean
  agentId: string
  depositId: string
  sessionId: string
  chargeId?: string
  disputeId?: string
  /** Number of stages of the story that have happened. */
  stage: number
}

interface Story {
  name: string
  /** The deposit is settled before the story begins. */
  isPaid: boolean
  stages: {
    move(market: Marketplace, track: Track): Promise<void>
    /** The webhooks that the processor sends for it. */
    tells: readonly string[]
  }[]
  /** The kinds of ledger line that it has in the end. */
  posted: readonly string[]
  status: string
  agentStatus: string
}

const payBy = (card: string) => async (market: Marketplace, track: Track) => {
  const { session } = await market.sandbox.pay(track.sessionId, card)
  track.chargeId = await chargeOf(market, session.payment_intent)
}

async function capture(market: Marketplace, { chargeId }: Track): Promise<void> {
  await market.sandbox.control('POST', `charges/${chargeId}/capture`)
}

const answerDebit =
  (ok: boolean) =>
  async (market: Marketplace, { sessionId }: Track) => {
    await market.sandbox.control('POST', `sessions/${sessionId}/settle`, { ok })
  }

async function dispute(market: Marketplace, track: Track): Promise<void> {
  const { id } = await market.sandbox.control('POST', `charges/${track.chargeId}/dispute`)
  track.disputeId = id
}

/** As an operator does it in the processor's own dashboard. */
async function sendEvidence(market: Marketplace, { disputeId }: Track): Promise<void> {
  const reply = await fetch(`${market.sandbox.url}/v1/disputes/${disputeId}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${market.sandbox.settings.STRIPE_SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ 'evidence[uncategorized_text]': 'Photos', submit: 'true' }),
  })
  assert.equal(reply.status, 200, await reply.text())
}

const close =
  (status: string) =>
  async (market: Marketplace, { disputeId }: Track) => {
    await market.sandbox.control('POST', `disputes/${disputeId}/close`, { status })
  }

const PAID = ['deposit', 'processor_fee']
const CARD_TELLS = ['charge.succeeded', 'payment_intent.succeeded', 'checkout.session.completed']
const DISPUTED = {
  isPaid: true,
  opened: { move: dispute, tells: ['charge.dispute.created', 'charge.dispute.funds_withdrawn'] },
  answered: { move: sendEvidence, tells: ['charge.dispute.updated'] },
}

const STORIES: Story[] = [
  {
    name: 'a deposit by card, its fee known later',
    isPaid: false,
    stages: [
      { move: payBy(GOOD_CARD), tells: CARD_TELLS },
      { move: capture, tells: ['charge.updated'] },
    ],
    posted: PAID,
    status: 'succeeded',
    agentStatus: 'active',
  },
  {
    name: 'a deposit by bank debit that succeeds',
    isPaid: false,
    stages: [
      { move: payBy('bank_debit'), tells: ['checkout.session.completed'] },
      {
        move: answerDebit(true),
        tells: ['charge.succeeded', 'checkout.session.async_payment_succeeded'],
      },
      { move: capture, tells: ['charge.updated'] },
    ],
    posted: PAID,
    status: 'succeeded',
    agentStatus: 'active',
  },
  {
    name: 'a deposit by bank debit that fails',
    isPaid: false,
    stages: [
      { move: payBy('bank_debit'), tells: ['charge.pending', 'checkout.session.completed'] },
      {
        move: answerDebit(false),
        tells: ['charge.failed', 'checkout.session.async_payment_failed'],
      },
    ],
    posted: [],
    status: 'failed',
    agentStatus: 'active',
  },
  {
    name: 'a dispute that is won',
    isPaid: true,
    stages: [
      DISPUTED.opened,
      DISPUTED.answered,
      {
        move: close('won'),
        tells: ['charge.dispute.funds_reinstated', 'charge.dispute.closed'],
      },
    ],
    posted: ['chargeback', 'chargeback', 'chargeback_reversal', ...PAID],
    status: 'dispute_won',
    agentStatus: 'active',
  },
  {
    name: 'a dispute that is lost',
    isPaid: true,
    stages: [
      DISPUTED.opened,
      DISPUTED.answered,
      { move: close('lost'), tells: ['charge.dispute.closed'] },
    ],
    posted: ['chargeback', 'chargeback', ...PAID],
    status: 'dispute_lost',
    agentStatus: 'restricted',
  },
]

for (const story of STORIES) {
  const all = permutations(story.stages.flatMap(({ tells }) => tells))
  // Every third order by default, including the natural one; `npm run test:processor` runs all.
  const orders = process.env.PROCESSOR_ORDERS === 'all' ? all : all.filter((_, at) => at % 3 === 0)
  const name = `${story.name}: ${orders.length} orders, each twice, after the fact and meanwhile`
  test(name, { timeout: TIMEOUT_MS }, async (t) => {
    const market = await marketplace({ processor: true, settings: { FREE_TASKS: 0 } })
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    const tracks = await openTracks(market, story, orders)

    const sent = await tellAll(market, story, tracks)
    const [natural, ...others] = await outcomes(market, tracks)
    market.advance(HOUR_MS)
    await market.settle()
    const later = await outcomes(market, tracks)

    t.diagnostic(`${tracks.length} deposits, ${sent} notifications`)
    assert.deepEqual(kindsOf(natural!), story.posted.toSorted())
    assert.equal(natural!.status, story.status)
    assert.equal(natural!.agentStatus, story.agentStatus)
    for (const [i, other] of others.entries())
      assert.deepEqual(other, natural, `as in the order ${tracks[i + 1]!.order.join(', ')}`)
    assert.deepEqual(later, [natural, ...others], 'the timers find nothing to add')
  })
}

/** A deposit for every order and both timings, the first one in the natural order. */
async function openTracks(
  market: Marketplace,
  story: Story,
  orders: readonly string[][],
): Promise<Track[]> {
  const asked = orders.flatMap((order) =>
    [false, true].map((isMeanwhile) => ({ order, isMeanwhile })),
  )
  const tracks = await inTurns(asked, async (one): Promise<Track> => {
    const agent = await market.agent()
    const reply = await agent.post('/wallet/deposit', { amount_cents: AMOUNT })
    assert.equal(reply.status, 201, reply.text)
    const { transaction_id, session_id } = reply.body
    return { ...one, agentId: agent.id, depositId: transaction_id, sessionId: session_id, stage: 0 }
  })
  if (story.isPaid) {
    await inTurns(tracks, (track) => payBy(GOOD_CARD)(market, track))
    const paid = await eventsOf(market, 'checkout.session.completed')
    await inTurns(paid, (event) => notify(market, 'account', event))
    await market.work()
  }
  await market.sandbox.control('POST', 'settings', { asynchronous_capture: true })
  return tracks
}

/** Advances all tracks in step: the n-th webhook of each, then the jobs, then the next. */
async function tellAll(market: Marketplace, story: Story, tracks: Track[]): Promise<number> {
  let sent = 0
  const stageOf = (type: string) => story.stages.findIndex(({ tells }) => tells.includes(type))
  for (const [n] of tracks[0]!.order.entries()) {
    await inTurns(tracks, async (track) => {
      const needed = track.isMeanwhile ? stageOf(track.order[n]!) : story.stages.length - 1
      for (; track.stage <= needed; track.stage += 1)
        await story.stages[track.stage]!.move(market, track)
    })
    const happened = await findEvents(market)
    await inTurns(tracks, async (track) => {
      const type = track.order[n]!
      const event = happened(track, type)
      assert(event, `the sandbox tells ${type}`)
      // Two events may report one fact, and each of them may arrive twice.
      const twin = { ...event, id: `${event.id}again` }
      for (const copy of n % 2 === 0 ? [event, twin] : [event, twin, event]) {
        const { status, text } = await notify(market, 'account', copy)
        assert.equal(status, 200, text)
        sent += 1
      }
    })
    await market.work()
  }
  return sent
}

/** Finds the sandbox's events of a track, by type and by object. */
async function findEvents(market: Marketplace) {
  const { data } = await market.sandbox.control('GET', 'events?limit=10000')
  const byObject = new Map<string, Json>()
  for (const { type, object_id, event } of data as Json[])
    byObject.set(`${type} ${object_id}`, event)
  const byCharge = new Map<string, Json>()
  for (const { type, event } of data as Json[])
    if ((type as string).startsWith('payment_intent'))
      byCharge.set(`${type} ${event.data.object.metadata.deposit_id}`, event)
  return (track: Track, type: string) =>
    [track.disputeId, track.chargeId, track.sessionId]
      .map((id) => byObject.get(`${type} ${id}`))
      .find(Boolean) ?? byCharge.get(`${type} ${track.depositId}`)
}

async function eventsOf(market: Marketplace, wanted: string): Promise<Json[]> {
  const { data } = await market.sandbox.control('GET', 'events?limit=10000')
  return (data as Json[]).filter(({ type }) => type === wanted).map(({ event }) => event as Json)
}

interface Ending {
  lines: string[]
  status: string
  agentStatus: string
}

/** The outcome of each track: its ledger lines without ids, its deposit, its agent. */
async function outcomes(market: Marketplace, tracks: Track[]): Promise<Ending[]> {
  const { balance_transactions, objects } = await market.sandbox.state()
  const source = new Map<string, Json>()
  for (const one of balance_transactions as Json[]) source.set(one.id, one)
  const chargeOfDispute = new Map((objects.dispute as Json[]).map(({ id, charge }) => [id, charge]))
  const postings = (await market.asOwner(POSTINGS)) as Posting[]
  const owner = new Map<string, string>()
  for (const { agentId, depositId, chargeId = '' } of tracks) {
    owner.set(agentId, agentId)
    owner.set(depositId, agentId)
    owner.set(chargeId, agentId)
  }
  const roles = new Map<string, string>()
  for (const { agentId, depositId } of tracks) {
    roles.set(agentId, 'agent')
    roles.set(depositId, 'deposit')
  }
  for (const [id, { source: about, reporting_category }] of source) {
    roles.set(id, reporting_category)
    const agentId = owner.get(about) ?? owner.get(chargeOfDispute.get(about) ?? '')
    if (agentId) owner.set(id, agentId)
  }
  const byAgent = Map.groupBy(postings, ({ agent_id, ref_id }) =>
    owner.get(agent_id ?? ref_id ?? ''),
  )
  const states = await market.asOwner(
    `select d.id, d.status, a.status as agent_status from deposits d join agents a on a.id = d.agent_id`,
  )
  const byDeposit = new Map(states.map((row) => [row.id as string, row]))
  return tracks.map(({ agentId, depositId }) => {
    const { status, agent_status } = byDeposit.get(depositId)!
    return {
      lines: linesOf(byAgent.get(agentId) ?? [], roles),
      status,
      agentStatus: agent_status,
    }
  })
}

const kindsOf = ({ lines }: Ending) =>
  lines.map((line) => /^\S+ (\w+):/.exec(line)?.[1] ?? line).toSorted()

async function chargeOf(market: Marketplace, intentId: string): Promise<string> {
  const { object } = await market.sandbox.control('GET', `object/${intentId}`)
  return object.latest_charge
}

/** A few at a time, so nothing waits in a queue of hundreds. */
async function inTurns<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(run))))
  return results
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, i) =>
    permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]),
  )
}
