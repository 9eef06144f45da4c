import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type Fetch, Legwork } from '@legwork/sdk'
import { LegworkWorker } from '@legwork/sdk/worker'
import { VERSION } from '../src/version.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const readJson = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Json
type Json = Record<string, Record<string, object>>

const BASE = 'http://127.0.0.1/api/v1'
const ID = 'the_id'
/** Made of the others, or of no call at all. */
const COMPOSED = ['constructor', 'wait', 'pages', 'follow', 'download']

const routes = Object.entries(readJson('openapi.json').paths!).flatMap(([route, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
)

/** Every method of a client and of its parts, with the routes that a call of it asks for. */
async function routesOf(open: (fetch: Fetch) => object): Promise<Set<string>> {
  const asked = new Set<string>()
  const client = open((input, init) => {
    const { pathname } = new URL(input)
    asked.add(`${init!.method} ${pathname.slice('/api/v1'.length).replace(ID, '{id}')}`)
    // A login is followed by calls with its token.
    return Promise.resolve(Response.json({ token: 'x' }))
  })
  for (const part of [client, ...Object.values(client)]) {
    if (typeof part !== 'object' || part === null) continue
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(part))
    for (const name of names.filter((one) => !COMPOSED.includes(one))) {
      const method = (part as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]!
      // An id first, where it takes one. What it makes of an empty answer is not what this is about.
      await method.call(part, name === 'advanceClock' ? '1h' : ID, {}).catch(() => undefined)
    }
  }
  return asked
}

test('every endpoint of openapi.json has a method: Legwork for agents, LegworkWorker for workers', async () => {
  const agent = await routesOf(
    (fetch) => new Legwork({ apiKey: 'lw_test_x', baseUrl: BASE, fetch }),
  )
  const worker = await routesOf((fetch) => new LegworkWorker({ token: 'x', baseUrl: BASE, fetch }))
  const isWorkers = (route: string) => route.includes(' /worker/')
  // These two are the client's own: one is static, the other takes a link.
  const apart = ['POST /test/agents', 'GET /files/{id}']

  const missing = routes.filter(
    (route) => !apart.includes(route) && !(isWorkers(route) ? worker : agent).has(route),
  )

  const unknown = [...agent, ...worker].filter((route) => !routes.includes(route))
  const misplaced = [...worker].filter((route) => !isWorkers(route))

  assert.deepEqual({ missing, unknown, misplaced }, { missing: [], unknown: [], misplaced: [] })
})

test('downloading a file and creating a test agent send no API key', async () => {
  const asked: [string, string | null][] = []
  const fetch = (url: string, init?: RequestInit) => {
    asked.push([`${init!.method} ${url}`, new Headers(init!.headers).get('authorization')])
    return Promise.resolve(Response.json({}))
  }

  await Legwork.createTestAgent({ baseUrl: BASE, fetch })
  const legwork = new Legwork({ apiKey: 'lw_test_x', baseUrl: BASE, fetch })
  await legwork.tasks.download('https://legwork.example/api/v1/files/upl_1?expires=1&signature=s')
  await legwork.tasks.download('https://bucket.example/upl_2?signature=s')

  assert.deepEqual(asked, [
    [`POST ${BASE}/test/agents`, null],
    [`GET ${BASE}/files/upl_1?expires=1&signature=s`, null],
    ['GET https://bucket.example/upl_2?signature=s', null],
  ])
})

test('VERSION is the version of the package', () => {
  assert.equal(VERSION, readJson('sdk/package.json').version)
})
