import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { picture } from '../../test/files/corpus.ts'
import { marketplace } from '../../test/harness.ts'
import { limitFor } from '../../test/pace.ts'
import { openMedia } from './media.ts'
import {
  DISTANCE_MAX,
  findLookalikes,
  lookalikes,
  type Photo,
  valuesNear,
} from './photo-history.ts'

const ROWS = 100_000
const IMAGES = 40

const market = await marketplace()
const photoHashes = `${market.server.db.shards.global.schema.name}.photo_hashes`
const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-history-'))
const media = openMedia({ processes: 2, timeoutMs: 10_000, rssMaxMb: 400 })
after(async () => {
  await media.close()
  await rm(folder, { recursive: true })
})

const except = { taskId: 'task_none', workerId: 'worker_none' }
let files = 0

async function fingerprint(image: Buffer): Promise<string> {
  files += 1
  const [file, output] = [path.join(folder, `${files}`), path.join(folder, `${files}.out`)]
  await writeFile(file, image)
  const { dhash } = await media.clean({ file, output, kind: 'photo' })
  assert(dhash)
  return dhash
}

const distance = (one: string, other: string) =>
  (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length

async function remember(
  rows: { id: string; sha256: string; dhash: string | null; task?: string }[],
) {
  await market.asOwner(
    `insert into ${photoHashes}
     select id, 'worker_' || id, coalesce(task, 'task_' || id), sha256, ('x' || dhash)::bit(64)::bigint, now()
       from json_to_recordset($1) as rows (id text, sha256 text, dhash text, task text)`,
    [JSON.stringify(rows)],
  )
}

describe('among 100,000 photos', async () => {
  await market.asOwner(
    `insert into ${photoHashes}
     select 'upl_' || i, 'worker_' || i % 1000, 'task_' || i, md5(i::text),
            ('x' || substr(md5(i::text), 1, 16))::bit(64)::bigint, now()
       from generate_series(1, ${ROWS}) i`,
  )
  await market.asOwner(`analyze ${photoHashes}`)
  const [known] = await market.asOwner(
    `select md5('77') as sha256, substr(md5('77'), 1, 16) as dhash`,
  )
  const photo: Photo = { sha256: 'none', dhash: known!.dhash as string, except }

  test('the identical file is found first, however many look like it', async () => {
    const [first] = await findLookalikes(market.db.reader, { ...photo, sha256: known!.sha256 })

    assert.equal(first?.file_id, 'upl_77')
    assert.equal(first.is_same_file, true)
  })

  test('every photo at a distance of 10 bits or less is found, none at 11', async () => {
    const bits = Array.from({ length: 64 }, (_, i) => i)
    for (const count of [0, 1, 2, 4, 7, 10, 11]) {
      const flipped = bits
        .toSorted((a, b) => ((a * 37) % 64) - ((b * 37) % 64))
        .slice(0, count)
        .reduce((hash, bit) => hash ^ (1n << BigInt(bit)), BigInt(`0x${photo.dhash}`))
      const dhash = flipped.toString(16).padStart(16, '0')

      const found = await findLookalikes(market.db.reader, { ...photo, dhash })

      const [own] = found.filter(({ file_id }) => file_id === 'upl_77')
      if (count <= DISTANCE_MAX) assert.equal(own?.distance, count)
      else assert.equal(own, undefined)
    }
  })

  test('a worker’s own photos of the same task do not count', async () => {
    const own = { taskId: 'task_77', workerId: 'worker_77' }

    const found = await findLookalikes(market.db.reader, {
      ...photo,
      sha256: known!.sha256,
      except: own,
    })

    assert.deepEqual(
      found.filter(({ file_id }) => file_id === 'upl_77'),
      [],
    )
  })

  test('a photo without a fingerprint is found only by its bytes', async () => {
    await remember([{ id: 'flat', sha256: 'flat', dhash: null }])

    const found = await findLookalikes(market.db.reader, {
      sha256: 'flat',
      dhash: undefined,
      except,
    })

    assert.deepEqual(
      found.map(({ file_id, is_same_file }) => [file_id, is_same_file]),
      [['flat', true]],
    )
  })

  test('the query uses the indexes and takes milliseconds', async (t) => {
    const { sql, parameters } = lookalikes(photo).compile(market.db.reader)
    const plan = (await market.asOwner(`explain ${sql}`, [...parameters]))
      .map((row) => row['QUERY PLAN'] as string)
      .join('\n')
    const times: number[] = []
    for (let i = 0; i < 50; i += 1) {
      const dhash = (BigInt(`0x${photo.dhash}`) * BigInt(i + 1)) & 0xffffffffffffffffn
      const start = performance.now()
      await findLookalikes(market.db.reader, {
        ...photo,
        dhash: dhash.toString(16).padStart(16, '0'),
      })
      times.push(performance.now() - start)
    }
    const median = times.toSorted((a, b) => a - b)[25]!

    t.diagnostic(`median of 50 among ${ROWS}: ${median.toFixed(1)} ms`)
    assert.doesNotMatch(plan, /Seq Scan/)
    for (const i of [0, 1, 2, 3]) assert.match(plan, new RegExp(`photo_hashes_quarter${i}`))
    assert.match(plan, /photo_hashes_sha256/)
    assert.ok(median < (await limitFor(market, 200)), `${median} ms`)
  })
})

test('137 values differ in at most two of 16 bits', () => {
  const values = valuesNear(0xa5f0)

  assert.equal(new Set(values).size, 137)
  assert.ok(values.every((value) => distance(value.toString(16), 'a5f0') <= 2))
})

describe('of 40 pictures', async () => {
  const originals = await Promise.all(
    Array.from({ length: IMAGES }, async (_, i) => {
      const image = await sharp(await picture(100 + i))
        .jpeg({ quality: 90 })
        .toBuffer()
      return { id: `original-${i}`, image, dhash: await fingerprint(image) }
    }),
  )
  await remember(originals.map(({ id, dhash }) => ({ id, sha256: id, dhash })))

  const EDITS: Record<string, (image: Buffer) => Sharp> = {
    'saved again': (image) => sharp(image).jpeg({ quality: 40 }),
    'scaled down': (image) => sharp(image).resize(300).jpeg(),
    'cropped by 3 %': (image) =>
      sharp(image).extract({ left: 10, top: 7, width: 620, height: 466 }).jpeg(),
    'brightened by 15 %': (image) => sharp(image).modulate({ brightness: 1.15 }).jpeg(),
    'saved as WebP': (image) => sharp(image).webp({ quality: 60 }),
  }

  for (const [edit, apply] of Object.entries(EDITS))
    test(`each is recognized when ${edit}`, async (t) => {
      const found = await Promise.all(
        originals.map(async ({ id, image, dhash }) => {
          const edited = await fingerprint(await apply(image).toBuffer())
          const alike = await findLookalikes(market.db.reader, {
            sha256: 'edited',
            dhash: edited,
            except,
          })
          return { isFound: alike.some((one) => one.file_id === id), far: distance(dhash, edited) }
        }),
      )

      const recall = found.filter(({ isFound }) => isFound).length
      t.diagnostic(
        `${recall} of ${IMAGES}; distances up to ${Math.max(...found.map(({ far }) => far))}`,
      )
      assert.equal(recall, IMAGES)
    })

  test('none is mistaken for another', (t) => {
    const distances = originals.flatMap((one, i) =>
      originals.slice(i + 1).map((other) => distance(one.dhash, other.dhash)),
    )

    t.diagnostic(`nearest of ${distances.length} pairs: ${Math.min(...distances)}`)
    assert.deepEqual(
      distances.filter((far) => far <= DISTANCE_MAX),
      [],
    )
  })
})
