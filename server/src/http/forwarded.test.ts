import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { call, marketplace, startOn } from '../../test/harness.ts'

const market = await marketplace()

/** How many of these requests are admitted with a limit of one per address: the number of distinct addresses. */
async function addressesSeen(proxies: string | undefined, forwarded: (string | undefined)[]) {
  const server = await startOn(market.url, {
    settings: {
      RATE_LIMITS: 'on',
      LIMIT_GLOBAL_PER_MINUTE: 1,
      ...(proxies === undefined ? {} : { TRUST_PROXY: proxies }),
    },
    clockOverride: market.server.clock,
  })
  let admitted = 0
  for (const addresses of forwarded) {
    const { status } = await call(server.addresses.api!, 'GET', '/worker/preview', {
      headers: addresses === undefined ? {} : { 'x-forwarded-for': addresses },
    })
    if (status !== 429) admitted += 1
  }
  await server.stop()
  return admitted
}

describe('X-Forwarded-For', () => {
  for (const proxies of [undefined, 'none', '192.0.2.9'])
    test(`is ignored from a client that is not a proxy (TRUST_PROXY=${proxies})`, async () => {
      assert.equal(await addressesSeen(proxies, ['198.51.100.1', '198.51.100.2', undefined]), 1)
    })

  test('names the client when a trusted proxy sends it', async () => {
    assert.equal(
      await addressesSeen('127.0.0.0/8', ['198.51.100.1', '198.51.100.2', '198.51.100.1']),
      2,
    )
  })

  test('is read from the right: a client cannot prepend addresses', async () => {
    assert.equal(
      await addressesSeen('127.0.0.1', [
        '203.0.113.1, 198.51.100.1',
        '203.0.113.2, 198.51.100.1',
        '127.0.0.1, 198.51.100.1',
      ]),
      1,
    )
  })

  test('skips further trusted proxies, and no others', async () => {
    assert.equal(
      await addressesSeen('127.0.0.1, 10.0.0.0/8', [
        '198.51.100.1, 10.0.0.1',
        '198.51.100.2, 10.0.0.2',
        '198.51.100.3, 192.0.2.1',
        '198.51.100.4, 192.0.2.1',
      ]),
      3,
    )
  })

  test('with an invalid address counts as one client', async () => {
    assert.equal(await addressesSeen('127.0.0.1', ['nonsense', 'more nonsense', 'unknown']), 1)
  })
})
