import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BOARD_NAMES } from '../../src/desk/boards/board.ts'
import { BOARDS } from '../../src/desk/boards/boards.ts'
import { type Json, marketplace } from '../harness.ts'
import { MINUTE, reconcileAfter } from '../money.ts'
import { completedBy, payableWorker } from '../payouts.ts'
import { deskClient, sessionFor, signIn } from './sign-in.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const settings = {
  BOARD_CACHE_SECONDS: 0,
  DISPUTES_BEFORE_REVIEW: 100,
  HOLD_HOURS: 0,
  HOLD_HOURS_NEW: 0,
}
const market = await marketplace({ roles: ['api', 'desk'], processor: true, settings })
const operator = await signIn(market, 'viewer')

/** A session ends while the clock advances by days. */
const get = async (path: string) =>
  deskClient(market, await sessionFor(market, operator.id)).get(path)

type Shown = Record<string, { value: number; as: string; state: string | null; link: string }>

async function board(name: string, window = 'day'): Promise<Shown> {
  const { status, body, text } = await get(`/boards/${name}?window=${window}`)
  assert.equal(status, 200, text)
  return Object.fromEntries(body.figures.map((figure: Json) => [figure.name, figure]))
}

/** The value is null if the figure can't be measured. */
const valuesOf = async (name: string, window?: string) =>
  Object.fromEntries(
    Object.entries(await board(name, window)).map(([figure, { value }]) => [figure, value]),
  )

/** All rows behind a figure, page by page. */
async function rowsOf(name: string, figure: string, window = 'day') {
  const rows: Json[] = []
  let cursor = ''
  for (;;) {
    const path = `/boards/${name}/rows/${figure}?window=${window}&limit=3${cursor}`
    const { status, body, text } = await get(path)
    assert.equal(status, 200, text)
    rows.push(...body.rows.map(({ cells }: Json) => cells))
    if (body.next_cursor === null) return { rows, makes: body.makes, columns: body.columns }
    cursor = `&cursor=${body.next_cursor}`
  }
}

/** Computes the figure from its rows. */
async function added(name: string, figure: string, window?: string): Promise<number | null> {
  const { rows, makes } = await rowsOf(name, figure, window)
  const values = rows.map((cells: Json) => cells[makes.column]) as number[]
  if (makes.by === 'count') return rows.length
  if (makes.by === 'sum') return values.reduce((sum, value) => sum + value, 0)
  if (rows.length === 0) return null
  if (makes.by === 'share') return values.filter(Boolean).length / rows.length
  const sorted = values.toSorted((a, b) => a - b)
  return Number(
    sorted[Math.ceil(rows.length * (makes.by === 'p50' ? 0.5 : 0.95)) - 1]!.toPrecision(3),
  )
}

describe('the board of money', () => {
  test('shows each cent: the processor’s, the books’, our own, and what moved today', async () => {
    await market.sandbox.control('POST', 'topups', { amount: 100_000 })
    await market.settle()
    await reconcileAfter(market, MINUTE)
    market.advance(2 * DAY)
    const before = await valuesOf('money')
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(agent, 20_000)
    const worker = await payableWorker(market)
    await completedBy(agent, [worker])
    await market.taskIn(agent, 'pending', { budget_cents: 700 })
    await market.settle()
    await reconcileAfter(market, MINUTE)

    const shown = await valuesOf('money')
    const { body } = await get('/boards/money')

    const by = (name: string) => shown[name]! - (before[name] ?? 0)
    assert.equal(shown.reconciled_seconds, 0)
    assert.equal(by('books_cents'), 20_000 - 610 - 820)
    assert.equal(by('own_funds_cents'), 180 - 610)
    assert.equal(by('escrow_cents'), 700)
    assert.equal(by('open_tasks_cents'), 700)
    assert.deepEqual([shown.escrow_difference_cents, shown.accounts_sum_cents], [0, 0])
    assert.deepEqual(
      [before.deposits_day_cents, before.commission_day_cents, before.payouts_day_cents],
      [0, 0, 0],
    )
    assert.equal(shown.deposits_day_cents, 20_000)
    assert.equal(shown.commission_day_cents, 180)
    assert.deepEqual([shown.payouts_day_cents, shown.payouts_paid_cents], [820, 820])
    assert.deepEqual([shown.payouts_failed, shown.payout_oldest_seconds], [0, 0])
    assert.deepEqual(body.tables[0].rows, [['paid', null, 1, 820]])
    for (const [account, lines, owners] of body.tables[1].rows)
      if (owners !== null) assert.equal(lines, owners, account)
  })

  test('a cent that is missing in one balance shows in the sum of all accounts', async () => {
    await market.asOwner(`alter table ledger_agents disable trigger all`)
    const change = (cents: number) =>
      market.asOwner(
        `update ledger_agents set wallet_cents = wallet_cents + $1 where agent_id =
           (select agent_id from ledger_agents where wallet_cents > 100 order by agent_id limit 1)`,
        [cents],
      )
    await change(1)

    const shown = await board('money')
    await change(-1)

    assert.equal(shown.accounts_sum_cents!.value, -1)
    assert.equal(shown.accounts_sum_cents!.state, 'bad')
  })
})

describe('the board of the marketplace', () => {
  test('shows what was done: 2 of 10 ended tasks expired, 1 of 6 was disputed …', async () => {
    market.advance(8 * DAY)
    await market.sweep()
    market.advance(8 * DAY)
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    for (let i = 0; i < 2; i += 1) await market.taskIn(agent, 'cancelled')
    const expiring = []
    for (let i = 0; i < 2; i += 1)
      expiring.push(await market.taskIn(agent, 'pending', { deadline: '1h' }))
    const waiting = await market.taskIn(agent, 'pending', {
      location: 'Main Street 5, Berlin',
      type: 'field_mission',
      deadline: '3d',
    })
    const test = await market.taskIn(agent.test, 'completed')
    const worker = await market.worker({ approvals: 100 })
    const tasks = []
    for (let i = 0; i < 6; i += 1) {
      const task = await market.taskIn(agent, 'pending', { auto_approve_after: '10h' })
      market.advance(10_000 * (i + 1))
      assert.equal((await worker.post(`/worker/tasks/${task.id}/accept`)).status, 200)
      market.advance(100_000)
      assert.equal(
        (await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })).status,
        201,
      )
      market.advance(200_000)
      if (i < 3) assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
      if (i === 3)
        assert.equal((await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })).status, 200)
      tasks.push(task.id)
    }
    assert.equal(
      (await worker.post(`/worker/tasks/${tasks[3]}/appeal`, { statement: 'Look' })).status,
      201,
    )
    assert.equal((await agent.post(`/tasks/${tasks[3]}/dispute/withdraw`)).status, 200)
    market.advance(10.5 * HOUR)
    await market.sweep()
    await market.events()

    const shown = await valuesOf('marketplace')

    assert.equal(test.status, 'completed')
    assert.deepEqual(expiring.length, 2)
    assert.deepEqual(shown, {
      tasks_created: 11,
      without_takers: 1,
      acceptance_p50_seconds: 30,
      acceptance_p95_seconds: 60,
      proof_p50_seconds: 100,
      proof_p95_seconds: 100,
      decision_p50_seconds: 200,
      decision_p95_seconds: 38_400,
      expiry_share: 0.2,
      dispute_share: 1 / 6,
      overturn_share: 0,
      auto_approval_share: 2 / 6,
      active_day: 1,
      active_week: 1,
    })
    const { body } = await get('/boards/marketplace')
    assert.deepEqual(
      body.tables[0].rows.map((row: Json) => row.slice(0, 3)),
      [['Berlin', 'field_mission', 1]],
    )
    assert.deepEqual((await rowsOf('marketplace', 'without_takers')).rows, [
      [waiting.id, agent.id, 'Berlin', 'field_mission'],
    ])
  })

  test('a week looks further back than a day, and people of last week are active no more today', async () => {
    market.advance(2 * DAY)

    const day = await valuesOf('marketplace')
    const week = await valuesOf('marketplace', 'week')

    assert.deepEqual([day.tasks_created, week.tasks_created], [0, 11])
    assert.deepEqual([day.expiry_share, week.expiry_share], [null, 0.2])
    assert.deepEqual([day.active_day, day.active_week], [0, 1])
  })
})

describe('the board of health', () => {
  test('counts failed and refused requests by groups of routes, and the processes', async () => {
    const before = await valuesOf('health')
    const agent = await market.agent()
    for (let i = 0; i < 4; i += 1) await agent.get('/agents/me')
    await agent.get('/tasks/nonsense')
    market.advance(MINUTE)
    await until(
      async () => (await board('health')).requests_hour!.value! > (before.requests_hour ?? 0),
    )

    const { body } = await get('/boards/health')
    const shown = await valuesOf('health')

    assert.equal(shown.api_processes, 1)
    assert.equal(shown.failed_share, 0)
    const routes = body.tables[0].rows as Json[]
    assert.equal(routes.at(-1)![0], 'All other requests')
    assert(routes.at(-1)![2] >= 1, 'a refused request')
    assert.equal(
      routes.reduce((sum, row) => sum + row[1], 0),
      shown.requests_hour,
    )
  })

  test('shows dead jobs, failing receivers and a relay that stands still', async () => {
    const agent = await market.agent({ webhook_url: 'https://hooks.example/a' })
    await market.asOwner(
      `insert into webhook_lanes (id, agent_id, failing_since, failures)
       values ($1, $2, $3, 3) on conflict (id) do update set failing_since = excluded.failing_since`,
      [`${agent.id} `, agent.id, market.now()],
    )
    await market.events()
    await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
    market.advance(90_000)

    const shown = await board('health')

    assert.equal(shown.receivers_failing!.value, 1)
    assert.equal(shown.receivers_failing!.state, 'warn')
    assert.equal(shown.outbox_seconds!.value, 90)
    assert.equal(shown.outbox_seconds!.state, 'bad')
    assert.equal(shown.job_processes!.value, 0)
    await market.events()
  })
})

const PARTS_OF_A_SHARE = new Set(['failed_share', 'slow_share'])
const ONE_OF_MANY = /_seconds$|^(?:processor|books|own_funds|escrow_difference)_cents$/

for (const name of BOARD_NAMES)
  test(`the rows behind every figure of the board ${name} add up to it`, async () => {
    const windows = BOARDS[name].hasWindows ? ['day', 'week'] : ['day']
    for (const window of windows)
      for (const [figure, { value, link }] of Object.entries(await board(name, window))) {
        if (!link?.startsWith('/boards/')) continue
        const sum = await added(name, figure, window)
        if (PARTS_OF_A_SHARE.has(figure)) continue
        if (ONE_OF_MANY.test(figure) && !/_p\d\d_/.test(figure)) continue
        assert.equal(sum, value, `${figure} of the last ${window}`)
      }
  })

test('every figure is defined in one sentence, and its rows can be listed', () => {
  for (const { figures } of Object.values(BOARDS))
    for (const { name, definition, link, rows } of figures) {
      assert.match(definition, /^[A-Z].*\.$/, name)
      assert(link === undefined || rows === undefined, name)
    }
})

test('404: a figure without rows; 400: a cursor that is none', async () => {
  const missing = await get('/boards/money/rows/accounts_sum_cents')
  const wrong = await get('/boards/money/rows/breaks?cursor=nonsense')

  assert.deepEqual([missing.status, missing.body.code], [404, 'figure_not_found'])
  assert.equal(wrong.status, 400)
})

/** Counts are stored a few seconds after their minute. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 60; i += 1) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  assert.fail('it never became true')
}
