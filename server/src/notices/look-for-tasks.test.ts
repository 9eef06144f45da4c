import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type TestWorker, type WorkerFields } from '../../test/harness.ts'
import { noticesOf, run } from '../../test/notices.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const BERLIN = { lat: 52.52, lng: 13.405 }
const market = await marketplace()

const titles = async (worker: TestWorker) =>
  (await noticesOf(worker)).map(({ title }) => title as string)

async function alerted(fields: WorkerFields = {}, alert: object = {}): Promise<TestWorker> {
  const worker = await market.worker(fields)
  assert.equal((await worker.put('/worker/alert', alert)).status, 200)
  return worker
}

/** Advances far enough that every alert is checked once. */
async function look(): Promise<void> {
  market.advance(6 * MINUTE)
  await run(market)
}

const agent = await market.agent({ balanceCents: 1_000_000 })

async function post(title: string, fields: object = {}): Promise<string> {
  const { status, body, text } = await agent.post('/tasks', {
    description: 'Look',
    title,
    budget_cents: 1000,
    deadline: '7d',
    ...fields,
  })
  assert.equal(status, 201, text)
  return body.task.id as string
}

describe('an alert', () => {
  test('notifies of a new task once, with its pay and distance', async () => {
    const before = await post('before')
    market.advance(1)
    const worker = await alerted({}, { ...BERLIN, radius_km: 20 })

    const id = await post('near', { location: { ...BERLIN, lat: 52.55 } })
    await look()
    await look()

    const [notice, ...others] = await noticesOf(worker)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [notice!.kind, notice!.task_id, notice!.title, notice!.amount_cents, notice!.agent_name],
      ['new_task', id, 'near', 820, agent.name],
    )
    assert(notice!.distance_km > 3 && notice!.distance_km < 4)
    for (const one of [before, id]) await agent.post(`/tasks/${one}/cancel`)
  })

  test('notifies only of tasks that the feed would show: place, type, pay, skills, level, muted agents', async () => {
    const worker = await alerted(
      { skills: ['german'] },
      { ...BERLIN, radius_km: 10, types: ['custom'], min_pay_cents: 500 },
    )
    const muted = await alerted({ preferences: { muted_agents: [agent.id] } })
    const ids = [
      await post('far', { location: { lat: 48.1, lng: 11.6 } }),
      await post('ill paid', { budget_cents: 200 }),
      await post('too high', { min_worker_level: 2 }),
      await post('too hard', { skills: ['welding'] }),
    ]
    const verify = await agent.post('/verify', { question: 'Another type?' })

    await look()
    const before = await titles(worker)
    ids.push(await post('right', { location: BERLIN, skills: ['german'] }))
    await look()

    assert.deepEqual(before, [])
    assert.deepEqual(await titles(worker), ['right'])
    assert.deepEqual(await noticesOf(muted), [])
    for (const id of [...ids, verify.body.task.id]) await agent.post(`/tasks/${id}/cancel`)
  })

  test('notifies only of the best match among several new tasks', async () => {
    const worker = await alerted()
    const ids = [
      await post('poor', { budget_cents: 500 }),
      await post('rich', { budget_cents: 4000 }),
      await post('fair', { budget_cents: 1500 }),
    ]

    await look()
    await look()

    assert.deepEqual(await titles(worker), ['rich'])
    for (const id of ids) await agent.post(`/tasks/${id}/cancel`)
  })

  test('notifies at most three times in 24 hours, or as often as configured', async () => {
    const usual = await alerted()
    const keen = await alerted({ preferences: { notify: { new_tasks_per_day: 5 } } })
    const calm = await alerted({ preferences: { notify: { new_tasks_per_day: 0 } } })
    const off = await alerted({ preferences: { notify: { new_task: false } } })
    const ids: string[] = []
    for (let i = 0; i < 6; i += 1) {
      ids.push(await post(`task ${i}`))
      await look()
    }
    const today = await Promise.all([usual, keen, calm, off].map(titles))

    for (const id of ids) await agent.post(`/tasks/${id}/cancel`)
    market.advance(24 * HOUR)
    await look()
    ids.push(await post('tomorrow'))
    await look()

    assert.deepEqual(today, [
      ['task 2', 'task 1', 'task 0'],
      ['task 4', 'task 3', 'task 2', 'task 1', 'task 0'],
      [],
      [],
    ])
    assert.deepEqual((await titles(usual))[0], 'tomorrow')
    await agent.post(`/tasks/${ids.at(-1)}/cancel`)
  })

  test('waits for the end of quiet hours, and notifies then of tasks that are still open', async () => {
    const time = (hours: number) =>
      new Date(market.now().getTime() + hours * HOUR).toISOString().slice(11, 16)
    const quiet = { from: time(-1), to: time(1), tz: 'UTC' }
    const worker = await alerted({ preferences: { notify: { quiet } } })
    const [open, closed] = [await post('still open'), await post('gone by then')]

    await look()
    const during = await titles(worker)
    await agent.post(`/tasks/${closed}/cancel`)
    market.advance(HOUR)
    await look()

    assert.deepEqual(during, [])
    assert.deepEqual(await titles(worker), ['still open'])
    await agent.post(`/tasks/${open}/cancel`)
  })

  test('sends nothing after it was deleted', async () => {
    const worker = await alerted()
    await worker.delete('/worker/alert')
    const id = await post('unheard')

    await look()

    assert.deepEqual(await noticesOf(worker), [])
    await agent.post(`/tasks/${id}/cancel`)
  })

  test('is processed once by two concurrent sweeps', async () => {
    const worker = await alerted()
    const id = await post('once')
    await market.work()
    market.advance(6 * MINUTE)

    await Promise.all([market.sweep(), market.sweep(), market.sweep()])

    assert.deepEqual(await titles(worker), ['once'])
    await agent.post(`/tasks/${id}/cancel`)
  })
})
