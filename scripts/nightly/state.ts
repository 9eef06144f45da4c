/** What is known about a night, as its folder holds it. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FigureLine } from '../../server/test/figures.ts'
import type { Machine } from './machine.ts'

/** `stopped`: it exceeded its time limit. `interrupted`: the night was ended during this stage; it runs again. */
export type Outcome = 'waiting' | 'passed' | 'failed' | 'stopped' | 'interrupted'

export interface StageState {
  name: string
  outcome: Outcome
  count: number | null
  seconds: number
  startedAt: string | null
}

export interface NightState {
  commit: string
  seed: string
  minutes: number | null
  startedAt: string
  /** Time that stages have run, without the pause of a night that was resumed. */
  seconds: number
  machine: Machine
  stages: StageState[]
}

export interface Report extends NightState {
  lines: FigureLine[]
}

export function readState(folder: string): NightState | undefined {
  const file = path.join(folder, 'state.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as NightState) : undefined
}

/** The state with the figures of all stages. */
export function readReport(folder: string): Report {
  const state = readState(folder)
  if (state === undefined) throw new Error(`${folder} holds no night`)
  const lines = state.stages.flatMap(({ name }) => readFigures(path.join(folder, `${name}.jsonl`)))
  return { ...state, lines }
}

function readFigures(file: string): FigureLine[] {
  if (!existsSync(file)) return []
  const texts = readFileSync(file, 'utf8').split('\n')
  return texts.filter((text) => text !== '').map((text) => JSON.parse(text) as FigureLine)
}
