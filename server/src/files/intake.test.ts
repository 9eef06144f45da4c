import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import exifr from 'exifr'
import sharp, { type Sharp } from 'sharp'
import { picture } from '../../test/files/corpus.ts'
import { beginUpload, sendPiece, upload } from '../../test/files/uploads.ts'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { filesOf } from './files.ts'
import { attachFiles, type PreparedFile, takeInline, takeUpload } from './intake.ts'
import { FileRefused } from './refused.ts'
import { filesOfProofs, readInlinePhoto, signedLink } from './show.ts'
import type { Kind } from './sniff.ts'
import { incomingKey, readyKey } from './store.ts'

const HOUR = 3_600_000
const HEIC = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(200)])
const PARIS = { lat: 48.8584, lng: 2.2945 }

const market = await marketplace({ settings: { PHOTO_MAX_BYTES: 300_000 } })
const files = filesOf(market.server.config)
const db = market.db.reader
const agent = await market.agent({ balanceCents: 200_000 })
let seed = 1000

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const dataUrl = (bytes: Buffer, type = 'image/jpeg') =>
  `data:${type};base64,${bytes.toString('base64')}`

async function photo(edit: (image: Sharp) => Sharp = (image) => image) {
  seed += 1
  return edit(sharp(await picture(seed)).jpeg()).toBuffer()
}

const { shards } = market.server.db

async function held(fields: Record<string, unknown> = {}) {
  const task = await market.taskIn(agent, 'in_progress', { urgency: 'flex', ...fields })
  const worker = task.workers[0]!
  const { id: assignmentId } = await db
    .selectFrom('assignments')
    .select('id')
    .where('task_id', '=', task.id)
    .executeTakeFirstOrThrow()
  const sender = () => ({ assignmentId, workerId: worker.id, shards, now: market.now() })
  return {
    taskId: task.id,
    worker,
    sender,
    inline: (url: string, kind: Kind = 'photo', more: object = {}) =>
      takeInline(files, db, { ...sender(), taskId: task.id, dataUrl: url, kind, ...more }),
    take: (fileId: string, more: object = {}) =>
      takeUpload(files, db, { ...sender(), fileId, ...more }),
    attach: (prepared: PreparedFile[], proofId = mintId('proof', market.now(), shardOf(task.id))) =>
      market
        .at(task.id)
        .transaction((tx) => attachFiles(tx, { proofId, files: prepared, now: market.now() }))
        .then(() => proofId),
  }
}

const rowOf = (id: string) =>
  db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
const checkOf = ({ checks }: PreparedFile, name: string) => checks.find((one) => one.name === name)
const refused = (words: RegExp) => (error: unknown) => {
  assert(error instanceof FileRefused, String(error))
  assert.match(error.message, words)
  return true
}

describe('a photo inside a proof', () => {
  test('is cleaned and stored with its metadata', async () => {
    const { inline, taskId } = await held()
    const bytes = await photo()

    const file = await inline(dataUrl(bytes))

    const stored = await files.store.size(file.store_key)
    const row = await rowOf(file.id)
    assert.equal(shardOf(file.id), shardOf(taskId))
    assert.equal(file.sha256, sha256(bytes))
    assert.equal(file.bytes, stored)
    assert.deepEqual([file.width, file.height], [640, 480])
    assert.match(file.dhash ?? '', /^[0-9a-f]{16}$/)
    assert.equal(row?.status, 'ready')
    assert.equal(row?.proof_id, null)
    assert.equal(row?.stored_sha256, file.stored_sha256)
  })

  test('has its place and time as evidence, which the stored file lacks', async () => {
    const { inline } = await held({ location: { ...PARIS } })
    const taken = market.now().toISOString()
    const bytes = await photo((image) =>
      image.withExif({
        IFD2: {
          DateTimeOriginal: taken.slice(0, 19).replaceAll('-', ':').replace('T', ' '),
          OffsetTimeOriginal: '+00:00',
        },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '48/1 51/1 3024/100',
          GPSLongitudeRef: 'E',
          GPSLongitude: '2/1 17/1 4020/100',
        },
      }),
    )

    const file = await inline(dataUrl(bytes))

    const { stream } = (await files.store.read(file.store_key))!
    const kept = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>))
    assert.ok((await exifr.gps(bytes)) !== undefined)
    assert.equal(await exifr.gps(kept).catch(() => undefined), undefined)
    assert.deepEqual([file.evidence.lat, file.evidence.lng], [PARIS.lat, PARIS.lng])
    assert.equal(checkOf(file, 'photo_place')?.result, 'pass')
    assert.equal(checkOf(file, 'photo_time')?.result, 'pass')
  })

  test('is compared with the position of the device', async () => {
    const { inline } = await held({ location: { ...PARIS, radius_m: 100 } })

    const near = await inline(dataUrl(await photo()), 'photo', { location: PARIS })
    const far = await inline(dataUrl(await photo()), 'photo', { location: { lat: 45, lng: 2 } })

    assert.equal(checkOf(near, 'photo_place')?.result, 'pass')
    assert.equal(checkOf(far, 'photo_place')?.result, 'fail')
  })

  for (const [what, url, words] of [
    ['a data URL that is not base64', 'data:image/jpeg,abc', /^must be a base64 data URL/],
    ['a URL', 'https://example.com/a.jpg', /^must be a base64 data URL/],
    ['nothing', '', /^must be a base64 data URL/],
    ['an empty data URL', 'data:image/jpeg;base64,', /^is empty/],
    ['broken base64', 'data:image/jpeg;base64,@@@@', /^is not valid base64/],
    ['truncated base64', 'data:image/jpeg;base64,abcde', /^is not valid base64/],
    ['words', 'I was there', /^must be a base64 data URL/],
    [
      'an HTML page',
      dataUrl(Buffer.from('<html>'), 'text/html'),
      /can contain scripts: send a JPEG/,
    ],
    ['HEIC', dataUrl(HEIC, 'image/heic'), /Most Compatible: send a JPEG/],
    ['an SVG drawing', dataUrl(Buffer.from('<svg/>'), 'image/svg+xml'), /send a JPEG/],
    ['an HTML page declared as a photo', dataUrl(Buffer.from('<html>'.repeat(9))), /send a JPEG/],
    ['too large a file', dataUrl(Buffer.alloc(300_001)), /^is larger than/],
  ] as const)
    test(`is refused: ${what}`, async () => {
      const { inline, taskId } = await held()

      await assert.rejects(inline(url), refused(words))

      const left = await db.selectFrom('files').select('id').where('task_id', '=', taskId).execute()
      assert.deepEqual(left, [])
    })

  test('has the type of its bytes, whatever it declares', async () => {
    const { inline } = await held()
    const bytes = await photo()

    for (const type of ['image/png', 'IMAGE/JPG', 'video/mp4', 'text/plain', '']) {
      const file = await inline(dataUrl(bytes, type))
      assert.equal(file.content_type, 'image/jpeg', type)
    }
    await assert.rejects(inline(dataUrl(bytes, 'video/mp4'), 'video'), refused(/not a video/))
  })

  test('is refused above the daily number of files', async () => {
    const { inline, worker, taskId } = await held()
    await market.asOwner(
      `insert into files (id, worker_id, task_id, assignment_id, kind, status, content_type, bytes, sha256,
                          created_at, expires_at)
       select 'upl_' || lpad(i::text, 26, '0'), $1, $2, 'asg_x', 'photo', 'begun', 'image/jpeg', 1, 'x', $3, $3
         from generate_series(1, 200) i`,
      [worker.id, taskId, market.now()],
    )

    await assert.rejects(
      inline(dataUrl(await photo())),
      refused(/^is one too many: you can send 200/),
    )
  })
})

describe('an upload named by a proof', () => {
  test('is cleaned and stored, and the original is deleted', async () => {
    const { worker, taskId, take } = await held()
    const bytes = await photo()
    const id = await upload(market, worker, taskId, { bytes })

    const file = await take(id)

    assert.equal(file.id, id)
    assert.equal(file.sha256, sha256(bytes))
    assert.equal(await files.store.size(incomingKey(id)), undefined)
    assert.equal(await files.store.size(readyKey(id)), file.bytes)
    assert.equal((await rowOf(id))?.status, 'ready')
  })

  test('is the same when it is taken again, for example after a failed proof', async () => {
    const { worker, taskId, take } = await held()
    const id = await upload(market, worker, taskId, { bytes: await photo() })

    const first = await take(id)
    const second = await take(id)
    const together = await Promise.all([take(id), take(id)])

    for (const again of [second, ...together]) assert.deepEqual(again, first)
  })

  test('can be taken by two concurrent requests', async () => {
    const { worker, taskId, take } = await held()
    const id = await upload(market, worker, taskId, { bytes: await photo() })

    const both = await Promise.all([take(id), take(id), take(id)])

    assert.equal(new Set(both.map(({ stored_sha256 }) => stored_sha256)).size, 1)
    assert.equal((await rowOf(id))?.status, 'ready')
  })

  test('may be a video or audio', async () => {
    const { worker, taskId, take } = await held()
    const wav = Buffer.concat([
      Buffer.from(
        '52494646643e000057415645666d74201000000001000100401f0000803e000002001000',
        'hex',
      ),
      Buffer.from('data'),
      Buffer.from([0x40, 0x3e, 0, 0]),
      Buffer.alloc(15_936, 1),
    ])
    const id = await upload(market, worker, taskId, {
      bytes: wav,
      kind: 'audio',
      content_type: 'audio/wav',
    })

    const file = await take(id, { kind: 'audio' })

    assert.equal(file.content_type, 'audio/wav')
    assert.equal(file.evidence.duration_s, 1)
    assert.deepEqual(file.checks, [])
    await assert.rejects(
      take(id, { kind: 'photo' }),
      refused(/^is an audio recording, not a photo/),
    )
  })

  test('is refused while it is incomplete, and can still be completed', async () => {
    const { worker, taskId, take } = await held()
    const bytes = await photo()
    const id = await beginUpload(worker, taskId, { bytes })
    await assert.rejects(take(id), refused(/^is incomplete: 0 of/))
    await sendPiece(market, worker, id, 0, bytes.subarray(0, 100))

    await assert.rejects(take(id), refused(/^is incomplete: 100 of/))
    await sendPiece(market, worker, id, 100, bytes.subarray(100))

    assert.equal((await take(id)).id, id)
  })

  test('is refused if its SHA-256 differs from the announced one, now and later', async () => {
    const { worker, taskId, take } = await held()
    const bytes = await photo()
    const id = await beginUpload(worker, taskId, { bytes })
    await sendPiece(market, worker, id, 0, Buffer.alloc(bytes.length, 7))

    await assert.rejects(take(id), refused(/SHA-256 does not match/))
    await assert.rejects(take(id), refused(/SHA-256 does not match/))

    assert.equal((await rowOf(id))?.status, 'refused')
    assert.equal(await files.store.size(incomingKey(id)), undefined)
  })

  test('is refused if its type is not allowed', async () => {
    const { worker, taskId, take } = await held()
    const id = await upload(market, worker, taskId, { bytes: Buffer.from('%PDF-1.4 '.repeat(50)) })

    await assert.rejects(take(id), refused(/^is a PDF document: send a JPEG/))
  })

  test('is refused for another worker, for another task, and after it was deleted', async () => {
    const { worker, taskId, take } = await held()
    const other = await held()
    const id = await upload(market, worker, taskId, { bytes: await photo() })

    await assert.rejects(other.take(id), refused(/^must be your own upload/))
    await assert.rejects(take('upl_none'), refused(/^must be your own upload/))
    market.advance(23 * HOUR)
    await assert.rejects(take(id), refused(/^has expired/))
  })
})

describe('the files of a proof', () => {
  test('are shown with it in the order sent, as data or as links', async () => {
    const { inline, attach, worker } = await held()
    const [one, two] = [await inline(dataUrl(await photo())), await inline(dataUrl(await photo()))]

    const proofId = await attach([one, two])

    const rows = await filesOfProofs(db, [
      { id: proofId, worker_id: worker.id, files_removed_at: null },
    ])
    assert.deepEqual(
      rows.map(({ id }) => id),
      [one.id, two.id],
    )
    assert.ok(!('evidence' in rows[0]!))
    const shown = await readInlinePhoto(files, rows[0]!)
    const bytes = Buffer.from(shown.split(',')[1]!, 'base64')
    assert.match(shown, /^data:image\/jpeg;base64,/)
    assert.equal(sha256(bytes), one.stored_sha256)
    const link = await signedLink(files, rows[0]!, { now: market.now() })
    assert.match(link.url, new RegExp(`/api/v1/files/${one.id}\\?expires=\\d+&signature=`))
    assert.deepEqual(await filesOfProofs(db, []), [])
  })

  test('400 for an upload that another proof has taken, or that is named twice', async () => {
    const { inline, attach, take } = await held()
    const [file, second] = [
      await inline(dataUrl(await photo())),
      await inline(dataUrl(await photo())),
    ]
    await attach([file])

    await assert.rejects(attach([second, file]), { status: 400, code: 'invalid_request' })
    await assert.rejects(attach([second, second]), { status: 400 })
    await assert.rejects(take(file.id), refused(/^was already sent with another proof/))

    assert.equal((await rowOf(second.id))?.proof_id, null, 'the whole proof is rolled back')
  })

  test('are not shared by two concurrent proofs', async () => {
    const { inline, attach } = await held()
    const file = await inline(dataUrl(await photo()))

    const outcomes = await Promise.allSettled([attach([file]), attach([file]), attach([file])])

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('are compared with other tasks, but not within the same task', async () => {
    const [first, second] = [await held(), await held()]
    const bytes = await photo()
    const edited = await sharp(bytes).resize(400).jpeg({ quality: 60 }).toBuffer()
    await first.attach([await first.inline(dataUrl(bytes))])

    const again = await first.inline(dataUrl(bytes))
    const same = await second.inline(dataUrl(bytes))
    const alike = await second.inline(dataUrl(edited))
    const other = await second.inline(dataUrl(await photo()))

    assert.equal(checkOf(again, 'duplicate_photo')?.result, 'pass')
    assert.equal(checkOf(same, 'duplicate_photo')?.result, 'fail')
    assert.match(checkOf(same, 'duplicate_photo')!.note, /^The same file/)
    assert.ok(['warn', 'fail'].includes(checkOf(alike, 'duplicate_photo')!.result))
    assert.equal(checkOf(other, 'duplicate_photo')?.result, 'pass')
  })

  test('are not compared with photos that were never part of a proof', async () => {
    const [first, second] = [await held(), await held()]
    const bytes = await photo()
    await first.inline(dataUrl(bytes))

    const file = await second.inline(dataUrl(bytes))

    assert.equal(checkOf(file, 'duplicate_photo')?.result, 'pass')
  })

  test('come from an upload and an inline photo in one HTTP request', async () => {
    const { taskId, worker } = await held({ proof_required: 'photo' })
    const id = await upload(market, worker satisfies TestWorker, taskId, { bytes: await photo() })

    const sent = await worker.post(`/worker/tasks/${taskId}/proof`, {
      text: 'Both',
      photos: [id, dataUrl(await photo())],
    })
    const { body } = await agent.get(`/tasks/${taskId}/proof`)

    assert.equal(sent.status, 201, sent.text)
    assert.equal(body.proofs[0].photos.length, 2)
    assert.deepEqual(
      body.proofs[0].checks
        .filter((check: { name: string }) => check.name === 'duplicate_photo')
        .map((check: { result: string }) => check.result),
      ['pass', 'pass'],
    )
  })
})
