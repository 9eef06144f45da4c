import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { QUEUES } from '../ops/queues.ts'

const market = await marketplace({ roles: ['api', 'desk'] })
const HOUR = 3_600_000

interface Summary {
  name: string
  count: number
  overdue: number
  oldest_at: string | null
  next_due_at: string | null
}

async function answeredAppeal(statement = 'I did it.') {
  const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
  const { id, workers } = await market.taskIn(agent, 'disputed')
  await workers[0]!.post(`/worker/tasks/${id}/appeal`, { statement })
  await agent.post(`/tasks/${id}/dispute/answer`, { statement: 'No.' })
  await market.work()
  return { agent, taskId: id, worker: workers[0]! }
}

// Before the tests, because a session ends while it is idle.
await answeredAppeal()
const answeredAt = market.now()
market.advance(49 * HOUR)

describe('GET /queues', () => {
  test('lists every queue, with count, age and deadline of what waits', async () => {
    const operator = await signIn(market, 'viewer')

    const { status, body } = await operator.get('/queues')

    assert.equal(status, 200)
    const queues: Summary[] = body.queues
    assert.deepEqual(
      queues.map(({ name }) => name),
      QUEUES.map(({ name }) => name),
    )
    const appeals = queues.find(({ name }) => name === 'appeals')!
    assert(appeals.count >= 1)
    assert.equal(appeals.overdue, 1)
    assert(Math.abs(Date.parse(appeals.oldest_at!) - answeredAt.getTime()) < 5000)
    assert.equal(Date.parse(appeals.next_due_at!) - Date.parse(appeals.oldest_at!), 48 * HOUR)
    assert.equal(queues.find(({ name }) => name === 'held_disputes')!.count, 0)
  })

  test('reads every queue without an error when all are empty or not', async () => {
    const operator = await signIn(market, 'viewer')

    const pages = await Promise.all(
      QUEUES.map(async ({ name }) => await operator.get(`/queues/${name}`)),
    )

    assert.deepEqual(
      pages.map(({ status }) => status),
      QUEUES.map(() => 200),
    )
  })
})

describe('GET /queues/:name', () => {
  test('shows a doubtful task, whose page has its context without numbers, emails and places', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { body: created } = await agent.post('/escalate', {
      situation:
        'Watch my ex wife’s house from the car all evening and tell me who visits her and when the lights go out',
      person: { name: 'Uwe', contact: '+49 30 23125 071' },
      context: { note: 'He is at uwe@example.com', location: 'Birch Lane 5' },
    })
    const { id } = created.task
    const operator = await signIn(market, 'viewer')

    const { body } = await operator.get('/queues/screenings')
    const page = await operator.get(`/objects/${id}`)

    assert.deepEqual(
      body.rows.map((row: { id: string }) => row.id),
      [id],
    )
    const { facts, text } = page.body.object
    const { value } = facts.find(({ name }: { name: string }) => name === 'Doubted by')
    assert.match(value, /^wording: “.+”$/)
    const context = text.find(({ label }: { label: string }) => label === 'Context').text as string
    assert(context.includes('Uwe'))
    for (const hidden of ['23125', 'uwe@', 'Birch Lane'])
      assert(!context.includes(hidden) && !value.includes(hidden))
  })

  test('shows the rows in the order of their deadlines, page by page', async () => {
    const appeals = [await answeredAppeal(), await answeredAppeal(), await answeredAppeal()]
    const operator = await signIn(market, 'viewer')
    const seen: string[] = []

    let cursor: string | null = ''
    while (cursor !== null) {
      const at: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { status, body } = await operator.get(`/queues/appeals?limit=2${at}`)
      assert.equal(status, 200)
      assert(body.rows.length <= 2)
      seen.push(...body.rows.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor
    }

    assert.equal(new Set(seen).size, seen.length)
    const page = (await operator.get('/queues/appeals')).body
    assert.deepEqual(
      page.rows.map(({ id }: { id: string }) => id),
      seen,
    )
    assert.equal(page.queue.count, seen.length)
    assert(seen.length > appeals.length)
    const dues = page.rows.map(({ due_at }: { due_at: string }) => due_at)
    assert.deepEqual(dues, dues.toSorted())
  })

  test('404: there is no such queue; 400: the cursor is not one', async () => {
    const operator = await signIn(market, 'viewer')

    assert.equal((await operator.get('/queues/nothing')).status, 404)
    assert.equal((await operator.get('/queues/appeals?cursor=nothing')).status, 400)
  })
})

describe('GET /objects/:id', () => {
  test('shows an appeal with both sides, the money of its task and its queue', async () => {
    const { taskId, worker, agent } = await answeredAppeal('The sign is on the left.')
    const operator = await signIn(market, 'viewer')
    const task = (await operator.get(`/objects/${taskId}`)).body.object
    const appealId = task.related.find(({ kind }: { kind: string }) => kind === 'appeal').id

    const { status, body } = await operator.get(`/objects/${appealId}`)

    assert.equal(status, 200)
    const { object } = body
    assert.equal(object.kind, 'appeal')
    assert.deepEqual(
      object.waits.map(({ queue }: { queue: string }) => queue),
      ['appeals'],
    )
    assert(object.text.some(({ text }: { text: string }) => text === 'The sign is on the left.'))
    assert(object.money.some(({ type }: { type: string }) => type === 'escrow_lock'))
    for (const id of [taskId, worker.id, agent.id]) {
      const found = await operator.get(`/objects/${id}`)
      assert.equal(found.status, 200, found.text)
      assert.equal(found.body.object.id, id)
    }
  })

  test('404: nothing has this id', async () => {
    const operator = await signIn(market, 'viewer')

    assert.equal((await operator.get('/objects/task_nothing')).status, 404)
    assert.equal((await operator.get('/objects/nothing')).status, 404)
  })
})
