import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace, type WorkerFields } from '../../test/harness.ts'
import { moveTrust, settle } from '../../test/settled.ts'
import { type Leader, leaderboard, rankLeaders } from './get-leaderboard.ts'

const DAY = 86_400_000

/** Each test gets its own market, because the leaderboard includes every worker. */
async function board() {
  const market = await marketplace()
  const agent = await market.agent({ balanceCents: 10_000_000 })
  return {
    market,
    async worker(completed: number, fields: WorkerFields = {}, at = market.now()) {
      const worker = await market.worker(fields)
      for (let n = 0; n < completed; n += 1)
        await settle(market, agent, [worker], 'approved', { at })
      return worker
    },
    dispute: (worker: { id: string }) => settle(market, agent, [worker], 'disputed'),
  }
}
const rows = ({ entries }: Json) =>
  entries.map((entry: Json) => [entry.rank, entry.worker.name, entry.completed])

describe('GET /worker/leaderboard', () => {
  test('[4.5-leaderboard] ranks by approved work, then by trust; equal workers share a rank', async () => {
    const { worker, dispute } = await board()
    const second = await worker(2, { name: 'Second' })
    await worker(3, { name: 'First' })
    await worker(1, { name: 'Twin A' })
    await worker(1, { name: 'Twin B' })
    const fallen = await worker(2, { name: 'Fallen' })
    await dispute(fallen)
    await worker(1, { name: 'Known', approvals: 5 })
    await worker(0, { name: 'Nothing' })

    const { status, body } = await second.get('/worker/leaderboard?period=week')

    assert.equal(status, 200)
    assert.equal(body.period, 'week')
    assert.deepEqual(
      rows(body).map(([rank, name, completed]: [number, string, number]) => [
        rank,
        name.replace(/ [AB]$/, ''),
        completed,
      ]),
      [
        [1, 'First', 3],
        [2, 'Second', 2],
        [3, 'Fallen', 2],
        [4, 'Known', 1],
        [5, 'Twin', 1],
        [5, 'Twin', 1],
      ],
    )
    assert.deepEqual(body.me, {
      rank: 2,
      worker: { id: second.id, name: 'Second', level: 1 },
      completed: 2,
      trust_score: 75,
    })
    assert.deepEqual(body.me, body.entries[1])
  })

  test('shows no money, no email and no place', async () => {
    const { worker } = await board()
    const place = { label: 'Lisbon', lat: 38.7, lng: -9.1, radius_km: 10 }
    const one = await worker(1, { location: place })

    const { text } = await one.get('/worker/leaderboard')

    for (const hidden of ['cents', '@', 'Lisbon', '38.7']) assert(!text.includes(hidden), hidden)
  })

  test('leaves out workers who opted out, also from their own view', async () => {
    const { worker } = await board()
    const shy = await worker(5, { name: 'Shy', preferences: { leaderboard: false } })
    const proud = await worker(1, { name: 'Proud', preferences: { leaderboard: true } })

    const [ofShy, ofProud] = [
      await shy.get('/worker/leaderboard'),
      await proud.get('/worker/leaderboard'),
    ]
    await shy.put('/worker/profile', { preferences: { leaderboard: true } })
    const again = await shy.get('/worker/leaderboard')

    assert.deepEqual(rows(ofShy.body), [[1, 'Proud', 1]])
    assert.equal(ofShy.body.me, null)
    assert.equal(ofProud.body.me.rank, 1)
    assert.deepEqual(rows(again.body), [
      [1, 'Shy', 5],
      [2, 'Proud', 1],
    ])
  })

  test('counts this week, this month, or all time', async () => {
    const { market, worker } = await board()
    const now = market.now()
    const monday = new Date(now.getTime() - ((now.getUTCDay() + 6) % 7) * DAY)
    monday.setUTCHours(0, 0, 0, 0)
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
    const before = (at: Date) => new Date(at.getTime() - 1)
    const isShort = before(monday) < first
    await worker(1, { name: 'Monday' }, monday > first ? monday : first)
    await worker(2, { name: 'Last week' }, before(monday))
    await worker(3, { name: 'Last month' }, before(first < monday ? first : monday))
    await worker(0, { name: 'Long ago', approvals: 40 })
    const me = await worker(0, { name: 'Me' })

    const read = async (period: string) =>
      rows((await me.get(`/worker/leaderboard?period=${period}`)).body)

    assert.deepEqual(await read('week'), [[1, 'Monday', 1]])
    assert.deepEqual(
      await read('month'),
      isShort
        ? [[1, 'Monday', 1]]
        : [
            [1, 'Last week', 2],
            [2, 'Monday', 1],
          ],
    )
    assert.deepEqual(await read('all'), [
      [1, 'Long ago', 40],
      [2, 'Last month', 3],
      [3, 'Last week', 2],
      [4, 'Monday', 1],
    ])
  })

  test('shows the first hundred, and the worker’s own rank beyond them', async () => {
    const { market, worker } = await board()
    const me = await worker(0, { name: 'Me', approvals: 1 })
    for (let n = 0; n < 110; n += 1) await market.worker({ approvals: n + 2 })

    const { body } = await me.get('/worker/leaderboard?period=all')

    assert.equal(body.entries.length, 100)
    assert.deepEqual([body.entries[0].completed, body.entries[99].completed], [111, 12])
    assert.deepEqual([body.me.rank, body.me.completed, body.me.worker.name], [111, 1, 'Me'])
  })

  test('has no rank for a worker without approved work', async () => {
    const { worker } = await board()
    const me = await worker(0, { name: 'Me' })

    const { body } = await me.get('/worker/leaderboard')

    assert.deepEqual(body.entries, [])
    assert.deepEqual(body.me, {
      rank: null,
      worker: { id: me.id, name: 'Me', level: 1 },
      completed: 0,
      trust_score: 70,
    })
  })

  test('excludes suspended workers and test mode', async () => {
    const { market, worker } = await board()
    const [suspended, scripted] = [await worker(1), await worker(2)]
    const me = await worker(1, { name: 'Me' })
    await market.asOwner(`update workers set status = 'suspended' where id = $1`, [suspended.id])
    await market.asOwner(`update workers set mode = 'test', agent_id = 'agent_x' where id = $1`, [
      scripted.id,
    ])

    const { body } = await me.get('/worker/leaderboard')

    assert.deepEqual(rows(body), [[1, 'Me', 1]])
  })

  test('ranks by the displayed score', async () => {
    const { market, worker } = await board()
    const names = ['A', 'B', 'C', 'D', 'E', 'F']
    const workers = []
    for (const [i, name] of names.entries()) {
      const one = await worker(1, { name })
      for (let n = 0; n < i % 3; n += 1) await moveTrust(market, one.id, 'abandoned')
      workers.push(one)
    }

    const { body } = await workers[0]!.get('/worker/leaderboard')

    const shown = body.entries.map((entry: Json) => [entry.rank, entry.trust_score])
    assert.deepEqual(shown, [
      [1, 73],
      [1, 73],
      [3, 70],
      [3, 70],
      [5, 67],
      [5, 67],
    ])
  })

  test('400 for an unknown period', async () => {
    const { worker } = await board()
    const me = await worker(0)

    const { status, body } = await me.get('/worker/leaderboard?period=day')

    assert.equal(status, 400)
    assert.equal(body.details[0].path, 'period')
  })

  test('401 without a token', async () => {
    const { market } = await board()

    assert.equal((await market.call('GET', '/worker/leaderboard')).status, 401)
  })
})

describe('the leaderboard of two shards', () => {
  test('ranks a worker beyond the first hundred among the workers of both', async () => {
    const [here, there] = [await marketplace(), await marketplace()]
    const me = await here.worker({ name: 'Me', approvals: 2 })
    await there.worker({ name: 'Equal', approvals: 2 })
    await there.worker({ name: 'Behind', approvals: 1 })
    for (let n = 0; n < 55; n += 1) {
      await here.worker({ approvals: 3 })
      await there.worker({ approvals: 4 })
    }

    const board = await leaderboard(
      { home: here.db.reader, shards: [here.db.reader, there.db.reader] },
      {
        worker: { id: me.id, mode: 'live', agentId: null },
        period: 'all',
        now: here.now(),
      },
    )

    assert.equal(board.entries.length, 100)
    assert.deepEqual([board.entries[0]!.rank, board.entries[54]!.completed], [1, 4])
    assert.deepEqual([board.entries[99]!.rank, board.entries[99]!.completed], [56, 3])
    assert.deepEqual([board.me!.rank, board.me!.worker.name], [111, 'Me'])
  })
})

describe('rankLeaders', () => {
  const leader = (id: string, completed: number, score = 70): Leader => ({
    id,
    name: id,
    trust_good: 0,
    trust_bad: 0,
    trust_pending: 0,
    approved_count: completed,
    identity_done_at: null,
    completed,
    score,
    rank: 1,
  })
  const ranks = (leaders: Leader[]) => leaders.map(({ id, rank }) => [id, rank])

  test('ranks the workers of two shards among each other', () => {
    const parts = [[leader('a', 9), leader('c', 5)], [leader('b', 7)]]

    assert.deepEqual(ranks(rankLeaders(parts)), [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
  })

  test('gives equal workers of two shards one rank, in the order of their ids', () => {
    const parts = [
      [leader('b', 5), leader('d', 5, 60)],
      [leader('a', 5), leader('c', 5)],
    ]

    assert.deepEqual(ranks(rankLeaders(parts)), [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 4],
    ])
  })

  test('takes all from one shard if the others are empty, and ends at the limit', () => {
    const parts = [[], [leader('a', 3), leader('b', 2), leader('c', 1)], []]

    assert.deepEqual(ranks(rankLeaders(parts, 2)), [
      ['a', 1],
      ['b', 2],
    ])
  })
})
