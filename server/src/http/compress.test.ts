import assert from 'node:assert/strict'
import { get } from 'node:http'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const worker = await market.worker()
const agent = await market.agent({ balanceCents: 100_000 })
for (let i = 0; i < 4; i += 1)
  await agent.post('/tasks', {
    description: `${'Look at the door. '.repeat(40)}${i}`,
    budget_cents: 500,
  })
await market.work()

/** Returns the raw response; `fetch` would decompress it. */
function ask(headers: Record<string, string>) {
  const { promise, resolve } = Promise.withResolvers<{
    bytes: Buffer
    encoding: string
    vary: string
  }>()
  get(`${market.server.addresses.api}/worker/feed`, { headers }, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part: Buffer) => parts.push(part))
    response.on('end', () =>
      resolve({
        bytes: Buffer.concat(parts),
        encoding: response.headers['content-encoding'] ?? '',
        vary: response.headers.vary ?? '',
      }),
    )
  })
  return promise
}
const cookie = `__Host-legwork=${worker.token}`

describe('a response to a phone', () => {
  test('is gzipped if the browser accepts it, with the same content', async () => {
    const small = await ask({ cookie, 'accept-encoding': 'gzip, deflate, br' })
    const plain = await ask({ cookie })

    assert.equal(small.encoding, 'gzip')
    assert.equal(small.vary, 'accept-encoding')
    assert.deepEqual(
      JSON.parse(gunzipSync(small.bytes).toString()),
      JSON.parse(plain.bytes.toString()),
    )
    assert.equal(plain.encoding, '')
    assert(small.bytes.length < plain.bytes.length / 2)
  })

  test('is not compressed if the browser refuses gzip', async () => {
    const answer = await ask({ cookie, 'accept-encoding': 'br, gzip;q=0' })

    assert.equal(answer.encoding, '')
  })

  test('is not compressed for programs with a token', async () => {
    const answer = await ask({ authorization: `Bearer ${worker.token}`, 'accept-encoding': 'gzip' })

    assert.equal(answer.encoding, '')
  })
})
