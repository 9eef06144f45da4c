/**
 * `npm test [file or folder…] [--test-…]`: runs the tests on a PostgreSQL and a Redis of their own.
 *
 * Tests find them by TEST_DATABASE_URL and TEST_REDIS_URL, and clone the database `legwork_template`. With
 * TEST_DATABASE_URL set, that server is used instead, and its `legwork_template` is made anew.
 *
 * The whole suite runs in two processes at once, since one leaves the second core idle for most of its time; their
 * counts are added up at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import pg from 'pg'
import { buildWeb } from '../web/build.ts'
import { migrate } from '../server/src/migrate.ts'
import { startPostgres, stopChild, stopWithParent } from './postgres.ts'
import { startRedis } from './redis.ts'

const ROOT = path.join(import.meta.dirname, '..')
const TEMPLATE = 'legwork_template'
const TEST_TIMEOUT_MS = 120_000
/** Longer than any test may take: after that nothing is running any more. */
const SILENCE_MAX_MS = TEST_TIMEOUT_MS + 30_000
/** The failures of a run may stand after its counts. */
const TAIL_LENGTH = 1_000_000
const TRIGGERS = path.join(ROOT, 'server/test/shards.sql')

/** Tests that open the app, or start everything. */
const NEEDS_APP = /^(?:server\/test\/browser|scripts)\//

// Nothing here outlives the run, so that nothing has to reach the disk.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 600,
  // Every file has a database of its own, and there is always one among hundreds whose turn it is.
  autovacuum: 'off',
}

const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const files = findTests(named)
/** Beside all others, those in a browser and those that start processes of their own: about as long as these. */
const isStory = (file: string) =>
  /^(?:scripts\/|cli\/|server\/test\/(?:browser|model|races)\/|server\/src\/(?:runner\/|files\/|start\.))/.test(
    path.relative(ROOT, file),
  )
const lanes =
  named.length > 0
    ? [files]
    : [files.filter((file) => isStory(file)), files.filter((file) => !isStory(file))]
const flags = args.filter((arg) => arg.startsWith('--'))

const started: { stop(): Promise<void> }[] = []
const runners: ChildProcess[] = []
let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruptedBy = signal
    // A terminal sends Ctrl-C to both of us; the second signal does no harm.
    for (const runner of runners) void stopChild(runner, 'SIGTERM')
  })
}

try {
  const adminUrl = process.env.TEST_DATABASE_URL || (await startDatabase())
  await makeTemplate(adminUrl)
  if (files.some((file) => NEEDS_APP.test(path.relative(ROOT, file))))
    await buildWeb({ isQuiet: true })
  const ends = await Promise.all(
    lanes.map(async (lane, i) => {
      const redisUrl = process.env.TEST_REDIS_URL || (await startCache())
      const env = {
        TEST_DATABASE_URL: adminUrl,
        TEST_REDIS_URL: redisUrl,
        // Of the whole suite; server/test/browser/phone.ts says what that saves.
        ...(named.length > 0 ? {} : { LOOKS: process.env.LOOKS || 'quick' }),
      }
      return runTests(lane, { env, isShown: i === 0 })
    }),
  )
  // The second lane has its say when the first has had its own.
  for (const { held } of ends) process.stdout.write(held)
  if (ends.length > 1) console.log(`\n${addUp(ends.map(({ counts }) => counts)).join('\n')}`)
  process.exitCode = ends.find(({ code }) => code !== 0)?.code ?? 0
} finally {
  for (const server of started.reverse()) await server.stop()
}
if (interruptedBy) process.exitCode = 130

function findTests(paths: string[]): string[] {
  const found = (
    paths.length > 0 ? paths : ['server', 'sandbox', 'web', 'sdk', 'cli', 'mcp', 'scripts']
  ).flatMap((given) => {
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

interface End {
  code: number
  /** What was not shown while it ran. */
  held: string
  /** The `ℹ tests 12`, `ℹ pass 12`, … at the end. */
  counts: Map<string, number>
}

async function runTests(
  lane: string[],
  { env, isShown }: { env: Record<string, string>; isShown: boolean },
): Promise<End> {
  if (interruptedBy) return { code: 130, held: '', counts: new Map() }
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const isolation = ['--test-isolation=none', '--test-reporter=spec']
  const child = spawn(
    process.execPath,
    ['--test', ...isolation, `--test-timeout=${TEST_TIMEOUT_MS}`, ...flags, ...lane],
    { cwd: ROOT, env: { ...process.env, ...colors, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  runners.push(child)
  stopWithParent(child)
  child.ref()

  // A test that leaves a connection open keeps the process alive without end; told to stop, it still prints the
  // counts.
  let isStuck = false
  const silence = setTimeout(() => {
    isStuck = true
    void stopChild(child, 'SIGINT')
  }, SILENCE_MAX_MS)
  let held = ''
  let last = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (isShown) process.stdout.write(text)
    else held += text
    last = (last + text).slice(-TAIL_LENGTH)
    silence.refresh()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(silence)
  if (isStuck) console.error('the tests did not end by themselves: one of them left something open')
  // A hook of a whole file that throws is printed, and the runner still ends with 0.
  const hasFailed = /^✖ /m.test(stripVTControlCharacters(last))
  return { code: isStuck || hasFailed ? 1 : (code ?? 1), held, counts: countsOf(last) }
}

function countsOf(output: string): Map<string, number> {
  const lines = stripVTControlCharacters(output).split('\n')
  const first = lines.findLastIndex((line) => /^ℹ tests \d/.test(line))
  const found = lines.slice(Math.max(first, 0)).map((line) => /^ℹ (\w+) ([\d.]+)$/.exec(line))
  return new Map(found.flatMap((match) => (match ? [[match[1]!, Number(match[2])]] : [])))
}

/** The longest of them decides how long it took; all else adds up. */
function addUp(counts: Map<string, number>[]): string[] {
  const names = new Set(counts.flatMap((one) => [...one.keys()]))
  return [...names].map((name) => {
    const numbers = counts.map((one) => one.get(name) ?? 0)
    const total = name === 'duration_ms' ? Math.max(...numbers) : numbers.reduce((a, b) => a + b)
    return `ℹ ${name} ${total}`
  })
}
