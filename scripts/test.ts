/**
 * `npm test [file or folder…] [--test-…]`: runs the tests on a PostgreSQL and a Redis of their own.
 *
 * Tests find them by TEST_DATABASE_URL and TEST_REDIS_URL, and clone the database `legwork_template`. With
 * TEST_DATABASE_URL set, that server is used instead, and its `legwork_template` is made anew.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../server/src/migrate.ts'
import { startPostgres, stopChild, stopWithParent } from './postgres.ts'
import { startRedis } from './redis.ts'

const ROOT = path.join(import.meta.dirname, '..')
const TEMPLATE = 'legwork_template'
const TEST_TIMEOUT_MS = 120_000
/** Longer than any test may take: after that nothing is running any more. */
const SILENCE_MAX_MS = TEST_TIMEOUT_MS + 30_000
const TRIGGERS = path.join(ROOT, 'server/test/shards.sql')

// Nothing here outlives the run, so that nothing has to reach the disk.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 300,
}

const args = process.argv.slice(2)
const files = findTests(args.filter((arg) => !arg.startsWith('--')))
const flags = args.filter((arg) => arg.startsWith('--'))

const started: { stop(): Promise<void> }[] = []
let runner: ChildProcess | undefined
let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruptedBy = signal
    // A terminal sends Ctrl-C to both of us; the second signal does no harm.
    if (runner) void stopChild(runner, 'SIGTERM')
  })
}

try {
  const adminUrl = process.env.TEST_DATABASE_URL || (await startDatabase())
  const redisUrl = process.env.TEST_REDIS_URL || (await startCache())
  await makeTemplate(adminUrl)
  process.exitCode = await runTests({ TEST_DATABASE_URL: adminUrl, TEST_REDIS_URL: redisUrl })
} finally {
  for (const server of started.reverse()) await server.stop()
}
if (interruptedBy) process.exitCode = 130

function findTests(paths: string[]): string[] {
  const found = (paths.length > 0 ? paths : ['server', 'sandbox', 'scripts']).flatMap((given) => {
    const absolute = path.resolve(paths.length > 0 ? process.cwd() : ROOT, given)
    if (!existsSync(absolute)) throw new Error(`${given} does not exist`)
    if (!statSync(absolute).isDirectory()) return [absolute]
    return globSync('**/*.test.ts', {
      cwd: absolute,
      exclude: (name) => name === 'node_modules',
    }).map((file) => path.join(absolute, file))
  })
  if (found.length === 0) throw new Error(`no *.test.ts under ${paths.join(', ') || ROOT}`)
  return [...new Set(found)].sort()
}

async function startDatabase(): Promise<string> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'legwork-test-'))
  const postgres = await startPostgres({ dataDir, settings: SETTINGS, temporary: true })
  started.push(postgres)
  return postgres.adminUrl
}

async function startCache(): Promise<string> {
  const redis = await startRedis()
  started.push(redis)
  return redis.url
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = TEMPLATE
  await query(adminUrl, `drop database if exists ${TEMPLATE} with (force)`)
  await query(adminUrl, `create database ${TEMPLATE}`)
  await migrate(url.href, { log: { info() {} } })
  if (existsSync(TRIGGERS)) await query(url.href, readFileSync(TRIGGERS, 'utf8'))
  // A single open connection makes cloning fail; this one would say who tried.
  await query(adminUrl, `alter database ${TEMPLATE} with allow_connections false`)
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

async function runTests(env: Record<string, string>): Promise<number> {
  if (interruptedBy) return 130
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const isolation = ['--test-isolation=none', '--test-reporter=spec']
  const child = spawn(
    process.execPath,
    ['--test', ...isolation, `--test-timeout=${TEST_TIMEOUT_MS}`, ...flags, ...files],
    { cwd: ROOT, env: { ...process.env, ...colors, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  runner = child
  stopWithParent(child)
  child.ref()

  // A test that leaves a connection open keeps the process alive without end; told to stop, it still prints the
  // counts.
  let isStuck = false
  const silence = setTimeout(() => {
    isStuck = true
    void stopChild(child, 'SIGINT')
  }, SILENCE_MAX_MS)
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    silence.refresh()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(silence)
  if (isStuck) console.error('the tests did not end by themselves: one of them left something open')
  return isStuck ? 1 : (code ?? 1)
}
