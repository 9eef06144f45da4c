import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PERSONAS, type Persona } from '../tasks/personas.ts'
import type { Assignment, Task } from '../tasks/queries.ts'
import { nextStep } from './script.ts'

const START = Date.UTC(2026, 10, 1)
const at = (seconds: number) => new Date(START + seconds * 1000)

const taskIn = (status: Task['status'], fields: Partial<Task> = {}) =>
  ({
    status,
    created_at: at(0),
    updated_at: at(0),
    reported_at: null,
    consensus_count: 1,
    slots_extra: 0,
    slots_taken: 0,
    ...fields,
  }) as Task

const slot = (status: Assignment['status'], fields: Partial<Assignment> = {}) =>
  ({
    id: 'asg_1',
    status,
    accepted_at: at(2),
    ended_at: null,
    revisions: 0,
    ...fields,
  }) as Assignment

const stepOf = (
  persona: Persona,
  task: Task,
  assignments: Assignment[] = [],
  appealed: string[] = [],
) => {
  const times = PERSONAS[persona] ?? PERSONAS.happy
  const step = nextStep({ task, assignments }, { persona, ...times }, new Set(appealed))
  return step && `${step.do} ${(step.at.getTime() - START) / 1000}`
}

const held = taskIn('in_progress', { slots_taken: 1 })
const ALL = Object.keys(PERSONAS) as Persona[]
const quick = (persona: Persona) => persona !== 'slow' && PERSONAS[persona] !== null

describe('the next step of a scripted worker', () => {
  for (const persona of ALL) {
    const [accepts, proves] = !PERSONAS[persona]
      ? [undefined, undefined]
      : persona === 'slow'
        ? ['accept 30', 'proof 122']
        : ['accept 2', persona === 'hand_back' ? 'release 7' : 'proof 7']

    test(`${persona}: ${accepts ?? 'nothing'}, then ${proves ?? 'nothing'}`, () => {
      assert.equal(stepOf(persona, taskIn('pending')), accepts)
      assert.equal(stepOf(persona, held, [slot('accepted')]), proves)
      assert.equal(stepOf(persona, taskIn('completed'), [slot('approved')]), undefined)
    })
  }

  test('after a release: another worker accepts and proves', () => {
    const back = slot('released', { ended_at: at(7) })

    assert.equal(stepOf('hand_back', taskIn('pending'), [back]), 'accept 9')
    const other = slot('accepted', { id: 'asg_2', accepted_at: at(9) })
    assert.equal(stepOf('hand_back', held, [back, other]), 'proof 14')
  })

  test('in a consensus task: all slots are accepted before the first proof', () => {
    const task = taskIn('in_progress', { consensus_count: 3, slots_taken: 2 })

    assert.equal(stepOf('disagree', task, [slot('accepted'), slot('accepted')]), 'accept 2')
  })

  test('after a revision request: it is submitted after the same delay', () => {
    const task = taskIn('in_progress', { slots_taken: 1, updated_at: at(60) })

    assert.equal(stepOf('happy', task, [slot('accepted', { revisions: 1 })]), 'proof 65')
  })

  test('after a dispute: only “appeal” contests it, and once', () => {
    const disputed = slot('disputed', { ended_at: at(100) })
    const task = taskIn('disputed', { slots_taken: 1 })

    for (const persona of ALL)
      assert.equal(
        stepOf(persona, task, [disputed]),
        persona === 'appeal' ? 'appeal 102' : undefined,
      )
    assert.equal(stepOf('appeal', task, [disputed], ['asg_1']), undefined)
  })

  test('after a timeout or a report: nobody accepts the task', () => {
    for (const persona of ALL.filter(quick)) {
      const over = slot('expired', { ended_at: at(1000) })
      assert.equal(stepOf(persona, taskIn('pending'), [over]), undefined)
      assert.equal(stepOf(persona, taskIn('pending', { reported_at: at(1) })), undefined)
    }
  })
})
