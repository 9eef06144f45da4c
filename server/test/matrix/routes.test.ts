import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerParts } from '../../src/http/server-parts.ts'
import { buildServer } from '../../src/http/server.ts'
import { marketplace } from '../harness.ts'
import { OTHER_ROUTES } from './routes.ts'

const market = await marketplace()

/** A server without endpoints: only the other routes remain. */
const build = () =>
  buildServer({
    ...market.server,
    endpoints: [],
    stopping: new AbortController().signal,
  } as unknown as ServerParts)

test('the routes that are not endpoints are those of the list', async () => {
  const server = build()
  await server.ready()

  const routes = server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => /(\/\S*) \(/.exec(line)?.[1] ?? [])

  await server.close()
  assert.deepEqual(routes.toSorted(), Object.keys(OTHER_ROUTES).toSorted())
})

test('a route that does not declare its callers stops the server from starting', async () => {
  const server = build()

  assert.throws(
    () => server.get('/planted', async () => 'open'),
    /\/planted does not declare who may call it/,
  )
  await server.close()
})
