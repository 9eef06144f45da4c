import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  optionsFor,
  problemOf,
  problemsOf,
  questionsOf,
  valueIn,
  withValue,
} from './answer-kind.ts'

describe('typed answers', () => {
  test('a short scale is shown as a row of buttons, a long one as a number field', () => {
    const [short] = questionsOf({ type: 'integer', minimum: 1, maximum: 10 })
    const [long] = questionsOf({ type: 'integer', minimum: 0, maximum: 1000 })

    assert.deepEqual(short!.value, {
      kind: 'choice',
      isScale: true,
      values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    })
    assert.equal(long!.value.kind, 'number')
  })

  test('options of the text are its choices if they have the same names', () => {
    const facts = [
      { name: 'A', value: 'Slowly' },
      { name: 'B', value: '48 hours' },
    ]
    const blocks = [{ kind: 'options' as const, facts }]

    assert.deepEqual(optionsFor(questionsOf({ enum: ['A', 'B'] }), blocks), facts)
    assert.deepEqual(optionsFor(questionsOf({ enum: ['tea', 'coffee'] }), blocks), [])
    assert.deepEqual(optionsFor(questionsOf({ type: 'boolean' }), blocks), [])
  })

  test('an object is asked field by field, labeled by description or name', () => {
    const questions = questionsOf({
      type: 'object',
      properties: {
        is_open: { type: 'boolean' },
        price: { type: 'number', minimum: 0, description: 'What does it cost?' },
      },
      required: ['is_open'],
    })

    assert.deepEqual(
      questions.map(({ name, label, isRequired }) => [name, label, isRequired]),
      [
        ['is_open', 'Is open', true],
        ['price', 'What does it cost?', false],
      ],
    )
    assert.deepEqual(problemsOf(questions, undefined), ['missing', null])
    assert.deepEqual(problemsOf(questions, { is_open: false, price: -1 }), [null, 'range'])
  })

  test('a value is set and read back', () => {
    const [question] = questionsOf({ type: 'object', properties: { mood: { type: 'string' } } })
    const answer = withValue(undefined, question!, 'calm')

    assert.deepEqual(answer, { mood: 'calm' })
    assert.equal(valueIn(answer, question!), 'calm')
    assert.equal(withValue(answer, question!, ''), undefined)
  })

  test('each kind of invalid number or text has its own problem', () => {
    const [number] = questionsOf({ type: 'integer', minimum: 100 })
    const [words] = questionsOf({ type: 'string', minLength: 3, maxLength: 5 })

    assert.deepEqual(
      [undefined, 'x', 100.5, 99, 100].map((value) => problemOf(number!, value)),
      ['missing', 'number', 'whole', 'range', null],
    )
    assert.deepEqual(
      ['ab', 'abcdef', 'abc'].map((value) => problemOf(words!, value)),
      ['short', 'long', null],
    )
  })

  test('a task without a schema asks nothing', () => {
    assert.deepEqual(questionsOf(null), [])
  })
})
