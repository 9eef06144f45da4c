/** `listen`: every event reaches the receiver once and in order, even if either process is killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../scripts/postgres.ts'
import { marketplace } from '../../server/test/harness.ts'
import { openReceiver } from '../../server/test/receiver.ts'
import { openCli } from './run.ts'

const market = await marketplace({ roles: ['api', 'jobs'], clock: 'real' })
const LEGWORK_URL = market.server.addresses.api!

async function developer() {
  const agent = await market.agent({ balanceCents: 100_000 })
  const cli = openCli({ LEGWORK_URL, LEGWORK_API_KEY: agent.api_key })
  return { agent, ...cli }
}

type Developer = Awaited<ReturnType<typeof developer>>

async function listening({ start }: Developer, ...args: string[]) {
  const listen = start('listen', '--json', ...args)
  await listen.until(() => listen.objects().some(({ type }) => type === 'listening'))
  return listen
}

/** Runs a receiver in a separate process. */
async function startReceiver(t: { after(end: () => void): void }, port: number, file: string) {
  const main = path.join(import.meta.dirname, 'receiver-child.ts')
  const child = spawn(process.execPath, [main, String(port), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return {
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const linesOf = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []

/** Events that the agent is sent by default, in order. */
async function sentEvents({ agent }: Developer): Promise<string[]> {
  const { events } = (await agent.get('/events')).body
  return events
    .filter(({ type }: { type: string }) => type !== 'task.accepted')
    .map(({ id }: { id: string }) => id)
}

describe('listen', () => {
  test('a receiver that is killed and restarted gets every event once, in order', async (t) => {
    const one = await developer()
    const file = path.join(one.folder, 'received')
    const port = await freePort()
    const receiver = await startReceiver(t, port, file)
    const listen = await listening(one, '--forward-to', `localhost:${port}/hooks`)
    t.after(() => void listen.kill())

    await market.taskIn(one.agent, 'completed')
    await listen.until(() => linesOf(file).length === 2)
    await receiver.kill()
    await market.taskIn(one.agent, 'completed')
    await market.taskIn(one.agent, 'disputed')
    await listen.until(() => listen.objects().some(({ type }) => type === 'retrying'))
    await startReceiver(t, port, file)
    await listen.until(() => linesOf(file).length === 6)

    assert.deepEqual(linesOf(file), await sentEvents(one))
    const late = listen.objects().find(({ type, attempt }) => type === 'forwarded' && attempt > 1)
    assert.equal(late!.status, 200, 'the output names the attempt that succeeded')
  })

  test('continues with a pending event after being killed', async (t) => {
    const one = await developer()
    const file = path.join(one.folder, 'received')
    const port = await freePort()
    const receiver = await startReceiver(t, port, file)
    const first = await listening(one, '--forward-to', `${port}/hooks`)
    await market.taskIn(one.agent, 'completed')
    await first.until(() => linesOf(file).length === 2)
    await receiver.kill()
    await market.taskIn(one.agent, 'disputed')
    await first.until(() => first.objects().some(({ type }) => type === 'retrying'))
    first.kill('SIGKILL')
    await first.ended

    await market.taskIn(one.agent, 'completed')
    await startReceiver(t, port, file)
    const second = await listening(one, '--forward-to', `${port}/hooks`)
    await second.until(() => linesOf(file).length === 6)
    second.kill('SIGINT')
    const { code } = await second.ended

    assert.equal(code, 0)
    assert.deepEqual(linesOf(file), await sentEvents(one))
  })

  test('signs like a real delivery with a secret that it prints; r resends', async (t) => {
    const receiver = await openReceiver(t)
    const one = await developer()
    const listen = await listening(one, '--forward-to', receiver.url, '--events', 'all')
    t.after(() => void listen.kill())
    const env = parseEnv(readFileSync(path.join(one.folder, '.env.local'), 'utf8'))

    await market
      .taskIn(one.agent, 'pending', {})
      .then(({ id }) => one.agent.post(`/tasks/${id}/cancel`))
    await listen.until(() => receiver.received.length === 1)
    await listen.until(() => listen.objects().some(({ type }) => type === 'forwarded'))
    listen.type('r\n')
    await listen.until(() => receiver.received.length === 2)

    const [sent, again] = receiver.received
    assert.equal(sent!.body.type, 'task.cancelled')
    for (const name of ['LEGWORK_LISTEN_SECRET', 'LEGWORK_WEBHOOK_SECRET'])
      new Webhook(env[name]!).verify(sent!.text, sent!.headers as Record<string, string>)
    assert.equal(again!.text, sent!.text)
    assert.equal(again!.headers['webhook-id'], sent!.headers['webhook-id'])
    assert.equal(listen.objects()[0]!.secret, env.LEGWORK_LISTEN_SECRET)
    assert.match(readFileSync(path.join(one.folder, '.gitignore'), 'utf8'), /^\.env\.local$/m)
    const events = (await one.agent.get('/events')).body.events
    assert.deepEqual(sent!.body, events[0], 'the same body as a webhook')
  })

  test('reports an error of the receiver and continues with the next events', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(500)
    const one = await developer()
    const listen = one.start('listen', '--forward-to', receiver.url)
    t.after(() => void listen.kill())
    await listen.until(() => listen.said.stdout.includes('Ctrl-C'))

    await market.taskIn(one.agent, 'completed')
    await listen.until(() => /task\.accepted +evt_\w+ {2}skipped because /.test(listen.said.stdout))
    const told =
      /^ {2}\d\d:\d\d:\d\d {2}task\.\w+ +evt_\w+ {2}500 {2}\d+ ms {2}not accepted; press r and Enter/gm
    await listen.until(() => listen.said.stdout.match(told)?.length === 2)

    assert.deepEqual(
      receiver.received.map(({ body }) => body.type),
      ['task.proof_submitted', 'task.completed'],
    )
  })

  test('exits with 2 without a URL to forward to', async () => {
    const { run } = await developer()

    const { code, stderr } = await run('listen')

    assert.equal(code, 2)
    assert.match(stderr, /--forward-to localhost:3000\/hooks/)
  })
})
