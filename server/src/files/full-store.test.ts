import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { type Fault, openBucket } from '../../test/files/bucket.ts'
import { mountSmallDisk } from '../../test/files/small-disk.ts'
import { askOffset, beginUpload, sendPiece } from '../../test/files/uploads.ts'
import { type Marketplace, marketplace, PHOTO, type Reply } from '../../test/harness.ts'
import { openMedia } from './media.ts'

const disk = await mountSmallDisk(600_000)
const bucket = await openBucket()
const inFolder = await marketplace({ settings: { FILES_DIR: disk.folder, LOG_LEVEL: 'silent' } })
const inBucket = await marketplace({ settings: { ...bucket.settings, LOG_LEVEL: 'silent' } })
after(async () => {
  await bucket.stop()
  await disk.unmount()
})

async function assigned(market: Marketplace) {
  const agent = await market.agent({ balanceCents: 10_000 })
  const { id, workers } = await market.taskIn(agent, 'in_progress', { proof_required: 'photo' })
  const worker = workers[0]!
  return {
    id,
    agent,
    worker,
    prove: () => worker.post(`/worker/tasks/${id}/proof`, { text: 'Done', photos: [PHOTO] }),
  }
}

function assertUnavailable({ status, body, headers }: Pick<Reply, 'status' | 'body' | 'headers'>) {
  assert.equal(status, 503, JSON.stringify(body))
  assert.equal(body.code, 'unavailable')
  assert.match(body.error, /Files can’t be stored or read at the moment/)
  assert.equal(headers.get('retry-after'), String(body.retry_after_seconds))
}

const failuresOf = async (market: Marketplace, store: string): Promise<number> => {
  const text = await (await fetch(`${market.server.addresses.ops}/metrics`)).text()
  const found = new RegExp(`legwork_files_store_failures_total\\{store="${store}"\\} (\\d+)`).exec(
    text,
  )
  return Number(found?.[1] ?? 0)
}

/** All files in the folder except the ready ones and the ballast. */
const leftovers = async () => [
  ...(await readdir(path.join(disk.folder, 'incoming'))),
  ...(await readdir(path.join(disk.folder, 'work'))),
]

describe('a full disk', () => {
  test('503 for an upload, whose offset stays correct; it continues when there is space', async () => {
    const { worker, id } = await assigned(inFolder)
    const bytes = randomBytes(300_000)
    const upload = await beginUpload(worker, id, { bytes })
    const first = await sendPiece(inFolder, worker, upload, 0, bytes.subarray(0, 100_000))
    await disk.fill()

    const full = await sendPiece(inFolder, worker, upload, 100_000, bytes.subarray(100_000))
    const offset = (await askOffset(inFolder, worker, upload)).headers.get('upload-offset')
    await disk.free()
    const rest = await sendPiece(inFolder, worker, upload, 100_000, bytes.subarray(100_000))

    assert.equal(first.status, 204)
    assertUnavailable(full)
    assert.equal(offset, '100000')
    assert.deepEqual([rest.status, rest.offset], [204, '300000'])
    await rm(path.join(disk.folder, 'incoming', upload))
  })

  test('503 during an upload: the connection is closed, and nothing is left of it', async () => {
    const { worker, id } = await assigned(inFolder)
    const bytes = randomBytes(2_000_000)
    const upload = await beginUpload(worker, id, { bytes })
    const before = await failuresOf(inFolder, 'folder')

    const full = await sendPiece(inFolder, worker, upload, 0, bytes)
    const offset = (await askOffset(inFolder, worker, upload)).headers.get('upload-offset')

    assertUnavailable(full)
    assert.equal(full.headers.get('connection'), 'close')
    assert.equal(offset, '0')
    assert.deepEqual(await leftovers(), [])
    assert.equal(await failuresOf(inFolder, 'folder'), before + 1)
  })

  test('503 for a photo inside a proof, which can be sent again', async () => {
    const { prove, worker } = await assigned(inFolder)
    await disk.fill()

    const full = await prove()
    const left = await leftovers()
    await disk.free()
    const again = await prove()

    assertUnavailable(full)
    assert.deepEqual(left, [])
    assert.equal(again.status, 201, again.text)
    const rows = await inFolder.asOwner('select status from files where worker_id = $1', [
      worker.id,
    ])
    assert.deepEqual(rows, [{ status: 'ready' }])
  })

  test('is distinguished from a defect by the media process', async () => {
    const media = openMedia({ processes: 1, timeoutMs: 10_000, rssMaxMb: 512 })
    const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-media-'))
    const file = path.join(folder, 'photo')
    await writeFile(file, Buffer.from(PHOTO.split(',')[1]!, 'base64'))

    const cleaning = media.clean({ file, output: '/dev/full', kind: 'photo' })

    await assert.rejects(cleaning, { code: 'ENOSPC' })
    await media.close()
    await rm(folder, { recursive: true })
  })
})

describe('a bucket that fails', () => {
  for (const fault of ['full', 'busy', 'broken', 'denied', 'silent', 'cut'] as Fault[])
    test(`503 for a photo inside a proof when it is ${fault}; it works again without a restart`, async () => {
      const { prove } = await assigned(inBucket)
      const before = await failuresOf(inBucket, 'bucket')
      bucket.set(fault)

      const failed = await prove()
      bucket.set('none')
      const again = await prove()

      assertUnavailable(failed)
      assert.equal(again.status, 201, again.text)
      assert.equal(await failuresOf(inBucket, 'bucket'), before + 1)
    })

  for (const fault of ['busy', 'silent', 'cut', 'cut body'] as Fault[])
    test(`503 for an agent who views photos when it is ${fault}`, async () => {
      const { prove, agent, id } = await assigned(inBucket)
      await prove()
      bucket.set(fault)

      const failed = await agent.get(`/tasks/${id}/proof`)
      bucket.set('none')
      const again = await agent.get(`/tasks/${id}/proof`)

      assertUnavailable(failed)
      assert.equal(again.status, 200)
      assert.match(again.text, /data:image\/jpeg;base64/)
    })
})
