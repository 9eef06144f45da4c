/**
 * `npm run check`: every check, one line each, here and in CI alike. A failure does not stop the others; what it
 * printed follows below the lines, and the counts of the test runner come last.
 * `npm run check -- imports tidy` runs only those named.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const ROOT = path.join(import.meta.dirname, '..')
const TESTS = 'tests'

const CHECKS: Record<string, string[]> = {
  format: ['biome', 'format'],
  lint: ['oxlint', '--type-aware'],
  types: ['tsc', '--noEmit', '-p', '.'],
  'types-web': ['tsc', '--noEmit', '-p', 'web'],
  'types-sdk': ['tsc', '--noEmit', '-p', 'sdk'],
  imports: ['node', 'scripts/imports.ts'],
  tidy: ['node', 'scripts/tidy.ts'],
  'dead-code': ['knip', '--no-progress', '--no-config-hints'],
  generated: ['node', 'scripts/generate.ts', '--check'],
  migrations: ['node', 'scripts/lint-migrations.ts'],
  [TESTS]: ['node', 'scripts/test.ts'],
}

/** Programs that the tests start and npm does not install → the line that installs each. */
const PROGRAMS: Record<string, string> = {
  'redis-server': 'apt-get install -y redis-server',
  chromium: 'apt-get install -y chromium',
  haproxy: 'apt-get install -y haproxy',
}

/** More of them at once would only wait for each other: two of these use several threads. */
const AT_ONCE_MAX = 2

// The tools and the right Node are the repository's own, however this was started.
const PATH = [path.join(ROOT, 'node_modules/.bin'), process.env.PATH].join(path.delimiter)

interface Result {
  name: string
  isOk: boolean
  output: string
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CHECKS)
const unknown = names.filter((name) => CHECKS[name] === undefined)
if (unknown.length > 0) {
  console.error(`no check ${unknown.join(', ')}; there are ${Object.keys(CHECKS).join(', ')}`)
  process.exit(2)
}

const queue = names.filter((name) => name !== TESTS)
const results: Result[] = []
await Promise.all(
  Array.from({ length: AT_ONCE_MAX }, async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      results.push(await timed(name, run))
  }),
)
// The tests have the machine to themselves: some of them measure time.
if (names.includes(TESTS)) results.push(await timed(TESTS, runTests))

for (const { name, isOk, output } of results)
  if (!isOk) console.log(`\n── ${name} ${'─'.repeat(60)}\n${output.trimEnd()}`)
const counts = countsOf(results.find(({ name }) => name === TESTS)?.output ?? '')
if (counts.length > 0) console.log(`\n${counts.join('\n')}`)
if (results.some(({ isOk }) => !isOk)) process.exitCode = 1

async function timed(name: string, work: (name: string) => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work(name)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${name.padEnd(12)}${result.isOk ? 'ok' : 'FAILED'}`.padEnd(22) + `${seconds} s`)
  return result
}

/** A run in which no test was found must not look like one in which every test passed. */
async function runTests(name: string): Promise<Result> {
  const missing = Object.entries(PROGRAMS)
    .filter(([program]) => !isInstalled(program))
    .map(([program, install]) => `${program} is not installed: ${install}\n`)
  const { isOk, output } = await run(name)
  const hasCounts = countsOf(output).some((line) => /tests [1-9]/.test(line))
  return {
    name,
    isOk: isOk && hasCounts && missing.length === 0,
    output: [...missing, output, ...(hasCounts ? [] : ['\nno test was run'])].join(''),
  }
}

async function run(name: string): Promise<Result> {
  const [program, ...args] = CHECKS[name]!
  const { promise, resolve } = Promise.withResolvers<Result>()
  const child = spawn(program!, args, {
    cwd: ROOT,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  child.once('error', (error) =>
    resolve({ name, isOk: false, output: `${program}: ${error.message}` }),
  )
  child.once('close', (code) => resolve({ name, isOk: code === 0, output }))
  return promise
}

/** The `ℹ tests 12`, `ℹ pass 12`, … at the end of what node:test prints. */
function countsOf(output: string): string[] {
  const lines = stripVTControlCharacters(output).split('\n')
  const first = lines.findLastIndex((line) => /^ℹ tests \d/.test(line))
  if (first === -1) return []
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('ℹ '))
  return lines.slice(first, end === -1 ? undefined : end)
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
