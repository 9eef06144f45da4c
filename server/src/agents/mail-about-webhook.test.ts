import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openReceiver } from '../../test/receiver.ts'
import { requestWork } from '../webhooks/record-event.ts'

const market = await marketplace({
  mail: true,
  settings: { PUBLIC_URL: 'https://legwork.example/' },
})
const silent = await marketplace()
const unreachable = await marketplace({ settings: { SMTP_URL: 'smtp://127.0.0.1:1' } })

const HOUR = 3_600_000
const DAY = 24 * HOUR
const URL = 'http://127.0.0.1:4011/hooks/a-secret-path'

type Type = 'webhook.failing' | 'webhook.disabled'

async function ask(type: Type, id: string, place = market): Promise<void> {
  const now = place.now()
  await place.at(id).transaction((tx) => requestWork(tx, [{ type, id }], { now }))
  await place.work()
}

/** A receiver that has failed for three days. */
async function failing(agentId: string, { host = '', place = market, fields = '' } = {}) {
  const id = host === '' ? agentId : `${agentId} ${host}`
  await place.asOwner(
    `insert into webhook_lanes (id, agent_id, failing_since, warned_at) values ($1, $2, $3, $4)`,
    [id, agentId, new Date(place.now().getTime() - 3 * DAY), place.now()],
  )
  if (fields !== '') await place.asOwner(`update webhook_lanes set ${fields} where id = $1`, [id])
  return id
}

async function attempted(
  agentId: string,
  url: string,
  status: number | null,
  error: string | null,
) {
  await market.asOwner(
    `insert into delivery_attempts (id, event_id, agent_id, type, url, number, outcome, status, error, answer, ms,
                                    created_at)
       values ($1, 'evt_x', $2, 'task.completed', $3, 8, 'given_up', $4, $5, 'Win money!', 1, $6)`,
    [`att_${attempts++}`, agentId, url, status, error, market.now()],
  )
}
let attempts = 1000

describe('agents.mail-about-webhook', () => {
  test('reports a receiver that failed for three days: since when, why, what is queued, what to do', async () => {
    const agent = await market.agent({ webhook_url: URL })
    await failing(agent.id)
    await attempted(agent.id, 'http://127.0.0.1:9/other', 500, null)
    await attempted(agent.id, URL, 503, null)
    await attempted(agent.id, 'http://127.0.0.1:9/other', 500, null)
    await market.asOwner(
      `insert into deliveries (event_id, lane, agent_id, event_at, attempts_max, next_try_at, created_at)
       select 'evt_' || i, $1, $1, now(), 8, now() + interval '1 day', now() from generate_series(1, 3) i`,
      [agent.id],
    )

    await ask('webhook.failing', agent.id)

    const { subject, text, html } = await market.inbox.mailTo(agent.email)
    const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
    const time = (ms: number) =>
      `${new Date(market.now().getTime() + ms).toLocaleString('en-US', format)} UTC`
    assert.equal(subject, 'Your webhook receiver has been failing for three days')
    for (const words of [
      `Since ${time(-3 * DAY)}, every delivery to your webhook receiver at 127.0.0.1:4011 has failed.`,
      `Agent: ${agent.id}, live mode`,
      'Last error: it responded with status 503',
      'Waiting: 3 events',
      `If the receiver keeps failing until ${time(2 * DAY)}, we stop sending.`,
      "curl -X POST https://legwork.example/api/v1/webhooks/ping \\\n      -H 'Authorization: Bearer YOUR_API_KEY'",
    ])
      assert(text.replaceAll('\r', '').includes(words), `${words}\n\nin:\n${text}`)
    assert(!`${text}${html}`.includes('a-secret-path'), 'a path may be a secret')
    assert(!`${text}${html}`.includes('Win money'), 'the response may be a secret, too')
  })

  test('reports a receiver disabled after five days: how to enable it and replay missed events', async () => {
    const agent = await market.agent({ webhook_url: URL })
    const disabled = `disabled_at = '2026-11-17T10:15:00Z', disabled_for = 'failing',
                      failing_since = '2026-11-12T10:15:00Z'`
    await failing(agent.id, { fields: disabled })
    await attempted(agent.id, URL, null, 'the certificate is not valid: Win money at evil.example')

    await ask('webhook.disabled', agent.id)

    const { subject, text } = await market.inbox.mailTo(agent.email)
    assert.equal(subject, 'We no longer send webhooks to your receiver')
    for (const words of [
      'For five days, every delivery to your webhook receiver at 127.0.0.1:4011 has failed.',
      'On November 17, 2026 at 10:15 AM UTC we stopped sending to it.',
      'Last error: the certificate is not valid\n',
      'curl -X POST https://legwork.example/api/v1/webhooks/ping',
      'curl -X PATCH https://legwork.example/api/v1/agents/me',
      'curl -X POST https://legwork.example/api/v1/events/replay',
      `-d '{"from":"2026-11-12T09:15:00.000Z"}'`,
    ])
      assert(text.replaceAll('\r', '').includes(words), `${words}\n\nin:\n${text}`)
    assert(!text.includes('evil.example'))
  })

  test('the commands in the email enable the receiver and replay all missed events', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(410)
    const agent = await market.agent({ balanceCents: 5000, webhook_url: receiver.url })
    await market.taskIn(agent, 'proof_submitted')
    await market.deliver()
    await market.taskIn(agent, 'completed')
    await market.deliver()
    const { text } = await market.inbox.mailTo(agent.email)
    receiver.answerWith(200)
    receiver.received.length = 0

    const commands = text.replaceAll('\r', '').match(/^ {4}curl[^]*?(?=\n\n)/gm)!
    for (const command of commands.filter((one) => !one.includes('YOUR_ADDRESS'))) {
      const [, method, path] = /-X (\w+) https:\/\/legwork\.example\/api\/v1(\S+)/.exec(command)!
      const given = /-d '(.*)'/.exec(command)?.[1]
      const reply = await market.call(method!, path!, {
        ...(given === undefined ? {} : { body: given }),
        headers: { authorization: `Bearer ${agent.api_key}` },
      })
      assert.equal(reply.status, 202, reply.text)
      await market.deliver()
    }

    assert.deepEqual(receiver.received.map(({ body }) => body.type as string).sort(), [
      'task.completed',
      'task.proof_submitted',
      'task.proof_submitted',
      'webhook.ping',
    ])
  })

  test('reports a receiver that responded 410', async () => {
    const agent = await market.agent({ webhook_url: URL })
    await failing(agent.id, {
      fields: `disabled_at = '2026-11-17T10:15:00Z', disabled_for = 'gone', failing_since = null`,
    })

    await ask('webhook.disabled', agent.id)

    const { text } = await market.inbox.mailTo(agent.email)
    assert(text.includes('responded with 410 Gone, which tells us to stop sending.'))
    assert(text.includes('"from":"2026-11-17T09:15:00.000Z"'))
    assert(!text.includes('Last error'), 'no last error is known')
  })

  test('names the host of a failing callback URL, and offers no URL to change', async () => {
    const agent = await market.agent({ webhook_url: URL })
    const lane = await failing(agent.id, {
      host: 'calls.example:8443',
      fields: `disabled_at = '2026-11-17T10:15:00Z', disabled_for = 'failing'`,
    })

    await ask('webhook.disabled', lane)

    const { text } = await market.inbox.mailTo(agent.email)
    assert(text.includes('receiver at calls.example:8443 has failed'))
    assert(text.includes(`-d '{"url":"https://calls.example:8443/YOUR_PATH"}'`))
    assert(!text.includes('PATCH'))
  })

  test('says that it is about test mode', async () => {
    const agent = await market.agent({ webhook_url: URL })
    const [twin] = await market.asOwner('select twin_id from agents where id = $1', [agent.id])
    await failing(twin!.twin_id)

    await ask('webhook.failing', twin!.twin_id)

    const { text } = await market.inbox.mailTo(agent.email)
    assert(text.includes(`Agent: ${twin!.twin_id}, test mode`))
    assert(text.includes('Bearer YOUR_TEST_API_KEY'))
  })

  test('is sent once a day per receiver, though the job runs again or it is disabled again', async () => {
    const agent = await market.agent({ webhook_url: URL })
    await failing(agent.id)
    await ask('webhook.failing', agent.id)
    await ask('webhook.failing', agent.id)
    await market.asOwner(
      `update webhook_lanes set disabled_at = now(), disabled_for = 'gone' where id = $1`,
      [agent.id],
    )
    for (let i = 0; i < 5; i += 1) await ask('webhook.disabled', agent.id)
    const first = market.inbox.unreadTo(agent.email).length

    market.advance(DAY + 1)
    await ask('webhook.disabled', agent.id)

    assert.equal(first, 1)
    assert.equal(market.inbox.unreadTo(agent.email).length, 2)
  })

  test('an agent with many failing receivers gets three emails a day', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 5; i += 1)
      await ask('webhook.failing', await failing(agent.id, { host: `calls-${i}.example` }))

    assert.equal(market.inbox.unreadTo(agent.email).length, 3)
  })

  test('none is sent about a receiver that recovered, and none to a closed agent', async () => {
    const agent = await market.agent({ webhook_url: URL })
    const closed = await market.agent({ webhook_url: URL })
    const moved = await market.agent()
    await failing(agent.id, { fields: 'failing_since = null, warned_at = null' })
    await failing(closed.id)
    await failing(moved.id)
    await market.asOwner(`update agents set status = 'closed' where id = $1`, [closed.id])

    for (const type of ['webhook.failing', 'webhook.disabled'] as const)
      for (const id of [agent.id, closed.id, moved.id, 'agent_nobody']) await ask(type, id)

    for (const { email } of [agent, closed, moved])
      assert.deepEqual(market.inbox.unreadTo(email), [])
  })

  test('an unreachable mail server is an error, and the job is retried', async () => {
    const agent = await unreachable.agent({ webhook_url: URL })
    const nobody = await silent.agent({ webhook_url: URL })
    await failing(agent.id, { place: unreachable })
    await failing(nobody.id, { place: silent })

    await assert.rejects(ask('webhook.failing', agent.id, unreachable), /did not accept an email/)
    await ask('webhook.failing', nobody.id, silent)

    const mailed = 'select mailed_at from webhook_lanes'
    assert.deepEqual(await unreachable.asOwner(mailed), [{ mailed_at: null }])
    assert.deepEqual(await silent.asOwner(mailed), [{ mailed_at: null }])
  })
})
