/**
 * Figures of a fault test, with their targets. A nightly run collects them for its report: NIGHTLY_FIGURES names the
 * file that they are appended to, as JSON lines.
 */
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import type { Series } from './lives/timeline.ts'

export interface Figure {
  kind: 'figure'
  stage: string
  figure: string
  value: number
  unit: string
  /** In words, such as `≤ 3 s`; empty for a figure without a target. */
  target: string
  ok: boolean
}

export interface SeriesLine extends Series {
  kind: 'series'
  stage: string
  title: string
}

export interface SeedLine {
  kind: 'seed'
  stage: string
  seed: string
}

export type FigureLine = Figure | SeriesLine | SeedLine

export interface Target {
  figure: string
  value: number
  unit?: string
  /** The value may be at most this. */
  max?: number
  /** The value must be at least this. */
  min?: number
  /** Replaces `max` in the test, on a machine that other tests keep busy. The report still compares with `max`. */
  tolerated?: number
}

const file = process.env.NIGHTLY_FIGURES

/** Prints and records all figures, then fails if one of them misses its target, with the details. */
export function judge(
  stage: string,
  targets: readonly Target[],
  details: readonly string[] = [],
): void {
  record(stage, targets)
  const missed = targets.filter((one) => !isMet({ ...one, max: one.tolerated ?? one.max }))
  assert.deepEqual(missed, [], ['every figure meets its target', ...details].join('\n'))
}

/** Only prints and records, for a test that asserts more than a figure can say. */
export function record(stage: string, targets: readonly Target[]): void {
  for (const one of targets) {
    const { figure, value, unit = '' } = one
    const shown = { figure, value: rounded(value), unit, target: wordsOf(one), ok: isMet(one) }
    write({ kind: 'figure', stage, ...shown })
    console.log(`${figure}: ${[shown.value, unit].join(' ').trimEnd()} ${targetOf(shown.target)}`)
  }
}

/** What clients felt during a fault, for a picture in the report. */
export function picture(stage: string, title: string, series: Series): void {
  write({ kind: 'series', stage, title, ...series })
}

/** A failed run can be repeated with its seed. */
export function seeded(stage: string, seed: string): string {
  write({ kind: 'seed', stage, seed })
  return seed
}

function write(line: FigureLine): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
}

function isMet({
  value,
  min = -Infinity,
  max = Infinity,
}: Pick<Target, 'value' | 'min'> & { max?: number | undefined }) {
  return value >= min && value <= max
}

function wordsOf({ unit = '', min, max }: Target): string {
  const words = [
    min === undefined ? [] : `≥ ${min.toLocaleString('en-US')}`,
    max === undefined ? [] : max === 0 ? '0' : `≤ ${max.toLocaleString('en-US')}`,
  ].flat()
  return words.length === 0 ? '' : [words.join(' and '), unit].join(' ').trimEnd()
}

const targetOf = (words: string) => (words === '' ? '' : `(target ${words})`)
const rounded = (value: number) => Math.round(value * 100) / 100
