import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Choice } from '../api.ts'
import { fill } from './input.ts'

const choice = (...fields: Choice['fields']): Choice => ({
  key: '1',
  label: 'Refund',
  kind: 'refund.request',
  subject: 'dep_1',
  input: { of: 'dep_1' },
  is_danger: false,
  right: 'pay',
  fields,
  templates: [],
  tells_person: false,
  undo: null,
})
const cents = { name: 'cents', label: 'Amount', type: 'cents', is_required: true } as const
const days = { name: 'days', label: 'Days', type: 'days', is_required: false } as const

test('a choice without fields is complete', () => {
  assert.deepEqual(fill(choice(), {}), { input: { of: 'dep_1' }, problems: {} })
})

test('typed fields join what the choice fixes; an optional one may stay empty', () => {
  assert.deepEqual(fill(choice(cents, days), { cents: ' $12.50 ' }).input, {
    of: 'dep_1',
    cents: 1250,
  })
  assert.deepEqual(fill(choice(days), { days: '30' }).input, { of: 'dep_1', days: 30 })
})

test('a missing or wrong field is named, and there is no input', () => {
  const { input, problems } = fill(choice(cents, days), { days: 'a week' })

  assert.equal(input, undefined)
  assert.deepEqual(Object.keys(problems), ['cents', 'days'])
})
