import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import * as commonErrors from '../src/kit/errors.ts'
import { mintId } from '../src/kit/ids.ts'
import { renderOpenApi } from '../src/openapi.ts'
import { DOORS } from './doors.ts'
import { marketplace } from './harness.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** Not in our public documentation: the payment processor signs its requests, and a page sends its form. */
const INTERNAL = [
  'POST /processor/account',
  'POST /processor/connect',
  'POST /processor/v2',
  'POST /do-not-contact/requests',
]

/** Documented endpoints that need no key. */
const PUBLIC = DOORS.filter((route) => !INTERNAL.includes(route)).sort()

const market = await marketplace()

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const routes = endpoints.map(nameOf)
const shown = endpoints.filter(({ isInternal }) => !isInternal)

const read = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
const sources = read('server/src/**/*.ts').filter(({ file }) => !file.endsWith('.test.ts'))
const tests = [...read('server/**/*.test.ts'), ...read('scripts/**/*.test.ts')]

const declared = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/= endpoint\(\{\s+method: '(\w+)',\s+path: '([^']+)',/g)].map((match) => ({
    file,
    method: match[1]!,
    path: match[2]!,
  })),
)

interface Response {
  description: string
}
interface Operation {
  operationId: string
  security: object[]
  responses: Record<string, Response | { $ref: string }>
}
const document = JSON.parse(readFileSync(path.join(ROOT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response> }
}
const responseOf = (operation: Operation | undefined, status: number) => {
  const response = operation?.responses[status]
  return response && '$ref' in response
    ? document.components.responses[response.$ref.split('/').at(-1)!]
    : response
}
const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ...operation,
  })),
)

describe('the routes', () => {
  test('are public only where docs/security.md says so, in the table and in the OpenAPI document', () => {
    const inTable = endpoints
      .filter(({ auth }) => auth !== 'agent' && auth !== 'worker')
      .map(nameOf)
    const inDocument = documented
      .filter(({ security }) => security.length === 0 || security.some(isEmpty))
      .map(({ name }) => name)

    assert.deepEqual(inTable.sort(), DOORS.toSorted())
    assert.deepEqual(inDocument.sort(), PUBLIC)
  })

  test('are left out of the OpenAPI document only where this list says so', () => {
    const hidden = endpoints.filter(({ isInternal }) => isInternal).map(nameOf)

    assert.deepEqual(hidden, INTERNAL)
  })

  for (const { method, path: route } of endpoints)
    test(`${method} ${route} answers an anonymous client ${isPublic(method, route) ? '' : '401 '}as the list says`, async () => {
      const target = route.replace(':id', mintId('task', market.now(), 1))

      const { origin } = new URL(market.server.addresses.api!)
      const { status } = await market.call(method, target, {
        headers: { origin },
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: {} }),
      })

      // A public route never responds with 401 or 403: it succeeds, or something is missing or not found.
      if (isPublic(method, route))
        assert([200, 201, 204, 400, 404].includes(status), String(status))
      else assert.equal(status, 401)
    })

  test('are each declared once, and every declared one is in the table', () => {
    const calls = sources.flatMap(({ text }) => text.match(/= endpoint\(/g) ?? [])

    assert.deepEqual(declared.map(nameOf).sort(), routes.toSorted())
    assert.equal(new Set(routes).size, routes.length)
    assert.equal(declared.length, calls.length, 'an endpoint begins with its method and its path')
  })

  test('are each called by the test beside the file that declares them', () => {
    const uncalled = declared
      .filter((one) => !INTERNAL.includes(nameOf(one)))
      .filter(({ file, path: route }) => {
        const own = tests.find((one) => one.file === file.replace(/\.ts$/, '.test.ts'))
        const last = route.split('/:id').findLast((part) => part !== '')!
        return own === undefined || !own.text.includes(last)
      })

    assert.deepEqual(uncalled, [])
  })

  test('have their paths only where they are declared', () => {
    const repeated = sources.flatMap(({ file, text }) =>
      [...new Set(declared.map(({ path }) => path))].flatMap((route) => {
        const written = text.split(`'${route}'`).length - 1
        const own = declared.filter((one) => one.file === file && one.path === route).length
        return written === own ? [] : [`${file} has '${route}' ${written - own} times too often`]
      }),
    )

    assert.deepEqual(repeated, [])
  })

  test('are the operations of the document, each with a unique name', () => {
    const names = documented.map(({ operationId }) => operationId)

    assert.deepEqual(documented.map(({ name }) => name).sort(), shown.map(nameOf).sort())
    assert.equal(new Set(names).size, names.length)
  })

  test('have all their declared errors in the document', () => {
    const missing = shown.flatMap((endpoint) => {
      const operation = documented.find(({ name }) => name === nameOf(endpoint))
      return endpoint.errors
        .filter(
          ({ status, code }) => !responseOf(operation, status)?.description.includes(`\`${code}\``),
        )
        .map(({ code }) => `${nameOf(endpoint)} ${code}`)
    })

    assert.deepEqual(missing, [])
  })

  test('share one rendered document', () => {
    renderOpenApi()
    const started = performance.now()

    for (let i = 0; i < 200; i += 1) renderOpenApi()

    // Rendering it each time would take 200 times a tenth of a second.
    assert(performance.now() - started < 2000)
  })

  test('are served at the paths of the document', async () => {
    const served = await market.call('GET', '/openapi.json')

    assert.deepEqual(served.body, document)
  })
})

describe('every error', () => {
  const definitions = [
    ...endpoints.flatMap(({ errors }) => [...errors]),
    ...Object.values(commonErrors).filter(
      (value) => typeof value === 'function' && 'code' in value,
    ),
  ]

  test('has one status and one meaning, whoever declares it', () => {
    const byCode = Map.groupBy(definitions, ({ code }) => code)
    const ambiguous = [...byCode].filter(
      ([, same]) => new Set(same.map(({ status, message }) => `${status} ${message}`)).size > 1,
    )

    assert.deepEqual(ambiguous, [])
  })

  test('is caused by a test that names its code', () => {
    const codes = [...new Set(definitions.map(({ code }) => code))]

    const untested = codes.filter((code) => !tests.some(({ text }) => text.includes(`'${code}'`)))

    assert(codes.length > 15)
    assert.deepEqual(untested, [])
  })
})

function isPublic(method: string, route: string): boolean {
  return [...PUBLIC, ...INTERNAL].includes(`${method} ${route}`)
}

function isEmpty(scheme: object): boolean {
  return Object.keys(scheme).length === 0
}
