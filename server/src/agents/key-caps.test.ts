/** Spending caps of keys: checked along with the wallet, charged to all ancestors, and returned with refunds. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { createInBatch } from '../tasks/creations.ts'
import { draftTask } from '../tasks/draft.ts'
import { mintId, shardOf } from '../kit/ids.ts'

const DAY = 86_400_000
const market = await marketplace()
/** Mid-month, so that a day or two later it is still the same month. */
market.advance(Date.UTC(2027, 4, 10, 12) - market.now().getTime())

const TASK = { description: 'Look', budget_cents: 1000 }
const rich = () => market.agent({ balanceCents: 100_000, freeTasks: false })

type Key = Awaited<ReturnType<typeof market.key>>

/** Reads what the key has spent, with the key itself. */
async function spentBy(key: Key) {
  const { body } = await key.get('/agents/keys')
  const { day_cents, month_cents, total_cents } = body.keys.find(
    ({ id }: Key) => id === key.id,
  ).spent
  return [day_cents, month_cents, total_cents] as number[]
}

describe('caps of a key', () => {
  test('402 above the cap per task; up to the cap, the task is created', async () => {
    const agent = await rich()
    const key = await market.key(agent, { task_max_cents: 1000 })

    const fits = await key.post('/tasks', TASK)
    const { status, body } = await key.post('/tasks', { ...TASK, budget_cents: 1001 })
    const each = await key.post('/tasks', {
      ...TASK,
      budget_cents: 501,
      budget_basis: 'per_worker',
      consensus_count: 2,
    })

    assert.equal(fits.status, 201)
    assert.equal(status, 402)
    const { error, request_id, ...rest } = body
    assert.match(error, /^This would exceed a cap of this key/)
    assert.match(request_id, /^req_/)
    assert.deepEqual(rest, {
      code: 'key_cap',
      cap: 'task_max_cents',
      limit_cents: 1000,
      spent_cents: 0,
      required_cents: 1001,
      balance_cents: 99_000,
      deposit_url: '/api/v1/wallet/deposit',
      doc_url: body.doc_url,
    })
    assert.equal(each.body.required_cents, 1002)
    assert.equal(await market.balance(agent.id), 99_000)
  })

  test('402 above the daily, monthly and total cap; the daily and monthly ones reset, the total does not', async () => {
    const agent = await rich()
    const day = await market.key(agent, { day_max_cents: 1500 })
    const month = await market.key(agent, { month_max_cents: 1500 })
    const whole = await market.key(agent, { budget_cents: 1500 })
    const round = async () => {
      const replies = []
      for (const key of [day, month, whole]) replies.push(await key.post('/verify', TASK))
      return replies.map(({ status, body }) => (status === 201 ? 'created' : body.cap))
    }

    const rounds = [await round(), await round()]
    market.advance(DAY)
    rounds.push(await round())
    market.advance(30 * DAY)
    rounds.push(await round())

    assert.deepEqual(rounds, [
      ['created', 'created', 'created'],
      ['day_max_cents', 'month_max_cents', 'budget_cents'],
      ['created', 'month_max_cents', 'budget_cents'],
      ['created', 'created', 'budget_cents'],
    ])
    assert.deepEqual(await spentBy(day), [1000, 1000, 3000])
    assert.deepEqual(await spentBy(month), [1000, 1000, 2000])
    assert.deepEqual(await spentBy(whole), [0, 0, 1000])
  })

  test('402 insufficient_funds comes first, and uses no cap', async () => {
    const agent = await market.agent({ balanceCents: 500, freeTasks: false })
    const key = await market.key(agent, { budget_cents: 1500 })

    const poor = await key.post('/tasks', TASK)
    const fits = await key.post('/tasks', { ...TASK, budget_cents: 500 })

    assert.equal(poor.body.code, 'insufficient_funds')
    assert.equal(fits.status, 201)
    assert.deepEqual(await spentBy(key), [500, 500, 500])
  })

  test('concurrent requests overspend neither the wallet nor the cap', async () => {
    const agent = await market.agent({ balanceCents: 3500, freeTasks: false })
    const tight = await market.key(agent, { budget_cents: 2000 })
    const loose = await market.key(agent, { budget_cents: 90_000 })

    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 ? tight : loose).post('/tasks', TASK)),
    )

    const codes = replies.map(({ status, body }) => (status === 201 ? 'created' : body.code))
    assert.equal(codes.filter((code) => code === 'created').length, 3)
    const [[, , a], [, , b]] = [await spentBy(tight), await spentBy(loose)]
    assert.equal(a! + b!, 3000)
    assert(a! <= 2000)
    assert.equal(await market.balance(agent.id), 500)
  })

  test('a free task uses no cap', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const key = await market.key(agent, { task_max_cents: 100, budget_cents: 100 })

    const free = await market.taskIn(key, 'pending', TASK)
    await key.post(`/tasks/${free.id}/cancel`)

    assert.equal(free.funding, 'free')
    assert.deepEqual(await spentBy(key), [0, 0, 0])
  })

  test('a repeated request is charged once, and a repeated refusal has the same message', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 1500 })
    const send = (name: string) => key.post('/tasks', TASK, { 'idempotency-key': name })

    const created = [await send('one'), await send('one')]
    const refused = [await send('two')]
    await agent.patch(`/agents/keys/${key.id}`, { budget_cents: null })
    refused.push(await send('two'))

    assert.deepEqual(
      [...created, ...refused].map(({ status }) => status),
      [201, 201, 402, 402],
    )
    assert.equal(created[0]!.text, created[1]!.text)
    assert.equal(refused[0]!.text, refused[1]!.text)
    assert.equal(refused[1]!.headers.get('idempotency-replayed'), 'true')
    assert.equal(refused[1]!.body.code, 'key_cap')
    assert.deepEqual(await spentBy(key), [1000, 1000, 1000])
  })

  test('a retried creation with a lost response is charged once', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 1000 })
    const now = market.now()
    const creation = {
      taskId: mintId('task', now, shardOf(agent.id)),
      keyId: key.id,
      draft: draftTask(TASK, { agent: { id: agent.id, mode: 'live' }, now, warn: () => {} }),
      mayBeFree: true,
      claim: undefined,
      render: () => '',
    }

    for (let i = 0; i < 2; i += 1) {
      const { outcome } = await createInBatch(market.at(agent.id), market.server.config, creation)
      assert.equal(outcome, 'created')
    }

    assert.deepEqual(await spentBy(key), [1000, 1000, 1000])
    assert.equal(await market.balance(agent.id), 99_000)
  })

  test('a key without limits takes no lock and writes no row', async () => {
    const agent = await rich()
    const task = await market.taskIn(agent, 'pending', TASK)

    const rows = await market.asOwner('select * from key_limits where agent_id = $1', [agent.id])

    assert.deepEqual(rows, [])
    const [row] = await market.asOwner('select key_path from tasks where id = $1', [task.id])
    assert.equal(row!.key_path, null)
  })
})

describe('caps of parent keys', () => {
  test('402 when a cap of any parent is reached; spending counts for all of them', async () => {
    const agent = await rich()
    const parent = await market.key(agent, { budget_cents: 2500 })
    const child = await market.key(parent, { budget_cents: 2000 })
    const sibling = await market.key(parent)

    const replies = []
    for (const key of [child, sibling, child, sibling]) replies.push(await key.post('/tasks', TASK))

    assert.deepEqual(
      replies.map(({ status, body }) =>
        status === 201 ? 201 : [body.limit_cents, body.spent_cents],
      ),
      [201, 201, [2500, 2000], [2500, 2000]],
    )
    assert.deepEqual(
      [await spentBy(parent), await spentBy(child), await spentBy(sibling)],
      [
        [2000, 2000, 2000],
        [1000, 1000, 1000],
        [1000, 1000, 1000],
      ],
    )
  })

  test('a refusal charges no key, and names the nearest cap', async () => {
    const agent = await rich()
    const parent = await market.key(agent, { budget_cents: 900 })
    const child = await market.key(parent, { budget_cents: 500 })

    const { body } = await child.post('/tasks', TASK)

    assert.equal(body.limit_cents, 500)
    assert.deepEqual(
      [await spentBy(parent), await spentBy(child)],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    )
  })

  test('a lowered cap of a parent applies to its children at once', async () => {
    const agent = await rich()
    const parent = await market.key(agent, { budget_cents: 9000 })
    const child = await market.key(parent)

    await agent.patch(`/agents/keys/${parent.id}`, { task_max_cents: 999 })
    const { status, body } = await child.post('/tasks', TASK)

    assert.deepEqual([status, body.cap], [402, 'task_max_cents'])
  })
})

describe('a refund to the wallet', () => {
  for (const status of ['cancelled', 'expired', 'disputed'] as const)
    test(`is credited to the caps when a task is ${status}, including those of parents`, async () => {
      const agent = await rich()
      const parent = await market.key(agent, { budget_cents: 1000 })
      const child = await market.key(parent)

      await market.taskIn(child, status, TASK)

      assert.deepEqual(
        [await spentBy(parent), await spentBy(child)],
        [
          [0, 0, 0],
          [0, 0, 0],
        ],
      )
      assert.equal((await child.post('/tasks', TASK)).status, 201)
    })

  test('is credited though the clock of the creating process is behind that of the key', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 1000 })
    await market.asOwner(
      `update key_limits set since = since + interval '100 milliseconds' where key_id = $1`,
      [key.id],
    )

    await market.taskIn(key, 'cancelled', TASK)

    assert.deepEqual(await spentBy(key), [0, 0, 0])
  })

  test('of a paid task credits nothing; of an unfilled slot, its share', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 5000 })
    await market.taskIn(key, 'completed', TASK)
    const task = await market.taskIn(key, 'pending', { ...TASK, consensus_count: 2 })
    const worker = await market.worker()
    await worker.post(`/worker/tasks/${task.id}/accept`)
    await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })

    await key.post(`/tasks/${task.id}/cancel`)

    assert.deepEqual(await spentBy(key), [1500, 1500, 1500])
    assert.equal(await market.balance(agent.id), 98_500)
  })

  test('is credited to the day and month of the spending, never to later ones', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 9000 })
    const first = await market.taskIn(key, 'pending', { ...TASK, deadline: '72h' })
    market.advance(DAY)
    await market.taskIn(key, 'pending', { ...TASK, budget_cents: 300 })

    await key.post(`/tasks/${first.id}/cancel`)

    assert.deepEqual(await spentBy(key), [300, 300, 300])
  })

  test('is charged again when a dispute is withdrawn, even above the cap', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 1000 })
    const disputed = await market.taskIn(key, 'disputed', TASK)
    await market.taskIn(key, 'pending', TASK)

    const { status } = await agent.post(`/tasks/${disputed.id}/dispute/withdraw`)

    assert.equal(status, 200)
    assert.deepEqual(await spentBy(key), [2000, 2000, 2000])
    assert.equal((await key.post('/tasks', { ...TASK, budget_cents: 100 })).status, 402)
  })
})

describe('a test agent that advances its clock', () => {
  test('starts a new day and month for its caps, and is credited for earlier refunds', async () => {
    const agent = await market.agent()
    const key = await market.key(agent.test, { day_max_cents: 2500, budget_cents: 9000 })
    const task = { ...TASK, budget_cents: 2500, context: { sim: 'nobody' }, deadline: '72h' }
    const first = await key.post('/tasks', task)
    const full = await key.post('/tasks', task)

    await agent.test.post('/test/clock/advance', { by: '24h' })
    const next = await key.post('/tasks', task)
    const spent = await spentBy(key)
    await key.post(`/tasks/${first.body.task.id}/cancel`)
    const afterFirst = await spentBy(key)
    await key.post(`/tasks/${next.body.task.id}/cancel`)

    assert.deepEqual([first.status, full.status, next.status], [201, 402, 201])
    assert.deepEqual(spent, [2500, 5000, 5000])
    assert.deepEqual(afterFirst, [2500, 2500, 2500])
    assert.deepEqual(await spentBy(key), [0, 0, 0])
  })

  test('charges a new key only with its own tasks', async () => {
    const agent = await market.agent()
    await agent.test.post('/test/clock/advance', { by: '2d' })
    const key = await market.key(agent.test, { budget_cents: 9000 })

    const { body } = await key.post('/tasks', { ...TASK, budget_cents: 2500 })
    const spent = await spentBy(key)
    await key.post(`/tasks/${body.task.id}/cancel`)

    assert.deepEqual(spent, [2500, 2500, 2500])
    assert.deepEqual(await spentBy(key), [0, 0, 0])
  })
})

describe('a tip', () => {
  test('402 above a cap of the approving key; then nothing is approved', async () => {
    const agent = await rich()
    const creator = await market.key(agent, { budget_cents: 1000 })
    const reviewer = await market.key(agent, { scopes: ['review', 'read'], day_max_cents: 150 })
    const task = await market.taskIn(creator, 'proof_submitted', TASK)
    const path = `/tasks/${task.id}/approve`
    const keyed = { 'idempotency-key': 'tip-1' }

    const refused = await reviewer.post(path, { tip_cents: 200 }, keyed)
    const repeated = await reviewer.post(path, { tip_cents: 200 }, keyed)
    const { body: before } = await agent.get(`/tasks/${task.id}`)
    const approved = await reviewer.post(path, { tip_cents: 150 })

    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.cap, refused.body.required_cents],
      [402, 'key_cap', 'day_max_cents', 200],
    )
    assert.deepEqual(
      [refused.body.balance_cents, refused.body.deposit_url],
      [99_000, '/api/v1/wallet/deposit'],
    )
    assert.equal(repeated.text, refused.text)
    assert.equal(before.task.status, 'proof_submitted')
    assert.equal(approved.status, 200, approved.text)
    assert.deepEqual(await spentBy(reviewer), [150, 150, 150])
    assert.deepEqual(await spentBy(creator), [1000, 1000, 1000])
    assert.equal(await market.balance(agent.id), 98_850)
  })
})

describe('task types of a key', () => {
  test('403 for a forbidden type, by either endpoint; nothing is spent', async () => {
    const agent = await rich()
    const key = await market.key(agent, { types: ['verification'] })

    const replies = [
      await key.post('/tasks', TASK),
      await key.post('/gut-check', { content: 'A', scale: '1-5' }),
      await key.post('/tasks', { ...TASK, type: 'verification' }),
      await key.post('/verify', { question: 'Open?' }),
    ]

    assert.deepEqual(
      replies.map(({ status, body }) => (status === 201 ? 201 : [body.code, body.type])),
      [['key_type', 'custom'], ['key_type', 'gut_check'], 201, 201],
    )
    assert.deepEqual(replies[0]!.body.allowed_types, ['verification'])
    assert.deepEqual(await spentBy(key), [1500, 1500, 1500])
  })
})

test('a task of one agent charges no key of another', async () => {
  const [agent, other] = [await rich(), await rich()]
  const [key, same] = [
    await market.key(agent, { budget_cents: 1000 }),
    await market.key(other, { budget_cents: 1000 }),
  ]

  await Promise.all([key.post('/tasks', TASK), same.post('/tasks', TASK)])

  assert.deepEqual(
    [await spentBy(key), await spentBy(same)],
    [
      [1000, 1000, 1000],
      [1000, 1000, 1000],
    ],
  )
})
