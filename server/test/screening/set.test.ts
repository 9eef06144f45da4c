import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { create } from '../../src/tasks/create.ts'
import { call, escalate, field, gutCheck, verify, vibe } from '../../src/tasks/create-typed.ts'
import {
  CLASSES,
  HALVES,
  LABELS,
  type LabelledTask,
  labelledTasks,
  LANGUAGES,
  PATHS,
} from './labelled-tasks.ts'

const BODIES = {
  '/tasks': create.body,
  '/verify': verify.body,
  '/call': call.body,
  '/gut-check': gutCheck.body,
  '/field': field.body,
  '/escalate': escalate.body,
  '/vibe': vibe.body,
}
/** Ranges reserved for fiction (US, UK, France, Germany), and the first subscriber numbers of a prefix elsewhere. */
const INVENTED_NUMBER = new RegExp(
  String.raw`^(?:\+1 \d{3} 555 01\d\d|\+44 7700 900\d{3}|\+33 1 99 00 \d\d \d\d|\+49 30 23125 \d{3}` +
    String.raw`|\+34 600 000 \d{3}|\+966 50 000 00\d\d|\+971 50 000 00\d\d|\+20 100 000 0\d{3}|\+962 7 9000 00\d\d)$`,
)
const tasks = labelledTasks()
const textOf = ({ body }: LabelledTask) => JSON.stringify(body)

function count(keyOf: (task: LabelledTask) => string, of = tasks): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const task of of) counts[keyOf(task)] = (counts[keyOf(task)] ?? 0) + 1
  return counts
}

/** The expected result of `count`, with the same number for every combination. */
const each = (number: number, ...lists: (readonly string[])[]) =>
  Object.fromEntries(
    lists
      .reduce((keys, list) => keys.flatMap((key) => list.map((word) => `${key} ${word}`)), [''])
      .map((key) => [key.trim(), number]),
  )

describe('the labelled set', () => {
  test('has 720 tasks: 15 for every class, half and label', () => {
    assert.equal(tasks.length, 720)
    assert.deepEqual(
      count((task) => `${task.class} ${task.half} ${task.label}`),
      each(15, CLASSES, HALVES, LABELS),
    )
  })

  test('is 40 % English and 15 % each of the other languages, alike in both halves and labels', () => {
    const [english, ...others] = LANGUAGES

    assert.deepEqual(
      count((task) => `${task.language} ${task.half} ${task.label}`),
      { ...each(72, [english], HALVES, LABELS), ...each(27, others, HALVES, LABELS) },
    )
  })

  test('has four to twelve tasks of every language in every class and label', () => {
    const counts = count((task) => `${task.class} ${task.label} ${task.language}`)

    assert.equal(Object.keys(counts).length, 12 * 2 * 5)
    assert.ok(Object.values(counts).every((number) => number >= 4 && number <= 12))
  })

  test('writes Arabic with Arabic letters, and only that', () => {
    for (const task of tasks)
      assert.equal(/\p{Script=Arabic}/u.test(textOf(task)), task.language === 'ar', task.id)
  })

  test('gives no label away by the path: abuse and benign have the same paths', () => {
    const key = (task: LabelledTask) => `${task.class} ${task.half} ${task.language} ${task.path}`
    const ofLabel = (label: string) => tasks.filter((task) => task.label === label)

    assert.deepEqual(count(key, ofLabel('abuse')), count(key, ofLabel('benign')))
    assert.equal(Object.keys(count((task) => task.path)).length, PATHS.length)
  })

  test('gives no label away by the budget: both means lie within 10 %', () => {
    const mean = (label: string) => {
      const budgets = tasks
        .filter((task) => task.label === label && typeof task.body.budget_cents === 'number')
        .map((task) => task.body.budget_cents as number)
      return budgets.reduce((sum, cents) => sum + cents, 0) / budgets.length
    }

    const ratio = mean('abuse') / mean('benign')

    assert.ok(ratio > 0.9 && ratio < 1.1, `ratio ${ratio}`)
  })

  test('has unique ids, and no body twice', () => {
    assert.equal(new Set(tasks.map(({ id }) => id)).size, tasks.length)
    assert.equal(new Set(tasks.map(textOf)).size, tasks.length)
  })

  test('has only bodies that their route accepts, and stores as they are', () => {
    for (const { id, path, body } of tasks) {
      const { data, error } = BODIES[path]!.safeParse(body)

      assert.equal(error, undefined, `${id}: ${error?.message}`)
      assert.deepEqual(data, body, `${id} has a field that ${path} drops or changes`)
      // A fixed time would be in the past one day, and the route would refuse the body.
      assert.equal(body.scheduled_at, undefined, id)
    }
  })

  test('contacts nobody: numbers are invented, addresses are those of example.com', () => {
    for (const task of tasks) {
      const text = textOf(task)
      for (const [number] of text.matchAll(/\+\d[\d ]{7,}\d/g))
        assert.match(number, INVENTED_NUMBER, task.id)
      for (const [, host] of text.matchAll(/@([\w.-]*\w)/g))
        assert.ok(host === 'example.com', `${task.id}: ${host}`)
      for (const [, host] of text.matchAll(/https?:\/\/([\w.-]*\w)/g))
        assert.match(host!, /(?:^|\.)example\.com$/, task.id)
    }
  })
})
