import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askOffset, beginUpload, sendPiece } from '../../test/files/uploads.ts'
import { marketplace } from '../../test/harness.ts'

const HOUR = 3_600_000

const market = await marketplace()
const agent = await market.agent({ balanceCents: 50_000 })
const bytes = Buffer.alloc(1000)

describe('HEAD /worker/uploads/:id', () => {
  test('returns the received and the announced size', async () => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    const upload = await beginUpload(workers[0]!, id, { bytes })

    const before = await askOffset(market, workers[0]!, upload)
    await sendPiece(market, workers[0]!, upload, 0, bytes.subarray(0, 300))
    const after = await askOffset(market, workers[0]!, upload)

    assert.equal(before.status, 200)
    assert.equal(before.text, '')
    assert.deepEqual(
      [before, after].map(({ headers }) => headers.get('upload-offset')),
      ['0', '300'],
    )
    assert.equal(after.headers.get('upload-length'), '1000')
    assert.equal(after.headers.get('tus-resumable'), '1.0.0')
    assert.equal(after.headers.get('cache-control'), 'no-store')
  })

  test('404 for another worker’s upload, an unknown one, and an expired one', async () => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    const other = await market.worker()
    const upload = await beginUpload(workers[0]!, id, { bytes })

    const others = await askOffset(market, other, upload)
    const none = await askOffset(market, workers[0]!, 'upl_none')
    market.advance(24 * HOUR)
    const expired = await askOffset(market, workers[0]!, upload)

    assert.deepEqual([others.status, none.status, expired.status], [404, 404, 404])
  })
})
