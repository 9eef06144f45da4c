/**
 * Runs the stages of a night one after the other. Everything that is known is on disk after every step, so a night that
 * was interrupted can be resumed, and its report exists at any time:
 *
 *   state.json     what is done
 *   <stage>.jsonl  its figures (server/test/figures.ts)
 *   <stage>.log    its output
 *   report.html    for people; report.json for programs
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FigureLine } from '../../server/test/figures.ts'
import { describeMachine } from './machine.ts'
import { renderReport } from './render.ts'
import { type Planned, plan, type Stage } from './stages.ts'
import { type NightState, type Outcome, readReport, readState, type StageState } from './state.ts'

const ROOT = path.join(import.meta.dirname, '../..')
/** A stage may take this many times its estimate, and this much longer, before it is stopped. */
const LIMIT_FACTOR = 3
const LIMIT_EXTRA_MINUTES = 5
const KILL_AFTER_MS = 30_000
const TELL_EVERY_MS = 60_000

export interface NightOptions {
  folder: string
  stages: readonly Stage[]
  minutes?: number | undefined
  seed: string
  commit: string
  signal: AbortSignal
  tell: (line: string) => void
  /** How a stage is started; a test of the rig replaces npm by something shorter. */
  command?: (stage: Stage) => readonly [string, ...string[]]
  /** Replaces the time limit of every stage. */
  limitMs?: number
}

/** Continues in a folder that has a state. Returns whether every stage has passed and met its targets. */
export async function runNight(options: NightOptions): Promise<boolean> {
  const { folder, stages, minutes, seed, commit, signal, tell } = options
  mkdirSync(folder, { recursive: true })
  const planned = plan(stages, { minutes, seed })
  const state = readState(folder) ?? {
    commit,
    seed,
    minutes: minutes ?? null,
    startedAt: new Date().toISOString(),
    seconds: 0,
    machine: describeMachine(),
    stages: planned.map(({ stage, count }) => ({
      name: stage.name,
      outcome: 'waiting' as const,
      count: count ?? null,
      seconds: 0,
      startedAt: null,
    })),
  }
  const open = planned.filter(({ stage }) => isOpen(stateOf(state, stage)))
  tell(`${open.length} of ${planned.length} stages to run, about ${minutesOf(open)} min`)

  for (const [i, one] of open.entries()) {
    if (signal.aborted) break
    const own = stateOf(state, one.stage)
    const left = minutesOf(open.slice(i))
    tell(`[${i + 1}/${open.length}] ${one.stage.name}${sizeOf(one)}; about ${left} min left`)
    own.startedAt = new Date().toISOString()
    own.count = one.count ?? null
    own.outcome = 'interrupted'
    save(folder, state)
    const begun = performance.now()
    own.outcome = await runStage(one, { ...options, left })
    own.seconds = Math.round((performance.now() - begun) / 100) / 10
    state.seconds += own.seconds
    tell(`[${i + 1}/${open.length}] ${one.stage.name}: ${own.outcome}, ${own.seconds} s`)
    save(folder, state)
  }
  const report = readReport(folder)
  return report.stages.every(({ outcome }) => outcome === 'passed') && report.lines.every(isGood)
}

const isGood = (line: FigureLine) => line.kind !== 'figure' || line.ok

const isOpen = ({ outcome }: StageState) => outcome === 'waiting' || outcome === 'interrupted'

/** A stage that the resumed night did not have is added to it. */
function stateOf(state: NightState, { name }: Stage): StageState {
  const found = state.stages.find((one) => one.name === name)
  if (found) return found
  const added = { name, outcome: 'waiting' as const, count: null, seconds: 0, startedAt: null }
  state.stages.push(added)
  return added
}

async function runStage(
  { stage, env, minutes }: Planned,
  { folder, signal, tell, command, limitMs, left }: NightOptions & { left: number },
): Promise<Outcome> {
  const figures = path.join(folder, `${stage.name}.jsonl`)
  rmSync(figures, { force: true })
  const [program, ...args] = command?.(stage) ?? ['npm', 'run', '--silent', stage.script]
  const log = openSync(path.join(folder, `${stage.name}.log`), 'w')
  const child = spawn(program, args, {
    cwd: ROOT,
    // Its own process group, so that all of it can be stopped at once.
    detached: true,
    env: { ...process.env, ...env, NIGHTLY_FIGURES: figures },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let outcome: Outcome | undefined
  const stop = (as: Outcome) => {
    outcome ??= as
    stopGroup(child)
  }
  const longestMs = limitMs ?? (LIMIT_FACTOR * minutes + LIMIT_EXTRA_MINUTES) * 60_000
  const limit = setTimeout(() => stop('stopped'), longestMs)
  const begun = Date.now()
  const progress = setInterval(() => {
    const passed = Math.round((Date.now() - begun) / 60_000)
    tell(`  ${stage.name}: ${passed} min of about ${Math.ceil(minutes)}; ${left - passed} min left`)
  }, TELL_EVERY_MS)
  const interrupt = () => stop('interrupted')
  signal.addEventListener('abort', interrupt)
  if (signal.aborted) interrupt()
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return outcome ?? (code === 0 ? 'passed' : 'failed')
  } finally {
    clearTimeout(limit)
    clearInterval(progress)
    signal.removeEventListener('abort', interrupt)
  }
}

function stopGroup(child: ChildProcess): void {
  const send = (name: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // The whole group has ended.
    }
  }
  send('SIGTERM')
  const killer = setTimeout(() => send('SIGKILL'), KILL_AFTER_MS)
  child.once('exit', () => {
    clearTimeout(killer)
    send('SIGKILL')
  })
}

function save(folder: string, state: NightState): void {
  writeFileSync(path.join(folder, 'state.json'), `${JSON.stringify(state, null, 2)}\n`)
  const report = readReport(folder)
  writeFileSync(path.join(folder, 'report.html'), renderReport(report))
  // The series are large, and only the pictures need them.
  const lines = report.lines.filter(({ kind }) => kind !== 'series')
  writeFileSync(
    path.join(folder, 'report.json'),
    `${JSON.stringify({ ...report, lines }, null, 2)}\n`,
  )
}

const minutesOf = (planned: readonly Planned[]) =>
  Math.ceil(planned.reduce((total, { minutes }) => total + minutes, 0))

const sizeOf = ({ stage, count }: Planned) =>
  stage.size && count !== undefined ? `: ${count.toLocaleString('en-US')} ${stage.size.unit}` : ''
