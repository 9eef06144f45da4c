/**
 * Measures rules and wording score on the labelled tasks, without a classifier. Both are tuned only on the half `tune` and
 * the practice tasks; the figures come from the half `measure`, which nobody reads.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { confusionOf, fateOf, percentOf, renderConfusion } from './confusion.ts'
import { labelledTasks } from './labelled-tasks.ts'

const SAFETY = readFileSync(new URL('../../../docs/safety.md', import.meta.url), 'utf8')

describe('rules and wording on the half that they were not tuned on', () => {
  const confusion = confusionOf('measure')
  const { abuse, benign } = confusion.all

  // The first bound is what was measured, rounded. The goal of 95 % needs a classifier for what words can't tell.
  test('stop or park at least 67 % of the abuse', (t) => {
    const stopped = percentOf(abuse, 'refused', 'waiting')
    t.diagnostic(`abuse refused or waiting: ${stopped.toFixed(1)} %`)
    assert(stopped >= 67)
  })

  test('refuse at most 0.5 % of the benign tasks', (t) => {
    const refused = percentOf(benign, 'refused')
    t.diagnostic(`benign refused: ${refused.toFixed(1)} %`)
    assert(refused <= 0.5)
  })

  test('park at most 5 % of the benign tasks', (t) => {
    const waiting = percentOf(benign, 'waiting')
    t.diagnostic(`benign waiting: ${waiting.toFixed(1)} %`)
    assert(waiting <= 5)
  })

  test('do what docs/safety.md says, class by class', (t) => {
    const table = renderConfusion(confusion)
    t.diagnostic(`\n${table}`)
    assert(SAFETY.includes(table), `docs/safety.md needs this table:\n${table}`)
  })

  test('take less than a millisecond for 99 of 100 tasks', (t) => {
    // The best of ten rounds for each task: what a busy machine adds says nothing about the task.
    const times = labelledTasks().map((task) => {
      const rounds = Array.from({ length: 10 }, () => {
        const start = performance.now()
        fateOf(task)
        return performance.now() - start
      })
      return Math.min(...rounds)
    })

    times.sort((a, b) => a - b)
    const [median, p99] = [0.5, 0.99].map((part) => times[Math.floor(times.length * part)]!)
    t.diagnostic(`screening takes ${median!.toFixed(3)} ms, p99 ${p99!.toFixed(3)} ms`)
    assert(p99! < 1)
  })
})
