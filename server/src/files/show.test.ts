import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import type { Files } from './files.ts'
import { readSmallPhotos, type ShownFile } from './show.ts'
import type { Store } from './store.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const LIMITS = { INLINE_PHOTO_MAX_BYTES: 100, INLINE_PHOTOS_MAX_BYTES: 250 }

const filesWith = (read: Store['read']) => ({ store: { read }, config: LIMITS }) as unknown as Files
const row = (id: string, bytes: number, kind: ShownFile['kind'] = 'photo') =>
  ({ id, kind, bytes, content_type: 'image/png' }) as ShownFile
const holding = (bytes: Buffer) => ({ stream: Readable.from([bytes]), bytes: bytes.length })
const later = (ms: number) => new Date(NOW.getTime() + ms)

describe('inline photos', () => {
  test('are the first ones within the limits per photo and in total', async () => {
    const files = filesWith(async () => holding(Buffer.from('x')))
    const rows = [
      row('a', 100),
      row('too large', 101),
      row('film', 10, 'video'),
      row('b', 100),
      row('no room left', 51),
      row('c', 50),
    ]

    const photos = await readSmallPhotos(files, rows, { now: NOW })

    assert.deepEqual([...photos.keys()].toSorted(), ['a', 'b', 'c'])
    assert.equal(photos.get('a'), 'data:image/png;base64,eA==')
  })

  test('are read at most 8 at a time', async () => {
    let open = 0
    let most = 0
    const files = filesWith(async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return holding(Buffer.from('x'))
    })
    const rows = Array.from({ length: 125 }, (_, i) => row(`f${i}`, 1))

    const photos = await readSmallPhotos(files, rows, { now: NOW })

    assert.deepEqual([photos.size, most], [125, 8])
  })

  test('leave out a photo that is missing in the store', async () => {
    const files = filesWith(async (key) =>
      key.endsWith('gone') ? undefined : holding(Buffer.from('x')),
    )

    const photos = await readSmallPhotos(files, [row('gone', 1), row('here', 1)], { now: NOW })

    assert.deepEqual([...photos.keys()], ['here'])
  })

  test('are skipped for 10 seconds after the store fails', async () => {
    let asked = 0
    let isDown = true
    const files = filesWith(async () => {
      asked += 1
      if (isDown) throw new Error('down')
      return holding(Buffer.from('x'))
    })
    const read = (now: Date) => readSmallPhotos(files, [row('a', 1)], { now })

    const sizes = [(await read(NOW)).size, (await read(later(9_999))).size]
    const askedWhileDown = asked
    isDown = false
    sizes.push((await read(later(10_000))).size)

    assert.deepEqual([sizes, askedWhileDown], [[0, 0, 1], 1])
  })

  test('delay a response at most a second if the store hangs', async () => {
    const files = filesWith(() => new Promise(() => {}))
    const startedAt = performance.now()

    const photos = await readSmallPhotos(files, [row('a', 1)], { now: NOW })

    assert.equal(photos.size, 0)
    assert(performance.now() - startedAt < 5000)
  })

  test('close a stream that stalls, and one that opens too late', async () => {
    const stalled = new Readable({ read() {} })
    const late = new Readable({ read() {} })
    const opening = Promise.withResolvers<{ stream: Readable; bytes: number }>()
    const files = filesWith(async (key) =>
      key.endsWith('late') ? opening.promise : { stream: stalled, bytes: 1 },
    )

    const photos = await readSmallPhotos(files, [row('stalled', 1), row('late', 1)], { now: NOW })
    opening.resolve({ stream: late, bytes: 1 })
    await new Promise((resolve) => setImmediate(resolve))

    assert.deepEqual([photos.size, stalled.destroyed, late.destroyed], [0, true, true])
  })
})
