import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Marketplace, marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'
import { pauseReceiver } from '../webhooks/pause-receiver.ts'
import { renderWebhooks } from './render/webhooks.ts'
import { reportWebhooks } from './webhooks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const report = ({ server: { db }, now }: Marketplace) =>
  reportWebhooks({ shards: db.shards.readers, global: db.shards.global.reader }, { now: now() })

/** Replaces ids, emails and ports, which differ from run to run. */
const withoutNames = (lines: string[]) =>
  lines
    .join('\n')
    .replaceAll(/agent_\w+/g, 'agent_…')
    .replaceAll(/[\w-]+@example\.com/g, '…@example.com')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '…')
    .replaceAll(/next attempt in \d+ \w+/g, 'next attempt in …')

async function agentAt(market: Marketplace, webhookUrl: string) {
  const agent = await market.agent({ balanceCents: 100_000 })
  await agent.patch('/agents/me', { webhook_url: webhookUrl })
  return agent
}

describe('reportWebhooks', () => {
  test('is short if there are no problems', async (t) => {
    const market = await marketplace()
    const receiver = await openReceiver(t)
    const agent = await agentAt(market, receiver.url)
    await market.taskIn(agent, 'proof_submitted')
    await market.deliver()

    const lines = renderWebhooks(await report(market))

    assert.equal(
      withoutNames(lines),
      `Webhooks at … UTC

Waiting: nothing
Late: no delivery is due
In the outbox: 0 events

Failing (0): none

Disabled (0): none

Paused by an operator (0): none

No action needed.`,
    )
  })

  test('lists failing receivers with start, backlog and last response, and disabled ones', async (t) => {
    const market = await marketplace()
    const busy = await openReceiver(t)
    busy.answerWith(503)
    const gone = await openReceiver(t)
    gone.answerWith(410)
    const failing = await agentAt(market, busy.url)
    const leaving = await agentAt(market, gone.url)
    await market.taskIn(failing, 'completed')
    await market.taskIn(leaving, 'proof_submitted')
    await market.deliver()
    market.advance(3 * HOUR)
    await market.deliver()

    const found = await report(market)

    assert.equal(
      withoutNames(renderWebhooks(found)),
      `Webhooks at … UTC

Waiting: 2 deliveries to 1 receiver, the oldest event is from 3 h ago
Late: no delivery is due
In the outbox: 0 events

Failing (1):
  127.0.0.1:… of Agent 1 (agent_…, …@example.com)
      failing for 3 h, 4 failures in a row; 2 waiting, next attempt in …
      last: responded with 503

Disabled (1):
  127.0.0.1:… of Agent 2 (agent_…, …@example.com)
      disabled for 3 h, it responded with 410; 0 waiting
      last: responded with 410

Paused by an operator (0): none

No action needed.`,
    )
    assert.equal(found.receivers[0]!.agent_id, failing.id)
  })

  test('lists receivers that an operator has paused', async (t) => {
    const market = await marketplace()
    const receiver = await openReceiver(t)
    const agent = await agentAt(market, receiver.url)
    const until = new Date(market.now().getTime() + 2 * HOUR)
    await market.at(agent.id).transaction((tx) => pauseReceiver(tx, { laneId: agent.id, until }))
    await market.taskIn(agent, 'proof_submitted')
    await market.deliver()

    const lines = withoutNames(renderWebhooks(await report(market)))

    assert.match(
      lines,
      /Paused by an operator \(1\):\n.*\n +paused; 1 waiting, next attempt in …\n/,
    )
  })

  test('shows the host of a callback_url, and the reason if there was no response', async (t) => {
    const market = await marketplace()
    const dead = await openReceiver(t)
    await dead.close()
    const agent = await market.agent({ balanceCents: 100_000 })
    await market.taskIn(agent, 'proof_submitted', { callback_url: dead.url })
    await market.deliver()

    const { receivers } = await report(market)

    assert.equal(receivers[0]!.host, `127.0.0.1:${dead.port}`)
    assert.equal(receivers[0]!.last_error, 'the connection was refused')
  })

  test('asks for action if events are not processed or due deliveries are not sent', async (t) => {
    const market = await marketplace()
    const receiver = await openReceiver(t)
    const agent = await agentAt(market, receiver.url)
    await market.taskIn(agent, 'proof_submitted')

    market.advance(2 * MINUTE)
    const { needs: untaken, in_outbox } = await report(market)
    await market.work()
    market.advance(2 * MINUTE)
    const unsent = await report(market)

    assert(in_outbox > 0)
    assert.deepEqual(untaken.filter((need) => need.includes('outbox')).length, 1)
    assert.deepEqual(unsent.needs, ['deliveries are late: docs/runbooks/webhooks-backlog.md'])
    assert.match(
      renderWebhooks(unsent).join('\n'),
      /Late: the first delivery has been due for \d min[^]*Action needed: deliveries are late/,
    )
  })

  test('shows one screen of receivers, and the total', async () => {
    const market = await marketplace()
    const agent = await market.agent()
    await market.asOwner(
      `insert into webhook_lanes (id, agent_id, failing_since)
       select $2 || ' host-' || i, $2, $1::timestamptz from generate_series(1, 30) i`,
      [market.now(), agent.id],
    )

    const found = await report(market)

    assert.equal(found.failing, 30)
    assert.equal(found.receivers.length, 20)
    assert.match(
      renderWebhooks(found).join('\n'),
      /The 20 receivers with the most waiting events are listed\./,
    )
  })
})
