import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { endpoints } from '../endpoints.ts'
import { normalize } from './normalize.ts'

const Body = z.object({
  name: z.string(),
  count: z.int().min(1),
  title: z.string().min(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
  people: z.int().min(1).max(25).optional(),
  tip: z.int().min(0).optional(),
  order: z.enum(['up', 'down']).default('up'),
  deadline: z.string().max(40).optional(),
  sent_at: z.iso.datetime().optional(),
  skills: z
    .array(z.string())
    .transform((list) => new Set(list))
    .optional(),
  url: z.url().nullable().optional(),
  cap: z.int().min(1).nullish(),
  context: z.record(z.string(), z.unknown()).optional(),
  answer: z.unknown().optional(),
  person: z.object({ name: z.string().optional(), age: z.int().optional() }).optional(),
  place: z
    .union([z.string(), z.object({ lat: z.number(), radius: z.int().min(1).optional() })])
    .optional(),
  steps: z.array(z.object({ text: z.string(), note: z.string().optional() })).optional(),
  wishes: z.looseObject({ pay: z.int().nullish() }).optional(),
})

describe('normalizing a body', () => {
  for (const [words, sent, meant] of [
    ['null in an optional field counts as absent', { title: null, kind: null, person: null }, {}],
    ['null in a field with a default counts as absent', { order: null }, {}],
    ['null in an optional list counts as absent', { skills: null, steps: null }, {}],
    ['null in optional free-form JSON counts as absent', { context: null, answer: null }, {}],
    [
      'null inside of an optional object counts as absent',
      { person: { name: null } },
      { person: {} },
    ],
    [
      'null inside of an object in a list counts as absent',
      { steps: [{ text: 'a', note: null }] },
      { steps: [{ text: 'a' }] },
    ],
    [
      'null inside of a union counts as absent',
      { place: { lat: 1, radius: null } },
      { place: { lat: 1 } },
    ],
    ['null in a required field stays, to be refused', { name: null }, { name: null }],
    ['null stays where it has a meaning', { url: null, cap: null }, { url: null, cap: null }],
    ['null stays in a list', { skills: [null] }, { skills: [null] }],
    ['null stays in an unknown field', { other: null }, { other: null }],
    [
      'null stays inside of free-form JSON',
      { context: { a: null, b: [''] }, answer: { c: null } },
      { context: { a: null, b: [''] }, answer: { c: null } },
    ],
    [
      'an empty string in an optional field counts as absent',
      { title: '', kind: '', deadline: '' },
      {},
    ],
    ['an empty string is null where null has a meaning', { url: '' }, { url: null }],
    ['an empty string in a required field stays', { name: '' }, { name: '' }],
    ['an empty string stays in free-form JSON', { answer: '' }, { answer: '' }],
    ['Go’s zero time counts as absent', { deadline: '0001-01-01T00:00:00Z' }, {}],
    [
      'Go’s zero time counts as absent where null has no meaning',
      { sent_at: '0001-01-01T00:00:00Z' },
      {},
    ],
    [
      'Go’s zero time is a string in a field that is not a time',
      { title: '0001-01-01T00:00:00Z' },
      { title: '0001-01-01T00:00:00Z' },
    ],
    ['0 outside the range of an optional number counts as absent', { people: 0 }, {}],
    ['0 stays where it is in the range', { tip: 0 }, { tip: 0 }],
    ['0 stays in a required number', { count: 0 }, { count: 0 }],
    ['0 stays where null has a meaning: it is not "no limit"', { cap: 0 }, { cap: 0 }],
    [
      'PHP’s empty array is an empty object',
      { context: [], person: [] },
      { context: {}, person: {} },
    ],
    ['PHP’s empty array as the whole body is an empty object', [], {}],
    ['PHP’s empty array in a union counts as absent', { place: [] }, {}],
    ['an empty list stays a list', { skills: [] }, { skills: [] }],
    ['a list with items is not taken for an object', { context: [1] }, { context: [1] }],
    ['a number may be written as a string', { count: '500', tip: '0' }, { count: 500, tip: 0 }],
    [
      'a number with decimals may be written as a string, to be refused',
      { count: '2.5' },
      { count: 2.5 },
    ],
    [
      'a number may be written as a string inside of a union',
      { place: { lat: '-1.5' } },
      { place: { lat: -1.5 } },
    ],
    ['other strings stay', { count: '1e3', tip: ' 5' }, { count: '1e3', tip: ' 5' }],
    ['a string that looks like a number stays in a string field', { name: '500' }, { name: '500' }],
    [
      'other keys of an open object stay',
      { wishes: { pay: '5', own: null } },
      { wishes: { pay: 5, own: null } },
    ],
    ['a body that is not an object stays', 'text', 'text'],
  ] as const)
    test(words, () => {
      const { value } = normalize(Body, sent)

      assert.deepEqual(value, meant)
    })

  test('lists the zeros that count as absent, by their paths', () => {
    const { zeros } = normalize(Body, { people: 0, place: { lat: 0, radius: 0 }, tip: 0 })

    assert.deepEqual(zeros, ['people', 'place.radius'])
  })

  test('does not modify its input', () => {
    const sent = Object.freeze({ title: null, person: Object.freeze({ name: null }) })

    normalize(Body, sent)

    assert.deepEqual(sent, { title: null, person: { name: null } })
  })
})

test('every optional field of every body accepts null as absent', () => {
  const isOptional = (field: z.ZodType) => field._zod.optin !== undefined
  const bodies = endpoints.flatMap(({ method, path, body }) =>
    body instanceof z.ZodObject ? [{ method, path, body }] : [],
  )

  const refused = bodies.flatMap(({ method, path, body }) => {
    const { error: usual } = body.safeParse({})
    return Object.keys(body.shape)
      .filter((name) => isOptional(body.shape[name] as z.ZodType))
      .filter((name) => {
        const { error } = body.safeParse(normalize(body, { [name]: null }).value)
        return error?.issues.length !== usual?.issues.length
      })
      .map((name) => `${method} ${path} ${name}`)
  })

  assert(bodies.length > 30)
  assert.deepEqual(refused, [])
})
