import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { setAccuracies } from '../workers/set-accuracy.ts'
import { fitAccuracy, readJudged } from './fit-accuracy.ts'

const market = await marketplace()
const YES_OR_NO = { type: 'boolean' }
const SCALE = { type: 'integer', minimum: 1, maximum: 10 }

type Workers = Awaited<ReturnType<typeof market.worker>>[]

async function people(count: number, mode: 'live' | 'test' = 'live'): Promise<Workers> {
  const workers = []
  for (let i = 0; i < count; i += 1) workers.push(await market.worker({ mode }))
  return workers
}

/** A task that these workers answered in turn, and that was then approved. */
async function judged(
  workers: Workers,
  answers: unknown[],
  { answer_schema, mode = 'live' }: { answer_schema?: unknown; mode?: 'live' | 'test' } = {},
): Promise<string> {
  const owner = await market.agent({ balanceCents: 1000, freeTasks: false })
  const agent = mode === 'live' ? owner : owner.test
  for (const { id } of mode === 'test' ? workers : [])
    await market.asOwner(
      'update workers set agent_id = (select twin_id from agents where id = $1) where id = $2',
      [owner.id, id],
    )
  const created = await agent.post('/tasks', {
    description: 'Is it open?',
    budget_cents: 1000,
    consensus_count: workers.length,
    ...(answer_schema === undefined ? {} : { answer_schema }),
  })
  const { id } = created.body.task
  for (const [i, worker] of workers.entries()) {
    await worker.post(`/worker/tasks/${id}/accept`)
    const proof = answer_schema === undefined ? { text: answers[i] } : { answer: answers[i] }
    const { status, text } = await worker.post(`/worker/tasks/${id}/proof`, {
      text: 'See the answer',
      ...proof,
    })
    assert.equal(status, 201, text)
  }
  const { status, text } = await agent.post(`/tasks/${id}/approve`)
  assert.equal(status, 200, text)
  return id
}

const fit = () => market.runJob(fitAccuracy)

async function accuracies(workers: { id: string }[]): Promise<number[]> {
  const ids = workers.map(({ id }) => id)
  const rows = await market.db.reader
    .selectFrom('workers')
    .select(['id', 'accuracy'])
    .where('id', 'in', ids)
    .execute()
  return ids.map((workerId) => rows.find(({ id }) => id === workerId)!.accuracy)
}

describe('the nightly accuracy fit', () => {
  test('raises workers who agree and lowers those who do not, across sharded databases', async () => {
    const workers = await people(5)
    for (let i = 0; i < 8; i += 1) {
      const truth = i % 2 === 0
      const answers = workers.map((_, j) => (j === 0 ? !truth : truth))
      await judged(workers, answers, { answer_schema: YES_OR_NO })
    }

    await fit()

    const [low, ...high] = await accuracies(workers)
    assert.equal(low, 0.5)
    for (const accuracy of high) assert(Math.abs(accuracy - 16 / 18) < 0.01, String(accuracy))
  })

  test('compares normalized texts, choices and objects', async () => {
    const workers = await people(3)
    const object = { type: 'object', properties: { open: YES_OR_NO } }
    const answers = [{ open: true }, { open: true }, { open: true }]
    await judged(workers, ['Open!', 'open', ' OPEN '])
    await judged(workers, ['b', 'b', 'b'], { answer_schema: { enum: ['a', 'b'] } })
    await judged(workers, answers, { answer_schema: object })

    await fit()

    for (const accuracy of await accuracies(workers)) assert(accuracy > 0.82, String(accuracy))
  })

  test('leaves workers with fewer than three votes unchanged', async () => {
    const workers = await people(2)
    for (let i = 0; i < 2; i += 1) await judged(workers, ['Open', 'Open'])

    await fit()

    assert.deepEqual(await accuracies(workers), [0.8, 0.8])
  })

  test('ignores numbers, test mode, disputed work and tasks with one answer', async () => {
    const workers = await people(2)
    const scripted = await people(2, 'test')
    for (let i = 0; i < 3; i += 1) {
      await judged(workers, [7, 7], { answer_schema: SCALE })
      await judged(scripted, ['Open', 'Open'], { mode: 'test' })
      await judged(workers.slice(1), ['Open'])
      const disputed = await judged(workers, ['Open', 'Open'])
      await market.asOwner(`update assignments set status = 'disputed' where task_id = $1`, [
        disputed,
      ])
    }

    await fit()

    assert.deepEqual(await accuracies([...workers, ...scripted]), [0.8, 0.8, 0.8, 0.8])
  })

  test('ignores workers who left because the place was not safe', async () => {
    const workers = await people(3)
    for (let i = 0; i < 3; i += 1) {
      const taskId = await judged(workers, ['Open', 'Open', 'Open'])
      await market.asOwner(
        `with gone as (
           update assignments set reason = 'unsafe' where task_id = $1 and worker_id = $2 returning id)
         update proofs set outcome = 'not_possible' where assignment_id in (select id from gone)`,
        [taskId, workers[0]!.id],
      )
    }

    await fit()

    const [unsafe, ...others] = await accuracies(workers)
    assert.equal(unsafe, 0.8)
    for (const accuracy of others) assert(accuracy > 0.82, String(accuracy))
  })

  test('uses the last proof of a revised assignment', async () => {
    const workers = await people(3)
    for (let i = 0; i < 3; i += 1) {
      const taskId = await judged(workers, ['Shut', 'Open', 'Open'])
      market.advance(1)
      await market.asOwner(
        `insert into proofs (id, assignment_id, task_id, agent_id, worker_id, text, outcome, submitted_at)
         select $1, assignment_id, task_id, agent_id, worker_id, 'Open', 'done', $2 from proofs
          where task_id = $3 and worker_id = $4`,
        [mintId('proof', market.now(), shardOf(taskId)), market.now(), taskId, workers[0]!.id],
      )
    }

    await fit()

    for (const accuracy of await accuracies(workers)) assert(accuracy > 0.82, String(accuracy))
  })

  test('gives the same result when it runs again', async () => {
    const workers = await market.db.reader.selectFrom('workers').select('id').execute()
    const before = await accuracies(workers)

    await fit()

    assert.deepEqual(await accuracies(workers), before)
  })

  test('ignores votes older than 180 days', async () => {
    const workers = await people(2)
    for (let i = 0; i < 3; i += 1) await judged(workers, ['Open', 'Open'])
    market.advance(181 * 86_400_000)

    await fit()

    const since = new Date(market.now().getTime() - 180 * 86_400_000)
    assert.deepEqual(await readJudged([market.db.reader], since), [])
    assert.deepEqual(await accuracies(workers), [0.8, 0.8])
  })
})

describe('setAccuracies', () => {
  test('writes changed values, and returns their number', async () => {
    const worker = await market.worker()
    const set = (accuracy: number) =>
      market
        .at(worker.id)
        .transaction((tx) => setAccuracies(tx, [{ workerId: worker.id, accuracy }]))

    assert.equal(await set(0.9), 1)
    assert.equal(await set(0.900_01), 0)
    assert.deepEqual(await accuracies([worker]), [0.9])
    assert.equal(await market.at(worker.id).transaction((tx) => setAccuracies(tx, [])), 0)
  })

  test('refuses an invalid accuracy', async () => {
    const { id } = await market.worker()

    await assert.rejects(
      market.at(id).transaction((tx) => setAccuracies(tx, [{ workerId: id, accuracy: 0.4 }])),
      /worker_accuracy/,
    )
  })
})
