import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { PASSWORD } from '../../test/people.ts'
import { recordExit } from './exits.ts'

const DAY = 86_400_000
const PLACE = { address: 'Main Street 5, Berlin', lat: 52.52, lng: 13.405 }

const market = await marketplace()

const experienced = () => market.worker({ approvals: 3 })
type Agent = Awaited<ReturnType<typeof market.agent>>
type Worker = Awaited<ReturnType<typeof market.worker>>

async function held(agent: Agent, worker: Worker, fields: Record<string, unknown> = {}) {
  const { body } = await agent.post('/tasks', {
    description: 'Photograph the door',
    budget_cents: 1000,
    location: PLACE,
    ...fields,
  })
  const id = body.task.id as string
  const { status, text } = await worker.post(`/worker/tasks/${id}/accept`)
  assert.equal(status, 200, text)
  return id
}
const trustOf = async (worker: Worker) => {
  const { body } = await worker.get('/worker/trust')
  return [body.trust_score, body.changes]
}

describe('POST /worker/tasks/:id/unsafe', () => {
  test('ends the task as not possible, pays half at once, and leaves trust alone', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const worker = await experienced()
    const id = await held(agent, worker)
    const before = await trustOf(worker)

    const { status, body, text } = await worker.post(`/worker/tasks/${id}/unsafe`, {
      reason: 'Somebody threatened me',
    })

    assert.equal(status, 200, text)
    const { assignment } = body
    assert.deepEqual(
      [assignment.status, assignment.outcome, assignment.reason, assignment.net_cents],
      ['approved', 'not_possible', 'unsafe', 410],
    )
    assert.deepEqual(await trustOf(worker), before)
    const shown = (await agent.get(`/tasks/${id}`)).body
    assert.deepEqual(
      [shown.task.status, shown.task.status_reason, shown.task.settlement?.refunded_cents ?? 500],
      ['completed', 'unsafe_place', 500],
    )
    assert.equal(await market.balance(agent.id), 4500)
    const [proof] = (await agent.get(`/tasks/${id}/proof`)).body.proofs
    assert.equal(proof.text, 'Somebody threatened me')
    assert(proof.checks.some(({ name }: { name: string }) => name === 'safety'))
    const events = (await market.events()).filter(({ agent_id }) => agent_id === agent.id)
    assert.deepEqual(events.map(({ type }) => type).slice(-2), [
      'task.proof_submitted',
      'task.completed',
    ])
  })

  test('a repetition returns the same response and pays once; 409 after ordinary proof', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const worker = await experienced()
    const id = await held(agent, worker)

    const [first, second] = await Promise.all([
      worker.post(`/worker/tasks/${id}/unsafe`),
      worker.post(`/worker/tasks/${id}/unsafe`),
    ])
    const done = await held(agent, worker)
    await worker.post(`/worker/tasks/${done}/proof`, { text: 'Done' })
    const late = await worker.post(`/worker/tasks/${done}/unsafe`)

    assert.deepEqual([first.status, second.status], [200, 200])
    assert.deepEqual(first.body, second.body)
    assert.equal((await worker.get('/worker/earnings')).body.net_cents, 410)
    assert.deepEqual([late.status, late.body.code], [409, 'assignment_ended'])
  })

  test('404 for a task that the worker never accepted', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const id = await held(agent, await experienced())

    const { status, body } = await (await market.worker()).post(`/worker/tasks/${id}/unsafe`)

    assert.deepEqual([status, body.code], [404, 'assignment_not_found'])
  })

  test('waits for the agent if it is a free task, has no place, or the worker is new', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const payer = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const [first, second, fresh] = [await experienced(), await experienced(), await market.worker()]
    const ids = [
      { worker: first, id: await held(agent, first) },
      { worker: second, id: await held(payer, second, { location: undefined }) },
      { worker: fresh, id: await held(payer, fresh) },
    ]

    const statuses = []
    for (const { worker, id } of ids)
      statuses.push((await worker.post(`/worker/tasks/${id}/unsafe`)).body.assignment.status)

    assert.deepEqual(statuses, ['submitted', 'submitted', 'submitted'])
  })

  test('waits from the third time in 30 days on: the agent’s silence pays, its dispute costs no trust', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 20_000 })
    const worker = await experienced()
    const ids = []
    for (let i = 0; i < 4; i += 1) ids.push(await held(agent, worker))

    const statuses = []
    for (const id of ids)
      statuses.push((await worker.post(`/worker/tasks/${id}/unsafe`)).body.assignment.status)
    const [, , third, fourth] = ids
    const before = await trustOf(worker)
    const asked = await agent.post(`/tasks/${third}/request-revision`, { note: 'Go back' })
    const { body } = await agent.post(`/tasks/${fourth}/dispute`, { reason: 'Not true' })
    market.advance(4 * DAY)
    await market.sweep()

    assert.deepEqual(statuses, ['approved', 'approved', 'submitted', 'submitted'])
    assert.deepEqual([asked.status, body.task.status], [400, 'disputed'])
    assert.deepEqual((await trustOf(worker))[1], before[1])
    assert.equal((await worker.get(`/worker/tasks/${third}`)).body.assignment.net_cents, 410)
    market.advance(27 * DAY)
    const login = { email: worker.email, password: PASSWORD }
    const { token } = (await market.call('POST', '/worker/login', { body: login })).body
    const later = await held(agent, { ...worker, ...market.client(token) })
    const again = await market.client(token).post(`/worker/tasks/${later}/unsafe`)
    assert.equal(again.body.assignment.status, 'approved')
  })

  test('counts as one answer of a task for several workers, and the others go on', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const worker = await experienced()
    const id = await held(agent, worker, { consensus_count: 2 })

    const { body } = await worker.post(`/worker/tasks/${id}/unsafe`)

    const { task } = (await agent.get(`/tasks/${id}`)).body
    assert.deepEqual([body.assignment.status, task.status], ['submitted', 'in_progress'])
  })

  test('keeps the first proof if a revision was requested', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
    const worker = await experienced()
    const id = await held(agent, worker)
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
    await agent.post(`/tasks/${id}/request-revision`, { note: 'Closer' })

    const { body } = await worker.post(`/worker/tasks/${id}/unsafe`)

    const { status, outcome, reason } = body.assignment
    assert.deepEqual([status, outcome, reason], ['submitted', 'done', 'unsafe'])
  })

  test('no race pays one worker more than twice at once; reading without the lock does', async () => {
    const agent = await market.agent({ freeTasks: false, balanceCents: 50_000 })
    const worker = await experienced()
    const ids = []
    for (let i = 0; i < 8; i += 1) ids.push(await held(agent, worker))
    const other = await experienced()
    const found = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const task_id = await held(agent, other)
        const [task] = await market.db.reader
          .selectFrom('tasks')
          .selectAll()
          .where('id', '=', task_id)
          .execute()
        const [assignment] = await market.db.reader
          .selectFrom('assignments')
          .selectAll()
          .where('task_id', '=', task_id)
          .execute()
        return { task: task!, assignment: assignment! }
      }),
    )

    const answers = await Promise.all(ids.map((id) => worker.post(`/worker/tasks/${id}/unsafe`)))
    const open = Promise.withResolvers<void>()
    let waiting = 0
    const naive = await Promise.all(
      found.map(({ assignment }) =>
        market.at(other.id).transaction(async (tx) => {
          const { count } = await tx
            .selectFrom('unsafe_exits')
            .select((select) => select.fn.countAll<number>().as('count'))
            .where('worker_id', '=', other.id)
            .where('is_paid_at_once', '=', true)
            .executeTakeFirstOrThrow()
          waiting += 1
          if (waiting === 3) open.resolve()
          await open.promise
          const is_paid_at_once = count < 2
          await tx
            .insertInto('unsafe_exits')
            .values({
              assignment_id: assignment.id,
              worker_id: other.id,
              is_paid_at_once,
              created_at: market.now(),
            })
            .execute()
          return is_paid_at_once
        }),
      ),
    )

    const paid = answers.filter(({ body }) => body.assignment.status === 'approved')
    assert.equal(paid.length, 2)
    assert(naive.filter(Boolean).length > 2)
    const after = await market
      .at(other.id)
      .transaction((tx) =>
        recordExit(tx, found[0]!, { config: market.server.config, now: market.now() }),
      )
    assert.equal(after, naive[0], 'an exit is recorded once')
  })
})
