import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fitAccuracies, type Judged } from './dawid-skene.ts'

/** Generates tasks with random hidden truths. Every worker answers each task with their own accuracy. */
function drawn({
  accuracies,
  tasks = 300,
  classes = 2,
  seed = 7,
}: {
  accuracies: number[]
  tasks?: number
  classes?: number
  seed?: number
}): Judged[] {
  const random = randomFrom(seed)
  return Array.from({ length: tasks }, () => {
    const truth = Math.floor(random() * classes)
    return {
      classes,
      votes: accuracies.map((accuracy, i) => {
        const other = (truth + 1 + Math.floor(random() * (classes - 1))) % classes
        return { workerId: `w${i}`, category: String(random() < accuracy ? truth : other) }
      }),
    }
  })
}

const near = (actual: number | undefined, expected: number, by = 0.05) =>
  assert(
    actual !== undefined && Math.abs(actual - expected) <= by,
    `${actual} in place of ${expected}`,
  )

describe('estimated accuracies', () => {
  for (const classes of [2, 3, 5])
    for (const seed of [1, 2, 3])
      test(`match 300 simulated tasks with ${classes} possible answers, drawn with seed ${seed}`, () => {
        const accuracies = [0.95, 0.95, 0.8, 0.8, 0.6]

        const fitted = fitAccuracies(drawn({ accuracies, classes, seed }))

        accuracies.forEach((accuracy, i) => near(fitted.get(`w${i}`)?.accuracy, accuracy))
        assert.equal(fitted.get('w0')?.votes, 300)
      })

  test('of guessers are near chance, and do not affect the others', () => {
    const accuracies = [0.95, 0.9, 0.9, 0.5, 0.5]

    const fitted = fitAccuracies(drawn({ accuracies, tasks: 1000 }))

    accuracies.forEach((accuracy, i) => near(fitted.get(`w${i}`)?.accuracy, accuracy))
  })

  test('are never below chance: a constant liar is not taken for honest, nor the others for liars', () => {
    const fitted = fitAccuracies(drawn({ accuracies: [0.9, 0.9, 0.9, 0.05, 0.05] }))

    for (const name of ['w0', 'w1', 'w2']) near(fitted.get(name)?.accuracy, 0.9)
    for (const name of ['w3', 'w4']) assert.equal(fitted.get(name)?.accuracy, 0.5)
  })

  test('do not depend on the labels of the answers', () => {
    const tasks = drawn({ accuracies: [0.95, 0.8, 0.8, 0.6, 0.6] })
    const swapped = tasks.map((task, i) => ({
      ...task,
      votes: task.votes.map((vote) =>
        i % 2 === 0 ? vote : { ...vote, category: vote.category === '0' ? '1' : '0' },
      ),
    }))

    const [one, other] = [fitAccuracies(tasks), fitAccuracies(swapped)]

    for (const [name, { accuracy }] of one) near(other.get(name)?.accuracy, accuracy, 1e-9)
  })

  test('of newcomers with few votes stay near the prior', () => {
    const tasks = drawn({ accuracies: [0.9, 0.9, 0.9] })
    tasks[0]!.votes.push({ workerId: 'new', category: tasks[0]!.votes[0]!.category })

    const fitted = fitAccuracies(tasks)

    assert.equal(fitted.get('new')?.votes, 1)
    near(fitted.get('new')?.accuracy, 0.8, 0.08)
  })
})

describe('nothing is estimated', () => {
  test('for no votes', () => {
    assert.equal(fitAccuracies([]).size, 0)
  })

  test('for workers who answered alone', () => {
    const alone = { classes: 2, votes: [{ workerId: 'w', category: '0' }] }

    assert.equal(fitAccuracies([alone, alone]).size, 0)
  })
})

describe('any votes', () => {
  test('give accuracies from 0.5 to 0.99', () => {
    const votes = fc.array(
      fc.record({
        workerId: fc.constantFrom('a', 'b', 'c', 'd'),
        category: fc.constantFrom('x', 'y', 'z'),
      }),
      { maxLength: 4 },
    )
    const tasks = fc.array(fc.record({ classes: fc.integer({ min: 3, max: 50 }), votes }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(tasks, (list) => {
        for (const { accuracy, votes: count } of fitAccuracies(list).values()) {
          assert(accuracy >= 0.5 && accuracy <= 0.99)
          assert(count > 0)
        }
      }),
    )
  })
})

/** mulberry32, a seeded generator that returns the same numbers on every machine. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
