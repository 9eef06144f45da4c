/**
 * Schemas bound what strangers can send: every id has a pattern, every string a maximum length, every list a maximum
 * number of items. The test walks the schemas of all endpoints, so a new field can't be missed.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { endpoints } from '../src/endpoints.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { idPattern, mintId } from '../src/kit/ids.ts'
import { inputSchema, type JsonSchema } from './fuzz/schema.ts'

/** Fields whose value is not bounded by their JSON Schema, and what bounds them instead. */
const BOUNDED_ELSEWHERE: Record<string, string> = {
  context: 'free-form JSON of at most 16 KB and 32 levels',
  metadata: 'free-form JSON of at most 16 KB and 32 levels',
  answer: 'free-form JSON of at most 16 KB and 32 levels',
  override_result: 'free-form JSON of at most 16 KB and 32 levels',
  properties: 'at most 100 properties of an answer schema, each a schema of its own',
  preferences: 'the whole of a worker’s preferences has at most 16 KB',
  notify: 'part of preferences',
}

/** Fields that are named like ids but hold something else. */
const NO_ID: Record<string, string> = {
  'criteria[].id': 'the agent’s own name for a criterion',
  'GET /worker/feed cursor': 'position in a sorted list, read and checked by feed/cursor.ts',
}

const ID_NAME = /(?:^|_)(?:id|ids|cursor|before|after|up_to)$/

function findUnbounded(endpoint: AnyEndpoint): string[] {
  const name = `${endpoint.method} ${endpoint.path}`
  const found: string[] = []
  const walk = (schema: JsonSchema, path: string, field: string): void => {
    if (field in BOUNDED_ELSEWHERE) return
    const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (options) return options.forEach((option) => walk(option, path, field))
    if (schema.const !== undefined || schema.enum) return
    if (schema.type === 'string') {
      const isId =
        ID_NAME.test(field) &&
        !Object.keys(NO_ID).some((known) => path.endsWith(known) || `${name} ${field}` === known)
      if (isId && !isExact(schema.pattern)) found.push(`${name} ${path}: no pattern`)
      else if (schema.maxLength === undefined && !isExact(schema.pattern))
        found.push(`${name} ${path}: no longest length`)
      return
    }
    if (schema.type === 'array') {
      if (schema.maxItems === undefined) found.push(`${name} ${path}: no most items`)
      return walk(schema.items ?? {}, `${path}[]`, field)
    }
    if (schema.type === 'object') {
      for (const [key, inner] of Object.entries(schema.properties ?? {}))
        walk(inner, path === '' ? key : `${path}.${key}`, key)
      if (schema.propertyNames || isOpen(schema)) found.push(`${name} ${path}: any names`)
      return
    }
    if (schema.type === undefined) found.push(`${name} ${path}: any value`)
  }
  for (const schema of [endpoint.params, endpoint.query, endpoint.body])
    if (schema !== undefined) walk(inputSchema(schema as z.ZodType), '', '')
  return found
}

/** Matches the whole text at a bounded length: anchored, with no unbounded repetition. */
const isExact = (pattern: string | undefined) =>
  pattern !== undefined &&
  /^\^.*\$$/s.test(pattern) &&
  !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x'))

const isOpen = ({ additionalProperties }: JsonSchema) =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0

describe('the input of every endpoint', () => {
  test('has a pattern for each id and a bound for each text and list', () => {
    assert.deepEqual(endpoints.flatMap(findUnbounded), [])
  })

  test('has ids in its path with one 404 each', () => {
    const wrong = endpoints
      .filter(({ params }) => params !== undefined)
      .filter(({ errors }) => errors.filter(({ status }) => status === 404).length !== 1)
      .map(({ method, path }) => `${method} ${path}`)

    assert.deepEqual(wrong, [])
  })

  test('has a schema for each parameter of its path', () => {
    const wrong = endpoints
      .filter(({ path, params }) => {
        const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
        const known = Object.keys((params as z.ZodObject | undefined)?.shape ?? {})
        return names.join() !== known.join()
      })
      .map(({ method, path }) => `${method} ${path}`)

    assert.deepEqual(wrong, [])
  })

  test('control: a field without a bound is found, whatever its kind', () => {
    const planted = {
      method: 'POST',
      path: '/planted/:id',
      params: z.object({ id: z.string().max(100) }),
      body: z.object({
        text: z.string(),
        task_id: z.string().max(64),
        words: z.array(z.string().max(5)),
        digits: z.string().regex(/^\d+$/),
        part: z.string().regex(/[a-f]{3}/),
        free: z.record(z.string(), z.unknown()),
        any: z.unknown(),
        fine: z.string().regex(idPattern('task')),
      }),
    } as unknown as AnyEndpoint

    assert.deepEqual(
      findUnbounded(planted).map((line) => line.replace('POST /planted/:id ', '')),
      [
        'id: no pattern',
        'text: no longest length',
        'task_id: no pattern',
        'words: no most items',
        'digits: no longest length',
        'part: no longest length',
        'free: any names',
        'any: any value',
      ],
    )
  })
})

test('the pattern of an id matches minted ids, and no similar text', () => {
  const id = mintId('task', new Date(), 7)

  assert.match(id, idPattern('task'))
  for (const near of [
    id.toUpperCase(),
    `${id}0`,
    id.slice(0, -1),
    ` ${id}`,
    `${id}\n`,
    id.replace('task_', 'asg_'),
    id.replace(/.$/, 'u'),
  ])
    assert.doesNotMatch(near, idPattern('task'))
})
