import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { renderOpenApi } from './openapi.ts'

interface Schema {
  [keyword: string]: unknown
  properties?: Record<string, Schema>
}

interface Document {
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, unknown>
    securitySchemes: Record<string, unknown>
  }
  paths: Record<string, Record<string, Record<string, unknown>>>
  webhooks: Record<string, unknown>
}

const TEXTS = { all: renderOpenApi(), agents: renderOpenApi('agents') }
const whole = JSON.parse(TEXTS.all) as Document
const agents = JSON.parse(TEXTS.agents) as Document

/** Returns every object schema of a document with its path. */
function objectsIn(value: unknown, at = '#'): { at: string; schema: Schema }[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties } = value as Schema
  const isSchema = typeof properties === 'object' && !at.endsWith('/properties')
  return [
    ...(isSchema ? [{ at, schema: value as Schema }] : []),
    ...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, `${at}/${key}`)),
  ]
}

/** Returns equal text for schemas that differ only in their description. */
const withoutDescription = (schema: Schema) => JSON.stringify({ ...schema, description: undefined })

/** Finds objects of at least five fields that are defined more than once. */
const repeatedIn = (document: Document) =>
  [...Map.groupBy(objectsIn(document), ({ schema }) => withoutDescription(schema)).values()]
    .filter((same) => same.length > 1 && Object.keys(same[0]!.schema.properties ?? {}).length >= 5)
    .map((same) => same.map(({ at }) => at))

const refsIn = (text: string) => [...text.matchAll(/"\$ref": ?"#\/([^"]+)"/g)].map((m) => m[1]!)

const at = (document: Document, place: string) =>
  place.split('/').reduce<unknown>((value, key) => (value as Schema | undefined)?.[key], document)

for (const [part, text] of Object.entries(TEXTS))
  test(`Redocly’s linter finds no error in the document for ${part}`, async () => {
    const config = await createConfig({ extends: ['recommended'] })

    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })

    assert.deepEqual(
      problems
        .filter(({ severity }) => severity === 'error')
        .map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })

describe('openapi.json', () => {
  test('is short enough to be read and compared', () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../openapi.json'), 'utf8')

    assert(text.split('\n').length <= 20_000)
    assert(Buffer.byteLength(text) <= 900_000)
  })

  test('contains no object of five or more fields twice', () => {
    assert.deepEqual(repeatedIn(whole), [])
  })

  test('control: a duplicate object is found', () => {
    const fields = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, {}]))
    const copy = { type: 'object', properties: fields }
    const planted = {
      ...whole,
      components: {
        ...whole.components,
        schemas: { One: copy, Two: { type: 'array', items: { ...copy, description: 'Copied' } } },
      },
    }

    assert.deepEqual(repeatedIn(planted), [
      ['#/components/schemas/One', '#/components/schemas/Two/items'],
    ])
  })

  test('has a named schema for every body, response and event', () => {
    const unnamed = objectsIn(whole.paths).map(({ at: place }) => place)

    assert.deepEqual(unnamed, [])
    assert.deepEqual(objectsIn(whole.webhooks), [])
    for (const response of Object.values(whole.components.responses))
      assert.deepEqual(objectsIn(response), [])
  })

  test('has readable names', () => {
    const { schemas, responses } = whole.components
    const usual =
      'Task TaskDetail TaskInput TaskStatus Proof ProofInput Settlement Wallet Transaction Deposit Dispute ' +
      'Appeal Assignment Agent ApiKey Worker WorkerProfile FeedCard Payout Event Delivery Error'
    for (const name of usual.split(' ')) assert(name in schemas, name)
    for (const name of ['BadRequest', 'Forbidden', 'TaskNotFound', 'RateLimited', 'ServerError'])
      assert(name in responses, name)
    const names = [...Object.keys(schemas), ...Object.keys(responses)]
    assert.deepEqual(
      names.filter((name) => !/^(?:[A-Z][a-z]+)+$/.test(name)),
      [],
    )
  })

  test('sorts schemas and responses, for readable diffs', () => {
    for (const sorted of [whole.components.schemas, whole.components.responses])
      assert.deepEqual(Object.keys(sorted), Object.keys(sorted).toSorted())
  })

  test('has errors as responses, and each error extends Error', () => {
    const refusals = Object.values(whole.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses as object))
      .filter(([status]) => /^[45]/.test(status))

    assert(refusals.length > 500)
    for (const [status, response] of refusals)
      assert.deepEqual(Object.keys(response as object), ['$ref'], status)
    for (const [name, schema] of Object.entries(whole.components.schemas))
      if (name.endsWith('Error') && name !== 'Error')
        assert.deepEqual((schema.allOf as Schema[])[0], { $ref: '#/components/schemas/Error' })
  })

  test('has neither patterns for times nor bounds that every integer has', () => {
    assert.doesNotMatch(TEXTS.all, /9007199254740991/)
    for (const { at: place, schema } of objectsIn(whole))
      for (const [field, { format, pattern }] of Object.entries(schema.properties ?? {}))
        assert(format === undefined || pattern === undefined, `${place} ${field}`)
  })

  test('has no dangling references', () => {
    const missing = refsIn(TEXTS.all).filter((place) => at(whole, place) === undefined)

    assert(refsIn(TEXTS.all).length > 1000)
    assert.deepEqual(missing, [])
  })
})

describe('the document for agents', () => {
  test('has at most 250 kB', () => {
    assert(Buffer.byteLength(TEXTS.agents) <= 250_000)
  })

  test('matches the whole document for the same operations, schemas and events', () => {
    const { security: _, ...createTask } = agents.paths['/tasks']!.post!

    assert.deepEqual({ ...whole.paths['/tasks']!.post, ...createTask }, whole.paths['/tasks']!.post)
    assert.deepEqual(agents.webhooks, whole.webhooks)
    for (const [name, schema] of Object.entries(agents.components.schemas))
      assert.deepEqual(schema, whole.components.schemas[name], name)
  })

  test('has nothing for workers and browsers, and nothing unreferenced', () => {
    assert.deepEqual(
      Object.keys(agents.paths).filter((path) => /^\/(?:worker|console)/.test(path)),
      [],
    )
    assert.deepEqual(Object.keys(agents.components.securitySchemes), ['bearer', 'header'])
    const referred = new Set(refsIn(TEXTS.agents))
    for (const kind of ['schemas', 'responses'] as const)
      for (const name of Object.keys(agents.components[kind]))
        assert(referred.has(`components/${kind}/${name}`), name)
    assert.deepEqual(
      [...referred].filter((place) => at(agents, place) === undefined),
      [],
    )
    assert.doesNotMatch(TEXTS.agents, /"(?:token|cookie|console)":\[\]/)
  })
})
