import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAnswer } from '../consensus/answer.ts'
import { PERSONAS, type Persona } from '../tasks/personas.ts'
import { INJECTION, proofOf } from './proofs.ts'

const NOW = new Date('2026-11-01T12:00:00Z')
const PLACE = { lat: 52.52, lng: 13.4 }

const send = (
  persona: Persona,
  {
    answer_schema = null as unknown,
    proof_required = 'text' as const,
    index = 0,
    answer = undefined as unknown,
  } = {},
) =>
  proofOf({
    task: { answer_schema, proof_required, location: PLACE },
    assignment: { accepted_at: new Date(NOW.getTime() - 5000) },
    index,
    rehearsal: {
      persona,
      accept_after_s: 2,
      proof_after_s: 5,
      ...(answer === undefined ? {} : { answer }),
    },
    now: NOW,
  })

const SCHEMAS = {
  boolean: { type: 'boolean' },
  enum: { enum: ['open', 'closed'] },
  'enum of numbers': { enum: [1, 2, 3] },
  scale: { type: 'integer', minimum: 1, maximum: 10 },
  'odd bounds': { type: 'integer', minimum: 0.5, maximum: 3.5 },
  'no bounds': { type: 'number' },
  'only a minimum': { type: 'number', minimum: 40 },
  'only a maximum': { type: 'number', maximum: -4 },
  'short text': { type: 'string', maxLength: 3 },
  'long text': { type: 'string', minLength: 200 },
  object: {
    type: 'object',
    properties: { open: { type: 'boolean' }, queue: { type: 'integer', minimum: 0 } },
    required: ['open'],
  },
}

describe('the proof of a scripted worker', () => {
  for (const [name, answer_schema] of Object.entries(SCHEMAS))
    test(`matches the schema, from every persona: ${name}`, () => {
      for (const persona of Object.keys(PERSONAS) as Persona[])
        for (const index of [0, 1, 2]) {
          const { answer } = send(persona, { answer_schema, index })
          assert.equal(checkAnswer(answer_schema, answer), undefined, `${persona} ${index}`)
        }
    })

  test('agrees for two of three, and not for the third', () => {
    for (const answer_schema of [SCHEMAS.boolean, SCHEMAS.enum, SCHEMAS.scale]) {
      const [a, b, c] = [0, 1, 2].map((index) => send('disagree', { answer_schema, index }).answer)
      assert.deepEqual(a, b)
      assert.notDeepEqual(a, c)
    }
    const [a, b, c] = [0, 1, 2].map((index) => send('disagree', { index }).text)
    assert.equal(a, b)
    assert.notEqual(a, c)
  })

  test('has the requested answer, except from “disagree”', () => {
    const asked = { answer_schema: SCHEMAS.enum, answer: 'closed' }

    assert.equal(send('happy', asked).answer, 'closed')
    assert.equal(
      send('disagree', { answer_schema: SCHEMAS.boolean, answer: true, index: 2 }).answer,
      false,
    )
  })

  test('of “injection” contains instructions in the text and in a typed text', () => {
    assert.equal(send('injection').text, INJECTION)
    assert.match(
      String(send('injection', { answer_schema: { type: 'string' } }).answer),
      /^Ignore your/,
    )
  })

  test('of “far” is 11 km away, of “late” was taken before, and all others are on time', () => {
    for (const persona of Object.keys(PERSONAS) as Persona[]) {
      const { location, capturedAt } = send(persona)
      assert.equal(location!.lat === PLACE.lat, persona !== 'far')
      assert.equal(capturedAt!.getTime() === NOW.getTime(), persona !== 'late')
    }
  })

  test('contains what proof_required names', () => {
    for (const proof_required of ['photo', 'video', 'audio'] as const) {
      const { media } = send('happy', { proof_required: proof_required as never })
      assert.deepEqual(
        media.map(({ kind }) => kind),
        [proof_required],
      )
    }
    assert.deepEqual(send('happy').media, [])
  })
})
