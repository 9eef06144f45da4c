import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { PERSONAS } from '../tasks/personas.ts'
import { INJECTION } from './proofs.ts'

const market = await marketplace()
const agent = await market.agent()

const PLACE = { lat: 52.52, lng: 13.405 }
const ask = (sim: unknown, fields: Json = {}) =>
  agent.test.post('/tasks', {
    description: 'Is the bakery open?',
    budget_cents: 1000,
    context: { sim },
    ...fields,
  })

async function created(sim: unknown, fields: Json = {}): Promise<string> {
  const { status, body, text } = await ask(sim, fields)
  assert.equal(status, 201, text)
  return body.task.id as string
}

const show = async (taskId: string) => (await agent.test.get(`/tasks/${taskId}`)).body.task as Json
const after = async (seconds: number) => {
  market.advance(seconds * 1000)
  await market.sweep()
}
const faults = (task: Json) =>
  task.proofs.flatMap(({ checks }: Json) =>
    checks.filter(({ result }: Json) => result !== 'pass').map(({ name }: Json) => name),
  )

describe('context.sim', () => {
  test('400 for an unknown persona, with all names', async () => {
    for (const sim of ['hapy', 7, [], { persona: 'x' }]) {
      const { status, body } = await ask(sim)
      assert.equal(status, 400)
      assert.match(body.error, /^context\.sim/)
      for (const name of Object.keys(PERSONAS)) assert(body.error.includes(name), body.error)
    }
  })

  test('400 for invalid times and answers', async () => {
    for (const [sim, field] of [
      [{ accept_after_s: -1 }, 'context.sim.accept_after_s'],
      [{ proof_after_s: '5' }, 'context.sim.proof_after_s'],
      [{ answer: 'maybe' }, 'context.sim.answer'],
    ] as const) {
      const { status, body } = await ask(sim, { answer_schema: { type: 'boolean' } })
      assert.equal(status, 400)
      assert.equal(body.details[0].path, field)
    }
    assert.equal((await ask('far', { location: 'Berlin' })).status, 400)
  })

  test('has no effect in live mode', async () => {
    const { status, body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
      context: { sim: 'hapy' },
    })
    await after(600)

    assert.equal(status, 201)
    const { task } = (await agent.get(`/tasks/${body.task.id}`)).body
    assert.deepEqual([task.status, task.context], ['pending', { sim: 'hapy' }])
    const [row] = await market.asOwner('select rehearsal, rehearse_at from tasks where id = $1', [
      task.id,
    ])
    assert.deepEqual(row, { rehearsal: null, rehearse_at: null })
  })
})

describe('the personas', () => {
  test('happy, the default: accepts after 2 s, proves after 7 s, with a sharp photo at the place', async () => {
    const { body } = await agent.test.post('/verify', { question: 'Open?', location: PLACE })
    const { id } = body.task
    await after(1.9)
    assert.equal((await show(id)).status, 'pending')
    await after(0.1)
    assert.equal((await show(id)).status, 'in_progress')
    await after(5)

    const task = await show(id)
    assert.equal(task.status, 'proof_submitted')
    assert.equal(task.proofs[0].worker.name, 'Sim Ada')
    assert.equal(task.proofs[0].answer, true)
    assert.deepEqual(faults(task), [])
    const { status, body: approved } = await agent.test.post(`/tasks/${id}/approve`)
    assert.deepEqual([status, approved.task.status], [200, 'completed'])
    const photo = (await agent.test.get(`/tasks/${id}/proof`)).body.proofs[0].photos[0] as string
    assert.match(photo, /^data:image\/jpeg;base64,/)
  })

  test('uses the given times and answer', async () => {
    const id = await created(
      { accept_after_s: 10, proof_after_s: 20, answer: 'closed' },
      { answer_schema: { enum: ['open', 'closed'] } },
    )
    await after(10)
    await after(19)
    assert.equal((await show(id)).status, 'in_progress')
    await after(1)

    assert.equal((await show(id)).proofs[0].answer, 'closed')
  })

  test('slow: accepts after 30 s, proves after two more minutes', async () => {
    const id = await created('slow')
    await after(29)
    assert.equal((await show(id)).status, 'pending')
    await after(1)
    await after(119)
    assert.equal((await show(id)).status, 'in_progress')
    await after(1)

    assert.equal((await show(id)).status, 'proof_submitted')
  })

  test('nobody: the deadline passes, and the money is refunded', async () => {
    const before = (await agent.test.get('/wallet')).body.balance_cents
    const id = await created('nobody', { deadline: '30m', budget_cents: 3000 })
    await after(1799)
    assert.equal((await show(id)).status, 'pending')
    await after(1)

    assert.equal((await show(id)).status, 'expired')
    assert.equal((await agent.test.get('/wallet')).body.balance_cents, before)
  })

  for (const [persona, check] of [
    ['blurry', 'photo_quality'],
    ['far', 'photo_place'],
    ['late', 'captured_at'],
  ] as const)
    test(`${persona}: one check of the proof fails, ${check}`, async () => {
      const id = await created(persona, { location: PLACE, proof_required: 'photo' })
      await after(2)
      await after(5)

      assert.deepEqual(faults(await show(id)), [check])
    })

  test('hand_back: the first worker releases the task, and another one proves it', async () => {
    const id = await created('hand_back')
    for (const seconds of [2, 5, 2, 5]) await after(seconds)

    const task = await show(id)
    assert.equal(task.status, 'proof_submitted')
    assert.deepEqual(
      task.timeline.map(({ event }: Json) => event),
      ['task.created', 'task.accepted', 'task.released', 'task.accepted', 'task.proof_submitted'],
    )
    assert.notEqual(task.timeline[1].worker_id, task.timeline[3].worker_id)
  })

  test('disagree: of three workers two agree, and one does not', async () => {
    const id = await created('disagree', {
      consensus_count: 3,
      answer_schema: { type: 'boolean' },
    })
    await after(2)
    await after(5)

    const { status, consensus, proofs } = await show(id)
    assert.deepEqual(
      [status, consensus.result, consensus.conflict],
      ['proof_submitted', true, false],
    )
    assert.deepEqual(
      proofs.map(({ answer }: Json) => answer),
      [true, true, false],
    )
    assert.equal(new Set(proofs.map(({ worker }: Json) => worker.id)).size, 3)
  })

  test('appeal: contests a dispute, which the agent may withdraw', async () => {
    const id = await created('appeal')
    await after(2)
    await after(5)
    assert.equal((await agent.test.post(`/tasks/${id}/dispute`, { reason: 'No' })).status, 200)
    await after(2)

    assert.equal((await show(id)).dispute.appeals.length, 1)
    assert.equal((await agent.test.post(`/tasks/${id}/dispute/withdraw`)).status, 200)
    await after(600)
    assert.equal((await show(id)).status, 'completed')
  })

  test('injection: the proof contains instructions, and is marked as untrusted', async () => {
    const id = await created('injection')
    await after(2)
    await after(5)

    const [proof] = (await agent.test.get(`/tasks/${id}/proof`)).body.proofs
    assert.deepEqual([proof.text, proof.untrusted], [INJECTION, true])
  })

  test('a requested revision is submitted', async () => {
    const id = await created('happy')
    await after(2)
    await after(5)
    await agent.test.post(`/tasks/${id}/request-revision`, { note: 'Once more' })
    await after(4)
    assert.equal((await show(id)).status, 'in_progress')
    await after(1)

    assert.equal((await show(id)).status, 'proof_submitted')
  })

  test('video and audio are real files', async () => {
    for (const proof_required of ['video', 'audio']) {
      const id = await created('happy', { proof_required })
      await after(2)
      await after(5)

      assert.equal((await show(id)).proofs[0].media[0].kind, proof_required)
    }
  })

  test('workers are reused, and created only when more are needed', async () => {
    const before = await market.asOwner('select id from workers where mode = $1', ['test'])
    const ids = await Promise.all(Array.from({ length: 8 }, () => created('happy')))
    await after(2)
    await after(5)

    for (const id of ids) assert.equal((await show(id)).status, 'proof_submitted')
    assert.equal(
      (await market.asOwner('select id from workers where mode = $1', ['test'])).length,
      before.length,
    )
  })

  test('two concurrent jobs processes play a task once', async () => {
    const id = await created('happy', { consensus_count: 3 })
    market.advance(2000)
    await Promise.all([market.sweep(), market.sweep()])
    market.advance(5000)
    await Promise.all([market.sweep(), market.sweep()])
    await market.sweep()

    const task = await show(id)
    assert.equal(task.status, 'proof_submitted')
    assert.equal(task.proofs.length, 3)
  })
})

describe('a screening in context.sim', () => {
  const withSim = async (sim: object) => {
    const agent = await market.agent()
    const { status, body } = await agent.test.post('/tasks', {
      description: 'Is it open?',
      budget_cents: 500,
      context: { sim: { accept_after_s: 2, proof_after_s: 5, ...sim } },
    })
    return { agent: agent.test, status, body }
  }

  test('refused: 403 as in live mode, and nothing is created', async () => {
    const { agent, status, body } = await withSim({ screening: 'refused' })

    assert.deepEqual([status, body.code, body.rule], [403, 'task_refused', 'played'])
    assert.equal((await agent.get('/tasks')).body.tasks.length, 0)
  })

  test('cleared: waits, then a scripted worker takes it', async () => {
    const { agent, status, body } = await withSim({ screening: 'cleared' })
    assert.deepEqual([status, body.task.status_reason], [201, 'screening'])
    assert.equal(body.warnings[0].code, 'screening')

    await agent.post('/test/clock/advance', { by: '1m' })

    const { task } = (await agent.get(`/tasks/${body.task.id}`)).body
    assert.deepEqual([task.status, task.status_reason], ['proof_submitted', null])
  })

  for (const [screening, reason] of [
    ['not_allowed', 'screening_refused'],
    ['lapsed', 'screening_lapsed'],
  ])
    test(`${screening}: waits, then it is cancelled and refunded`, async () => {
      const { agent, body } = await withSim({ screening, persona: 'nobody' })
      const before = (await agent.get('/wallet')).body.balance_cents

      await agent.post('/test/clock/advance', { by: '1m' })

      const { task } = (await agent.get(`/tasks/${body.task.id}`)).body
      assert.deepEqual([task.status, task.status_reason], ['cancelled', reason])
      const wallet = (await agent.get('/wallet')).body
      assert.equal(wallet.balance_cents - before + (task.funding === 'free' ? 500 : 0), 500)
    })

  test('400 for an unknown one; operators see none of them', async () => {
    const { status, body } = await withSim({ screening: 'maybe' })

    assert.equal(status, 400)
    assert.equal(body.details[0].path, 'context.sim.screening')
    assert.equal((await market.db.reader.selectFrom('screenings').selectAll().execute()).length, 0)
  })
})
