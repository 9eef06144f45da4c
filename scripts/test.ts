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
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import pg from 'pg'
import { buildWeb } from '../web/build.ts'
import { migrate } from '../server/src/migrate.ts'
import { EXPLAINED } from '../server/test/tenants/explain.ts'
import { readFindings, report } from '../server/test/tenants/report.ts'
import { startPostgres, stopChild, stopWithParent } from './postgres.ts'
import { startRedis } from './redis.ts'

const ROOT = path.join(import.meta.dirname, '..')
const TEMPLATE = 'legwork_template'
const TEST_TIMEOUT_MS = 240_000
/** Longer than any test may take: after that nothing is running any more. */
const SILENCE_MAX_MS = TEST_TIMEOUT_MS + 30_000
/** Before its first test a lane loads all of its files, each with servers of its own. No test is printed meanwhile. */
const LOADING_MAX_MS = 600_000
/** The line of a test or a suite. */
const TEST_LINE = /^ *[▶✔✖]/m
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
  // Does nothing until server/test/tenants/recorder.ts asks for the plan of a statement.
  shared_preload_libraries: 'auto_explain',
}

const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const files = findTests(named)
/** Tests in a browser, tests that start processes of their own, and attacks. The other lane takes about as long. */
const STORIES = [
  'scripts',
  'cli',
  ...['browser', 'model', 'races', 'rolling'].map((name) => `server/test/${name}`),
  ...['attacks', 'faults', 'fuzz', 'matrix', 'strangers'].map((name) => `server/test/${name}`),
  'server/src/runner',
  'server/src/files',
  'server/src/start.test.ts',
]
const isStory = (file: string) =>
  STORIES.some((place) => `${path.relative(ROOT, file)}/`.startsWith(`${place}/`))
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
  const statements = (await canExplain(adminUrl)) ? (process.env.TENANTS_LOG ?? makeFolder()) : ''
  if (files.some((file) => NEEDS_APP.test(path.relative(ROOT, file))))
    await buildWeb({ isQuiet: true })
  const ends = await Promise.all(
    lanes.map(async (lane, i) => {
      const redisUrl = process.env.TEST_REDIS_URL || (await startCache())
      const env = {
        TEST_DATABASE_URL: adminUrl,
        TEST_REDIS_URL: redisUrl,
        TENANTS_LOG: statements,
        // Of the whole suite; server/test/browser/phone.ts says what that saves.
        ...(named.length > 0 ? {} : { LOOKS: process.env.LOOKS || 'quick' }),
      }
      return runTests(lane, { env, isShown: i === 0 })
    }),
  )
  // The second lane has its say when the first has had its own.
  for (const { held } of ends) process.stdout.write(held)
  if (ends.length > 1) {
    // A reader of a long log looks at its end: every failure is repeated there, with its error.
    for (const { failures } of ends) process.stdout.write(failures)
    console.log(`\n${addUp(ends.map(({ counts }) => counts)).join('\n')}`)
  }
  for (const { reasons } of ends) for (const reason of reasons) console.log(reason)
  process.exitCode = ends.find(({ code }) => code !== 0)?.code ?? 0
  if (statements !== '' && !areTenantsApart(statements)) process.exitCode ||= 1
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
  if (await canExplain(adminUrl))
    for (const name of Object.keys(EXPLAINED))
      await query(url.href, `grant set on parameter auto_explain.${name} to legwork_app`)
  // A single open connection makes cloning fail; this one would say who tried.
  await query(adminUrl, `alter database ${TEMPLATE} with allow_connections false`)
}

async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Whether the server can tell plans: one that was given by TEST_DATABASE_URL may not have been set up for it. */
async function canExplain(adminUrl: string): Promise<boolean> {
  const [row] = await query(
    adminUrl,
    `select current_setting('auto_explain.log_level', true) is not null as is_set`,
  )
  return row?.is_set === true
}

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-statements-'))
  started.push({ stop: () => rm(folder, { recursive: true, force: true }) })
  return folder
}

/** Whether every statement of the run kept to its tenant; docs/security.md says what that means. */
function areTenantsApart(folder: string): boolean {
  const { statements, operations, excepted, unbound, stale } = report(readFindings(folder))
  if (statements === 0) return true
  console.log(
    `\ntenants: ${statements} statements of ${operations} operations; ${excepted} are listed exceptions, ` +
      `${unbound.length} are bound to no tenant`,
  )
  for (const one of unbound) console.log(`✖ ${one}`)
  // Said, and no failure: a part of the suite needs few exceptions, and not every call of a function is looked at.
  if (named.length === 0)
    for (const { where, tables } of stale)
      console.log(`no statement needed the exception of ${where} for ${tables.toString()}`)
  return unbound.length === 0
}

interface End {
  code: number
  /** What was not shown while it ran. */
  held: string
  /** The `ℹ tests 12`, `ℹ pass 12`, … at the end. */
  counts: Map<string, number>
  /** The list of failed tests that the runner prints after the counts; empty when all passed. */
  failures: string
  /** Why a run whose tests all passed has failed all the same. */
  reasons: string[]
}

async function runTests(
  lane: string[],
  { env, isShown }: { env: Record<string, string>; isShown: boolean },
): Promise<End> {
  if (interruptedBy) return { code: 130, held: '', counts: new Map(), failures: '', reasons: [] }
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
  const giveUp = () => {
    isStuck = true
    void stopChild(child, 'SIGINT')
  }
  let silence = setTimeout(giveUp, LOADING_MAX_MS)
  let hasLoaded = false
  let held = ''
  let last = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (isShown) process.stdout.write(text)
    else held += text
    last = (last + text).slice(-TAIL_LENGTH)
    hasLoaded ||= TEST_LINE.test(stripVTControlCharacters(text))
    if (!hasLoaded) return
    clearTimeout(silence)
    silence = setTimeout(giveUp, SILENCE_MAX_MS)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(silence)
  // A hook of a whole file that throws is printed, and the runner still ends with 0.
  const printed = stripVTControlCharacters(last)
  const failed = printed.match(/^✖ .*/gm) ?? []
  const reasons = [
    ...(isStuck ? ['✖ the tests did not end by themselves: one of them left something open'] : []),
    ...(code === 0 ? failed : [`the test runner ended with ${code}`]),
    // An error that is thrown after its test has ended fails the run, but the counts leave it out.
    ...(printed.match(/^.* after the test ended\. .*/gm) ?? []),
  ]
  return {
    code: isStuck || failed.length > 0 ? 1 : (code ?? 1),
    reasons,
    held,
    counts: countsOf(last),
    failures: failuresOf(last),
  }
}

function failuresOf(output: string): string {
  const start = output.lastIndexOf('✖ failing tests:')
  return start === -1 ? '' : `\n${output.slice(start)}`
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
