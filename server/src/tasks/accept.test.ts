import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const market = await marketplace()

describe('POST /worker/tasks/:id/accept', () => {
  test('[1-worker-accepts] [4.5-accept] takes the slot, starts the timer, shows the place', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const location = { address: 'Main Street 5, Berlin', lat: 52.52, lng: 13.405 }
    const task = await market.taskIn(agent, 'pending', { location, urgency: 'urgent' })
    const worker = await market.worker()

    const { status, body } = await worker.post(`/worker/tasks/${task.id}/accept`)

    assert.equal(status, 200)
    assert.equal(body.task.status, 'in_progress')
    assert.deepEqual(body.task.location, location)
    assert.match(body.assignment.id, /^asg_[0-9a-z]{26}$/)
    assert.equal(body.assignment.status, 'accepted')
    assert.equal(body.assignment.pay_cents, 2050)
    assert.equal(Date.parse(body.assignment.expires_at), market.now().getTime() + HOUR)
    const shown = await agent.get(`/tasks/${task.id}`)
    assert.equal(shown.body.task.status, 'in_progress')
    assert.deepEqual(
      shown.body.task.assignments.map((slot: { worker_id: string; status: string }) => [
        slot.worker_id,
        slot.status,
      ]),
      [[worker.id, 'accepted']],
    )
  })

  test('[7-403-level] 403 Worker level too low, with the required level; nothing is taken', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const dear = await market.taskIn(agent, 'pending', { budget_cents: 5001 })
    const picky = await market.taskIn(agent, 'pending', { min_worker_level: 3 })
    const newcomer = await market.worker()

    const [first, second] = await Promise.all([
      newcomer.post(`/worker/tasks/${dear.id}/accept`),
      newcomer.post(`/worker/tasks/${picky.id}/accept`),
    ])

    assert.equal(first.status, 403)
    assert.equal(first.body.error, 'Worker level too low')
    assert.equal(first.body.code, 'level_too_low')
    assert.deepEqual([first.body.required_level, first.body.current_level], [2, 1])
    assert.deepEqual([second.status, second.body.required_level], [403, 3])
    assert.equal((await agent.get(`/tasks/${dear.id}`)).body.task.status, 'pending')
    const seasoned = await market.worker({ approvals: 30 })
    assert.equal((await seasoned.post(`/worker/tasks/${picky.id}/accept`)).status, 200)
  })

  test('403 skill_missing with what the profile lacks; accepted once it is added', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const task = await market.taskIn(agent, 'pending', {
      skills: ['Driving', 'cooking'],
      languages: ['Spanish', 'en'],
    })
    const worker = await market.worker({ skills: ['cooking'], languages: ['en-us'] })

    const refused = await worker.post(`/worker/tasks/${task.id}/accept`)
    const { body } = await agent.get(`/tasks/${task.id}`)
    await worker.put('/worker/profile', { skills: ['cooking', 'DRIVING'], languages: ['en', 'es'] })
    const accepted = await worker.post(`/worker/tasks/${task.id}/accept`)
    await worker.put('/worker/profile', { skills: [], languages: [] })
    const again = await worker.post(`/worker/tasks/${task.id}/accept`)

    assert.deepEqual([refused.status, refused.body.code], [403, 'skill_missing'])
    assert.deepEqual(refused.body.missing_skills, ['driving'])
    assert.deepEqual(refused.body.missing_languages, ['es'])
    assert.deepEqual([body.task.status, body.task.languages], ['pending', ['es', 'en']])
    assert.equal(accepted.status, 200)
    assert.deepEqual(again.body.assignment, accepted.body.assignment)
  })

  for (const [what, body, type] of [
    ['no body', undefined, undefined],
    ['no body, called JSON', '', 'application/json'],
    ['an empty object', '{}', 'application/json'],
    ['fields that it does not need', '{"task_id":"task_1"}', 'application/json'],
  ] as const)
    test(`accepts ${what}`, async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      const task = await market.taskIn(agent, 'pending')
      const worker = await market.worker()

      const reply = await fetch(`${market.server.addresses.api}/worker/tasks/${task.id}/accept`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${worker.token}`,
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        body: body === undefined ? null : Buffer.from(body),
      })

      assert.equal(reply.status, 200, await reply.text())
    })

  test('a worker far away may accept: the place is not enforced', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'pending', { location: { lat: 52.52, lng: 13.4 } })
    const worker = await market.worker({
      location: { label: 'Lima', lat: -12.05, lng: -77.04, radius_km: 5 },
    })

    assert.equal((await worker.post(`/worker/tasks/${task.id}/accept`)).status, 200)
  })

  test('test workers accept any skills and languages that a test task requires', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent.test, 'pending', {
      skills: ['drone'],
      languages: ['fi'],
    })
    const tester = await market.worker({ mode: 'test', agentId: task.agent_id })

    assert.equal((await tester.post(`/worker/tasks/${task.id}/accept`)).status, 200)
  })

  test('the level follows the share of one worker, not the whole budget', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const shared = await market.taskIn(agent, 'pending', { budget_cents: 9000, consensus_count: 3 })
    const newcomer = await market.worker()

    assert.equal((await newcomer.post(`/worker/tasks/${shared.id}/accept`)).status, 200)
  })

  test('409 no_slot if the slot is taken, the task has ended, or the deadline has passed', async () => {
    const agent = await market.agent({ balanceCents: 50_000 })
    const taken = await market.taskIn(agent, 'in_progress')
    const ended = await market.taskIn(agent, 'cancelled')
    const overdue = await market.taskIn(agent, 'pending', { deadline: '5m' })
    const worker = await market.worker()

    const full = await worker.post(`/worker/tasks/${taken.id}/accept`)
    const gone = await worker.post(`/worker/tasks/${ended.id}/accept`)
    market.advance(5 * MINUTE)
    const late = await worker.post(`/worker/tasks/${overdue.id}/accept`)

    for (const { status, body } of [full, gone, late])
      assert.deepEqual([status, body.code], [409, 'no_slot'])
    await market.sweep()
  })

  test('a full task is on no page after the response; if its removal is lost, the relay repeats it', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'pending')
    await market.events()
    const [first, second] = [await market.worker(), await market.worker()]
    const isShown = async () => {
      const { body } = await second.get('/worker/feed?sort=new&limit=100')
      return (body.tasks as { id: string }[]).some(({ id }) => id === task.id)
    }
    assert.equal(await isShown(), true)

    const { status } = await first.post(`/worker/tasks/${task.id}/accept`)

    assert.equal(status, 200)
    assert.equal(await isShown(), false)
    // As if the process had died between the commit and the removal from a feed in another database.
    await market.asOwner(
      `insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, cell5, cell6,
                               cell7, paid_chance)
         select id, agent_id, type, 1, 1, '{}', deadline, 0, 0, 0, 1 from tasks where id = $1`,
      [task.id],
    )
    await market.asOwner(
      `insert into open_cards (task_id, status, description, urgency, proof_required, budget_cents, auto_approve_after,
                               slots_needed, slots_taken, skills, languages, created_at)
         select id, 'pending', description, urgency, proof_required, budget_cents, auto_approve_after, 1, 0, skills,
                languages, created_at
           from tasks where id = $1`,
      [task.id],
    )
    assert.equal(await isShown(), true)
    const refused = await second.post(`/worker/tasks/${task.id}/accept`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'no_slot'])
    await market.events()
    assert.equal(await isShown(), false)
  })

  test('404 for an unknown task, a malformed id, and a task of test mode', async () => {
    const agent = await market.agent()
    const test = await market.taskIn(agent.test, 'pending')
    const worker = await market.worker()

    const replies = await Promise.all(
      [test.id, 'task_00000000000000000000000000', 'x'].map((id) =>
        worker.post(`/worker/tasks/${id}/accept`),
      ),
    )

    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [404, 'task_not_found'])
  })

  test('accepting a held task again returns the same assignment', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'pending', { consensus_count: 2 })
    const worker = await market.worker()
    const first = await worker.post(`/worker/tasks/${task.id}/accept`)

    market.advance(MINUTE)
    const again = await worker.post(`/worker/tasks/${task.id}/accept`)

    assert.equal(again.status, 200)
    assert.deepEqual(again.body.assignment, first.body.assignment)
    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.equal(body.task.assignments.length, 1)
  })

  test('the timer follows the urgency, never past the deadline, and for a scheduled task its window', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const now = market.now().getTime()
    const scheduled_at = new Date(now + 5 * HOUR).toISOString()
    const cases: [Record<string, unknown>, number][] = [
      [{ urgency: 'instant' }, 15 * MINUTE],
      [{ urgency: 'urgent' }, HOUR],
      [{}, 4 * HOUR],
      [{ urgency: 'flex' }, 24 * HOUR],
      [{ urgency: 'scheduled' }, 24 * HOUR],
      [{ urgency: 'scheduled', scheduled_at, window_minutes: 30 }, 5 * HOUR + 30 * MINUTE],
      [{ urgency: 'flex', deadline: '90m' }, 90 * MINUTE],
    ]
    const worker = await market.worker()

    for (const [fields, ms] of cases) {
      const task = await market.taskIn(agent, 'pending', { budget_cents: 600, ...fields })
      const { body } = await worker.post(`/worker/tasks/${task.id}/accept`)
      assert.equal(Date.parse(body.assignment.expires_at) - now, ms, JSON.stringify(fields))
    }
  })

  test('a scheduled task that is accepted after its window gets 24 hours', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const scheduled_at = new Date(market.now().getTime() + HOUR).toISOString()
    const task = await market.taskIn(agent, 'pending', { urgency: 'scheduled', scheduled_at })
    const worker = await market.worker()

    market.advance(3 * HOUR)
    const { body } = await worker.post(`/worker/tasks/${task.id}/accept`)

    assert.equal(Date.parse(body.assignment.expires_at) - market.now().getTime(), 24 * HOUR)
  })

  test('sends the event task.accepted, with the task and the assignment', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')

    const events = await market.events()

    const accepted = events.find(
      ({ type, task_id }) => type === 'task.accepted' && task_id === task.id,
    )
    const data = accepted?.data as { task: { status: string }; assignment: { worker_id: string } }
    assert.equal(data.task.status, 'in_progress')
    assert.equal(data.assignment.worker_id, task.workers[0]!.id)
  })
})
