/**
 * `npm run check`: everything that must pass before a merge and can be checked in minutes, one line per check. A
 * failure doesn't stop the others; its output follows below the lines, and the test runner's counts come last.
 *
 *   npm run check                  all quick checks
 *   npm run check:deep             the slow ones: a browser, killed processes, races, attacks, small benches
 *   npm run check -- --all         both, as `.ci/run` does
 *   npm run check -- lint types    only the named ones; `--list` lists all names
 *
 * The complete output of each check is in artifacts/check.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, createWriteStream, mkdirSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { missingInTree } from './debian-tree.ts'

interface Check {
  command: string[]
  env?: Record<string, string>
  /** Excluded from `npm run check`. */
  isDeep?: boolean
  /** Runs without others in parallel, because it measures time or uses every core anyway. */
  isAlone?: boolean
}

const small = (script: string): Check => ({
  command: ['npm', 'run', '--silent', script, '--', '--small'],
  isDeep: true,
  isAlone: true,
})

const CHECKS: Record<string, Check> = {
  lint: { command: ['oxlint', '--type-aware'] },
  types: { command: ['tsc', '--noEmit', '-p', '.'] },
  'types-web': { command: ['tsc', '--noEmit', '-p', 'web'] },
  'types-sdk': { command: ['tsc', '--noEmit', '-p', 'sdk'] },
  generated: { command: ['node', 'scripts/generate.ts', '--check'] },
  'dead-code': { command: ['knip', '--no-progress', '--no-config-hints'] },
  // In knip.json, `!` marks what runs in production.
  'test-only': {
    command: [
      'knip',
      '--production',
      '--include',
      'files,exports,types',
      '--no-progress',
      '--no-config-hints',
    ],
  },
  format: { command: ['biome', 'format'] },
  imports: { command: ['node', 'scripts/imports.ts'] },
  tidy: { command: ['node', 'scripts/tidy.ts'] },
  migrations: { command: ['node', 'scripts/lint-migrations.ts'] },
  tests: { command: ['node', 'scripts/test.ts'], isAlone: true },
  'bench-create': small('bench:create'),
  'bench-approve': small('bench:approve'),
  'bench-audit': small('bench:audit'),
  'bench-feed': small('bench:feed'),
  'bench-webhooks': small('bench:webhooks'),
  'bench-boards': small('bench:boards'),
  'bench-tenants': {
    command: ['npm', 'run', '--silent', 'bench:tenants'],
    env: { BENCH_SLICES: '2' },
    isDeep: true,
    isAlone: true,
  },
  'bench-cost': {
    command: ['npm', 'run', '--silent', 'bench:cost'],
    env: { COST_TASKS: '40' },
    isDeep: true,
    isAlone: true,
  },
  'bench-operations': {
    command: ['npm', 'run', '--silent', 'bench:operations'],
    env: { OPERATIONS: '32' },
    isDeep: true,
    isAlone: true,
  },
  'simulate-shards': { command: ['npm', 'run', '--silent', 'simulate:shards'], isDeep: true },
  strangers: small('test:strangers'),
  // After the benches, because at the deadline it leaves out its own end.
  'tests-deep': { command: ['node', 'scripts/test.ts', '--deep'], isDeep: true, isAlone: true },
  'tests-shards': {
    command: ['npm', 'run', '--silent', 'test:shards', '--', '--crossing'],
    isDeep: true,
    isAlone: true,
  },
}

const ROOT = path.join(import.meta.dirname, '..')
const LOGS = path.join(ROOT, 'artifacts/check')

/** Maps programs that the checks need and npm doesn't install to the command that installs each. */
const QUICK_PROGRAMS: Record<string, string> = {
  'redis-server': 'apt-get install -y redis-server',
  promtool: 'apt-get install -y --no-install-recommends prometheus',
}
const DEEP_PROGRAMS: Record<string, string> = {
  ...QUICK_PROGRAMS,
  chromium: 'apt-get install -y chromium',
  haproxy: 'apt-get install -y haproxy',
  pgbench: 'apt-get install -y postgresql-15',
  wrk: 'apt-get install -y wrk',
  openssl: 'apt-get install -y openssl',
  ip: 'apt-get install -y iproute2',
  podman: 'apt-get install -y --no-install-recommends podman netavark aardvark-dns iptables',
  buildah: 'apt-get install -y --no-install-recommends buildah',
  runc: 'apt-get install -y runc',
  mmdebstrap: 'apt-get install -y mmdebstrap',
}

/** Lines of the test runner that are shown while it runs: one per process, and what it repeated or left out. */
const PROGRESS = /^(?:\[\d+\/\d+\]|\[alone\]|Unstable|Deep tests not run).*$/gm

/** Seconds since 1970; no deep check starts after it. `.ci/run` sets it, because its own time is limited. */
const DEADLINE = Number(process.env.CHECK_DEADLINE ?? Infinity) * 1000

/** Higher concurrency would not help: two of these checks are multithreaded. */
const AT_ONCE_MAX = 2

// Uses the repository's own tools and Node version, however this script was started.
const PATH = [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(path.delimiter)

interface Result {
  name: string
  isOk: boolean
  output: string
}

const args = process.argv.slice(2)
if (args.includes('--list')) {
  for (const [name, { isDeep }] of Object.entries(CHECKS))
    console.log(`${name.padEnd(16)}${isDeep ? 'deep' : ''}`.trimEnd())
  process.exit()
}
const given = args.filter((arg) => !['--deep', '--all'].includes(arg))
const unknown = given.filter((name) => CHECKS[name] === undefined)
if (unknown.length > 0) {
  console.error(
    `unknown check: ${unknown.join(', ')}. Available: ${Object.keys(CHECKS).join(', ')}`,
  )
  process.exit(2)
}
const names = Object.keys(CHECKS).filter((name) => {
  if (given.length > 0) return given.includes(name)
  return args.includes('--all') || (CHECKS[name]!.isDeep ?? false) === args.includes('--deep')
})

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    // Each check has its own process group, so its servers are stopped with it.
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, signal)
    process.exitCode = 130
  })

mkdirSync(LOGS, { recursive: true })
const startedAt = performance.now()
const results: Result[] = []
const together = names.filter((name) => !CHECKS[name]!.isAlone)
await Promise.all(
  Array.from({ length: AT_ONCE_MAX }, async () => {
    for (let name = together.shift(); name !== undefined; name = together.shift())
      results.push(await timed(name))
  }),
)
const leftOut: string[] = []
for (const name of names.filter((one) => CHECKS[one]!.isAlone)) {
  if (Date.now() > DEADLINE && CHECKS[name]!.isDeep && !isTests(name)) leftOut.push(name)
  else results.push(await timed(name))
}

for (const { name, isOk, output } of results)
  if (!isOk && !isTests(name)) console.log(`\n── ${name} ${'─'.repeat(60)}\n${output.trimEnd()}`)
const failed = results.filter(({ isOk }) => !isOk).map(({ name }) => name)
// Printed last, because readers of a long log look at its end: failures, then counts.
for (const { name, isOk, output } of results)
  if (!isOk && isTests(name))
    console.log(`\n── ${name} ${'─'.repeat(60)}\n${faultsOf(output).trimEnd()}`)
if (leftOut.length > 0)
  console.log(`\nNot started, because there was no time left: ${leftOut.join(', ')}`)
console.log(
  `\n${results.length} checks in ${minutesSince(startedAt)}; ` +
    (failed.length > 0 ? `FAILED: ${failed.join(', ')}` : 'all ok'),
)
const counts = addUp(results.filter(({ name }) => isTests(name)).map(({ output }) => output))
if (counts.length > 0) console.log(counts.join('\n'))
if (failed.length > 0) process.exitCode ||= 1

function isTests(name: string): boolean {
  return name === 'tests' || name === 'tests-deep'
}

async function timed(name: string): Promise<Result> {
  const began = performance.now()
  const result = await (isTests(name) ? runTests(name) : run(name))
  const state = result.isOk ? 'ok' : 'FAILED'
  console.log(`${`${name.padEnd(16)}${state}`.padEnd(24)}${secondsSince(began)} s`)
  return result
}

/** A run that found no tests must not look like one where every test passed. */
async function runTests(name: string): Promise<Result> {
  const missing = Object.entries(CHECKS[name]!.isDeep ? DEEP_PROGRAMS : QUICK_PROGRAMS)
    .filter(([program]) => !isInstalled(program))
    .map(([program, install]) => `✖ ${program} is not installed: ${install}\n`)
  if (CHECKS[name]!.isDeep && missingInTree() !== '')
    missing.push('✖ the Debian tree is incomplete: run scripts/debian-tree.sh as root\n')
  const { isOk, output } = await run(name)
  const hasCounts = /^ℹ tests [1-9]/m.test(stripVTControlCharacters(output))
  return {
    name,
    isOk: isOk && hasCounts && missing.length === 0,
    output: [...missing, output, ...(hasCounts ? [] : ['\n✖ no test was run'])].join(''),
  }
}

async function run(name: string): Promise<Result> {
  const { command, env } = CHECKS[name]!
  const [program, ...rest] = command
  const { promise, resolve } = Promise.withResolvers<Result>()
  const log = createWriteStream(path.join(LOGS, `${name}.log`))
  const child = spawn(program!, rest, {
    cwd: ROOT,
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let output = ''
  const collect = (text: string) => {
    output += text
    log.write(text)
    // Tests take minutes, so print their progress lines.
    if (isTests(name)) for (const line of text.match(PROGRESS) ?? []) console.log(`  ${line}`)
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const end = (result: Omit<Result, 'name'>) => {
    running.delete(child)
    log.end()
    resolve({ name, ...result })
  }
  child.once('error', (error) => end({ isOk: false, output: `${program}: ${error.message}` }))
  child.once('close', (code) => end({ isOk: code === 0, output }))
  return promise
}

/** Everything from the first failure on; the lines of passed tests come before it. */
function faultsOf(output: string): string {
  const start = output.search(/^✖ /m)
  return start === -1 ? output.slice(-20_000) : output.slice(start).slice(-60_000)
}

/** Sums the `ℹ tests 12`, `ℹ pass 12`, … lines at the end of each output. */
function addUp(outputs: string[]): string[] {
  const sums = new Map<string, number>()
  for (const output of outputs)
    for (const [, name, count] of stripVTControlCharacters(
      output.slice(output.lastIndexOf('ℹ tests')),
    ).matchAll(/^ℹ (\w+) ([\d.]+)$/gm))
      sums.set(name!, (sums.get(name!) ?? 0) + Number(count))
  return [...sums].map(([name, count]) => `ℹ ${name} ${count}`)
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1)
}

function minutesSince(began: number): string {
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function isInstalled(program: string): boolean {
  return PATH.split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
