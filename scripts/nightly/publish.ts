/** Writes the figures of a night into docs/reliability.md, between two marks. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Figure } from '../../server/test/figures.ts'
import type { Report } from './state.ts'
import { STAGES } from './stages.ts'

const DOCUMENT = path.join(import.meta.dirname, '../../docs/reliability.md')
const BEGIN = '<!-- nightly: begin -->'
const END = '<!-- nightly: end -->'

export function publish(report: Report): void {
  writeFileSync(DOCUMENT, insert(readFileSync(DOCUMENT, 'utf8'), report))
}

export function insert(document: string, report: Report): string {
  const [before, rest] = split(document, BEGIN)
  const [, after] = split(rest, END)
  return `${before}${BEGIN}\n\n${tableOf(report)}\n\n${END}${after}`
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at === -1) throw new Error(`docs/reliability.md has lost its line ${mark}`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

function tableOf({ startedAt, seconds, commit, seed, machine, stages, lines }: Report): string {
  const hours = (seconds / 3600).toFixed(1)
  const head =
    `${startedAt.slice(0, 10)}, ${hours} hours, commit ${commit}, seed ${seed}, ` +
    `on ${machine.cpus} × ${machine.model} with ${machine.memoryGb} GB.`
  const rows = STAGES.flatMap(({ name, promises }) => {
    const state = stages.find((one) => one.name === name)
    const own = lines.filter((line) => line.kind === 'figure' && line.stage === name) as Figure[]
    const first = `\`${name}\` (${promises.join(', ')})`
    if (own.length === 0) return [`| ${first} | ${state?.outcome ?? 'not run'} | | | |`]
    return own.map(
      ({ figure, value, unit, target, ok }, i) =>
        `| ${i === 0 ? first : ''} | ${figure} | ${value.toLocaleString('en-US')}${unit && ` ${unit}`} | ${target} | ` +
        `${target === '' ? '' : ok ? 'met' : '**missed**'} |`,
    )
  })
  return [
    head,
    '',
    '| Stage | Figure | Value | Target | |',
    '|---|---|---:|---:|---|',
    ...rows,
  ].join('\n')
}
