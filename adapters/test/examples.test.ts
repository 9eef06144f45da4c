/** Every example runs in test mode, in a process of its own that may contact only this machine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { marketplace } from '../../server/test/harness.ts'
import { atEnd } from '../../server/test/hooks.ts'

const EXAMPLES = path.join(import.meta.dirname, '../examples')
const ONLY_LOOPBACK = path.join(import.meta.dirname, 'only-loopback.ts')
const market = await marketplace()
const baseUrl = market.server.addresses.api!

type Agent = Awaited<ReturnType<typeof market.agent>>
const ran = new Set<string>()

function start(file: string, agent: Agent, { folder = newFolder(), url = baseUrl } = {}) {
  ran.add(file)
  return run([path.join(EXAMPLES, file)], folder, {
    LEGWORK_API_KEY: agent.test_api_key,
    LEGWORK_URL: url,
    // With a key, tracing that is on would send something.
    OPENAI_API_KEY: 'none',
    LANGSMITH_API_KEY: 'none',
  })
}

function run(args: string[], cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', ONLY_LOOPBACK, ...args], {
    cwd,
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(async () => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended, output: () => output }
}

const newFolder = () => mkdtempSync(path.join(os.tmpdir(), 'legwork-adapter-'))

/** Lets the scripted worker act as soon as there is a task, until the example ends. */
async function withTime(agent: Agent, ended: Promise<number | null>): Promise<number | null> {
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver) {
    if ((await tasksOf(agent)).length > 0) await pass(agent)
    await sleep(100)
  }
  return ended
}

async function pass(agent: Agent) {
  const { status, text } = await agent.test.post('/test/clock/advance', { by: '10s' })
  assert.equal(status, 200, text)
}

const tasksOf = async (agent: Agent) =>
  (await agent.test.get('/tasks')).body.tasks as { id: string; status: string }[]

/** Until the process has said this; if it ends before, or takes a minute, the test fails. */
async function says({ output, ended }: ReturnType<typeof run>, words: RegExp): Promise<void> {
  let isOver = false
  void ended.then(() => (isOver = true))
  for (let i = 0; !words.test(output()); i += 1) {
    assert(!isOver && i < 1200, output())
    await sleep(50)
  }
}

async function kill({ child, ended }: ReturnType<typeof run>) {
  child.kill('SIGKILL')
  assert.equal(await ended, null)
}

describe('the examples', () => {
  for (const file of ['ai-sdk.ts', 'openai-agents.ts', 'langgraph.ts'])
    test(`${file}: the model asks and reads, and the program pays`, async () => {
      const agent = await market.agent()
      const { ended, output } = start(file, agent)

      assert.equal(await withTime(agent, ended), 0, output())

      assert.match(output(), /I have read what the person sent for task_\w+/)
      assert.match(output(), /task_\w+: paid 1000 cents/)
      assert.deepEqual(
        (await tasksOf(agent)).map(({ status }) => status),
        ['completed'],
      )
    })

  test('langgraph-resume.ts: goes on in a new process after SIGKILL, with one task', async () => {
    const agent = await market.agent()
    const folder = newFolder()
    for (let i = 0; i < 2; i += 1) {
      const waiting = start('langgraph-resume.ts', agent, { folder })
      await says(waiting, /waiting for task_/)
      await kill(waiting)
    }
    await pass(agent)

    const last = start('langgraph-resume.ts', agent, { folder })

    await says(last, /<<<end of data/)
    assert.equal(await last.ended, 0, last.output())
    assert.match(last.output(), /status: proof_submitted[^]*<<<data \w+>>>[^]*│ text: /)
    const tasks = await tasksOf(agent)
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ['proof_submitted'],
    )
    assert(last.output().includes(tasks[0]!.id))
  })

  test('langgraph-resume.ts: killed before it knows of its task, it finds the same one', async () => {
    const agent = await market.agent()
    const folder = newFolder()
    const killed: { child?: ReturnType<typeof run>['child'] } = {}
    const proxy = createServer((request, response) => {
      void (async () => {
        const answer = await fetch(new URL(request.url!, baseUrl), {
          method: request.method!,
          headers: {
            authorization: request.headers.authorization!,
            'content-type': 'application/json',
            ...idempotencyOf(request.headers),
          },
          ...(request.method === 'POST' ? { body: await buffer(request) } : {}),
        })
        if (request.method === 'POST' && answer.status === 201) killed.child!.kill('SIGKILL')
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(await answer.text())
      })()
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    atEnd(async () => void proxy.close())
    const { port } = proxy.address() as { port: number }

    const base = new URL(baseUrl)
    base.port = String(port)
    const running = start('langgraph-resume.ts', agent, { folder, url: base.href })
    killed.child = running.child
    assert.equal(await running.ended, null, running.output())
    assert.equal((await tasksOf(agent)).length, 1)
    const again = start('langgraph-resume.ts', agent, { folder })
    await says(again, /waiting for task_/)
    await kill(again)

    const tasks = await tasksOf(agent)
    assert.equal(tasks.length, 1)
    assert(again.output().includes(tasks[0]!.id))
  })

  test('are all covered by these tests', () => {
    const parts = ['agent-graph.ts', 'file-saver.ts']
    const programs = readdirSync(EXAMPLES).filter(
      (file) => file.endsWith('.ts') && !parts.includes(file),
    )
    assert.deepEqual([...ran].sort(), programs.sort())
  })

  test('would fail if they contacted another machine', async () => {
    const code = "await fetch('http://192.0.2.1/')"
    const { ended, output } = run(['--input-type=module', '-e', code], newFolder(), {})

    assert.equal(await ended, 99)
    assert.match(output(), /contacts 192\.0\.2\.1/)
  })
})

const idempotencyOf = (headers: Record<string, unknown>) =>
  'idempotency-key' in headers ? { 'idempotency-key': String(headers['idempotency-key']) } : {}
