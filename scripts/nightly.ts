/**
 * `npm run nightly -- [--minutes N] [--only crash,powercut] [--resume] [--publish]`: runs every fault test at its large
 * size, and writes a report to artifacts/nightly/<date>/report.html.
 *
 *   --minutes N   scales the sizes so that the night takes about N minutes; by default they are at their full size
 *   --only a,b    runs only these stages
 *   --resume      continues the last night: stages that are done are not repeated
 *   --publish     runs nothing; writes the figures of the last night into docs/reliability.md
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { missingInTree } from './debian-tree.ts'
import { runNight } from './nightly/night.ts'
import { publish } from './nightly/publish.ts'
import { STAGES, type Stage } from './nightly/stages.ts'
import { readReport, readState } from './nightly/state.ts'

const ROOT = path.join(import.meta.dirname, '..')
const NIGHTS = path.join(ROOT, 'artifacts/nightly')
const INTERRUPTED = 130
const NEED_TREE = ['failover', 'restore']

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    only: { type: 'string' },
    resume: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  },
})

if (values.publish) {
  publish(readReport(lastNight()))
} else {
  process.exitCode = await run()
}

async function run(): Promise<number> {
  const folder = values.resume ? lastNight() : newNight()
  const earlier = values.resume ? readState(folder) : undefined
  const stages = chosen(earlier?.stages.map(({ name }) => name))
  // Otherwise these would fail in the middle of the night.
  if (stages.some(({ name }) => NEED_TREE.includes(name)) && missingInTree() !== '') {
    console.error(
      'Run scripts/debian-tree.sh as root first: it installs the servers of failover and restore',
    )
    return 1
  }
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ending.abort())
  console.log(`The report is ${path.relative(process.cwd(), path.join(folder, 'report.html'))}`)
  const isGood = await runNight({
    folder,
    stages,
    minutes:
      values.minutes === undefined ? (earlier?.minutes ?? undefined) : minutesOf(values.minutes),
    seed: earlier?.seed ?? today().replaceAll('-', ''),
    commit: commit(),
    signal: ending.signal,
    tell: (line) => console.log(line),
  })
  if (ending.signal.aborted) {
    console.log('Interrupted. Continue with: npm run nightly -- --resume')
    return INTERRUPTED
  }
  return isGood ? 0 : 1
}

/** The stages of `--only`, of the night that is resumed, or all. */
function chosen(resumed: string[] | undefined): readonly Stage[] {
  const names = values.only?.split(',') ?? resumed
  if (names === undefined) return STAGES
  return names.map((name) => {
    const stage = STAGES.find((one) => one.name === name)
    if (stage) return stage
    throw new Error(
      `no stage is named ${name}; there are ${STAGES.map((one) => one.name).join(', ')}`,
    )
  })
}

function minutesOf(text: string): number {
  const minutes = Number(text)
  if (!(minutes > 0)) throw new Error('--minutes must be a positive number')
  return minutes
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** A second night of the same day gets a number. */
function newNight(): string {
  for (let n = 1; ; n += 1) {
    const folder = path.join(NIGHTS, n === 1 ? today() : `${today()}-${n}`)
    if (!existsSync(folder)) return folder
  }
}

function lastNight(): string {
  const nights = existsSync(NIGHTS)
    ? readdirSync(NIGHTS).filter((name) => /^\d{4}-/.test(name))
    : []
  const last = nights.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
  if (last === undefined) throw new Error('there is no earlier night in artifacts/nightly')
  return path.join(NIGHTS, last)
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim()
  } catch {
    return 'unknown'
  }
}
