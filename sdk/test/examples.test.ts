/** Every example runs as it stands, in a process and a folder of its own; the test plays the workers. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Legwork, type Task } from '@legwork/sdk'
import { marketplace, proofFor } from '../../server/test/harness.ts'

const EXAMPLES = path.join(import.meta.dirname, '../examples')
const market = await marketplace()
const baseUrl = market.server.addresses.api!

type Agent = Awaited<ReturnType<typeof market.agent>>
const newAgent = (fields = {}) =>
  market.agent({ balanceCents: 20_000, freeTasks: false, ...fields })

const ran = new Set<string>()
function start(file: string, agent: Agent, env: Record<string, string> = {}) {
  ran.add(file)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-example-'))
  const child = spawn(process.execPath, [path.join(EXAMPLES, file)], {
    cwd: folder,
    env: { ...process.env, LEGWORK_API_KEY: agent.api_key, LEGWORK_URL: baseUrl, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<string[]>((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 || code === null
        ? resolve(output.trim().split('\n'))
        : reject(new Error(`${file} ended with ${code}: ${output}`)),
    )
  })
  return { folder, ended, child, output: () => output }
}

async function until<Value>(
  look: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  for (;;) {
    const value = await look()
    if (value !== undefined) return value
    await sleep(50)
  }
}

/** Does the agent's open task as soon as it is there; each worker answers in turn. */
async function play(
  agent: Agent,
  proofs: (task: Task) => Record<string, unknown>[],
): Promise<void> {
  const legwork = new Legwork({ apiKey: agent.api_key, baseUrl })
  const task = await until(async () => (await legwork.tasks.list({ status: 'pending' })).tasks[0])
  for (const proof of proofs(task)) {
    const worker = await market.worker({ name: 'Ada' })
    assert.equal((await worker.post(`/worker/tasks/${task.id}/accept`)).status, 200)
    const { status, text } = await worker.post(`/worker/tasks/${task.id}/proof`, proof)
    assert.equal(status, 201, text)
  }
}

const usual = (task: Task) => [proofFor(task as never)]

describe('the examples', () => {
  test('first-task.ts runs', async () => {
    const agent = await newAgent()
    const { ended, folder } = start('first-task.ts', agent)

    await play(agent, usual)
    const lines = await ended

    const saved = readdirSync(path.join(folder, 'proofs'))
    assert.match(lines[0]!, /^task_\w+: 500 cents are locked$/)
    assert.equal(lines[1], 'Ada says true: Done')
    assert.equal(lines.at(-1), 'the worker gets 410 cents')
    assert.equal(saved.filter((file) => file.endsWith('.jpg')).length, 1)
  })

  test('judge.ts runs', async () => {
    const taken = await newAgent()
    const refused = await newAgent()
    const approves = start('judge.ts', taken)
    const disputes = start('judge.ts', refused)

    await play(taken, usual)
    await play(refused, (task) => [{ ...proofFor(task as never), outcome: 'not_possible' }])

    assert.deepEqual(await approves.ended, ['paid 800 cents'])
    assert.deepEqual(await disputes.ended, ['got 800 cents back'])
  })

  test('consensus.ts runs', async () => {
    const agreeing = await newAgent()
    const divided = await newAgent()
    const agree = start('consensus.ts', agreeing)
    const divide = start('consensus.ts', divided)

    await play(agreeing, () => [8, 8, 9].map((answer) => ({ text: 'So', answer })))
    await play(divided, () => [1, 5, 10].map((answer) => ({ text: 'So', answer })))

    assert.deepEqual(await agree.ended, ['they say 8, 8, 9', 'the result is 8'])
    assert.equal((await divide.ended)[1], 'they do not agree: 5 counts, and everyone is paid')
  })

  test('webhook-receiver.ts runs', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hooks`
    const agent = await newAgent({ webhook_url: url })
    const { ended, child, output } = start('webhook-receiver.ts', agent, {
      LEGWORK_WEBHOOK_SECRET: agent.webhook_secret,
      PORT: String(port),
    })
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,a' }
    const answer = await until(() =>
      fetch(url, { method: 'POST', headers: forged, body: '{}' }).catch(() => undefined),
    )
    const task = await market.taskIn(agent, 'completed')
    market.catchUp()
    await market.deliver()
    await until(() => (output().includes('task.completed') ? true : undefined))
    child.kill()

    assert.equal(answer.status, 401)
    const lines = await ended
    assert.match(lines[0]!, /^refused: The delivery is \d+ s old/)
    assert.deepEqual(lines.slice(1).sort(), [`look at ${task.id}`, 'task.completed'].sort())
  })

  test('follow-events.ts runs', async () => {
    const agent = await newAgent()
    const { ended, folder, child } = start('follow-events.ts', agent)
    // What happened before it began is not what it follows: so again and again until it has.
    const isOver = new AbortController()
    void ended.finally(() => isOver.abort())
    while (!isOver.signal.aborted) {
      await market.taskIn(agent, 'proof_submitted', { budget_cents: 10 })
      await market.work()
      await sleep(100)
    }

    const lines = await ended
    assert(child.exitCode === 0)
    assert.match(lines.at(-1)!, / task\.completed$/)
    assert.match(readFileSync(path.join(folder, 'last-event'), 'utf8'), /^evt_/)
  })

  test('pages.ts runs', async () => {
    const agent = await newAgent()
    for (let i = 0; i < 2; i += 1) await market.taskIn(agent, 'completed', { budget_cents: 250 })

    const lines = await start('pages.ts', agent).ended

    assert.equal(lines[0], 'completed tasks cost 500 cents')
    assert.equal(lines.at(-1), 'deposit 20000')
  })

  test('errors-and-retries.ts runs', async () => {
    const lines = await start('errors-and-retries.ts', await newAgent()).ended

    assert.match(lines[0]!, /^order 17 is task_/)
    assert.deepEqual([lines[1], lines[2]], [lines[0], 'once'])
    assert.match(lines[3]!, /^add \d+ cents first$/)
    assert.match(lines[4]!, /^budget_cents /)
  })

  test('are all covered by these tests', () => {
    assert.deepEqual([...ran].sort(), readdirSync(EXAMPLES).sort())
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
