import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { renderSchemas } from './named-schemas.ts'
import { named } from './named.ts'

describe('a named schema', () => {
  const Base = z.object({
    a: z.string(),
    b: z.string(),
    c: z.string(),
    d: z.int(),
    e: z.iso.datetime().nullable(),
  })

  test('has a unique name', () => {
    named('TestOnce', z.object({ a: z.string() }))

    assert.throws(() => named('TestOnce', z.object({ b: z.string() })), /two schemas are named/)
  })

  test('is referenced, also where it is described, optional, nullable or in a list', () => {
    const inner = named('TestInner', z.object({ a: z.string() }))
    const outer = z.object({
      plain: inner,
      described: inner.describe('The other one'),
      list: z.array(inner),
      nullable: inner.nullable(),
    })

    const schemas = renderSchemas({ input: new Map(), output: new Map([['TestOuter', outer]]) })

    const $ref = '#/components/schemas/TestInner'
    assert.deepEqual(schemas.get('output', 'TestOuter').properties, {
      plain: { $ref },
      described: { $ref, description: 'The other one' },
      list: { type: 'array', items: { $ref } },
      nullable: { anyOf: [{ $ref }, { type: 'null' }] },
    })
  })

  test('is extended by a schema that adds fields', () => {
    named('TestBase', Base)

    const schemas = renderSchemas({
      input: new Map(),
      output: new Map([['TestMore', Base.extend({ f: z.boolean(), g: z.string().optional() })]]),
    })

    assert.deepEqual(schemas.get('output', 'TestMore'), {
      allOf: [
        { $ref: '#/components/schemas/TestBase' },
        {
          type: 'object',
          properties: { f: { type: 'boolean' }, g: { type: 'string' } },
          required: ['f'],
        },
      ],
    })
  })

  test('has a second name if requests and responses have different forms', () => {
    const schema = named('TestBoth', z.object({ a: z.string().default('x') }))

    const schemas = renderSchemas({
      input: new Map([['TestRequest', z.object({ both: schema })]]),
      output: new Map([['TestResponse', z.object({ both: schema })]]),
    })

    assert.deepEqual(Object.keys(schemas.usedBy(schemas.refer('input', 'TestRequest'))), [
      'TestBothInput',
      'TestRequest',
    ])
    assert.deepEqual(Object.keys(schemas.usedBy(schemas.refer('output', 'TestResponse'))), [
      'TestBoth',
      'TestResponse',
    ])
  })
})
