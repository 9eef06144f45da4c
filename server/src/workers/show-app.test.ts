import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, startOn } from '../../test/harness.ts'

const market = await marketplace()

describe('GET /worker/app', () => {
  test('200 for anyone: the push key of this server', async () => {
    const { status, body } = await market.call('GET', '/worker/app')

    assert.equal(status, 200)
    assert.equal(body.push_public_key, market.server.config.PUSH_PUBLIC_KEY)
    assert.equal(body.tiles_url, null)
  })

  test('200 without push and without a map: both are null', async () => {
    const server = await startOn(market.url, {
      settings: { PUSH_PUBLIC_KEY: '', PUSH_PRIVATE_KEY: '', PAYOUT_COUNTRIES: 'US DE' },
      clockOverride: market.server.clock,
    })

    const response = await fetch(`${server.addresses.api}/worker/app`)

    await server.stop()
    assert.deepEqual(await response.json(), {
      push_public_key: null,
      tiles_url: null,
      payout_countries: ['US', 'DE'],
      country: null,
    })
  })

  for (const [query, country] of [
    ['tz=Europe/Kyiv', 'UA'],
    ['lat=52.5&lng=13.4&tz=Europe/Kyiv', 'DE'],
    ['lat=0&lng=-140&tz=America/Lima', 'PE'],
    ['tz=Nowhere', null],
  ] as const)
    test(`200: the country of ${query} is ${country}, whether or not we pay there`, async () => {
      const { status, body } = await market.call('GET', `/worker/app?${query}`)

      assert.deepEqual([status, body.country], [200, country])
      assert(body.payout_countries.includes('DE'))
      assert(!body.payout_countries.includes('UA'))
    })

  test('200: the URL of the street map, if there is one', async () => {
    const server = await startOn(market.url, {
      settings: { MAP_TILES_FILE: import.meta.filename },
      clockOverride: market.server.clock,
    })

    const response = await fetch(`${server.addresses.api}/worker/app`)
    const body = (await response.json()) as { tiles_url: string }
    const map = await fetch(new URL(body.tiles_url, server.addresses.api), { method: 'HEAD' })

    await server.stop()
    assert.equal(body.tiles_url, '/map/streets.pmtiles')
    assert.equal(map.status, 200)
  })
})
