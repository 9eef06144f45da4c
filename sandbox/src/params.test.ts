import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { InvalidParameter } from './errors.ts'
import {
  boolean,
  currency,
  integer,
  list,
  metadata,
  object,
  oneOf,
  parseForm,
  range,
  readParams,
  required,
  type Shape,
  text,
  url,
} from './params.ts'

function refusal(
  shape: Shape,
  form: string,
): { code: string | undefined; param: string | undefined } {
  try {
    readParams(shape, parseForm(form))
  } catch (error) {
    assert(error instanceof InvalidParameter)
    assert.equal(error.status, 400)
    return { code: error.body.code, param: error.body.param }
  }
  assert.fail(`${form} was accepted`)
}

describe('a form body', () => {
  test('nests by brackets, and appends for empty brackets', () => {
    const read = readParams(
      {
        amount: integer(),
        metadata,
        expand: list(text()),
        items: list(object({ name: text(), size: integer() })),
      },
      parseForm(
        'amount=5&metadata[a]=b+c&metadata[d]=%26&expand[]=x&expand[]=y&items[0][name]=n&items[0][size]=2',
      ),
    )

    assert.deepEqual(read, {
      amount: 5,
      metadata: { a: 'b c', d: '&' },
      expand: ['x', 'y'],
      items: [{ name: 'n', size: 2 }],
    })
  })

  test('refuses names that reach into object prototypes', () => {
    const parsed = parseForm('__proto__[x]=1&constructor[y]=2')

    assert.equal(({} as Record<string, unknown>).x, undefined)
    assert.deepEqual(Object.keys(parsed), ['__proto__', 'constructor'])
    assert.deepEqual(refusal({}, '__proto__[x]=1'), {
      code: 'parameter_unknown',
      param: '__proto__',
    })
  })

  test('returns the metadata that was sent', () => {
    const key = fc.string({ minLength: 1, maxLength: 40 }).filter((name) => !/[[\]]/.test(name))
    const value = fc.string({ minLength: 1, maxLength: 500 })
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 10, noNullPrototype: true }), (sent) => {
        const form = Object.entries(sent)
          .map(
            ([name, held]) => `metadata[${encodeURIComponent(name)}]=${encodeURIComponent(held)}`,
          )
          .join('&')
        const read = readParams({ metadata }, parseForm(form))
        assert.deepEqual(read.metadata ?? {}, { ...sent })
      }),
    )
  })
})

describe('the error of a parameter', () => {
  const cases: [what: string, shape: Shape, form: string, code: string, param: string][] = [
    ['unknown', { a: text() }, 'b=1', 'parameter_unknown', 'b'],
    ['unknown in an object', { a: object({ b: text() }) }, 'a[c]=1', 'parameter_unknown', 'a[c]'],
    ['missing', { a: required(text()) }, '', 'parameter_missing', 'a'],
    [
      'unknown in a list',
      { a: list(object({ b: required(text()) })) },
      'a[0][c]=',
      'parameter_unknown',
      'a[0][c]',
    ],
    ['empty', { a: text() }, 'a=', 'parameter_invalid_empty', 'a'],
    ['not an integer', { a: integer() }, 'a=1.5', 'parameter_invalid_integer', 'a'],
    ['too small', { a: integer({ min: 1 }) }, 'a=0', 'parameter_invalid_integer', 'a'],
    ['too large', { a: integer({ max: 100 }) }, 'a=101', 'parameter_invalid_integer', 'a'],
    [
      'above the safe integers',
      { a: integer() },
      'a=9007199254740993',
      'parameter_invalid_integer',
      'a',
    ],
    ['not a boolean', { a: boolean }, 'a=yes', 'parameter_invalid_boolean', 'a'],
    ['not an allowed value', { a: oneOf('x', 'y') }, 'a=z', 'parameter_invalid', 'a'],
    ['not a list', { a: list(text()) }, 'a=x', 'parameter_invalid_array', 'a'],
    ['not an object', { a: object({}) }, 'a=x', 'parameter_invalid_object', 'a'],
    ['not a URL', { a: url }, 'a=javascript%3Ax', 'url_invalid', 'a'],
    ['another currency', { a: currency }, 'a=eur', 'parameter_invalid', 'a'],
    ['not a timestamp', { a: range }, 'a[gte]=today', 'parameter_invalid_integer', 'a[gte]'],
    [
      'metadata key too long',
      { metadata },
      `metadata[${'k'.repeat(41)}]=1`,
      'parameter_invalid',
      'metadata',
    ],
    [
      'metadata value too long',
      { metadata },
      `metadata[k]=${'v'.repeat(501)}`,
      'parameter_invalid',
      'metadata[k]',
    ],
    [
      'too many metadata keys',
      { metadata },
      Array.from({ length: 51 }, (_, index) => `metadata[k${index}]=1`).join('&'),
      'parameter_invalid',
      'metadata',
    ],
  ]
  for (const [what, shape, form, code, param] of cases)
    test(`has a code and a name: ${what}`, () => {
      assert.deepEqual(refusal(shape, form), { code, param })
    })
})

test('a timestamp filter covers one second', () => {
  assert.deepEqual(readParams({ created: range }, parseForm('created=7')), {
    created: { gte: 7, lte: 7 },
  })
})
