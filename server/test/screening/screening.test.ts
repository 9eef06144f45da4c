/**
 * Measures the screening rules on the labelled tasks. Rules are tuned only on the half `tune`; the figures come from the
 * half `measure`, which nobody reads while writing rules.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { confusionOf, fateOf, percentOf, renderConfusion } from './confusion.ts'
import { labelledTasks } from './labelled-tasks.ts'

const SAFETY = readFileSync(new URL('../../../docs/safety.md', import.meta.url), 'utf8')

describe('the screening rules on the half that they were not tuned on', () => {
  const confusion = confusionOf('measure')
  const { abuse, benign } = confusion.all

  // The bounds are what was measured, rounded. The goal of 95 % and 5 % needs a classifier for what rules can't tell.
  test('stop or park at least 45 % of the abuse', (t) => {
    const stopped = percentOf(abuse, 'refused', 'waiting')
    t.diagnostic(`abuse refused or waiting: ${stopped.toFixed(1)} %`)
    assert(stopped >= 45)
  })

  test('refuse at most 0.5 % of the benign tasks', (t) => {
    const refused = percentOf(benign, 'refused')
    t.diagnostic(`benign refused: ${refused.toFixed(1)} %`)
    assert(refused <= 0.5)
  })

  test('park at most 11 % of the benign tasks', (t) => {
    const waiting = percentOf(benign, 'waiting')
    t.diagnostic(`benign waiting: ${waiting.toFixed(1)} %`)
    assert(waiting <= 11)
  })

  test('do what docs/safety.md says, class by class', (t) => {
    const table = renderConfusion(confusion)
    t.diagnostic(`\n${table}`)
    assert(SAFETY.includes(table), `docs/safety.md needs this table:\n${table}`)
  })

  test('take well under a millisecond for an ordinary task', (t) => {
    const tasks = labelledTasks()
    const times: number[] = []
    for (let round = 0; round < 10; round += 1)
      for (const task of tasks) {
        const start = performance.now()
        fateOf(task)
        times.push(performance.now() - start)
      }

    times.sort((a, b) => a - b)
    const [median, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)]!)
    t.diagnostic(`screening takes ${median!.toFixed(3)} ms, p99 ${p99!.toFixed(3)} ms`)
    assert(median! < 1)
  })
})
