import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { picture } from '../../test/files/corpus.ts'
import { beginUpload, upload } from '../../test/files/uploads.ts'
import { marketplace } from '../../test/harness.ts'
import { filesOf } from './files.ts'
import { takeUpload } from './intake.ts'
import { incomingKey, readyKey } from './store.ts'
import { sweepUnused } from './sweep-unused.ts'

const HOUR = 3_600_000

const market = await marketplace()
const files = filesOf(market.server.config)
const bytes = await sharp(await picture(1))
  .jpeg()
  .toBuffer()
const agent = await market.agent({ balanceCents: 90_000 })

async function assignmentOf(taskId: string, workerId: string) {
  const row = await market.db.reader
    .selectFrom('assignments')
    .select('id')
    .where('task_id', '=', taskId)
    .where('worker_id', '=', workerId)
    .executeTakeFirstOrThrow()
  return row.id
}

async function sweep(): Promise<number> {
  const background = market.backgroundAt(agent.id)
  const due = await sweepUnused.due(background, 500)
  return due.length === 0 ? 0 : sweepUnused.move(background, due)
}

const idsLeft = async () =>
  (await market.db.reader.selectFrom('files').select('id').execute()).map(({ id }) => id)

describe('files.sweep-unused', () => {
  test('deletes files that no proof has taken after a day, bytes and row, and nothing else', async () => {
    const { id, workers } = await market.taskIn(agent, 'in_progress', {
      proof_required: 'photo',
      urgency: 'flex',
    })
    const worker = workers[0]!
    const begun = await beginUpload(worker, id, { bytes })
    const received = await upload(market, worker, id, { bytes })
    const ready = await upload(market, worker, id, { bytes })
    const used = await upload(market, worker, id, { bytes })
    const assignmentId = await assignmentOf(id, worker.id)
    const now = market.now()
    await takeUpload(files, market.at(id).reader, {
      fileId: ready,
      assignmentId,
      workerId: worker.id,
      shards: market.server.db.shards,
      now,
    })
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'There', photos: [used] })

    market.advance(24 * HOUR - 1)
    const early = await sweep()
    market.advance(1)
    const due = await sweep()
    const again = await sweep()

    assert.deepEqual([early, due, again], [0, 3, 0])
    assert.deepEqual(await idsLeft(), [used])
    for (const gone of [begun, received, ready]) {
      assert.equal(await files.store.size(incomingKey(gone)), undefined)
      assert.equal(await files.store.size(readyKey(gone)), undefined)
    }
    assert.ok((await files.store.size(readyKey(used)))! > 0)
  })

  test('deletes a row whose bytes are already gone', async () => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    const upl = await upload(market, workers[0]!, id, { bytes })
    await files.store.remove(incomingKey(upl))

    market.advance(24 * HOUR)
    await sweep()

    assert.ok(!(await idsLeft()).includes(upl))
  })

  test('is one of the timers', async () => {
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    const upl = await beginUpload(workers[0]!, id, { bytes })

    market.advance(24 * HOUR)
    await market.sweep()

    assert.ok(!(await idsLeft()).includes(upl))
  })
})
