import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { shardOf } from '../kit/ids.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const market = await marketplace({ settings: { FILES_PER_WORKER_DAY: 12 } })

const SHA256 = 'ab'.repeat(32)
const upload = (taskId: string, more: object = {}) => ({
  task_id: taskId,
  kind: 'photo',
  content_type: 'image/jpeg',
  bytes: 1000,
  sha256: SHA256,
  ...more,
})

async function held(fields: Record<string, unknown> = {}) {
  const agent = await market.agent({ balanceCents: 50_000 })
  const task = await market.taskIn(agent, 'in_progress', fields)
  return { agent, task, worker: task.workers[0]! }
}

const filesOf = (taskId: string) =>
  market.db.reader.selectFrom('files').selectAll().where('task_id', '=', taskId).execute()

describe('POST /worker/uploads', () => {
  test('returns where and how to send the bytes', async () => {
    const { task, worker } = await held()

    const { status, body } = await worker.post('/worker/uploads', upload(task.id))

    assert.equal(status, 201)
    assert.match(body.upload_id, /^upl_/)
    assert.deepEqual(body, {
      upload_id: body.upload_id,
      method: 'PATCH',
      url: `http://127.0.0.1:0/api/v1/worker/uploads/${body.upload_id}`,
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
      expires_at: new Date(market.now().getTime() + 24 * HOUR).toISOString(),
    })
    const [file] = await filesOf(task.id)
    assert.equal(shardOf(file!.id), shardOf(task.id))
    assert.equal(file!.status, 'begun')
    assert.equal(file!.sha256, SHA256)
  })

  test('accepts an uppercase digest', async () => {
    const { task, worker } = await held()

    await worker.post('/worker/uploads', upload(task.id, { sha256: SHA256.toUpperCase() }))

    assert.equal((await filesOf(task.id))[0]!.sha256, SHA256)
  })

  test('gives the worker ten more minutes, once', async () => {
    const { task, worker } = await held({ urgency: 'instant' })

    market.advance(14 * MINUTE)
    await worker.post('/worker/uploads', upload(task.id))
    market.advance(5 * MINUTE)
    await worker.post('/worker/uploads', upload(task.id))
    market.advance(5 * MINUTE)
    await market.sweep()
    const before = await worker.get(`/worker/tasks/${task.id}`)
    market.advance(2 * MINUTE)
    await market.sweep()
    const after = await worker.get(`/worker/tasks/${task.id}`)

    assert.equal(before.body.assignment.status, 'accepted')
    assert.equal(after.body.assignment.status, 'expired')
  })

  test('404 for a task that the worker does not hold, 400 for a malformed task id', async () => {
    const { task } = await held()
    const other = await market.worker()

    const foreign = await other.post('/worker/uploads', upload(task.id))
    assert.equal(foreign.status, 404)
    assert.equal(foreign.body.code, 'assignment_not_found')
    for (const id of ['task_none', '']) {
      const { status, body } = await other.post('/worker/uploads', upload(id))

      assert.equal(status, 400)
      assert.equal(body.error, 'task_id is not the id of a task')
    }
    assert.deepEqual(await filesOf(task.id), [])
  })

  test('is allowed after the timer ran out, until another worker has the task', async () => {
    const { task, worker } = await held({ urgency: 'instant', deadline: '2h' })
    market.advance(20 * MINUTE)
    await market.sweep()

    const late = await worker.post('/worker/uploads', upload(task.id))
    const other = await market.worker({ approvals: 100 })
    await other.post(`/worker/tasks/${task.id}/accept`)
    const tooLate = await worker.post('/worker/uploads', upload(task.id))

    assert.equal(late.status, 201, late.text)
    assert.equal(tooLate.status, 409)
    assert.equal(tooLate.body.code, 'no_slot')
  })

  test('409 after the worker’s assignment has ended', async () => {
    const { task, worker } = await held()
    await worker.post(`/worker/tasks/${task.id}/release`)

    const { status, body } = await worker.post('/worker/uploads', upload(task.id))

    assert.equal(status, 409)
    assert.equal(body.code, 'assignment_ended')
    assert.equal(body.status, 'released')
  })

  for (const [what, fields, path] of [
    ['a photo of more than 8 MB', { bytes: 8_388_609 }, 'bytes'],
    [
      'a video of more than 50 MB',
      { kind: 'video', content_type: 'video/mp4', bytes: 52_428_801 },
      'bytes',
    ],
    [
      'sound of more than 20 MB',
      { kind: 'audio', content_type: 'audio/mpeg', bytes: 20_971_521 },
      'bytes',
    ],
    ['nothing', { bytes: 0 }, 'bytes'],
    ['a drawing', { content_type: 'image/svg+xml' }, 'content_type'],
    ['a video as a photo', { content_type: 'video/mp4' }, 'content_type'],
    ['a document', { kind: 'document' }, 'kind'],
    ['a digest that is none', { sha256: 'abc' }, 'sha256'],
  ] as const)
    test(`400 for ${what}`, async () => {
      const { task, worker } = await held()

      const { status, body } = await worker.post('/worker/uploads', upload(task.id, fields))

      assert.equal(status, 400)
      assert.equal(body.details[0].path, path)
      assert.deepEqual(await filesOf(task.id), [])
    })

  test('409 for the eleventh file of a task, also in concurrent requests', async () => {
    const { task, worker } = await held()

    const replies = await Promise.all(
      Array.from({ length: 12 }, () => worker.post('/worker/uploads', upload(task.id))),
    )

    const refused = replies.filter(({ status }) => status === 409)
    assert.equal(replies.filter(({ status }) => status === 201).length, 10)
    assert.equal(refused.length, 2)
    assert.deepEqual(
      refused.map(({ body }) => [body.code, body.limit, body.per]),
      Array(2).fill(['too_many_files', 10, 'task']),
    )
    assert.equal((await filesOf(task.id)).length, 10)
  })

  test('409 above the files of a day; the next day there is room again', async () => {
    const { agent, task, worker } = await held()
    const second = await market.taskIn(agent, 'pending', { deadline: '3d' })
    for (let i = 0; i < 10; i += 1) await worker.post('/worker/uploads', upload(task.id))
    await worker.post(`/worker/tasks/${second.id}/accept`)
    for (let i = 0; i < 2; i += 1) await worker.post('/worker/uploads', upload(second.id))

    const refused = await worker.post('/worker/uploads', upload(second.id))
    market.advance(24 * HOUR)
    const later = await worker.post('/worker/uploads', upload(second.id))

    assert.equal(refused.status, 409)
    assert.equal(refused.body.per, 'day')
    assert.equal(later.status, 201)
  })
})
