import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { call, marketplace, startOn } from '../../test/harness.ts'

const market = await marketplace({
  roles: ['api', 'desk'],
  processor: true,
  settings: {
    AGENT_CAPS: 'on',
    UNVERIFIED_OPEN_TASKS: 4,
    UNVERIFIED_OPEN_CENTS: 3000,
    VERIFIED_OPEN_TASKS: 6,
    VERIFIED_OPEN_CENTS: 4000,
    PAID_OPEN_TASKS: 8,
    PAID_OPEN_CENTS: 0,
  },
})
const TASK = { description: 'Look whether the shop is open', budget_cents: 500 }

type Agent = Awaited<ReturnType<typeof market.agent>>
const verify = ({ id }: Agent) =>
  market.asOwner('update agents set email_verified_at = $2 where id = $1', [id, market.now()])
const tierOf = async (agent: Agent) => (await agent.get('/agents/me')).body.agent.tier
const rich = () => market.agent({ balanceCents: 100_000, freeTasks: false })

describe('GET /agents/me', () => {
  test('shows the tier, its limits and what raises it', async () => {
    const agent = await market.agent()
    assert.deepEqual(await tierOf(agent), {
      name: 'unverified',
      open_tasks_max: 4,
      open_cents_max: 3000,
      next_step:
        'Confirm your email with the link that we sent you; POST /agents/verify/resend sends another one',
    })

    await verify(agent)
    assert.deepEqual(await tierOf(agent), {
      name: 'verified',
      open_tasks_max: 6,
      open_cents_max: 4000,
      next_step: 'Pay a deposit by card: POST /wallet/deposit',
    })

    await market.deposit(agent, 5000)
    assert.deepEqual(await tierOf(agent), {
      name: 'paid',
      open_tasks_max: 8,
      open_cents_max: null,
      next_step: 'Ask a person to identify you: POST /agents/questions',
    })
  })

  test('a deposit without a confirmed email raises nothing', async () => {
    const agent = await market.agent()
    await market.deposit(agent, 5000)

    assert.equal((await tierOf(agent)).name, 'unverified')
  })

  test('test mode has no limits', async () => {
    const agent = await market.agent()
    const { body } = await agent.test.get('/agents/me')

    assert.deepEqual([body.agent.tier.open_tasks_max, body.agent.tier.open_cents_max], [null, null])
  })
})

describe('a cap of a tier', () => {
  test('403 tier_cap for the task above the number, with what raises it; nothing is locked', async () => {
    const agent = await rich()
    const created = []
    for (let i = 0; i < 4; i += 1) created.push((await agent.post('/tasks', TASK)).body.task)

    const refused = await agent.post('/tasks', TASK, { 'idempotency-key': 'fifth' })

    const { request_id: _, doc_url: __, hint: ___, ...body } = refused.body
    assert.equal(refused.status, 403)
    assert.deepEqual(body, {
      error:
        'You have as much open as your tier allows; finish or cancel tasks, or raise your tier',
      code: 'tier_cap',
      tier: 'unverified',
      cap: 'open_tasks',
      limit: 4,
      open: 4,
      next_step:
        'Confirm your email with the link that we sent you; POST /agents/verify/resend sends another one',
    })
    assert.equal(await market.balance(agent.id), 98_000)

    assert.equal((await agent.post(`/tasks/${created[0].id}/cancel`)).status, 200)
    const repeated = await agent.post('/tasks', TASK, { 'idempotency-key': 'fifth' })
    assert.equal(repeated.status, 403, 'the stored answer')
    assert.equal((await agent.post('/tasks', TASK)).status, 201)
  })

  test('403 for budgets above the sum; a smaller one fits', async () => {
    const agent = await rich()
    assert.equal((await agent.post('/tasks', { ...TASK, budget_cents: 2600 })).status, 201)

    const { status, body } = await agent.post('/tasks', TASK)

    assert.equal(status, 403)
    assert.deepEqual([body.cap, body.limit, body.open], ['open_cents', 3000, 2600])
    assert.equal((await agent.post('/tasks', { ...TASK, budget_cents: 400 })).status, 201)
  })

  test('counts free tasks as tasks, and not their budgets', async () => {
    const agent = await market.agent({ balanceCents: 3000 })
    const budgets = [2000, 2000, 2000, 3000]

    for (const budget_cents of budgets)
      assert.equal((await agent.post('/tasks', { ...TASK, budget_cents })).status, 201)

    assert.equal((await agent.post('/tasks', TASK)).body.cap, 'open_tasks')
  })

  test('a confirmed email raises it at once', async () => {
    const agent = await rich()
    for (let i = 0; i < 4; i += 1) await agent.post('/tasks', TASK)
    assert.equal((await agent.post('/tasks', TASK)).status, 403)

    await verify(agent)

    assert.equal((await agent.post('/tasks', TASK)).status, 201)
  })

  test('does not apply in test mode', async () => {
    const agent = await market.agent()
    for (let i = 0; i < 6; i += 1) assert.equal((await agent.test.post('/tasks', TASK)).status, 201)
  })

  test('32 at once with room for 4: 4 are created; without caps more are', async () => {
    const race = async (base: string, { api_key }: Agent) => {
      const all = await Promise.all(
        Array.from({ length: 32 }, () =>
          call(base, 'POST', '/tasks', {
            body: TASK,
            headers: { authorization: `Bearer ${api_key}` },
          }),
        ),
      )
      return all.filter(({ status }) => status === 201).length
    }

    assert.equal(await race(market.server.addresses.api!, await rich()), 4)

    const { addresses, stop } = await startOn(market.url, {})
    try {
      assert((await race(addresses.api!, await rich())) > 4)
    } finally {
      await stop()
    }
  })
})

describe('agent.identify', () => {
  test('lifts the caps, and taking it back brings them back for new tasks', async () => {
    const trust = await signIn(market, 'trust')
    const agent = await rich()
    const decide = (identified: boolean) =>
      trust.post('/decisions', {
        kind: 'agent.identify',
        subject: agent.id,
        input: { identified },
        reason: 'The company’s register entry and the manager’s identity card',
        request_key: `${agent.id} ${identified}`,
      })

    const done = await decide(true)
    assert.equal(done.body.decision?.state, 'done', done.text)
    assert.deepEqual(await tierOf(agent), {
      name: 'identified',
      open_tasks_max: null,
      open_cents_max: null,
      next_step: null,
    })
    for (let i = 0; i < 9; i += 1) assert.equal((await agent.post('/tasks', TASK)).status, 201)

    assert.equal((await decide(false)).body.decision?.state, 'done')
    assert.equal((await agent.post('/tasks', TASK)).body.tier, 'unverified')
  })
})
