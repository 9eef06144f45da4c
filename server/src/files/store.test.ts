import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import sharp from 'sharp'
import { picture } from '../../test/files/corpus.ts'
import { marketplace } from '../../test/harness.ts'
import { mintId } from '../kit/ids.ts'
import { filesOf } from './files.ts'
import { incomingKey, readyKey, type Store } from './store.ts'
import { openLocalStore } from './store-local.ts'
import { openS3Store } from './store-s3.ts'

const MINUTE = 60_000
const newId = () => mintId('upl', new Date(), 1)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function put(store: Store, key: string, bytes: Buffer, contentType = 'image/jpeg') {
  const file = store.workFile('test')
  await writeFile(file, bytes)
  await store.put(key, file, { contentType, sha256: sha256(bytes) })
}

async function readAll(store: Store, key: string, range?: { start: number; end: number }) {
  const stored = await store.read(key, range)
  return stored && { bytes: stored.bytes, content: await buffer(stored.stream) }
}

/** Tests that every store must pass. */
function storeTests(store: Store) {
  test('returns what was stored, in full or in part, and its size', async () => {
    const key = readyKey(newId())
    const bytes = randomBytes(300_000)
    await put(store, key, bytes)

    const whole = await readAll(store, key)
    const part = await readAll(store, key, { start: 1000, end: 1999 })

    assert.deepEqual(whole, { bytes: bytes.length, content: bytes })
    assert.deepEqual(part, { bytes: bytes.length, content: bytes.subarray(1000, 2000) })
    assert.equal(await store.size(key), bytes.length)
  })

  test('has the newer of two files under the same name', async () => {
    const key = readyKey(newId())
    await put(store, key, Buffer.from('first'))
    await put(store, key, Buffer.from('second, and longer'))

    const read = await readAll(store, key)

    assert.equal(read?.content.toString(), 'second, and longer')
  })

  test('removes a stored file from the work folder', async () => {
    const file = store.workFile('test')
    await writeFile(file, 'x')
    await store.put(readyKey(newId()), file, {
      contentType: 'image/jpeg',
      sha256: sha256(Buffer.from('x')),
    })

    await assert.rejects(readFile(file), { code: 'ENOENT' })
  })

  test('has nothing under an unused name, or after a deletion', async () => {
    const key = readyKey(newId())
    await put(store, key, Buffer.from('soon gone'))

    await store.remove(key)
    await store.remove(key)

    for (const absent of [key, readyKey(newId()), incomingKey(newId())]) {
      assert.equal(await store.read(absent), undefined)
      assert.equal(await store.size(absent), undefined)
    }
  })
}

describe('the store in a folder', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-store-'))
  const store = openLocalStore(folder)
  after(() => rm(folder, { recursive: true }))
  assert(store.incoming.by === 'server')
  const { incoming } = store
  const send = (key: string, offset: number, bytes: Iterable<Buffer>, bytesMax = 1000) =>
    incoming.append(key, { offset, bytes: Readable.from(bytes), bytesMax })

  storeTests(store)

  test('accepts only names that we generate', async () => {
    for (const key of ['../secret', 'ready/../../x', '/etc/passwd', 'ready/aa/upl_1', 'work/x'])
      await assert.rejects(store.read(key), /is not a valid file key/)
  })

  test('creates no links, because the server serves the files', async () => {
    const now = new Date()
    const about = { contentType: 'image/jpeg', fileName: 'proof.jpg', now, expiresAt: now }

    assert.equal(await store.link(readyKey(newId()), about), undefined)
  })

  test('appends to an upload piece by piece', async () => {
    const key = incomingKey(newId())

    const first = await send(key, 0, [Buffer.alloc(400, 1)])
    const second = await send(key, 400, [Buffer.alloc(300, 2), Buffer.alloc(300, 3)])

    assert.deepEqual(first, { outcome: 'whole', offset: 400 })
    assert.deepEqual(second, { outcome: 'whole', offset: 1000 })
    assert.equal(await incoming.offset(key), 1000)
    const read = await readAll(store, key)
    assert.deepEqual(
      read?.content,
      Buffer.concat([Buffer.alloc(400, 1), Buffer.alloc(300, 2), Buffer.alloc(300, 3)]),
    )
  })

  test('appends only at the current offset', async () => {
    const key = incomingKey(newId())
    await send(key, 0, [Buffer.alloc(10)])

    assert.deepEqual(await send(key, 0, [Buffer.alloc(5)]), { outcome: 'wrong offset', offset: 10 })
    assert.deepEqual(await send(key, 11, [Buffer.alloc(5)]), {
      outcome: 'wrong offset',
      offset: 10,
    })
    assert.equal(await incoming.offset(key), 10)
  })

  test('cuts off what exceeds the announced size', async () => {
    const key = incomingKey(newId())

    const cut = await send(key, 0, [Buffer.alloc(600), Buffer.alloc(600)])

    assert.deepEqual(cut, { outcome: 'cut off', offset: 1000 })
    assert.equal(await incoming.offset(key), 1000)
  })

  test('keeps what arrived before a connection broke', async () => {
    const key = incomingKey(newId())
    const stream = new Readable({ read() {} })
    stream.push(Buffer.alloc(250))
    setTimeout(() => stream.destroy(new Error('aborted')), 50)

    const broken = await incoming.append(key, { offset: 0, bytes: stream, bytesMax: 1000 })

    assert.deepEqual(broken, { outcome: 'broken', offset: 250 })
    assert.deepEqual(await send(key, 250, [Buffer.alloc(750)]), { outcome: 'whole', offset: 1000 })
  })

  test('accepts one of two concurrent senders', async () => {
    const key = incomingKey(newId())
    const slow = new Readable({ read() {} })
    const first = incoming.append(key, { offset: 0, bytes: slow, bytesMax: 1000 })
    await new Promise((resolve) => setTimeout(resolve, 50))

    const second = await send(key, 0, [Buffer.alloc(100, 2)])
    slow.push(Buffer.alloc(100, 1))
    slow.push(null)

    assert.deepEqual(second, { outcome: 'busy' })
    assert.deepEqual(await first, { outcome: 'whole', offset: 100 })
    assert.deepEqual((await readAll(store, key))?.content, Buffer.alloc(100, 1))
  })

  test('keeps the lock of a sender after the wall clock was set three days ahead', async () => {
    const key = incomingKey(newId())
    const lock = path.join(folder, `${key}.lock`)
    await writeFile(lock, '')
    const threeDaysAgo = new Date(Date.now() - 3 * 24 * 60 * MINUTE)
    await utimes(lock, threeDaysAgo, threeDaysAgo)

    const second = await send(key, 0, [Buffer.alloc(10)])

    assert.deepEqual(second, { outcome: 'busy' })
    await rm(lock)
  })

  test('does not keep the lock of a dead process', async () => {
    const impatient = openLocalStore(folder, { lockStaleMs: 50 }).incoming
    assert(impatient.by === 'server')
    const sendToImpatient = (to: string) =>
      impatient.append(to, { offset: 0, bytes: Readable.from([Buffer.alloc(10)]), bytesMax: 1000 })
    const key = incomingKey(newId())
    const lock = path.join(folder, `${key}.lock`)
    await writeFile(lock, '')
    const before = await sendToImpatient(key)
    await utimes(lock, 1, 1)
    const touched = await sendToImpatient(key)
    await sleep(60)

    const later = await sendToImpatient(key)

    assert.deepEqual([before, touched], [{ outcome: 'busy' }, { outcome: 'busy' }])
    assert.deepEqual(later, { outcome: 'whole', offset: 10 })
    assert.ok(
      !(await readdir(path.join(folder, 'incoming'))).some((name) => name.endsWith('.lock')),
    )
  })
})

async function submit(
  { url, fields }: { url: string; fields: Record<string, string> },
  bytes: Buffer,
  changes: Record<string, string> = {},
): Promise<number> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...changes })) body.append(name, value)
  body.append('file', new Blob([new Uint8Array(bytes)]), 'x')
  const response = await fetch(url, { method: 'POST', body })
  await response.text()
  return response.status
}

// A real S3 server takes half a minute to start. `npm run test:s3` starts one and sets these variables.
const { TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env
const BUCKET = 'proofs'
if (TEST_S3_ENDPOINT !== undefined) {
  const credentials = {
    accessKeyId: TEST_S3_ACCESS_KEY_ID!,
    secretAccessKey: TEST_S3_SECRET_ACCESS_KEY!,
  }
  const location = { region: 'us-east-1', endpoint: TEST_S3_ENDPOINT }
  const admin = new S3Client({ ...location, forcePathStyle: true, credentials })
  await admin.send(new CreateBucketCommand({ Bucket: BUCKET }))
  admin.destroy()

  describe('the store in a bucket', () => {
    const store = openS3Store({ ...location, bucket: BUCKET, credentials })
    after(() => store.close())
    assert(store.incoming.by === 'form')
    const { incoming } = store

    storeTests(store)

    async function form(bytes: Buffer, { livesMs = MINUTE, id = newId() } = {}) {
      const now = new Date()
      const key = incomingKey(id)
      const made = await incoming.presignedForm(key, {
        contentType: 'video/mp4',
        bytes: bytes.length,
        sha256: sha256(bytes),
        now,
        expiresAt: new Date(now.getTime() + livesMs),
      })
      return { key, ...made }
    }

    test('accepts the announced file by a form upload', async () => {
      const bytes = randomBytes(100_000)
      const made = await form(bytes)

      const status = await submit(made, bytes)

      assert.ok(status === 204 || status === 200, String(status))
      assert.deepEqual((await readAll(store, made.key))?.content, bytes)
    })

    for (const [what, send] of [
      ['less than was announced', (bytes: Buffer) => [bytes.subarray(1), {}]],
      ['more than was announced', (bytes: Buffer) => [Buffer.concat([bytes, bytes]), {}]],
      ['another content type', (bytes: Buffer) => [bytes, { 'Content-Type': 'text/html' }]],
      ['another name', (bytes: Buffer) => [bytes, { key: incomingKey(newId()) }]],
      [
        'another checksum',
        (bytes: Buffer) => [bytes, { 'x-amz-checksum-sha256': 'A'.repeat(43).concat('=') }],
      ],
    ] as [string, (bytes: Buffer) => [Buffer, Record<string, string>]][])
      test(`refuses by a form upload ${what}`, async () => {
        const bytes = randomBytes(5000)
        const made = await form(bytes)

        const status = await submit(made, ...send(bytes))

        assert.ok(status >= 400 && status < 500, String(status))
        assert.equal(await store.size(made.key), undefined)
      })

    test('refuses an expired form', async () => {
      const bytes = randomBytes(5000)
      const made = await form(bytes, { livesMs: 1000 })

      await new Promise((resolve) => setTimeout(resolve, 2500))
      const status = await submit(made, bytes)

      assert.ok(status >= 400 && status < 500, String(status))
      assert.equal(await store.size(made.key), undefined)
    })

    test('returns a temporary link that serves the file with its type', async () => {
      const key = readyKey(newId())
      const bytes = randomBytes(5000)
      await put(store, key, bytes)
      const now = new Date()
      const link = (ms: number) =>
        store.link(key, {
          contentType: 'image/jpeg',
          fileName: 'proof.jpg',
          now,
          expiresAt: new Date(now.getTime() + ms),
        })

      const soonOver = (await link(1000))!
      const shown = await fetch((await link(MINUTE))!)
      const content = Buffer.from(await shown.arrayBuffer())
      await new Promise((resolve) => setTimeout(resolve, 2500))
      const late = await fetch(soonOver)
      const forged = await fetch((await link(MINUTE))!.replace('proof.jpg', 'proof.exe'))
      const bare = await fetch((await link(MINUTE))!.split('?')[0]!)

      assert.equal(shown.status, 200)
      assert.deepEqual(content, bytes)
      assert.equal(shown.headers.get('content-type'), 'image/jpeg')
      assert.equal(shown.headers.get('content-disposition'), 'inline; filename="proof.jpg"')
      assert.deepEqual([late.status, forged.status, bare.status], [403, 403, 403])
    })
  })

  describe('a proof whose files are in a bucket', async () => {
    const market = await marketplace({
      settings: {
        S3_BUCKET: BUCKET,
        S3_ENDPOINT: TEST_S3_ENDPOINT,
        S3_ACCESS_KEY_ID: credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
    })
    const agent = await market.agent({ balanceCents: 50_000 })
    const { store } = filesOf(market.server.config)
    const begin = async (bytes: Buffer) => {
      const { id, workers } = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
      const { body } = await workers[0]!.post('/worker/uploads', {
        task_id: id,
        kind: 'photo',
        content_type: 'image/jpeg',
        bytes: bytes.length,
        sha256: sha256(bytes),
      })
      const prove = () =>
        workers[0]!.post(`/worker/tasks/${id}/proof`, { text: 'See', photos: [body.upload_id] })
      return { id, way: body as { upload_id: string; url: string; fields: {} }, prove }
    }

    test('goes from the worker directly to the bucket and to the agent, cleaned in between', async () => {
      const bytes = await sharp(await picture(1))
        .jpeg()
        .withExif({ IFD0: { Make: 'Secret' } })
        .toBuffer()
      const { id, way, prove } = await begin(bytes)

      const early = await prove()
      await submit(way, bytes)
      const proved = await prove()
      const { body } = await agent.get(`/tasks/${id}/proof?media=url`)
      const shown = await fetch(body.proofs[0].media[0].url)
      const content = Buffer.from(await shown.arrayBuffer())

      assert.equal(early.status, 400)
      assert.equal(proved.status, 201, proved.text)
      assert.equal(shown.status, 200)
      assert.equal(shown.headers.get('content-type'), 'image/jpeg')
      assert.ok(bytes.includes('Secret') && !content.includes('Secret'))
      assert.equal((await sharp(content).metadata()).width, 640)
      assert.equal(await store.size(incomingKey(way.upload_id)), undefined)
    })

    test('400 for bytes that differ from the announced ones, unless the bucket refuses them first', async (t) => {
      const bytes = await sharp(await picture(2))
        .jpeg()
        .toBuffer()
      const { way, prove } = await begin(bytes)

      const sent = await submit(way, Buffer.from(bytes).fill(7, bytes.length - 100))
      const { status, body } = await prove()

      t.diagnostic(`the server of the bucket answered ${sent}`)
      assert.equal(status, 400)
      assert.match(
        body.error,
        sent < 300 ? /SHA-256 does not match/ : /is incomplete|has not been uploaded/,
      )
    })

    test('is deleted from the bucket if no proof takes it', async () => {
      const bytes = await sharp(await picture(3))
        .jpeg()
        .toBuffer()
      const { way } = await begin(bytes)
      await submit(way, bytes)
      const before = await store.size(incomingKey(way.upload_id))

      market.advance(24 * 60 * MINUTE)
      await market.sweep()

      assert.equal(before, bytes.length)
      assert.equal(await store.size(incomingKey(way.upload_id)), undefined)
    })
  })
}
