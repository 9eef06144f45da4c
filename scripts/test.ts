/**
 * `npm test [file or folder…] [--watch] [--test-…]`: runs the tests on a private PostgreSQL and Redis.
 *
 * Without a name it runs all but the deep tests (scripts/suites.ts), with `--deep` only those, with `--all` both.
 * With TEST_SHARDS=16 it runs the server's own tests on databases with sixteen schemas, with `--crossing` some of them.
 * `--watch` reruns the named files whenever something that they import changes. `--slowest=20` lists the slowest files
 * at the end.
 *
 * One process per core takes files from a shared queue: small files of the same folder in batches, because loading the
 * server takes longer than most files need, and each deep file alone. One more process runs the tests that mostly wait.
 * Tests in a browser begin when no test changes the machine's network any more. Every file has its own databases.
 *
 * Tests find the servers by TEST_DATABASE_URL and TEST_REDIS_URL, and clone the database `legwork_template`. If
 * TEST_DATABASE_URL is already set, that server is used instead, and its `legwork_template` is recreated.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { schemasOf } from '../server/src/kit/layout.ts'
import { migrate } from '../server/src/migrate.ts'
import { EXPLAINED } from '../server/test/tenants/explain.ts'
import { readFindings, report } from '../server/test/tenants/report.ts'
import { buildWeb } from '../web/build.ts'
import { query, startPostgres, stopChild, stopWithParent } from './postgres.ts'
import { startRedis } from './redis.ts'
import { CHANGES_NETWORK, CROSSING, DEEP, NEEDS_BROWSER, ONE_SCHEMA, WAITING } from './suites.ts'
import type { Counts, TestEvent } from './test-events.ts'

const ROOT = path.join(import.meta.dirname, '..')
const PACKAGES = [
  'server',
  'sandbox',
  'web',
  'sdk',
  'cli',
  'mcp',
  'adapters',
  'n8n',
  'scripts',
  'deploy',
]
const TEMPLATE = 'legwork_template'
const TEST_TIMEOUT_MS = 600_000
/**
 * Longer than any test, or loading a process's files, may take: after this much silence the process is stuck. A test
 * that takes longer prints how far it is.
 */
const SILENCE_MAX_MS = TEST_TIMEOUT_MS + 60_000
/** Files per process. A larger number saves time, but a file that crashes its process affects more others. */
const FILES_PER_PROCESS = 12
/** If at most this many processes fail, they are run again. */
const RUN_ALONE_MAX = 6
/** Seconds since 1970; no deep test starts after it. `.ci/run` sets it, because its own time is limited. */
const DEADLINE = Number(process.env.CHECK_DEADLINE ?? Infinity) * 1000
/** The number of schemas that hold logical shards; `TEST_SHARDS=16 npm test` runs the tests with sixteen. */
const SHARDS = Number(process.env.TEST_SHARDS ?? 1)
const FOR_TESTS = path.join(ROOT, `server/test/${SHARDS === 1 ? 'shards' : 'all-shards'}.sql`)

/** Tests that open an app, or start the whole system. */
const NEEDS_APP =
  /^(?:server\/test\/(?:browser\/|desk\/(?:[\w-]*screens|journeys|pictures|who))|scripts\/)/

// No data outlives the run, so nothing has to reach the disk.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 600,
  // With hundreds of databases, one per file, autovacuum would run all the time.
  autovacuum: 'off',
  // Inactive until server/test/tenants/recorder.ts asks for the plan of a statement.
  shared_preload_libraries: 'auto_explain',
}

/** A file system in memory, and the memory that must be free to use it: a full run needs up to 3 GiB. */
const MEMORY = { folder: '/dev/shm', type: 0x01021994, freeMin: 8 * 2 ** 30 }
const isInMemory = hasMemory()

const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const isWatching = args.includes('--watch')
const slowest = Number(args.find((arg) => arg.startsWith('--slowest='))?.split('=')[1] ?? 0)
const OURS = /^--(?:deep|all|crossing|watch|slowest=\d+)$/
const flags = args.filter((arg) => arg.startsWith('--') && !OURS.test(arg))
/** Print every test when files are named; a full run prints one line per process. */
const isVerbose = named.length > 0

const files = findTests(named)
const started: { stop(): Promise<void> }[] = []
const running = new Set<ChildProcess>()
let interruptedBy: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruptedBy = signal
    // A terminal sends Ctrl-C to both processes; the second signal is harmless.
    for (const child of running) void stopChild(child, 'SIGTERM')
  })
}

const startedAt = performance.now()
try {
  const adminUrl = process.env.TEST_DATABASE_URL || (await startDatabase())
  await makeTemplate(adminUrl)
  // With several schemas, roles bind statements to one of them; which tenant it is, is checked with one schema.
  const isWatched = SHARDS === 1 && (await canExplain(adminUrl))
  const statements = isWatched ? (process.env.TENANTS_LOG ?? makeFolder()) : ''
  if (files.some((file) => NEEDS_APP.test(path.relative(ROOT, file))))
    await buildWeb({ isQuiet: true })
  const env = {
    TEST_DATABASE_URL: adminUrl,
    TENANTS_LOG: statements,
    // The compile cache halves the time to load the server again.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || makeFolder(),
    // Only for the whole suite; server/test/browser/phone.ts explains what this saves.
    ...(named.length > 0 ? {} : { LOOKS: process.env.LOOKS || 'quick' }),
  }
  process.exitCode = isWatching ? await watch(env) : await runAll(env)
  if (!isWatching && statements !== '' && !areTenantsApart(statements)) process.exitCode ||= 1
} finally {
  for (const server of started.reverse()) await server.stop()
}
if (interruptedBy) process.exitCode = 130

// ── What to run ──────────────────────────────────────────────────────────────────────────────────────────────────

function findTests(paths: string[]): string[] {
  const found = [
    ...new Set(
      (paths.length > 0 ? paths : PACKAGES).flatMap((given) => {
        const absolute = path.resolve(paths.length > 0 ? process.cwd() : ROOT, given)
        if (!existsSync(absolute)) throw new Error(`${given} does not exist`)
        if (!statSync(absolute).isDirectory()) return [absolute]
        return globSync('**/*.test.ts', {
          cwd: absolute,
          exclude: (name) => name === 'node_modules',
        }).map((file) => path.join(absolute, file))
      }),
    ),
  ].sort()
  const isWanted = (file: string) => {
    if (paths.length > 0) return true
    if (SHARDS > 1) return isOfSchemas(file)
    if (args.includes('--all')) return true
    return (depthOf(file) !== -1) === args.includes('--deep')
  }
  const wanted = found.filter(isWanted)
  if (wanted.length === 0) throw new Error(`no *.test.ts under ${paths.join(', ') || ROOT}`)
  return wanted
}

/** Without names, several schemas are tested by what uses the database directly. */
function isOfSchemas(file: string): boolean {
  const name = path.relative(ROOT, file)
  if (ONE_SCHEMA[name] !== undefined) return false
  if (args.includes('--crossing')) return CROSSING.some((place) => isIn(file, place))
  return name.startsWith('server/src/') || path.dirname(name) === 'server/test'
}

function isDeep({ files: own }: Batch): boolean {
  return own.every((file) => depthOf(file) !== -1)
}

function isOf({ files: own }: Batch, places: readonly string[]): boolean {
  return own.every((file) => places.some((place) => isIn(file, place)))
}

function isIn(file: string, place: string): boolean {
  return `${path.relative(ROOT, file)}/`.startsWith(`${place}/`)
}

/** Index in the list of deep tests, or -1. */
function depthOf(file: string): number {
  return DEEP.findIndex((place) => isIn(file, place))
}

interface Batch {
  name: string
  files: string[]
}

/** The batch for each process, in start order. */
function batchesOf(all: string[]): Batch[] {
  const deep = all
    .filter((file) => depthOf(file) !== -1)
    .sort((a, b) => depthOf(a) - depthOf(b))
    .map((file) => ({ name: path.relative(ROOT, file), files: [file] }))
  const folders = Object.groupBy(
    all.filter((file) => depthOf(file) === -1),
    (file) => path.relative(ROOT, path.dirname(file)).split('/').slice(0, 3).join('/'),
  )
  const quick = Object.entries(folders).flatMap(([name, inFolder = []]) => {
    const parts = Math.ceil(inFolder.length / FILES_PER_PROCESS)
    return Array.from({ length: parts }, (_, i) => ({
      name: parts > 1 ? `${name} ${i + 1}/${parts}` : name,
      files: inFolder.filter((_file, j) => j % parts === i),
    }))
  })
  return [...deep, ...quick.sort((a, b) => b.files.length - a.files.length)]
}

// ── The servers ──────────────────────────────────────────────────────────────────────────────────────────────────

/** In memory if possible: on a disk, making the 400 files of a test's database takes longer than most tests. */
async function startDatabase(): Promise<string> {
  const folder = isInMemory ? MEMORY.folder : os.tmpdir()
  const dataDir = mkdtempSync(path.join(folder, 'legwork-test-'))
  const postgres = await startPostgres({ dataDir, settings: SETTINGS, temporary: true })
  started.push(postgres)
  return postgres.adminUrl
}

function hasMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY.folder)
    return type === MEMORY.type && Math.min(bavail * bsize, os.freemem()) >= MEMORY.freeMin
  } catch {
    return false
  }
}

/** Frees the memory of the databases that a process has made: `emptyDatabase` in server/test/harness.ts names them. */
async function dropDatabasesOf(pid: number, adminUrl: string): Promise<void> {
  const databases = await query(
    adminUrl,
    `select datname as name from pg_database where datname like 'legwork\\_${pid}\\_%'`,
  )
  for (const { name } of databases)
    await query(adminUrl, `drop database if exists ${String(name)} with (force)`)
}

async function redisUrl(): Promise<string> {
  if (process.env.TEST_REDIS_URL) return process.env.TEST_REDIS_URL
  const redis = await startRedis()
  started.push(redis)
  return redis.url
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = TEMPLATE
  await query(adminUrl, `drop database if exists ${TEMPLATE} with (force)`)
  await query(adminUrl, `create database ${TEMPLATE}`)
  await migrate(url.href, {
    log: { info() {} },
    shards: SHARDS,
    forcesGenericPlans: process.env.FORCE_GENERIC_PLANS !== 'off',
  })
  await query(url.href, readFileSync(FOR_TESTS, 'utf8'))
  if (await canExplain(adminUrl))
    for (const { role } of schemasOf(SHARDS))
      for (const name of Object.keys(EXPLAINED))
        await query(url.href, `grant set on parameter auto_explain.${name} to ${role}`)
  // Cloning fails if the template has a single open connection; with this, whoever tries to connect gets an error.
  await query(adminUrl, `alter database ${TEMPLATE} with allow_connections false`)
}

/** Whether the server can report plans: one given by TEST_DATABASE_URL may not be set up for it. */
async function canExplain(adminUrl: string): Promise<boolean> {
  const [row] = await query(
    adminUrl,
    `select current_setting('auto_explain.log_level', true) is not null as is_set`,
  )
  return row?.is_set === true
}

function makeFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-run-'))
  started.push({ stop: () => rm(folder, { recursive: true, force: true }) })
  return folder
}

// ── The runs ─────────────────────────────────────────────────────────────────────────────────────────────────────

interface End {
  /** Why it failed, one paragraph each; empty if it passed. */
  faults: string[]
  counts: Counts
  seconds: number
}

async function runAll(env: Record<string, string>): Promise<number> {
  const queue = batchesOf(files)
  const total = queue.length
  const ends = new Map<Batch, End>()
  const leftOut: string[] = []
  const times = new Map<string, number>()
  const run = async (own: Batch[]) => {
    const servers = { ...env, TEST_REDIS_URL: await redisUrl() }
    while (own.length > 0 && !interruptedBy) {
      const at = own.findIndex((batch) => changing.length === 0 || !isOf(batch, NEEDS_BROWSER))
      if (at === -1) {
        await sleep(1000)
        continue
      }
      const batch = own.splice(at, 1)[0]!
      if (Date.now() > DEADLINE && isDeep(batch)) {
        leftOut.push(batch.name)
      } else {
        const end = await runBatch(batch, servers, times)
        ends.set(batch, end)
        tell(`[${ends.size}/${total}]`, batch, end)
      }
      changing = changing.filter((one) => one !== batch)
    }
  }
  let changing = queue.filter((batch) => isOf(batch, CHANGES_NETWORK))
  const waiting = queue.filter((batch) => isOf(batch, WAITING))
  const others = queue.filter((batch) => !waiting.includes(batch))
  const lanes = Math.min(os.availableParallelism(), others.length)
  await Promise.all([
    ...Array.from({ length: lanes }, () => run(others)),
    ...(waiting.length > 0 ? [run(waiting)] : []),
  ])
  const unstable = isVerbose ? [] : await runFailedAlone(ends, env)
  // Repeated here, because readers of a long log look at its end.
  for (const { faults } of ends.values()) for (const fault of faults) console.log(`\n✖ ${fault}`)
  const longest = [...times].sort((a, b) => b[1] - a[1]).slice(0, slowest)
  for (const [file, ms] of longest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
  if (unstable.length > 0)
    console.log(`\nUnstable (failed in parallel, passed alone): ${unstable.join(', ')}`)
  if (leftOut.length > 0)
    console.log(`\nDeep tests not run, because there was no time left: ${leftOut.join(', ')}`)
  tellCounts([...ends.values()].map(({ counts }) => counts))
  return [...ends.values()].every(({ faults }) => faults.length === 0) ? 0 : 1
}

/**
 * Reruns failed batches once, alone on the machine: a test that then passes is reported as unstable, and one that fails
 * again has failed. Too many failures to be explained by a busy machine are not rerun.
 */
async function runFailedAlone(
  ends: Map<Batch, End>,
  env: Record<string, string>,
): Promise<string[]> {
  const failed = [...ends].filter(([, { faults }]) => faults.length > 0).map(([batch]) => batch)
  if (failed.length > RUN_ALONE_MAX) return []
  const unstable: string[] = []
  for (const batch of failed) {
    if (interruptedBy) break
    const again = await runBatch(batch, { ...env, TEST_REDIS_URL: await redisUrl() }, new Map())
    tell('[alone]', batch, again)
    if (again.faults.length === 0) unstable.push(batch.name)
    ends.set(batch, again)
  }
  return unstable
}

function tell(place: string, { name }: Batch, { counts, faults, seconds }: End): void {
  const state = faults.length > 0 ? 'FAILED' : 'ok'
  console.log(`${place.padEnd(10)}${name}: ${counts.tests} tests ${state}, ${seconds.toFixed(1)} s`)
  for (const fault of faults) console.log(`✖ ${fault}`)
}

function tellCounts(all: Counts[]): void {
  const sum = (of: keyof Counts) => all.reduce((total, counts) => total + counts[of], 0)
  console.log(
    [
      '',
      `ℹ tests ${sum('tests')}`,
      `ℹ pass ${sum('passed')}`,
      `ℹ fail ${sum('failed')}`,
      `ℹ cancelled ${sum('cancelled')}`,
      `ℹ skipped ${sum('skipped')}`,
      `ℹ todo ${sum('todo')}`,
      `ℹ duration_ms ${(performance.now() - startedAt).toFixed(0)}`,
    ].join('\n'),
  )
}

async function runBatch(
  { name, files: own }: Batch,
  env: Record<string, string>,
  times: Map<string, number>,
): Promise<End> {
  const began = performance.now()
  const faults: string[] = []
  const counts: Counts = { tests: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 }
  let hasEnded = false
  let current = 'the files were being loaded'
  const child = startNode(
    [
      '--test-isolation=none',
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test-events.ts',
      '--test-reporter-destination=stderr',
      ...flags,
      ...own,
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  // A test that leaves a connection open keeps its process alive forever.
  const giveUp = () => {
    faults.push(`${name} did not end; the last that was heard of it: ${current}`)
    void stopChild(child, 'SIGINT')
  }
  const silence = setTimeout(giveUp, SILENCE_MAX_MS)
  child.on('message', (event: TestEvent) => {
    silence.refresh()
    if (event.type === 'end') {
      hasEnded = true
      Object.assign(counts, event.counts)
    } else if (event.type === 'warning') {
      faults.push(event.text)
    } else {
      const file = path.relative(ROOT, event.file)
      current = `${event.name} (${file})`
      if (event.nesting === 0) times.set(file, (times.get(file) ?? 0) + event.ms)
      if (event.type === 'fail') faults.push(`${current}\n${event.error}`)
    }
  })
  let printed = ''
  let complaints = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    silence.refresh()
    if (isVerbose) process.stdout.write(text)
    else printed += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (isVerbose) process.stderr.write(text)
    complaints += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(silence)
  running.delete(child)
  // On a disk they stay until the server stops, because ext4 creates files more slowly after it has deleted many.
  if (isInMemory) await dropDatabasesOf(child.pid!, env.TEST_DATABASE_URL!)
  if (!hasEnded) faults.push(`${name} broke off: ${current}\n${printed}${complaints}`)
  else if (code !== 0 && faults.length === 0)
    faults.push(`${name} exited with ${code} although no test failed\n${complaints}`)
  return { faults, counts, seconds: (performance.now() - began) / 1000 }
}

/** Reruns the named files until Ctrl-C. */
async function watch(env: Record<string, string>): Promise<number> {
  if (named.length === 0)
    throw new Error('--watch needs the name of a file: npm test -- --watch file')
  const child = startNode(['--watch', `--test-timeout=${TEST_TIMEOUT_MS}`, ...flags, ...files], {
    env: { ...env, TEST_REDIS_URL: await redisUrl(), TENANTS_LOG: '' },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 0
}

function startNode(
  given: string[],
  { env, stdio }: { env: Record<string, string>; stdio: 'inherit' | ('ignore' | 'pipe' | 'ipc')[] },
): ChildProcess {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(process.execPath, ['--test', ...given], {
    cwd: ROOT,
    env: { ...process.env, ...colors, ...env },
    stdio,
  })
  running.add(child)
  stopWithParent(child)
  child.ref()
  return child
}

/** Whether every statement of the run stayed within its tenant; docs/security.md explains what that means. */
function areTenantsApart(folder: string): boolean {
  const { statements, operations, excepted, unbound, stale } = report(readFindings(folder))
  if (statements === 0) return true
  console.log(
    `\ntenants: ${statements} statements of ${operations} operations; ${excepted} are listed exceptions, ` +
      `${unbound.length} are bound to no tenant`,
  )
  for (const one of unbound) console.log(`✖ ${one}`)
  // Reported but not a failure: a partial run needs few exceptions, and not every function call is inspected.
  if (args.includes('--all'))
    for (const { where, tables } of stale)
      console.log(`no statement needed the exception of ${where} for ${tables.toString()}`)
  return unbound.length === 0
}
