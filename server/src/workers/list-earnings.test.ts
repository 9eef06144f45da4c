import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { settle } from '../../test/settled.ts'

const DAY = 86_400_000

const market = await marketplace()

const items = async (worker: Awaited<ReturnType<typeof market.worker>>, query = '') => {
  const { status, body, text } = await worker.get(`/worker/earnings/items${query}`)
  assert.equal(status, 200, text)
  return body as { items: Json[]; next_cursor: string | null }
}

describe('GET /worker/earnings/items', () => {
  test('lists each payment with its task, gross less commission, the latest first', async () => {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', {
      description: 'Is the bakery open? Look at the door.',
      budget_cents: 2000,
    })
    const worker = task.workers[0]!
    const approved = await agent.post(`/tasks/${task.id}/approve`, { tip_cents: 300 })
    assert.equal(approved.status, 200, approved.text)
    market.advance(1000)
    const dropped = await market.taskIn(agent, 'pending', { title: 'Fetch it', type: 'gut_check' })
    await worker.post(`/worker/tasks/${dropped.id}/accept`)
    await agent.post(`/tasks/${dropped.id}/cancel`)

    const { items: shown, next_cursor } = await items(worker)

    const plain = shown.map(({ id, at, ...rest }) => {
      assert.match(id, /^txn_/)
      assert(Date.parse(at) <= market.now().getTime())
      return rest
    })
    const of = { agent_name: agent.name, task_id: task.id, title: 'Is the bakery open?' }
    assert.deepEqual(plain[0], {
      kind: 'compensation',
      task_id: dropped.id,
      type: 'gut_check',
      title: 'Fetch it',
      agent_name: agent.name,
      gross_cents: 750,
      commission_cents: 0,
      net_cents: 750,
    })
    assert.deepEqual(
      plain.slice(1).toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      [
        {
          kind: 'approved',
          type: 'custom',
          ...of,
          gross_cents: 2000,
          commission_cents: 360,
          net_cents: 1640,
        },
        {
          kind: 'tip',
          type: 'custom',
          ...of,
          gross_cents: 300,
          commission_cents: 0,
          net_cents: 300,
        },
      ],
    )
    assert.equal(next_cursor, null)
    const ofTask = await items(worker, `?task_id=${dropped.id}`)
    assert.deepEqual(ofTask.items, [shown[0]])
    const { body: sums } = await worker.get('/worker/earnings')
    for (const name of ['gross_cents', 'commission_cents', 'net_cents'])
      assert.equal(
        plain.reduce((sum, item) => sum + (item as Json)[name], 0),
        sums[name],
        name,
      )
  })

  test('has pages with each payment once', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    for (let i = 0; i < 5; i += 1)
      await settle(market, agent, [worker], 'approved', { fields: { title: `Number ${i}` } })

    const titles: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 5; pages += 1) {
      const page = await items(worker, `?limit=2${cursor && `&cursor=${cursor}`}`)
      titles.push(...page.items.map(({ title }) => title as string))
      cursor = page.next_cursor
    }

    assert.deepEqual(
      titles,
      [4, 3, 2, 1, 0].map((i) => `Number ${i}`),
    )
  })

  test('starts days at midnight in the given time zone', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    const day = new Date(market.now().getTime() - 3 * DAY).toISOString().slice(0, 10)
    await settle(market, agent, [worker], 'approved', { at: new Date(`${day}T23:30:00Z`) })

    const utc = await items(worker, `?from=${day}&to=${day}`)
    const tokyo = await items(worker, `?from=${day}&to=${day}&tz=Asia/Tokyo`)

    assert.deepEqual([utc.items.length, tokyo.items.length], [1, 0])
  })

  test('lists only the worker’s own payments', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const [one, two] = [await market.worker(), await market.worker()]
    await settle(market, agent, [one, two], 'approved', { fields: { budget_cents: 2000 } })
    const stranger = await market.worker()

    const shown = [...(await items(one)).items, ...(await items(two)).items]

    assert.deepEqual(
      shown.map(({ net_cents, commission_cents }) => [net_cents, commission_cents]),
      [
        [820, 180],
        [820, 180],
      ],
    )
    assert.deepEqual((await items(stranger)).items, [])
  })

  test('400 for days in the wrong order, an invalid zone, and a cursor of another list', async () => {
    const worker = await market.worker()

    for (const query of [
      '?from=2026-02-02&to=2026-02-01',
      '?from=yesterday',
      '?tz=Mars',
      '?cursor=txn_1',
    ]) {
      const { status } = await worker.get(`/worker/earnings/items${query}`)
      assert.equal(status, 400, query)
    }
  })
})
