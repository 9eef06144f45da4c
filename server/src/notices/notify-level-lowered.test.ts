import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { noticesOf, run } from '../../test/notices.ts'
import { moveTrust } from '../../test/settled.ts'

const HOUR = 3_600_000
const market = await marketplace()

const told = async (worker: TestWorker) =>
  (await noticesOf(worker))
    .filter(({ kind }) => kind === 'level_lowered')
    .map(({ task_id, title, reason }) => [task_id, title, reason])

/** A worker on level 2 with an old dispute: one more lowers them to level 1. */
async function atTheEdge(): Promise<TestWorker> {
  const worker = await market.worker({ approvals: 5 })
  const at = new Date(market.now().getTime() - 24 * HOUR)
  await moveTrust(market, worker.id, 'disputed', { at })
  return worker
}

async function dispute(worker: TestWorker, description = 'Look'): Promise<string> {
  const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
  const { body } = await agent.post('/tasks', { description, budget_cents: 1000 })
  const { id } = body.task as { id: string }
  await worker.post(`/worker/tasks/${id}/accept`)
  await worker.post(`/worker/tasks/${id}/proof`, { text: 'Seen' })
  const { status, text } = await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })
  assert.equal(status, 200, text)
  return id
}

describe('a worker whose dispute was not appealed', () => {
  test('is notified once that the level fell, with the task and the new level', async () => {
    const worker = await atTheEdge()
    const id = await dispute(worker)

    market.advance(72 * HOUR - 1)
    await run(market)
    const before = await told(worker)
    market.advance(1)
    await run(market)
    market.advance(HOUR)
    await run(market)

    assert.deepEqual(before, [])
    assert.deepEqual(await told(worker), [[id, 'Look', '1']])
  })

  test('is notified once of two disputes that end together, with the newer one', async () => {
    const worker = await atTheEdge()
    await dispute(worker, 'First')
    market.advance(1)
    const newer = await dispute(worker, 'Second')

    market.advance(72 * HOUR)
    await run(market)

    assert.deepEqual(await told(worker), [[newer, 'Second', '1']])
  })

  test('is not notified if the level stays the same', async () => {
    const worker = await market.worker({ approvals: 10 })
    await dispute(worker)

    market.advance(72 * HOUR)
    await run(market)

    assert.deepEqual((await worker.get('/worker/trust')).body.pending, [])
    assert.deepEqual(await told(worker), [])
  })
})
