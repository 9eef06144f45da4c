/** Checks that what docs/guide/webhooks.md tells developers is true, and that its programs run unchanged. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { type Json, marketplace } from '../server/test/harness.ts'
import { openReceiver, type Received } from '../server/test/receiver.ts'
import { events } from '../server/src/events.ts'
import { USUAL_TYPES } from '../server/src/webhooks/record-event.ts'
import { DELAYS_MS, JITTER } from '../server/src/webhooks/schedule.ts'
import type { Fence } from '../web/docs/fences.ts'
import { fencesOf } from '../web/docs/test/fences-of.ts'
import { freePort } from './postgres.ts'

type Headers = Record<string, string>
type Verify = (secret: string, headers: Headers, body: string) => unknown

const ROOT = path.join(import.meta.dirname, '..')
const document = readFileSync(path.join(ROOT, 'docs/guide/webhooks.md'), 'utf8')
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-webhooks-'))
after(() => rmSync(folder, { recursive: true, force: true }))
symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
for (const name of ['verify.mjs', 'receiver.mjs', 'listen.mjs'])
  writeFileSync(path.join(folder, name), block({ file: name }))
const { verify } = (await import(pathToFileURL(path.join(folder, 'verify.mjs')).href)) as {
  verify: Verify
}

const market = await marketplace({ clock: 'real' })
/** Within the limit of a free task. */
const FREE = { budget_cents: 1500 }

/** The code block whose fence has these attributes. */
function block(wanted: Fence['about']): string {
  const found = fencesOf(document).find(({ about }) =>
    Object.entries(wanted).every(([name, value]) => about[name] === value),
  )
  assert(found, `docs/guide/webhooks.md has no block ${JSON.stringify(wanted)}`)
  return found.code
}

const rows = (heading: string) =>
  document
    .split(`\n## ${heading}\n`)[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')))

/** A proof webhook as an agent's server received it, and that agent's secret. */
async function realWebhook(t: TestContext): Promise<{ received: Received; secret: string }> {
  const receiver = await openReceiver(t)
  const agent = await registered(receiver.url)
  await market.taskIn(agent, 'proof_submitted', FREE)
  await market.deliver()
  const [received] = receiver.received
  return { received: received!, secret: agent.webhook_secret }
}

async function registered(webhookUrl: string) {
  const { body } = await market.call('POST', '/agents/register', {
    body: {
      name: 'Reader',
      email: `reader-${Math.random()}@example.com`,
      webhook_url: webhookUrl,
    },
  })
  const { api_key, webhook_secret } = body.agent as { api_key: string; webhook_secret: string }
  return { api_key, webhook_secret, ...market.client(api_key) }
}

/** Starts a program of the document as a reader would; stopped with the test. */
function start(t: TestContext, name: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(folder, name)], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  t.after(() => child.kill('SIGKILL'))
  return { output: () => output }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if (await isSo()) return
    await sleep(50)
  }
  assert.fail('the condition was not met within ten seconds')
}

describe('verify.mjs of docs/guide/webhooks.md', () => {
  test('has ten lines', () => {
    const lines = block({ file: 'verify.mjs' }).split('\n')

    assert.equal(lines.filter((line) => line.trim() !== '').length, 10)
  })

  test('returns the event of a real delivery, as the standardwebhooks library does', async (t) => {
    const { received, secret } = await realWebhook(t)
    const headers = received.headers as Headers

    assert.deepEqual(verify(secret, headers, received.text), received.body)
    assert.deepEqual(new Webhook(secret).verify(received.text, headers), received.body)
    assert.equal(received.body.type, 'task.proof_submitted')
  })

  test('refuses what the library refuses', async (t) => {
    const { received, secret } = await realWebhook(t)
    const headers = received.headers as Headers
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const sign = (at: Date) => ({
      ...headers,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(headers['webhook-id']!, at, received.text),
    })
    const without = (name: string) =>
      Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
    const refused: Record<string, [string, Headers, string]> = {
      'another body': [secret, headers, `${received.text} `],
      'another secret': [other, headers, received.text],
      'another id': [secret, { ...headers, 'webhook-id': 'evt_other' }, received.text],
      'an old time': [secret, sign(new Date(Date.now() - 302_000)), received.text],
      'a time to come': [secret, sign(new Date(Date.now() + 302_000)), received.text],
      'a changed time': [
        secret,
        { ...headers, 'webhook-timestamp': nextSecond(headers) },
        received.text,
      ],
      'no time': [secret, without('webhook-timestamp'), received.text],
      'no id': [secret, without('webhook-id'), received.text],
      'no signature': [secret, without('webhook-signature'), received.text],
      'an empty signature': [secret, { ...headers, 'webhook-signature': 'v1,' }, received.text],
    }
    const taken: Record<string, [string, Headers, string]> = {
      'one of several signatures': [
        secret,
        { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` },
        received.text,
      ],
      'a time four minutes ago': [secret, sign(new Date(Date.now() - 240_000)), received.text],
    }

    for (const [what, [key, given, body]] of Object.entries(refused)) {
      assert.throws(() => verify(key, given, body), /not from Legwork/, what)
      assert.throws(() => new Webhook(key).verify(body, given), what)
    }
    for (const [what, [key, given, body]] of Object.entries(taken)) {
      assert.deepEqual(verify(key, given, body), received.body, what)
      assert.deepEqual(new Webhook(key).verify(body, given), received.body, what)
    }
  })

  test('accepts the old and the new secret during a rotation', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await registered(receiver.url)

    const { body } = await agent.post('/webhooks/rotate-secret')
    await agent.post('/webhooks/ping')
    await market.deliver()

    const [received] = receiver.received
    for (const secret of [agent.webhook_secret, body.webhook_secret as string])
      assert.deepEqual(verify(secret, received!.headers as Headers, received!.text), received!.body)
  })
})

const nextSecond = (headers: Headers) => String(Number(headers['webhook-timestamp']) + 1)

describe('the programs of docs/guide/webhooks.md', () => {
  test('receiver.mjs accepts a real delivery once, and refuses a forged one', async (t) => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/hooks`
    const agent = await registered(url)
    const program = start(t, 'receiver.mjs', {
      PORT: port,
      LEGWORK_WEBHOOK_SECRET: agent.webhook_secret,
    })
    const forged = () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      )
    await until(async () => (await forged()) === 401)

    const { body } = await agent.post('/webhooks/ping')
    await market.deliver()
    await agent.post(`/events/${body.event_id}/redeliver`)
    await market.deliver()

    const { body: told } = await agent.get(`/webhooks/deliveries?event_id=${body.event_id}`)
    assert.deepEqual(
      (told.deliveries as Json[]).map(({ outcome, status }) => [outcome, status]),
      [
        ['delivered', 204],
        ['delivered', 204],
      ],
    )
    assert.equal(program.output(), 'webhook.ping \n')
  })

  test('listen.mjs prints new events', async (t) => {
    const agent = await registered('http://127.0.0.1:9/')
    await market.taskIn(agent, 'in_progress', FREE)
    await market.work()
    const { api } = market.server.addresses
    const program = start(t, 'listen.mjs', {
      LEGWORK_URL: api!,
      LEGWORK_API_KEY: agent.api_key,
    })
    await sleep(500)

    const task = await market.taskIn(agent, 'completed', FREE)
    await market.work()
    await until(() => program.output().includes('task.completed'))

    assert.deepEqual(program.output().trim().split('\n'), [
      `task.accepted ${task.id}`,
      `task.proof_submitted ${task.id}`,
      `task.completed ${task.id}`,
    ])
  })
})

describe('docs/guide/webhooks.md', () => {
  test('has every event in the words of the code, with its recipient', () => {
    const words = (text: string) => text.toLowerCase().replaceAll('`', '').replaceAll('’', "'")
    const declared = Object.entries(events).map(([type, { when }]) => [
      type,
      words(when),
      type === 'webhook.ping' ? 'when asked for' : isUsual(type) ? 'by default' : 'if chosen',
    ])

    const listed = rows('Events').map(([type, when, sent]) => [type, words(when!), sent])

    assert.deepEqual(listed, declared)
  })

  test('has an example body with exactly the fields of a real one', async (t) => {
    const { received } = await realWebhook(t)
    const example = JSON.parse(block({ event: 'task.proof_submitted' })) as Json

    assert.deepEqual(fieldsOf(example), fieldsOf(received.body))
    assert(document.includes(`webhook-id: ${example.id}\n`))
  })

  test('has every outcome of an attempt', () => {
    const schema = readFileSync(path.join(ROOT, 'server/schema.sql'), 'utf8')
    const [, values] = /create type [\w.]*attempt_outcome as enum \(([^)]*)\)/i.exec(schema)!

    assert.deepEqual(
      rows('Deliveries').map(([outcome]) => outcome),
      [...values!.matchAll(/'(\w+)'/g)].map(([, value]) => value),
    )
  })

  test('has the retry schedule to the second, and its jitter', () => {
    const SECONDS = { s: 1, min: 60, h: 3600 }
    const secondsOf = (text: string) =>
      [...text.matchAll(/(\d+) (s|min|h)/g)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS],
        0,
      )
    const tries = rows('Retries').filter(([number]) => /^\d$/.test(number!))

    assert.deepEqual(
      tries.map(([, wait]) => secondsOf(wait!) * 1000),
      [0, ...DELAYS_MS],
    )
    // The table omits the seconds of delays that take minutes.
    let sum = 0
    for (const [i, delay] of DELAYS_MS.entries()) {
      sum += delay / 1000
      const shown = secondsOf(tries[i + 1]![2]!)
      assert(shown === sum || shown === sum - 5, `attempt ${i + 2} is at ${sum} s, not ${shown}`)
    }
    assert.equal(JITTER, 1 / 5)
  })
})

const isUsual = (type: string) => USUAL_TYPES.some((usual) => usual === type)

/** All field paths of an object, sorted. */
function fieldsOf(value: unknown, before = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [before]
  const inside = Object.entries(value).flatMap(([name, one]) => fieldsOf(one, `${before}.${name}`))
  return inside.length === 0 ? [before] : inside.sort()
}
