import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'

const market = await marketplace({ settings: { FILES_PER_WORKER_DAY: 2 } })
const agent = await market.agent()
const other = await market.agent()

const posted = async (of: typeof agent, sim: string) => {
  const { body } = await of.test.post('/tasks', {
    description: 'Look',
    budget_cents: 1000,
    skills: ['looking'],
    min_worker_level: 5,
    context: { sim },
  })
  return body.task.id as string
}

async function worker(of = agent, body: Json = {}) {
  const made = await of.test.post('/test/workers', body)
  assert.equal(made.status, 201, made.text)
  return { ...made.body, ...market.client(made.body.token as string) } as Json &
    ReturnType<typeof market.client>
}

describe('POST /test/workers', () => {
  test('creates a worker who sees the agent’s own open tasks without a script, and does one', async () => {
    const [mine, nobodys] = [await posted(agent, 'me'), await posted(agent, 'nobody')]
    await posted(agent, 'happy')
    await posted(other, 'me')
    const live = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    assert.equal(live.status, 201)
    await market.work()
    const me = await worker()

    const { body: feed } = await me.get('/worker/feed')
    const accepted = await me.post(`/worker/tasks/${mine}/accept`)
    const proved = await me.post(`/worker/tasks/${mine}/proof`, { text: 'Done' })
    const left = await me.get('/worker/feed')

    assert.deepEqual(
      feed.tasks.map(({ id }: Json) => id),
      [nobodys, mine],
    )
    assert.deepEqual([accepted.status, proved.status], [200, 201])
    assert.deepEqual(
      left.body.tasks.map(({ id }: Json) => id),
      [nobodys],
    )
    assert.equal((await me.get(`/worker/feed/${nobodys}`)).status, 200)
    const { task } = (await agent.test.get(`/tasks/${mine}`)).body
    assert.deepEqual([task.status, task.proofs[0].worker.name], ['proof_submitted', 'You'])
  })

  test('uses the given name, and returns a URL that opens the app as this worker', async () => {
    const { worker: made, app_url, token, expires_at } = await worker(agent, { name: 'Ann' })

    assert.equal(made.name, 'Ann')
    assert(app_url.endsWith(`/play#token=${token}`))
    assert(Date.parse(expires_at) > market.now().getTime())
  })

  test('404 for a task of another agent, and for a live one', async () => {
    const theirs = await posted(other, 'me')
    const live = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    const me = await worker()

    for (const id of [theirs, live.body.task.id]) {
      assert.equal((await me.get(`/worker/feed/${id}`)).status, 404)
      assert.equal((await me.post(`/worker/tasks/${id}/accept`)).status, 404)
      assert.equal((await me.post(`/worker/tasks/${id}/report`, { kind: 'scam' })).status, 404)
    }
  })

  test('403 with a live key', async () => {
    const { status, body } = await agent.post('/test/workers', {})

    assert.deepEqual([status, body.code], [403, 'test_mode_only'])
  })

  test('all test workers of an agent share the daily file limit of one person', async () => {
    const photo = readFileSync(new URL('media/sharp.jpg', import.meta.url)).toString('base64')
    const send = async (of = agent) => {
      const me = await worker(of)
      const id = await posted(of, 'me')
      await me.post(`/worker/tasks/${id}/accept`)
      const photos = [`data:image/jpeg;base64,${photo}`]
      return (await me.post(`/worker/tasks/${id}/proof`, { text: 'Done', photos })).status
    }

    const statuses = [await send(), await send(), await send(), await send(other)]

    assert.deepEqual(statuses, [201, 201, 400, 201])
  })

  test('409 for the 101st in a day', async () => {
    const { worker: first } = await worker(other)
    await market.asOwner(
      `insert into workers
       select (jsonb_populate_record(w, jsonb_build_object('id', left(w.id, -3) || to_char(n, 'FM000')))).*
         from workers w, generate_series(1, 100) n where w.id = $1`,
      [first.id],
    )

    const refused = await other.test.post('/test/workers', {})
    market.advance(86_400_000)
    const next = await other.test.post('/test/workers', {})

    const others = [`${first.id.slice(0, -3)}%`, first.id]
    await market.asOwner('delete from workers where id like $1 and id <> $2', others)
    assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_test_workers'])
    assert.equal(next.status, 201)
  })
})
