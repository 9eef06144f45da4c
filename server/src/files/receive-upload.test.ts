import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { askOffset, beginUpload, sendPiece } from '../../test/files/uploads.ts'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 90_000 })
const bytes = randomBytes(200_000)

async function begun() {
  const { id, workers } = await market.taskIn(agent, 'in_progress')
  const upload = await beginUpload(workers[0]!, id, { bytes })
  return { worker: workers[0]!, upload }
}

const rowOf = (id: string) =>
  market.db.reader
    .selectFrom('files')
    .select(['status', 'received_bytes'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Sends a request that is cut off in the middle of its body. */
async function breakOff(token: string, upload: string, offset: number, sent: Buffer, said: number) {
  const { hostname, port } = new URL(market.server.addresses.api!)
  const socket = connect(Number(port), hostname)
  socket.write(
    `PATCH /api/v1/worker/uploads/${upload} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/offset+octet-stream\r\nupload-offset: ${offset}\r\ncontent-length: ${said}\r\n\r\n`,
  )
  socket.write(sent)
  await new Promise((resolve) => setTimeout(resolve, 150))
  socket.destroy()
}

describe('PATCH /worker/uploads/:id', () => {
  test('accepts an upload in one piece', async () => {
    const { worker, upload } = await begun()

    const { status, offset } = await sendPiece(market, worker, upload, 0, bytes)

    assert.equal(status, 204)
    assert.equal(offset, '200000')
    assert.deepEqual(await rowOf(upload), { status: 'received', received_bytes: 200_000 })
  })

  test('accepts an upload in several pieces', async () => {
    const { worker, upload } = await begun()

    const offsets = []
    for (const at of [0, 70_000, 140_000]) {
      const { offset } = await sendPiece(
        market,
        worker,
        upload,
        at,
        bytes.subarray(at, at + 70_000),
      )
      offsets.push(offset)
      if (at === 70_000)
        assert.deepEqual(await rowOf(upload), { status: 'begun', received_bytes: 140_000 })
    }

    assert.deepEqual(offsets, ['70000', '140000', '200000'])
    assert.equal((await rowOf(upload))?.status, 'received')
  })

  test('409 at a wrong offset, with the right one in the header and the body', async () => {
    const { worker, upload } = await begun()
    await sendPiece(market, worker, upload, 0, bytes.subarray(0, 1000))

    const wrong = await sendPiece(market, worker, upload, 0, bytes.subarray(0, 1000))

    assert.equal(wrong.status, 409)
    assert.equal(wrong.offset, '1000')
    assert.equal(wrong.body.code, 'wrong_offset')
    assert.equal(wrong.body.upload_offset, 1000)
    assert.match(wrong.body.request_id, /^req_/)
  })

  test('keeps what arrived before the connection broke, and accepts the rest', async () => {
    const { worker, upload } = await begun()

    await breakOff(worker.token, upload, 0, bytes.subarray(0, 50_000), 200_000)
    let offset = 0
    for (let i = 0; i < 50 && offset === 0; i += 1) {
      offset = Number((await askOffset(market, worker, upload)).headers.get('upload-offset'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    let last = await sendPiece(market, worker, upload, offset, bytes.subarray(offset))
    for (let i = 0; i < 50 && last.status === 409; i += 1)
      last = await sendPiece(market, worker, upload, offset, bytes.subarray(offset))

    assert.equal(offset, 50_000)
    assert.equal(last.status, 204)
    assert.equal((await rowOf(upload))?.status, 'received')
  })

  test('413 for more than was announced, and stores nothing of it', async () => {
    const { worker, upload } = await begun()

    const { status, body } = await sendPiece(
      market,
      worker,
      upload,
      0,
      Buffer.concat([bytes, Buffer.alloc(1)]),
    )

    assert.equal(status, 413)
    assert.equal(body.code, 'upload_too_long')
    assert.equal((await askOffset(market, worker, upload)).headers.get('upload-offset'), '0')
  })

  test('413 also for a chunked body; the excess is cut off', async () => {
    const { worker, upload } = await begun()
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 5; i += 1) controller.enqueue(bytes.subarray(0, 50_000))
        controller.close()
      },
    })

    const response = await fetch(`${market.server.addresses.api}/worker/uploads/${upload}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${worker.token}`,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
      body: stream,
      duplex: 'half',
    } as RequestInit)

    assert.equal(response.status, 413)
    assert.equal((await askOffset(market, worker, upload)).headers.get('upload-offset'), '200000')
  })

  test('409 for the second of two concurrent senders', async () => {
    const { worker, upload } = await begun()
    const first = breakOff(worker.token, upload, 0, bytes.subarray(0, 10), 200_000)
    await new Promise((resolve) => setTimeout(resolve, 70))

    const second = await sendPiece(market, worker, upload, 0, bytes)
    await first

    assert.equal(second.status, 409)
    assert.equal(second.body.code, 'upload_busy')
    assert.equal(second.headers.get('retry-after'), '1')
  })

  test('415 for another content type', async () => {
    const { worker, upload } = await begun()

    const json = await sendPiece(market, worker, upload, 0, Buffer.from('{}'), {
      'content-type': 'application/json',
    })
    const other = await sendPiece(market, worker, upload, 0, bytes, {
      'content-type': 'application/octet-stream',
    })

    assert.equal(json.status, 415)
    assert.equal(json.body.code, 'wrong_upload_type')
    assert.equal(other.status, 415)
    assert.equal((await askOffset(market, worker, upload)).headers.get('upload-offset'), '0')
  })

  for (const offset of ['', 'x', '-1', '1.5', '9'.repeat(20)])
    test(`400 for the offset "${offset}"`, async () => {
      const { worker, upload } = await begun()

      const { status, body } = await sendPiece(market, worker, upload, offset, bytes)

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'upload-offset')
    })

  test('404 for another worker’s upload, and for an unknown one', async () => {
    const { upload } = await begun()
    const other = await market.worker()

    const others = await sendPiece(market, other, upload, 0, bytes)
    const none = await sendPiece(market, other, 'upl_none', 0, bytes)

    assert.deepEqual([others.status, none.status], [404, 404])
    assert.equal(others.body.code, 'upload_not_found')
  })
})
