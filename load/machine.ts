/** Measurement and setup code shared by all benches. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { query, startPostgres, stopWithParent } from '../scripts/postgres.ts'

const TICK_MICROS = 10_000

/** CPU time of a process and all its children, including ended ones, in microseconds; read from /proc. */
export function cpuOf(pid: number): number {
  const own = ticksOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat?.parent === pid)
  return (own + children.reduce((sum, stat) => sum + stat!.ticks, 0)) * TICK_MICROS
}

/** Waits until ended children are counted in the process table. */
export function settle(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
}

const ticksOf = (pid: number) => readStat(pid)?.ticks ?? 0

function readStat(pid: number): { parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

export async function untilUp(url: string): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not start within a minute`)
}

/** Runs a program to completion; throws its output if it failed. */
export function need(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): { stdout: string } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { env, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} exited with ${status}:\n${stderr}${stdout}`)
  return { stdout }
}

export function needsProgram(program: string, install: string): void {
  if (spawnSync('which', [program]).status !== 0)
    throw new Error(`${program} is not installed. Run: ${install}`)
}

/** Full durability, and room for a load. */
export const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
}

/** Starts a PostgreSQL server with full durability (fsync on), migrated and empty. */
export async function startDurablePostgres(folder: string) {
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    temporary: true,
    settings: DURABLE,
  })
  migrate(postgres.url)
  return postgres
}

export function migrate(url: string, settings: Record<string, string> = {}): void {
  need('node', ['server/src/main.ts', 'migrate'], {
    ...process.env,
    ...settings,
    DATABASE_URL: url,
    LOG_LEVEL: 'warn',
  })
}

/** Makes a database with sixteen schemas beside another one, and returns its address. */
export async function makeSixteen(url: string): Promise<string> {
  const sixteen = new URL(url)
  sixteen.pathname = '/sixteen'
  await query(url, 'create database sixteen')
  migrate(sixteen.href, { SHARDS: '16' })
  return sixteen.href
}

/** Benches create tasks with test agents, which by default have few connections and a daily limit. */
const UNBOUNDED_TEST_MODE = {
  TEST_DATABASE_CONNECTIONS: '16',
  TEST_TASKS_PER_DAY: '1000000000',
  TEST_TASKS_PER_ADDRESS_DAY: '1000000000',
  TEST_BYTES_PER_DAY: '1000000000000',
  TEST_BYTES_PER_ADDRESS_DAY: '1000000000000',
}

/** Starts an API process without rate limits, or one that runs the jobs. */
export async function startApiProcess(
  url: string,
  settings: Record<string, string> = {},
  role: 'api' | 'jobs' = 'api',
  /** Another checkout of this repository, to compare with. */
  folder = process.cwd(),
): Promise<{ port: number; pid: number; child: ChildProcess }> {
  const [port, opsPort] = [await freePort(), await freePort()]
  const child = spawn('node', ['server/src/main.ts', role], {
    stdio: 'inherit',
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      RATE_LIMITS: 'off',
      AGENT_CAPS: 'off',
      LOG_LEVEL: 'warn',
      ...UNBOUNDED_TEST_MODE,
      ...settings,
    },
  })
  stopWithParent(child)
  await untilUp(`http://127.0.0.1:${opsPort}/readyz`)
  return { port, pid: child.pid!, child }
}

/** Sends the requests of a Lua script for some seconds. Fails if one of them is refused or broken. */
export function runWrk(
  script: string,
  {
    port,
    connections,
    seconds,
    settings,
  }: { port: number; connections: number; seconds: number; settings: Record<string, string> },
): { requests: number; micros: number; p50: number; p99: number } {
  // The default timeout is two seconds, and a busy disk can take longer.
  const how = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s']
  const { stdout } = need('wrk', [...how, '--latency', '-s', script, `http://127.0.0.1:${port}`], {
    ...process.env,
    ...settings,
  })
  const match = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout)
  if (match === null) throw new Error(`unexpected output of wrk:\n${stdout}`)
  const [requests, micros, p50, p99, refused, broken] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (refused > 0 || broken > 0)
    throw new Error(`${refused} refused, ${broken} broken of ${requests}`)
  return { requests, micros, p50, p99 }
}

/** Compares variants that were measured in turns: medians, and the median of the ratios to the first one by round. */
export function linesOfRatios(
  variants: { name: string; rates: number[]; micros: number[] }[],
): string[] {
  const base = variants[0]!
  const ratio = (of: number[], to: number[]) => median(of.map((one, i) => one / to[i]!)).toFixed(3)
  return variants.map(
    ({ name, rates, micros }) =>
      `${name.padEnd(20)} ${median(rates).toFixed(0).padStart(6)}/s × ${ratio(rates, base.rates)}   ` +
      `${median(micros)} µs of CPU × ${ratio(micros, base.micros)}`,
  )
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
