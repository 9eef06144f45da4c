import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOORS } from '../../test/doors.ts'
import { marketplace } from '../../test/harness.ts'
import { endpoints } from '../endpoints.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()
const agent = await market.agent()
const worker = await market.worker()

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
const { origin } = new URL(market.server.addresses.api!)
const cookie = `__Host-legwork=${worker.token}`
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the routes for workers', () => {
  test('need a token, except register, login, mail links and the public profile [5-worker-auth]', () => {
    const open = forWorkers.filter(({ auth }) => auth !== 'worker').map(nameOf)

    assert.deepEqual(
      open.filter((name) => !DOORS.includes(name)),
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

      test('401 with a token elsewhere than in Authorization: Bearer or its cookie', async () => {
        for (const headers of [
          { 'x-api-key': worker.token },
          { authorization: worker.token },
          { authorization: `Basic ${worker.token}` },
          { cookie: `token=${worker.token}` },
        ])
          assert.equal((await send(endpoint, headers as Record<string, string>)).status, 401)
      })

      if (endpoint.method !== 'DELETE') {
        test('accepts a worker’s token', async () => {
          const { status } = await send(endpoint, bearer(worker.token))

          assert.notEqual(status, 401)
        })

        test('accepts a worker’s cookie from our own page', async () => {
          const { status, text } = await send(endpoint, { cookie, origin })

          assert.notEqual(status, 401)
          assert.doesNotMatch(text, /wrong_origin/)
        })
      }

      if (endpoint.method === 'GET' || endpoint.method === 'HEAD')
        test('accepts a worker’s cookie from anywhere, because it changes nothing', async () => {
          const statuses = [
            await send(endpoint, { cookie }),
            await send(endpoint, { cookie, origin: 'https://evil.example' }),
          ].map(({ status }) => status)

          assert(!statuses.includes(401) && !statuses.includes(403), String(statuses))
        })
      else
        test('403 with a cookie from another page, or without an Origin', async () => {
          for (const headers of [
            { cookie },
            { cookie, origin: 'null' },
            { cookie, origin: 'https://evil.example' },
            { cookie, origin: `${origin}0` },
            { cookie, origin: origin.replace('http:', 'https:').replace('127.0.0.1', 'localhost') },
            { cookie, referer: origin, 'sec-fetch-site': 'same-origin' },
          ]) {
            const { status, body } = await send(endpoint, headers as Record<string, string>)

            assert.equal(status, 403)
            assert.equal(body.code, 'wrong_origin')
          }
          assert.equal((await worker.get('/worker/profile')).status, 200, 'the call has no effect')
        })
    })
})

describe('the routes for agents', () => {
  test('401 with a worker’s cookie', async () => {
    const { status, body } = await market.call('GET', '/wallet', { headers: { cookie, origin } })

    assert.equal(status, 401)
    assert.equal(body.code, 'invalid_api_key')
  })

  for (const endpoint of endpoints.filter(({ auth }) => auth === 'agent'))
    test(`${nameOf(endpoint)}: 401 with a worker’s token, in either header`, async () => {
      for (const headers of [bearer(worker.token), { 'x-api-key': worker.token }]) {
        const { status, body } = await send(endpoint, headers as Record<string, string>)

        assert.equal(status, 401)
        assert.equal(body.code, 'invalid_api_key')
      }
    })
})
