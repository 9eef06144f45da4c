import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AnswerSchema } from './answer-schema.ts'
import { type AnswerKind, answerKind, checkAnswer, readAnswer } from './answer.ts'

const YES_OR_NO = { type: 'boolean' }
const STATE = { enum: ['open', 'shut', 3] }
const SCALE = { type: 'integer', minimum: 1, maximum: 10 }
const PRICE = { type: 'number', minimum: 0 }
const NOTE = { type: 'string', maxLength: 5 }
const SHOP = {
  type: 'object',
  properties: { open: YES_OR_NO, queue: SCALE, sign: NOTE },
  required: ['open'],
}

describe('the kind of answer', () => {
  const TABLE: [schema: unknown, kind: AnswerKind][] = [
    [null, { kind: 'free' }],
    [undefined, { kind: 'free' }],
    [YES_OR_NO, { kind: 'boolean' }],
    [STATE, { kind: 'enum', values: ['open', 'shut', 3] }],
    [
      { type: 'string', enum: ['a', 'b'] },
      { kind: 'enum', values: ['a', 'b'] },
    ],
    [SCALE, { kind: 'number', minimum: 1, maximum: 10, isInteger: true }],
    [PRICE, { kind: 'number', minimum: 0, isInteger: false }],
    [{ type: 'number' }, { kind: 'number', isInteger: false }],
    [NOTE, { kind: 'text', maxLength: 5 }],
    [
      { type: 'string', minLength: 2, description: 'x' },
      { kind: 'text', minLength: 2 },
    ],
    [
      SHOP,
      {
        kind: 'object',
        properties: {
          open: { kind: 'boolean' },
          queue: { kind: 'number', minimum: 1, maximum: 10, isInteger: true },
          sign: { kind: 'text', maxLength: 5 },
        },
        required: ['open'],
      },
    ],
    [
      { type: 'object', properties: {} },
      { kind: 'object', properties: {}, required: [] },
    ],
  ]
  for (const [answer_schema, kind] of TABLE)
    test(`of ${JSON.stringify(answer_schema)} is ${kind.kind}`, () => {
      assert.deepEqual(answerKind({ answer_schema }), kind)
    })
})

describe('a value against its schema', () => {
  const TABLE: [schema: unknown, value: unknown, problem: string | undefined][] = [
    [YES_OR_NO, true, undefined],
    [YES_OR_NO, false, undefined],
    [YES_OR_NO, 1, 'must be true or false'],
    [YES_OR_NO, null, 'must be true or false'],
    [YES_OR_NO, 'maybe', 'must be true or false'],
    [YES_OR_NO, 'Yes', 'must be true or false, not a string such as "yes"'],
    [STATE, 'shut', undefined],
    [STATE, 3, undefined],
    [STATE, '3', 'must be one of open, shut, 3'],
    [STATE, 'Open', 'must be one of open, shut, 3'],
    [SCALE, 1, undefined],
    [SCALE, 10, undefined],
    [SCALE, 0, 'must be a whole number from 1 to 10'],
    [SCALE, 11, 'must be a whole number from 1 to 10'],
    [SCALE, 5.5, 'must be a whole number from 1 to 10'],
    [SCALE, '5', 'must be a whole number from 1 to 10'],
    [PRICE, 0.5, undefined],
    [PRICE, -1, 'must be a number, 0 or more'],
    [{ type: 'number', maximum: 3 }, 4, 'must be a number, 3 or less'],
    [{ type: 'integer' }, 0.5, 'must be a whole number'],
    [NOTE, '', undefined],
    [NOTE, '👍👍👍👍👍', undefined],
    [NOTE, 'longer', 'must be text of at most 5 characters'],
    [NOTE, 5, 'must be text of at most 5 characters'],
    [{ type: 'string', minLength: 1 }, '', 'must be text of 1 to 5000 characters'],
    [SHOP, { open: true }, undefined],
    [SHOP, { open: false, queue: 3, sign: 'no' }, undefined],
    [SHOP, {}, 'must have the property open'],
    [
      SHOP,
      { open: true, queue: 0 },
      'has a property queue that must be a whole number from 1 to 10',
    ],
    [SHOP, { open: 'no' }, /^has a property open that must be true or false, not/],
    [SHOP, { open: true, extra: 1 }, 'has the property extra, which was not requested'],
    [SHOP, JSON.parse('{"open":true,"__proto__":1}'), /__proto__, which was not requested/],
    [SHOP, [], 'must be an object'],
    [SHOP, null, 'must be an object'],
    [null, { any: ['thing', null, 1.5] }, undefined],
    [null, null, undefined],
    [null, undefined, 'is required'],
    [SCALE, undefined, 'is required'],
    [null, 'a'.repeat(16_382), undefined],
    [null, 'a'.repeat(16_383), 'must be at most 16 KB'],
    [null, nested(32), undefined],
    [null, nested(33), 'must be nested at most 32 deep'],
    [SCALE, nested(100_000), 'must be nested at most 32 deep'],
  ] as [unknown, unknown, string | undefined][]
  for (const [schema, value, problem] of TABLE)
    test(`${short(value)} for ${short(schema)}: ${String(problem ?? 'fits')}`, () => {
      const found = checkAnswer(schema, value)

      if ((problem as unknown) instanceof RegExp) assert.match(found!, problem as never)
      else assert.equal(found, problem)
    })
})

describe('the answer of a proof', () => {
  const TABLE: [schema: unknown, proof: { answer?: unknown; text?: string }, answer: unknown][] = [
    [SCALE, { answer: 7 }, 7],
    [SCALE, { answer: 7, text: '3' }, 7],
    [SCALE, { text: ' 7 ' }, 7],
    [SCALE, { text: '07' }, 7],
    [PRICE, { text: '2.50' }, 2.5],
    [YES_OR_NO, { text: 'YES' }, true],
    [YES_OR_NO, { text: 'no\n' }, false],
    [YES_OR_NO, { text: 'False' }, false],
    [STATE, { text: 'open' }, 'open'],
    [STATE, { text: '3' }, 3],
    [NOTE, { text: 'hello' }, 'hello'],
    [null, { text: 'hello' }, null],
    [null, {}, null],
    [null, { answer: { a: 1 } }, { a: 1 }],
    [YES_OR_NO, { answer: false, text: 'It was shut.' }, false],
  ]
  for (const [schema, proof, answer] of TABLE)
    test(`${JSON.stringify(proof)} for ${short(schema)} is ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(readAnswer(schema, proof), { answer })
    })

  const WRONG: typeof TABLE = [
    [SCALE, {}, 'is required and must be a whole number from 1 to 10'],
    [SCALE, { text: 'a 7, I think' }, 'is required and must be a whole number from 1 to 10'],
    [SCALE, { text: '11' }, 'is required and must be a whole number from 1 to 10'],
    [SCALE, { text: '1e1' }, 'is required and must be a whole number from 1 to 10'],
    [SCALE, { answer: null, text: '' }, 'is required and must be a whole number from 1 to 10'],
    [YES_OR_NO, { text: 'yes, it is' }, 'is required and must be true or false'],
    [YES_OR_NO, { text: 'constructor' }, 'is required and must be true or false'],
    [STATE, { text: 'OPEN' }, 'is required and must be one of open, shut, 3'],
    [NOTE, { text: 'too long' }, 'is required and must be text of at most 5 characters'],
    [SHOP, { text: '{"open":true}' }, 'is required and must be an object'],
  ]
  for (const [schema, proof, problem] of WRONG)
    test(`is missing from ${JSON.stringify(proof)} for ${short(schema)}`, () => {
      assert.deepEqual(readAnswer(schema, proof), { problem, missing: true })
    })

  test('is wrong, not missing, if it does not match the schema; the text does not replace it', () => {
    assert.deepEqual(readAnswer(SCALE, { answer: 11, text: '7' }), {
      problem: 'must be a whole number from 1 to 10',
      missing: false,
    })
  })
})

describe('any schema and value', () => {
  const word = fc.string({ maxLength: 10 })
  const value = fc.oneof(
    fc.record({ type: fc.constant('boolean') }),
    fc.record({ enum: fc.array(fc.oneof(word, fc.integer()), { minLength: 2, maxLength: 50 }) }),
    fc
      .tuple(fc.constantFrom('number', 'integer'), fc.integer(), fc.nat(1000))
      .map(([type, minimum, size]) => ({ type, minimum, maximum: minimum + size })),
    fc
      .tuple(fc.nat(5), fc.integer({ min: 5, max: 20 }))
      .map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
  )
  const schema = fc.oneof(
    value,
    fc
      .dictionary(word, value, { maxKeys: 4, noNullPrototype: true })
      .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) })),
  )

  test('matches or gets a sentence, and never throws', () => {
    fc.assert(
      fc.property(schema, fc.jsonValue(), (asked, given) => {
        assert(AnswerSchema.safeParse(asked).success)

        const problem = checkAnswer(asked, given)

        assert(
          problem === undefined ||
            /^(must be|must have|has a property|has the property) /.test(problem),
        )
      }),
    )
  })

  test('an answer parsed from a text always matches', () => {
    const text = fc.oneof(
      fc.integer().map(String),
      fc.double().map(String),
      word,
      fc.constantFrom('yes', 'NO', 'true', ' false '),
    )
    fc.assert(
      fc.property(schema, text, (asked, written) => {
        const read = readAnswer(asked, { text: written })

        if ('answer' in read) assert.equal(checkAnswer(asked, read.answer), undefined)
      }),
    )
  })
})

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i += 1) value = [value]
  return value
}

function short(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? 'nothing').slice(0, 50)
  } catch {
    return 'what has no end'
  }
}
