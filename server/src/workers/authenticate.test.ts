import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { endpoints } from '../endpoints.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()
const agent = await market.agent()
const worker = await market.worker()

/** Of the routes for workers, those that need no token. */
const OPEN = [
  'POST /worker/register',
  'GET /worker/verify',
  'POST /worker/verify',
  'POST /worker/verify/resend',
  'POST /worker/login',
  'POST /worker/password/forgot',
  'POST /worker/password/reset',
  'GET /worker/:id/public',
]

const forWorkers = endpoints.filter(({ path }) => path.startsWith('/worker/'))
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const target = (path: string) => path.replaceAll(/:\w+/g, mintId('task', market.now(), 1))
const send = (
  { method, path, raw }: (typeof endpoints)[number],
  headers: Record<string, string> = {},
) =>
  market.call(method as string, target(path), {
    ...(method === 'GET' || method === 'HEAD' || raw ? {} : { body: {} }),
    headers,
  })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the routes for workers', () => {
  test('need a token, but for register, login, the links of mails and the public profile [5-worker-auth]', () => {
    const open = forWorkers.filter(({ auth }) => auth !== 'worker').map(nameOf)

    assert.deepEqual(
      open.filter((name) => !OPEN.includes(name)),
      [],
    )
  })

  for (const endpoint of forWorkers.filter(({ auth }) => auth === 'worker'))
    describe(nameOf(endpoint), () => {
      test('401 without a token [5-worker-auth] [7-401-worker]', async () => {
        const { status, text } = await send(endpoint)

        assert.equal(status, 401)
        if (endpoint.method !== 'HEAD') assert.equal(JSON.parse(text).code, 'invalid_token')
      })

      test('401 with an API key, in either header', async () => {
        for (const key of [agent.api_key, agent.test_api_key]) {
          assert.equal((await send(endpoint, bearer(key))).status, 401)
          assert.equal((await send(endpoint, { 'x-api-key': key })).status, 401)
        }
      })

      test('401 with a token in another place than Authorization: Bearer', async () => {
        for (const headers of [
          { 'x-api-key': worker.token },
          { authorization: worker.token },
          { authorization: `Basic ${worker.token}` },
          { cookie: `token=${worker.token}` },
        ])
          assert.equal((await send(endpoint, headers as Record<string, string>)).status, 401)
      })

      if (endpoint.method !== 'DELETE')
        test('lets a worker’s token in', async () => {
          const { status } = await send(endpoint, bearer(worker.token))

          assert.notEqual(status, 401)
        })
    })
})

describe('the routes for agents', () => {
  for (const endpoint of endpoints.filter(({ auth }) => auth === 'agent'))
    test(`${nameOf(endpoint)}: 401 with a worker’s token, in either header`, async () => {
      for (const headers of [bearer(worker.token), { 'x-api-key': worker.token }]) {
        const { status, body } = await send(endpoint, headers as Record<string, string>)

        assert.equal(status, 401)
        assert.equal(body.code, 'invalid_api_key')
      }
    })
})
