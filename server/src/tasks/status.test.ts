import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canMove, hasEnded, STATUSES, type TaskStatus } from './status.ts'

/** The documented transitions, from → to. */
const MOVES: Record<TaskStatus, TaskStatus[]> = {
  pending: ['in_progress', 'expired', 'cancelled'],
  in_progress: ['pending', 'proof_submitted', 'expired', 'cancelled'],
  proof_submitted: ['in_progress', 'completed', 'disputed'],
  disputed: ['completed'],
  completed: [],
  expired: [],
  cancelled: [],
}

describe('the transitions of a task', () => {
  for (const from of STATUSES)
    test(`${from} → ${MOVES[from].join(', ') || 'nothing'}`, () => {
      const moves = STATUSES.filter((to) => canMove(from, to))

      assert.deepEqual(moves, MOVES[from])
    })

  test('an ended task moves only to another ended status', () => {
    const ended = STATUSES.filter(hasEnded)

    assert.deepEqual(ended, ['completed', 'disputed', 'expired', 'cancelled'])
    for (const status of ended)
      assert.ok(STATUSES.every((to) => !canMove(status, to) || hasEnded(to)))
  })

  test('no path leads out of an ended status, and every status can be reached from pending', () => {
    const reached = new Set<TaskStatus>()
    const walk = fc.array(fc.constantFrom(...STATUSES), { maxLength: 30 })

    fc.assert(
      fc.property(walk, (wishes) => {
        let at: TaskStatus = 'pending'
        let wasEnded = false
        reached.add(at)
        for (const wish of wishes) {
          if (!canMove(at, wish)) continue
          at = wish
          reached.add(at)
          assert.ok(!wasEnded || hasEnded(at))
          wasEnded ||= hasEnded(at)
        }
      }),
      { numRuns: 500 },
    )

    assert.deepEqual([...reached].sort(), [...STATUSES].sort())
  })
})
