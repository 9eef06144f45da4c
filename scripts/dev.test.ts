import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startDev } from './dev.ts'
import { freePort } from './postgres.ts'

const ROOT = path.join(import.meta.dirname, '..')
const START_MAX_MS = 30_000
const { DATABASE_URL: _, MIGRATE_DATABASE_URL: __, ...ENV } = process.env

// The tests share one folder, like the runs of one developer. PostgreSQL may run as another user, who needs access.
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-dev-'))
chmodSync(folder, 0o755)
after(() => rmSync(folder, { recursive: true, force: true }))

interface Shown {
  status: string
  proofs: { worker: { name: string } }[]
}

let key = ''
let testKey = ''

describe('npm run dev', () => {
  test('prints commands that work as printed; Ctrl-C ends everything with 0', async (t) => {
    const dev = await spawnDev(t)

    const calls = pasted(dev.output())
    const { stdout } = await bash(calls)
    await dev.says('webhook ✓ task.proof_submitted')
    const page = await fetch(/^ {2}Docs {7}(\S+)$/m.exec(dev.output())![1]!)
    const desk = await fetch(/^ {2}Console {4}(\S+)/m.exec(dev.output())![1]!, {
      headers: { accept: 'text/html' },
    })
    key = await registerAt(dev.api())
    const second = await promisify(execFile)(process.execPath, ['scripts/dev.ts'], {
      cwd: ROOT,
      env: dev.env,
    }).catch((error: { code: number; stdout: string }) => error)
    await dev.pressCtrlC()
    const { code, ms } = await dev.ended()

    t.diagnostic(`stopped in ${ms.toFixed(0)} ms`)
    testKey = /^ {2}Test key {3}(lw_test_\w+)/m.exec(dev.output())![1]!
    const shown = stdout.split('\n\n').filter((text) => text !== '')
    const tasks = shown.map((text) => (JSON.parse(text) as { task: Shown }).task)
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ['in_progress', 'proof_submitted'],
    )
    assert.match(tasks[1]!.proofs[0]!.worker.name, /^Sim /)
    assert.deepEqual([page.status, desk.status], [200, 200])
    assert.match(dev.output(), /^ {2}\d\d:\d\d:\d\d {2}POST \/verify 201 [\d.]+ ms$/m)
    assert.match(
      dev.output(),
      /^ {2}\d\d:\d\d:\d\d {2}webhook ✓ task\.proof_submitted responded 204$/m,
    )
    assert.doesNotMatch(dev.output(), /WARN|ERROR|pool/)
    assert.match(second.stdout, /is already running on .* \(process \d+\)/)
    assert.match(dev.output(), /Stopped\. Your data is saved\./)
    assert.equal(code, 0)
    assert.deepEqual(processesOn(folder), [])
  })

  test('keeps its data, and uses the next port when the usual one is taken', async (t) => {
    for (const port of [8070, 8080, 9090]) await occupy(t, port)
    const { output, text: said } = listen()

    const dev = await startDev({ LEGWORK_DATA_DIR: folder }, output)
    t.after(() => dev.stop())
    const tasks = await fetch(`${dev.api}/tasks`, {
      headers: { authorization: `Bearer ${testKey}` },
    })
    const ready = await fetch(`${dev.ops}/readyz`)
    const first = await openDesk(dev.desk)
    const again = await openDesk(dev.desk)
    await dev.stop()

    const text = said()
    const [, port] = /Port 8080 is in use\. Using (\d+) instead\./.exec(text)!
    assert.equal(new URL(dev.api).port, port)
    assert(pasted(text).includes(`API=http://127.0.0.1:${port}/api/v1`))
    assert.match(text, /Port 9090 is in use\. Using \d+ instead\./)
    assert.match(text, /Port 8070 is in use\. Using \d+ instead\./)
    assert.doesNotMatch(text, /migrations/)
    assert.equal(((await tasks.json()) as { tasks: unknown[] }).tasks.length, 1)
    assert.equal(dev.testKey, testKey)
    assert.equal(ready.status, 200)
    assert.equal(first.role, 'admin')
    assert.equal(again.status, 410)
    assert(text.includes(dev.desk))
    await assert.rejects(fetch(dev.api))
  })

  test('shows mail in the inbox, and stores the token key with owner-only permissions', async (t) => {
    const dev = await startDev(
      { LEGWORK_DATA_DIR: folder, PORT: '0', OPS_PORT: '0', DESK_PORT: '0' },
      new PassThrough().resume(),
    )
    t.after(() => dev.stop())
    const body = { name: 'Ann', email: 'ann@example.com', password: 'a password' }

    const registered = await fetch(`${dev.api}/worker/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    let page = ''
    for (let i = 0; i < 100 && !page.includes('ann@example.com'); i++) {
      await sleep(50)
      page = await (await fetch(dev.inbox!)).text()
    }

    const file = path.join(folder, 'worker-token.key')
    assert.equal(registered.status, 201)
    assert.match(page, /<a href="http:\/\/127\.0\.0\.1:\d+\/verify\?token=[\w-]{43}">/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(Buffer.from(readFileSync(file, 'utf8'), 'base64').length, 32)
  })

  test('shows webhooks on the receiver page, verified, without being told a secret', async (t) => {
    const dev = await startDev(
      { LEGWORK_DATA_DIR: folder, PORT: '0', OPS_PORT: '0', DESK_PORT: '0', RECEIVER_PORT: '0' },
      new PassThrough().resume(),
    )
    t.after(() => dev.stop())
    const call = (method: string, to: string, body: object) =>
      fetch(dev.api + to, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

    const changed = await call('PATCH', '/agents/me', { webhook_url: `${dev.receiver}/hooks` })
    const asked = await call('POST', '/webhooks/ping', {})
    let page = ''
    for (let i = 0; i < 100 && !page.includes('webhook.ping'); i++) {
      await sleep(50)
      page = await (await fetch(dev.receiver)).text()
    }

    assert.deepEqual([changed.status, asked.status], [200, 202])
    assert.match(page, /✓ verified<\/span> · responded 204/)
  })

  test('a deposit is paid on the page of the sandbox, which keeps its data', async (t) => {
    const env = {
      LEGWORK_DATA_DIR: folder,
      PORT: '0',
      OPS_PORT: '0',
      DESK_PORT: '0',
      SANDBOX_PORT: '0',
    }
    const balance = async (api: string) => {
      const wallet = await fetch(`${api}/wallet`, { headers: { authorization: `Bearer ${key}` } })
      return ((await wallet.json()) as { balance_cents: number }).balance_cents
    }
    const dev = await startDev(env, new PassThrough().resume())
    t.after(() => dev.stop())

    const asked = await fetch(`${dev.api}/wallet/deposit`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount_cents: 2500 }),
    })
    const { checkout_url } = (await asked.json()) as { checkout_url: string }
    const card = { number: '4242424242424242', expiry: '12/34', cvc: '123', name: 'Scout' }
    const page = await fetch(checkout_url, {
      method: 'POST',
      body: new URLSearchParams({ method: 'card', ...card }),
    })
    for (let i = 0; i < 600 && (await balance(dev.api)) === 0; i++) await sleep(50)
    const before = await balance(dev.api)
    await dev.stop()
    const { output, text } = listen()
    const again = await startDev(env, output)
    t.after(() => again.stop())
    const dashboard = /Payments {3}(\S+)/.exec(text())![1]!
    const loggedIn = await fetch(dashboard, { redirect: 'manual' })
    const command = /Books {6}(.*) ops money/.exec(text())![1]!
    const { stdout } = await bash(`${command} ops reconcile; ${command} ops money`, ROOT)

    assert.equal(asked.status, 201)
    assert.equal(page.url.split('?')[0], `${new URL(dev.api).origin}/wallet`)
    assert.equal(before, 2500)
    assert(dashboard.startsWith(`${again.sandbox}/dashboard?token=`))
    assert.equal(loggedIn.headers.getSetCookie().length, 1)
    // $1,000 of the operator's own money, added once, plus the deposit minus its fee of 103 cents.
    assert.match(stdout, /\$1,?023\.97/)
    for (const name of ['sandbox.key', 'dev.env'])
      assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600)
  })

  test('starts no sandbox if another processor is configured', async (t) => {
    const { output, text } = listen()
    const env = {
      LEGWORK_DATA_DIR: folder,
      PORT: '0',
      OPS_PORT: '0',
      DESK_PORT: '0',
      STRIPE_SECRET_KEY: 'sk_test_mine',
      STRIPE_API_BASE: `http://127.0.0.1:${await freePort()}`,
    }

    const dev = await startDev(env, output)
    t.after(() => dev.stop())

    assert.equal(dev.sandbox, undefined)
    assert.doesNotMatch(text(), /Payments|Books/)
  })

  test('a second Ctrl-C ends it at once, including PostgreSQL', async (t) => {
    const dev = await spawnDev(t)
    const api = new URL(dev.api())
    const endless = connect(Number(api.port), api.hostname)
    t.after(() => endless.destroy())
    endless.on('error', () => {})
    endless.write('POST /api/v1/agents/register HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n')
    await sleep(300)

    await dev.pressCtrlC()
    await sleep(1000)
    const wasWaiting = dev.isRunning()
    await dev.pressCtrlC()
    const { ms } = await dev.ended()

    assert(wasWaiting)
    assert(ms < 1500)
    for (let i = 0; i < 600 && processesOn(folder).length > 0; i++) await sleep(50)
    assert.deepEqual(processesOn(folder), [])
  })

  for (const { what, env, said } of [
    {
      what: 'a port that was asked for is taken',
      env: async (t: TestContext) => ({ PORT: String(await occupy(t, 0)) }),
      said: /Port \d+ is in use\. Set PORT to another port\./,
    },
    {
      what: 'the database of DATABASE_URL does not exist',
      env: async () => ({ DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x` }),
      said: /ECONNREFUSED/,
    },
  ])
    test(`says in one sentence that ${what}`, async (t) => {
      const given = {
        LEGWORK_DATA_DIR: folder,
        PORT: '0',
        OPS_PORT: '0',
        DESK_PORT: '0',
        ...(await env(t)),
      }

      await assert.rejects(startDev(given, new PassThrough().resume()), said)
    })
})

describe('preflight', () => {
  const bare = path.join(folder, 'checkout')
  mkdirSync(path.join(bare, 'scripts'), { recursive: true })
  copyFileSync(path.join(ROOT, 'scripts/preflight.js'), path.join(bare, 'scripts/preflight.js'))

  test('says to run npm ci if there is no node_modules', async () => {
    const { code, stderr } = await preflight(bare, '')

    assert.equal(code, 1)
    assert.match(stderr, /^\s+The dependencies are not installed\. Run npm ci first\.\s+$/)
  })

  test('names the required Node version and how to get it', async () => {
    const versions = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`

    const { code, stderr } = await preflight(bare, versions)

    assert.equal(code, 1)
    assert.match(stderr, /needs Node 24 or later; this is 20\.20\.2\./)
    assert.doesNotMatch(stderr, /^\s+at /m)
  })

  test('prints nothing if everything is installed', async () => {
    assert.deepEqual(await preflight(ROOT, ''), { code: 0, stderr: '' })
  })
})

/** Registers another agent and returns its live key. */
async function registerAt(api: string): Promise<string> {
  const answer = await fetch(`${api}/agents/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Scout', email: 'scout@example.com' }),
  })
  return ((await answer.json()) as { agent: { api_key: string } }).agent.api_key
}

/** Follows the printed link to the operators' desk, as its page does. */
async function openDesk(link: string): Promise<{ status: number; role?: string }> {
  const { origin, hash, pathname } = new URL(link)
  assert.equal(pathname, '/desk/sign-in')
  const page = await fetch(link, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  const { status, headers } = await fetch(`${origin}/desk/api/sign-in/link`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URLSearchParams(hash.slice(1)).get('token') }),
  })
  const [cookie] = headers.getSetCookie()
  if (cookie === undefined) return { status }
  const session = await fetch(`${origin}/desk/api/session`, {
    headers: { cookie: cookie.split(';')[0]! },
  })
  const { operator } = (await session.json()) as { operator: { role: string } }
  return { status, role: operator.role }
}

/** A fake terminal that records its output. */
function listen() {
  const output = new PassThrough()
  let text = ''
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return { output, text: () => text }
}

/** The block that a reader would select and paste. */
function pasted(output: string): string {
  const block = /Try it: .*\n\n((?: {2}.+\n)+)/.exec(output)
  assert(block, `no calls to paste in:\n${output}`)
  return block[1]!
}

/** Starts it as a terminal does: in its own process group, which receives Ctrl-C. */
async function spawnDev(t: TestContext) {
  const env = {
    ...ENV,
    LEGWORK_DATA_DIR: folder,
    PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
    DESK_PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    RECEIVER_PORT: String(await freePort()),
  }
  const child = spawn('npm', ['run', 'dev'], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => signalGroup(child, 'SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const closed = once(child, 'close') as Promise<[number | null]>
  let pressedAt = 0

  const says = async (words: string) => {
    const deadline = Date.now() + START_MAX_MS
    while (!output.includes(words)) {
      assert(child.exitCode === null && Date.now() < deadline, `no ${words} in:\n${output}`)
      await sleep(50)
    }
  }
  await says('Requests appear below')
  return {
    says,
    env,
    output: () => output,
    api: () => /API=(\S+)/.exec(output)![1]!,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async pressCtrlC() {
      pressedAt = performance.now()
      signalGroup(child, 'SIGINT')
    },
    async ended() {
      const [code] = await closed
      return { code, ms: performance.now() - pressedAt }
    },
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal)
  } catch {
    // All of them have already exited.
  }
}

/** All processes with the folder in their command line; empty on systems without /proc. */
function processesOn(name: string): string[] {
  if (!existsSync('/proc/self')) return []
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      try {
        return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`
      } catch {
        return ''
      }
    })
    .filter((command) => command.includes(name))
}

const bash = (script: string, cwd = os.tmpdir()) =>
  promisify(execFile)('bash', ['-c', `set -euo pipefail\n${script}`], { cwd })

/** Port 0 takes a free one. It doesn't matter if another process already holds the port. */
async function occupy(t: TestContext, port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!listens) return port
  t.after(() => server.close())
  const address = server.address()
  assert(typeof address === 'object' && address)
  return address.port
}

async function preflight(checkout: string, before: string) {
  const script = `${before}; await import(${JSON.stringify(path.join(checkout, 'scripts/preflight.js'))})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr }
}
