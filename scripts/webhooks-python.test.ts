/** The Python programs of docs/guide/webhooks.md run unchanged, with real deliveries and events. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { marketplace } from '../server/test/harness.ts'
import { atEnd } from '../server/test/hooks.ts'
import { openReceiver } from '../server/test/receiver.ts'
import { fencesOf } from '../web/docs/test/fences-of.ts'
import { freePort } from './postgres.ts'
import { copySdk, openPython } from './python.ts'

const ROOT = path.join(import.meta.dirname, '..')
const WAIT_MS = 30_000

const market = await marketplace({ clock: 'real' })
const python = await openPython()
atEnd(() => python.close())
await copySdk(python)
const PYTHONPATH = path.join(python.inside, 'sdk/src')
for (const { language, about, code } of fencesOf(
  readFileSync(path.join(ROOT, 'docs/guide/webhooks.md'), 'utf8'),
))
  if (language === 'python' && about.file) writeFileSync(path.join(python.folder, about.file), code)

async function registered(webhookUrl: string) {
  const { body } = await market.call('POST', '/agents/register', {
    body: { name: 'Reader', email: `reader-${Math.random()}@example.com`, webhook_url: webhookUrl },
  })
  const { api_key, webhook_secret } = body.agent as { api_key: string; webhook_secret: string }
  return { api_key, webhook_secret, ...market.client(api_key) }
}

/** Starts a program of the page; it ends with the test. */
function start(t: TestContext, name: string, env: Record<string, string>) {
  const [output, mark] = [`${name}.out`, `${name}.stop`].map((file) =>
    path.join(python.folder, file),
  )
  // Python's HTTP server logs each request to stderr.
  const script = `python3 -u ${name} > ${name}.out & while [ ! -e ${name}.stop ]; do sleep 0.1; done; kill $!`
  const ended = python.run(['sh', '-c', script], { env: { PYTHONPATH, ...env } })
  t.after(() => {
    writeFileSync(mark!, '')
    return ended
  })
  return { output: () => (existsSync(output!) ? readFileSync(output!, 'utf8') : '') }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS
  while (!(await isSo())) {
    assert(performance.now() < end, 'the condition was not met in time')
    await sleep(100)
  }
}

describe('the Python programs of docs/guide/webhooks.md', () => {
  test('receiver.py accepts a real delivery once, and refuses a forged one', async (t) => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/hooks`
    const agent = await registered(url)
    const program = start(t, 'receiver.py', {
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
      (told.deliveries as { status: number }[]).map(({ status }) => status),
      [204, 204],
    )
    assert.equal(program.output(), `webhook.ping ${body.event_id}\n`)
  })

  test('verify.py returns the event of a real delivery, and refuses what the library refuses', async (t) => {
    const receiver = await openReceiver(t)
    const { webhook_secret: secret, ...agent } = await registered(receiver.url)
    await agent.post('/webhooks/ping')
    await market.deliver()
    const { text, headers: received } = receiver.received[0]!
    const headers = received as Record<string, string>
    const sign = (ms: number) => ({
      ...headers,
      'webhook-timestamp': String(Math.floor((Date.now() + ms) / 1000)),
      'webhook-signature': new Webhook(secret).sign(
        headers['webhook-id']!,
        new Date(Date.now() + ms),
        text,
      ),
    })
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const without = (name: string) =>
      Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
    const two = `v1,AAAA ${headers['webhook-signature']}`
    const cases: [secret: string, headers: Record<string, string>, body: string][] = [
      [secret, headers, text],
      [secret, { ...headers, 'webhook-signature': two }, text],
      [secret, sign(-240_000), text],
      [secret, headers, `${text} `],
      [other, headers, text],
      [secret, { ...headers, 'webhook-id': 'evt_other' }, text],
      [secret, sign(-302_000), text],
      [secret, sign(302_000), text],
      [secret, without('webhook-timestamp'), text],
      [secret, without('webhook-id'), text],
      [secret, without('webhook-signature'), text],
      [secret, { ...headers, 'webhook-signature': 'v1,' }, text],
    ]
    const code = `
import json, sys
from verify import verify

for secret, headers, body in json.loads(sys.argv[1]):
    try:
        print(verify(secret, headers, body.encode())["type"])
    except ValueError as error:
        print(error)`

    const said = await python.run(['python3', '-c', code, JSON.stringify(cases)])

    assert.deepEqual(
      said.trim().split('\n'),
      cases.map(([key, given, body]) => {
        try {
          return (new Webhook(key).verify(body, given) as { type: string }).type
        } catch {
          return 'not from Legwork, or too old'
        }
      }),
    )
    assert.equal(said.split('webhook.ping').length - 1, 3)
  })

  test('listen.py prints new events', async (t) => {
    const agent = await registered('http://127.0.0.1:9/')
    const program = start(t, 'listen.py', {
      LEGWORK_URL: market.server.addresses.api!,
      LEGWORK_API_KEY: agent.api_key,
    })
    // It prints what happens after its first request.
    await until(async () => {
      await agent.post('/webhooks/ping')
      return program.output().includes('webhook.ping')
    })

    const task = await market.taskIn(agent, 'completed', { budget_cents: 1500 })
    await market.work()
    await until(async () => program.output().includes('task.completed'))

    const lines = program.output().trim().split('\n')
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('webhook.ping')),
      [`task.accepted ${task.id}`, `task.proof_submitted ${task.id}`, `task.completed ${task.id}`],
    )
  })
})
