import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { call, marketplace, PHOTO, startOn } from '../../test/harness.ts'
import { untilArrived } from '../../test/pace.ts'
import { mintId } from '../kit/ids.ts'
import { untilChanged } from './watch.ts'

const market = await marketplace()

describe('GET /tasks/:id', () => {
  test('[4.1-get] [4.7-gap-detail] shows the task with its parts', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const created = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
    const { task } = created.body

    const { status, body } = await agent.get(`/tasks/${task.id}`)

    assert.equal(status, 200)
    assert.deepEqual(body, {
      task: {
        ...task,
        approved_by: null,
        settlement: null,
        assignments: [],
        proofs: [],
        transactions: body.task.transactions,
        timeline: [{ at: task.created_at, event: 'task.created' }],
      },
    })
  })

  test('[2.1-detail-transactions] shows the wallet transactions of the task, oldest first', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')
    market.advance(60_000)
    await agent.post(`/tasks/${id}/cancel`)

    const { body } = await agent.get(`/tasks/${id}`)

    const { transactions, timeline, created_at } = body.task
    assert.match(transactions[0].id, /^txn_[0-9a-z]{26}$/)
    assert.deepEqual(transactions, [
      {
        id: transactions[0].id,
        type: 'escrow_lock',
        amount_cents: -2500,
        balance_after_cents: 2500,
        task_id: id,
        status: 'posted',
        created_at,
        description: 'Budget held for a task',
      },
      {
        id: transactions[1].id,
        type: 'escrow_refund',
        amount_cents: 2500,
        balance_after_cents: 5000,
        task_id: id,
        status: 'posted',
        created_at: market.now().toISOString(),
        description: 'Budget of a task returned',
      },
    ])
    assert.deepEqual(timeline, [
      { at: created_at, event: 'task.created' },
      { at: market.now().toISOString(), event: 'task.cancelled' },
    ])
  })

  describe('photos', () => {
    const photoOf = async (bytes: number) => {
      const side = Math.ceil(Math.sqrt(bytes / 2))
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
      const background = 'white'
      const image = sharp({
        create: { width: side, height: side, channels: 3, background, noise },
      })
      return `data:image/jpeg;base64,${(await image.jpeg().toBuffer()).toString('base64')}`
    }
    const proved = async (photos: string[]) => {
      const agent = await market.agent({ balanceCents: 5000 })
      const task = await market.taskIn(agent, 'in_progress')
      const path = `/worker/tasks/${task.id}/proof`
      assert.equal((await task.workers[0]!.post(path, { text: 'Here', photos })).status, 201)
      return { agent, path: `/tasks/${task.id}` }
    }

    test('[2.1-detail-photos] small photos are data URLs beside their links, larger ones links only', async () => {
      const { agent, path } = await proved([PHOTO, await photoOf(600_000)])

      const { body } = await agent.get(path)
      const linked = await agent.get(`${path}?media=url`)
      const listed = await agent.get('/tasks')

      const [{ photos, media }] = body.task.proofs
      const whole = await agent.get(`${path}/proof`)
      assert.equal(photos.length, 1)
      assert(photos[0] === whole.body.proofs[0].photos[0])
      assert.deepEqual(
        media.map(({ is_inline }: { is_inline?: true }) => is_inline),
        [true, undefined],
      )
      assert(media[1].bytes > 65_536)
      assert.deepEqual(linked.body.task.proofs[0].photos, [])
      assert.equal(linked.body.task.proofs[0].media.length, 2)
      assert(!linked.text.includes('data:image') && !listed.text.includes('data:image'))
    })

    test('are included after a wait, too', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const task = await market.taskIn(agent, 'in_progress')

      const waiting = agent.get(`/tasks/${task.id}?wait=20`)
      await sleep(50)
      await task.workers[0]!.post(`/worker/tasks/${task.id}/proof`, { photo: PHOTO, text: 'Here' })

      const { body } = await waiting
      assert.match(body.task.proofs[0].photos[0], /^data:image\//)
    })

    test('400 for an unknown media format', async () => {
      const { agent, path } = await proved([PHOTO])

      const { status, body } = await agent.get(`${path}?media=all`)

      assert.deepEqual([status, body.details[0].path], [400, 'media'])
    })
  })

  test('shows a free task as a gift and its use', async () => {
    const agent = await market.agent()
    const { id } = await market.taskIn(agent, 'pending', { budget_cents: 700 })
    market.advance(1)
    await agent.post(`/tasks/${id}/cancel`)

    const { body } = await agent.get(`/tasks/${id}`)

    assert.deepEqual(
      body.task.transactions.map((line: Record<string, unknown>) => [
        line.type,
        line.amount_cents,
        line.balance_after_cents,
      ]),
      [
        ['free_task_credit', 700, 700],
        ['escrow_lock', -700, 0],
        ['escrow_refund', 700, 700],
        ['free_task_return', -700, 0],
      ],
    )
    const ids = body.task.transactions.map((line: { id: string }) => line.id)
    assert.equal(new Set(ids).size, 4)
  })

  test('[7-404-absent] [7-404-foreign] 404: a missing, a foreign and a malformed id look the same', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    const theirs = await market.taskIn(other, 'pending', { budget_cents: 500 })
    const test = await market.taskIn(agent.test, 'pending', { budget_cents: 500 })
    const ids = [
      mintId('task', market.now(), 7),
      theirs.id,
      test.id,
      theirs.id.toUpperCase(),
      theirs.id.replace('task_', 'agent_'),
      'task_1',
      'null',
      `${theirs.id}%20`,
    ]

    const replies = await Promise.all(
      ids.flatMap((id) => [agent.get(`/tasks/${id}`), agent.post(`/tasks/${id}/cancel`)]),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.error, body.code, Object.keys(body).length]),
      replies.map(() => [404, 'This task does not exist', 'task_not_found', 5]),
    )
    assert.equal((await other.get(`/tasks/${theirs.id}`)).body.task.status, 'pending')
  })

  test('401 without a key', async () => {
    const agent = await market.agent()
    const { id } = await market.taskIn(agent, 'pending', { budget_cents: 500 })

    const { status } = await market.call('GET', `/tasks/${id}`)

    assert.equal(status, 401)
  })
})

describe('GET /tasks/:id?wait', () => {
  test('returns at once if the task has ended', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const tasks = await Promise.all(
      (['completed', 'disputed', 'expired', 'cancelled'] as const).map((status) =>
        market.taskIn(agent, status),
      ),
    )
    const start = performance.now()

    const replies = await Promise.all(tasks.map(({ id }) => agent.get(`/tasks/${id}?wait=20`)))

    assert.ok(performance.now() - start < 15_000)
    assert.deepEqual(
      replies.map(({ body }) => body.task.status),
      ['completed', 'disputed', 'expired', 'cancelled'],
    )
  })

  test('returns when the status changes, even in the same millisecond as the creation', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')
    const start = performance.now()

    const waiting = agent.get(`/tasks/${id}?wait=20`)
    await sleep(100)
    await agent.post(`/tasks/${id}/cancel`)
    const { status, body } = await waiting

    const took = performance.now() - start
    assert.ok(took > 100 && took < 15_000, `${took} ms`)
    assert.equal(status, 200)
    assert.equal(body.task.status, 'cancelled')
  })

  test('returns at once if the task has changed since it was last seen', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'proof_submitted')
    const begun = performance.now()

    const { body } = await agent.get(`/tasks/${id}?wait=20&while=pending`)
    const { status } = await agent.get(`/tasks/${id}?wait=20&while=asleep`)

    assert.equal(body.task.status, 'proof_submitted')
    assert(performance.now() - begun < 15_000)
    assert.equal(status, 400)
  })

  test('returns the unchanged task at the timeout', async () => {
    const agent = await market.agent()
    const { id } = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    const start = performance.now()

    const { status, body } = await agent.get(`/tasks/${id}?wait=0.6`)

    const took = performance.now() - start
    assert.ok(took >= 600 && took < 15_000, `${took} ms`)
    assert.equal(status, 200)
    assert.equal(body.task.status, 'pending')
  })

  test('returns each waiting caller their own task', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const ended = await market.taskIn(agent, 'pending')
    const open = await market.taskIn(agent, 'pending')

    const waiting = [ended, ended, open].map(({ id }) => agent.get(`/tasks/${id}?wait=1`))
    await sleep(50)
    await agent.post(`/tasks/${ended.id}/cancel`)
    const replies = await Promise.all(waiting)

    assert.deepEqual(
      replies.map(({ body }) => body.task.status),
      ['cancelled', 'cancelled', 'pending'],
    )
  })

  test('400 for more than 55 seconds, and for an invalid time', async () => {
    const agent = await market.agent()
    const { id } = await market.taskIn(agent, 'pending', { budget_cents: 500 })

    const replies = await Promise.all(
      ['56', '55.1', '-1', 'abc', 'Infinity'].map((wait) => agent.get(`/tasks/${id}?wait=${wait}`)),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.details?.[0].path]),
      replies.map(() => [400, 'wait']),
    )
  })

  test('404 at once for an unknown task', async () => {
    const agent = await market.agent()
    const start = performance.now()

    const { status } = await agent.get(`/tasks/${mintId('task', market.now(), 7)}?wait=20`)

    assert.equal(status, 404)
    assert.ok(performance.now() - start < 15_000)
  })

  test('returns when the server stops', async () => {
    const agent = await market.agent()
    const { id } = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    const server = await startOn(market.url, {})
    const headers = { authorization: `Bearer ${agent.api_key}` }
    // Opens the connection in advance, because a stopping process accepts no new ones.
    await call(server.addresses.api!, 'GET', `/tasks/${id}`, { headers })
    const start = performance.now()

    const waiting = call(server.addresses.api!, 'GET', `/tasks/${id}?wait=20`, { headers })
    await untilArrived(market)
    const [{ status, body }] = await Promise.all([waiting, server.stop()])

    assert.ok(performance.now() - start < 15_000)
    assert.equal(status, 200)
    assert.equal(body.task.status, 'pending')
  })

  test('stops waiting for a disconnected caller', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    const row = await market.db.reader
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow()
    const start = performance.now()

    await untilChanged(market.at(task.id), {
      task: row,
      waitMs: 20_000,
      signal: AbortSignal.abort(),
    })
    await untilChanged(market.at(task.id), {
      task: row,
      waitMs: 20_000,
      signal: AbortSignal.timeout(100),
    })

    assert.ok(performance.now() - start < 15_000)
  })

  test('queries the database four times a second, however often callers return', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    const row = await market.db.reader
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow()
    let asked = 0
    const db: typeof market.db = {
      ...market.db,
      call(...query) {
        asked += 1
        return market.db.call(...query)
      },
    }
    const { signal } = new AbortController()
    const start = performance.now()

    for (let i = 0; i < 8; i += 1) await untilChanged(db, { task: row, waitMs: 20, signal })
    await untilChanged(db, { task: row, waitMs: 800, signal })

    const most = Math.ceil((performance.now() - start) / 250)
    assert.ok(asked > 0 && asked <= most, `${asked} of ${most}`)
  })
})
