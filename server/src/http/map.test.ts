import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { readConfig } from '../config.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-map-'))
after(() => rmSync(folder, { recursive: true }))
const file = path.join(folder, 'streets.pmtiles')
writeFileSync(file, 'PMTiles of 26 bytes, a..z.')

const market = await marketplace({ settings: { MAP_TILES_FILE: file } })
const bare = await marketplace()

async function read(headers: Record<string, string> = {}, method = 'GET', place = market) {
  const url = new URL('/map/streets.pmtiles', place.server.addresses.api)
  const response = await fetch(url, { method, headers })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

describe('the street map', () => {
  test('200 with the whole file, its ETag and its length', async () => {
    const { status, headers, body } = await read()

    assert.equal(status, 200)
    assert.equal(body, 'PMTiles of 26 bytes, a..z.')
    assert.equal(headers.get('content-length'), '26')
    assert.equal(headers.get('content-type'), 'application/vnd.pmtiles')
    assert.equal(headers.get('accept-ranges'), 'bytes')
    assert.equal(headers.get('cache-control'), 'public, max-age=86400')
    assert.match(headers.get('etag')!, /^"[\w-]+"$/)
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'/)
  })

  for (const [range, body, contentRange] of [
    ['bytes=0-6', 'PMTiles', 'bytes 0-6/26'],
    ['bytes=21-', 'a..z.', 'bytes 21-25/26'],
    ['bytes=-5', 'a..z.', 'bytes 21-25/26'],
    ['bytes=21-999', 'a..z.', 'bytes 21-25/26'],
  ] as const)
    test(`206 for ${range}`, async () => {
      const reply = await read({ range })

      assert.equal(reply.status, 206)
      assert.equal(reply.body, body)
      assert.equal(reply.headers.get('content-range'), contentRange)
      assert.equal(reply.headers.get('content-length'), String(body.length))
    })

  test('206 with the ETag of this map, and the whole file with that of another', async () => {
    const etag = (await read()).headers.get('etag')!

    const same = await read({ range: 'bytes=0-6', 'if-range': etag })
    const other = await read({ range: 'bytes=0-6', 'if-range': '"other"' })

    assert.deepEqual([same.status, same.body.length], [206, 7])
    assert.deepEqual([other.status, other.body.length], [200, 26])
  })

  test('416 past its end, and that is not cached', async () => {
    const { status, headers, body } = await read({ range: 'bytes=26-' })

    assert.equal(status, 416)
    assert.equal((JSON.parse(body) as { code: string }).code, 'range_not_satisfiable')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('304 for a current ETag, and HEAD without a body', async () => {
    const etag = (await read()).headers.get('etag')!

    const known = await read({ 'if-none-match': etag })
    const head = await read({ range: 'bytes=0-6' }, 'HEAD')

    assert.equal(known.status, 304)
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), '26')
    assert.equal(head.body, '')
  })

  test('has another ETag after it was replaced', async () => {
    const before = (await read()).headers.get('etag')
    writeFileSync(file, 'another one')

    const { headers, body } = await read({ range: 'bytes=0-6', 'if-range': before! })

    assert.equal(body, 'another one')
    assert.notEqual(headers.get('etag'), before)
    writeFileSync(file, 'PMTiles of 26 bytes, a..z.')
  })

  test('404 if there is none', async () => {
    const { status, body } = await read({}, 'GET', bare)

    assert.equal(status, 404)
    assert.equal((JSON.parse(body) as { code: string }).code, 'route_not_found')
  })

  test('must exist at the start', () => {
    for (const MAP_TILES_FILE of [path.join(folder, 'nowhere'), folder])
      assert.throws(() => readConfig({ MAP_TILES_FILE }), /MAP_TILES_FILE: must be a file/)
    assert.equal(readConfig({ MAP_TILES_FILE: file }).MAP_TILES_FILE, file)
  })
})
