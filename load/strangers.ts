/**
 * `npm run test:strangers`: full-size attacks by strangers against two API processes and a jobs process with rate
 * limits on, while ten honest agents and ten honest workers use the service.
 *
 * Each attack gets a new database. Its line shows the p95 of the honest callers before and during the attack, their
 * slowest response, the peak memory of the larger API process, the bytes that the attack left behind, and its outcome.
 * Exits with 1 if a bound is exceeded.
 *
 *   npm run test:strangers -- bodies hide   only these attacks
 *   npm run test:strangers -- --small       two short ones, as a smoke test
 *   SERVER_ROOT=../old-checkout             attacks the server of another checkout; bounds are shown, not enforced
 *
 * Everything runs on loopback. Addresses come from X-Forwarded-For, which the servers trust here. The attackers run in
 * a separate process with the lowest priority, because in reality their CPU time would be spent on other machines.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, startPostgres, stopChild, stopWithParent } from '../scripts/postgres.ts'
import { startRedis } from '../scripts/redis.ts'
import { need, untilUp } from './machine.ts'
import { ATTACKS, type Outcome, type Target } from './stranger-attacks.ts'
import { request } from './stranger-client.ts'

const ROOT = path.join(import.meta.dirname, '..')
const SERVER_ROOT = path.resolve(process.env.SERVER_ROOT ?? ROOT)
const IS_ENFORCED = SERVER_ROOT === ROOT
const HONEST = 10
const isSmall = process.argv.includes('--small')
const BASELINE_MS = Number(process.env.BASELINE_SECONDS ?? (isSmall ? 3 : 10)) * 1000
/** Minimum measuring time, for attacks that end sooner. */
const DURING_MIN_MS = isSmall ? 3_000 : 8_000
const ATTACK_MAX_MS = 180_000

const NOT_CARRIED_OUT: Outcome = { said: 'did not end in time', numbers: {}, hasFailed: true }

interface Row {
  name: string
  before: Figures
  during: Figures
  peakMb: number
  storedMb: number
  outcome: Outcome
  broken: string[]
}

interface Figures {
  count: number
  failed: number
  p95: number
  max: number
}

const AGENT_STEPS = [
  ['GET', '/wallet'],
  ['POST', '/tasks', { description: 'Is the shop at Main street 5 open?', budget_cents: 100 }],
  ['GET', '/tasks?limit=20'],
] as const
const WORKER_STEPS = [
  ['GET', '/worker/feed'],
  ['GET', '/worker/profile'],
] as const

/** Moves Date forward by STEP_MS as soon as STEP_FILE exists, to simulate a machine whose clock is wrong. */
const STEP = `import { existsSync } from 'node:fs'
const now = Date.now, Real = Date
let shift = 0
globalThis.Date = class extends Real {
  constructor(...args) { if (args.length === 0) super(now() + shift); else super(...args) }
  static now() { return now() + shift }
}
setInterval(() => { if (existsSync(process.env.STEP_FILE)) shift = ${3 * 86_400_000} }, 200).unref()`

const SMALL = ['same-key', 'bytes']
const chosen = isSmall ? SMALL : process.argv.slice(2)
const unknown = chosen.filter((name) => !ATTACKS.some((attack) => attack.name === name))
if (unknown.length > 0)
  throw new Error(
    `unknown attack: ${unknown.join(', ')}. Available: ${ATTACKS.map(({ name }) => name).join(', ')}`,
  )

const rows: Row[] = []
for (const { name } of ATTACKS.filter((one) => chosen.length === 0 || chosen.includes(one.name))) {
  console.error(`${name} …`)
  rows.push(await suffer(name))
}
console.log(tableOf(rows))
const broken = rows.flatMap(({ name, broken }) => broken.map((bound) => `${name}: ${bound}`))
for (const line of broken) console.log(`EXCEEDED  ${line}`)
console.log(`${rows.length} attacks, ${broken.length} limits exceeded`)
if (IS_ENFORCED && broken.length > 0) process.exitCode = 1

async function suffer(name: string): Promise<Row> {
  const attack = ATTACKS.find((one) => one.name === name)!
  const stack = await startStack()
  try {
    const honest = await settleIn(stack)
    // Warm-up: the first requests of a process are the slowest.
    await visit(stack, honest, () => sleep(3_000))
    const before = await visit(stack, honest, () => sleep(BASELINE_MS))
    const bytesBefore = await stack.bytes()
    let outcome: Outcome = NOT_CARRIED_OUT
    let peakMb = 0
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, ...stack.apiPids.map(memoryMb))
    }, 100)
    const during = await visit(stack, honest, async () => {
      const least = sleep(DURING_MIN_MS)
      outcome = await attackApart(name, stack.target)
      await least
    })
    clearInterval(watch)
    const storedMb = ((await stack.bytes()) - bytesBefore) / 1e6
    const figures = { before, during, peakMb, storedMb, numbers: outcome.numbers }
    const broken = outcome.hasFailed ? [`not carried out: ${outcome.said}`] : attack.broken(figures)
    return { name, before, during, peakMb, storedMb, outcome, broken }
  } finally {
    await stack.stop()
  }
}

/** Runs the attackers in a separate process, so that they take as little CPU time from the server as possible. */
async function attackApart(name: string, target: Target): Promise<Outcome> {
  const child = fork(path.join(import.meta.dirname, 'stranger-attacks.ts'), [name], {
    execArgv: [],
  })
  stopWithParent(child)
  child.send(target)
  const late = setTimeout(() => child.kill('SIGKILL'), ATTACK_MAX_MS)
  try {
    const [outcome] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [NOT_CARRIED_OUT]),
    ])) as [Outcome]
    return outcome
  } finally {
    clearTimeout(late)
    child.kill('SIGKILL')
  }
}

interface Caller {
  key: string
  address: string
}

interface Honest {
  agents: Caller[]
  workers: Caller[]
}

async function settleIn(stack: Stack): Promise<Honest> {
  const agents: Caller[] = []
  const workers: Caller[] = []
  for (let i = 1; i <= HONEST; i += 1) {
    const address = `198.51.100.${i}`
    const email = `honest-${i}@example.com`
    const registered = await ask(stack, 'POST', '/agents/register', {
      address,
      body: { name: `Honest agent ${i}`, email },
    })
    agents.push({ key: registered.agent.api_key as string, address })
    const password = 'correct horse battery staple'
    await ask(stack, 'POST', '/worker/register', { address, body: { name: 'W', email, password } })
    await stack.owner.query(
      `update workers set status = 'active', verified_at = now() where email = $1`,
      [email],
    )
    const login = await ask(stack, 'POST', '/worker/login', { address, body: { email, password } })
    workers.push({ key: login.token as string, address })
  }
  return { agents, workers }
}

async function ask(
  stack: Stack,
  method: string,
  to: string,
  options: { address: string; body: object },
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any> {
  const { status, text } = await request(stack.target.bases[0]!, method, to, options)
  // A process that has just started may be busy; an honest client waits for retry_after_seconds.
  if (status === 503) {
    await sleep(1000 * JSON.parse(text).retry_after_seconds)
    return ask(stack, method, to, options)
  }
  if (status < 200 || status > 299) throw new Error(`${method} ${to}: ${status} ${text}`)
  return JSON.parse(text)
}

/** Sends honest requests at a steady pace, below their limits, until `until` has ended. */
async function visit(
  { target }: Stack,
  { agents, workers }: Honest,
  until: () => Promise<void>,
): Promise<Figures> {
  const times: number[] = []
  let failed = 0
  let isOver = false
  const walk = async (
    caller: Caller,
    steps: readonly (readonly [string, string, object?])[],
    offset: number,
  ) => {
    await sleep(offset)
    for (let i = offset; !isOver; i += 1) {
      const [method, to, body] = steps[i % steps.length]!
      const base = target.bases[i % target.bases.length]!
      const { status, ms } = await request(base, method, to, {
        ...caller,
        ...(body ? { body } : {}),
      })
      times.push(ms)
      if (status === 0 || status >= 400) failed += 1
      await sleep(1_000)
    }
  }
  const lanes = [
    ...agents.map((agent, i) => walk(agent, AGENT_STEPS, i * 97)),
    ...workers.map((worker, i) => walk(worker, WORKER_STEPS, i * 89)),
  ]
  await until()
  isOver = true
  await Promise.all(lanes)
  const sorted = times.toSorted((a, b) => a - b)
  return {
    count: times.length,
    failed,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    max: sorted.at(-1) ?? 0,
  }
}

type Stack = Awaited<ReturnType<typeof startStack>>

async function startStack() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-strangers-'))
  const started: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ]
  const stop = async () => {
    for (const end of started.toReversed()) await end()
  }
  try {
    const postgres = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      temporary: true,
      settings: { shared_buffers: '512MB', max_connections: 200 },
    })
    started.push(() => postgres.stop())
    const redis = await startRedis()
    started.push(() => redis.stop())
    need('node', [path.join(SERVER_ROOT, 'server/src/main.ts'), 'migrate'], {
      ...process.env,
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'warn',
    })
    const owner = new pg.Client({ connectionString: postgres.url })
    await owner.connect()
    started.push(() => owner.end())
    const settings = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      FILES_DIR: path.join(folder, 'files'),
      TRUST_PROXY: '127.0.0.1',
      // Honest agents use free tasks, so no payment processor is needed.
      FREE_TASKS: '100000',
      // Same values as in production.
      EVENT_LOOP_DELAY_MAX_MS: '200',
      TEST_DATABASE_PERCENT: '10',
      // Both API processes must accept the same tokens.
      WORKER_TOKEN_KEYS: randomBytes(32).toString('base64'),
      STEP_FILE: path.join(folder, 'step'),
    }
    const apis = []
    for (let i = 0; i < 2; i += 1) apis.push(await startRole('api', settings, started))
    const jobs = await startRole('jobs', settings, started)
    const target: Target = {
      bases: apis.map(({ port }) => `http://127.0.0.1:${port}/api/v1`),
      ready: [...apis, jobs].map(({ opsPort }) => `http://127.0.0.1:${opsPort}/readyz`),
      databaseUrl: postgres.url,
      stepFile: settings.STEP_FILE,
    }
    return {
      target,
      owner,
      apiPids: apis.map(({ pid }) => pid),
      bytes: async () => {
        const { rows } = await owner.query<{ size: string }>(
          'select pg_database_size(current_database()) as size',
        )
        return Number(rows[0]!.size) + bytesIn(settings.FILES_DIR)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startRole(
  role: 'api' | 'jobs',
  settings: Record<string, string>,
  started: (() => Promise<unknown>)[],
) {
  const [port, opsPort] = [await freePort(), await freePort()]
  const step = `${settings.STEP_FILE}.mjs`
  writeFileSync(step, STEP)
  const child: ChildProcess = spawn(
    'node',
    // Only the jobs process has a clock that can be moved.
    [...(role === 'jobs' ? ['--import', step] : []), 'server/src/main.ts', role],
    {
      cwd: SERVER_ROOT,
      stdio: ['ignore', 'ignore', process.env.STRANGERS_LOG ? 'inherit' : 'ignore'],
      env: {
        ...process.env,
        ...settings,
        PORT: String(port),
        OPS_PORT: String(opsPort),
        LOG_LEVEL: 'error',
      },
    },
  )
  stopWithParent(child)
  started.push(() => stopChild(child, 'SIGKILL'))
  await untilUp(`http://127.0.0.1:${opsPort}/readyz`)
  return { port, opsPort, pid: child.pid! }
}

function memoryMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function bytesIn(folder: string): number {
  return Number(need('du', ['-sb', folder]).stdout.split('\t')[0])
}

function tableOf(all: Row[]): string {
  const head =
    '| attack | p95 before | p95 during | longest answer | failed | peak memory | stored | outcome |\n' +
    '|---|---|---|---|---|---|---|---|'
  const lines = all.map(
    ({ name, before, during, peakMb, storedMb, outcome }) =>
      `| ${[
        name,
        `${before.p95.toFixed(0)} ms`,
        `${during.p95.toFixed(0)} ms`,
        `${during.max.toFixed(0)} ms`,
        `${during.failed} of ${during.count}`,
        `${peakMb.toFixed(0)} MB`,
        `${storedMb.toFixed(1)} MB`,
        outcome.said,
      ].join(' | ')} |`,
  )
  return [head, ...lines].join('\n')
}
