import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { jobs } from '../jobs.ts'
import { runIn } from '../kit/db.ts'
import { cellsOf } from '../places/cells.ts'
import { skillKey } from './ability-keys.ts'
import { projectOpen, projectOpenTasks, takeAndProject } from './project-open.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 10_000_000, freeTasks: false })
const feed = market.server.db.shards.feed.schema.name

describe('projectOpenTasks', () => {
  test('an open task gets a row with the fields that the feed filters by', async () => {
    const id = await post({
      type: 'verification',
      budget_cents: 60_000,
      consensus_count: 3,
      skills: ['photography'],
      location: { address: 'Main Street 5', lat: 52.520_71, lng: 13.409_49 },
    })
    await market.events()

    const [row] = await rows(id)

    const spot = { lat: 52.52, lng: 13.41 }
    const { cell5, cell6, cell7 } = cellsOf(spot)
    assert.deepEqual(row, {
      agent_id: agent.id,
      type: 'verification',
      pay_cents: '16400',
      level_needed: 2,
      skill_keys: [skillKey('photography')],
      ...spot,
      cell5,
      cell6,
      cell7,
      area: 'Berlin',
      paid_chance: 0.9,
    })
  })

  test('a place in words is geocoded; an unknown one counts as none', async () => {
    const known = await post({ location: 'Main Street 5, Berlin' })
    const unknown = await post({ location: 'The blue house' })
    const inContext = await post({ context: { location: 'Lagos' } })
    const none = await post({})
    await market.events()

    const found = (await Promise.all([known, unknown, inContext, none].map(rows))).map(([row]) => [
      row!.area,
      row!.lat === null,
      row!.cell6 === '0',
    ])

    assert.deepEqual(found, [
      ['Berlin', false, false],
      [null, true, true],
      ['Lagos', false, false],
      [null, true, true],
    ])
  })

  test('a full, ended or test task gets no row', async () => {
    const full = await post({})
    const cancelled = await post({})
    const half = await post({ consensus_count: 2 })
    const { body } = await agent.test.post('/tasks', { description: 'Look', budget_cents: 500 })
    await market.asOwner('update tasks set slots_taken = 1 where id = any($1)', [[full, half]])
    await agent.post(`/tasks/${cancelled}/cancel`)
    await market.events()

    assert.deepEqual(
      await Promise.all([full, cancelled, body.task.id, half].map(count)),
      [0, 0, 0, 1],
    )
    await market.asOwner('update tasks set slots_taken = 0')
  })

  test('a released task returns, and a canceled one is removed', async () => {
    const id = await post({})
    await market.events()
    await market.asOwner('delete from open_tasks where task_id = $1', [id])

    await project(['task.accepted'], id)
    assert.equal(await count(id), 0)
    await project(['task.released', 'task.reopened'], id)
    assert.equal(await count(id), 1)
    await agent.post(`/tasks/${id}/cancel`)
    await market.events()
    assert.equal(await count(id), 0)
  })

  test('an existing row stays unchanged, including its random value', async () => {
    const id = await post({ location: 'Berlin' })
    await market.events()
    await market.asOwner('update open_tasks set paid_chance = 0.5 where task_id = $1', [id])
    const [before] = await market.asOwner(
      `select xmin::text from ${feed}.open_tasks where task_id = $1`,
      [id],
    )

    await project(['task.released'], id)

    const [after] = await market.asOwner(
      `select xmin::text from ${feed}.open_tasks where task_id = $1`,
      [id],
    )
    assert.deepEqual(after, before)
  })

  test('the card follows the slots of the task', async () => {
    const id = await post({ title: 'Look', consensus_count: 3 })
    await market.events()
    const worker = await market.worker()

    await worker.post(`/worker/tasks/${id}/accept`)
    assert.deepEqual(await card(id), { title: 'Look', status: 'in_progress', slots_taken: 1 })
    await worker.post(`/worker/tasks/${id}/release`)
    await market.events()
    assert.deepEqual(await card(id), { title: 'Look', status: 'pending', slots_taken: 0 })
  })

  test('a concurrent acceptance is waited for', async () => {
    const id = await post({})
    let projected: Promise<unknown> | undefined

    await market.at(id).transaction(async (tx) => {
      await tx.updateTable('tasks').set({ slots_taken: 1 }).where('id', '=', id).execute()
      projected = market.events()
      await new Promise((resolve) => setTimeout(resolve, 200))
    })
    await projected

    assert.equal(await count(id), 0)
    await market.asOwner('update tasks set slots_taken = 0')
  })

  test('projects 500 tasks at once', async () => {
    const ids = await Promise.all(Array.from({ length: 500 }, () => post({ location: 'Berlin' })))

    const events = await market.events()

    const [{ count: shown }] = (await market.asOwner(
      'select count(*)::integer as count from open_tasks where task_id = any($1)',
      [ids],
    )) as [{ count: number }]
    assert.equal(events.length, 500)
    assert.equal(shown, 500)
  })
})

describe('tasks.project-open', () => {
  test('adds missed tasks, and removes closed, full and overdue ones', async () => {
    await run()
    const missed = await post({ location: 'Berlin' })
    const full = await post({})
    const late = await post({ deadline: '30m' })
    await market.events()
    await market.asOwner('delete from open_tasks where task_id = $1', [missed])
    await market.asOwner('update tasks set slots_taken = 1 where id = $1', [full])
    await market.asOwner(
      `insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, cell5, cell6,
                               cell7, paid_chance)
         values ('task_gone', 'agent_x', 'custom', 1, 1, '{}', 'infinity', 0, 0, 0, 1)`,
    )
    const [before] = await market.asOwner('select count(*)::integer as count from open_tasks')
    market.advance(31 * 60_000)

    await run()

    assert.deepEqual(await Promise.all([missed, full, late, 'task_gone'].map(count)), [1, 0, 0, 0])
    const [after] = await market.asOwner('select count(*)::integer as count from open_tasks')
    assert.equal(after!.count, before!.count - 2)
    await run()
    assert.deepEqual(await market.asOwner('select count(*)::integer as count from open_tasks'), [
      after,
    ])
    await market.asOwner('update tasks set slots_taken = 0')
  })

  test('fills an empty projection in batches', async () => {
    const [before] = await market.asOwner('select count(*)::integer as count from open_tasks')
    assert(before!.count > 500)
    await market.asOwner(`truncate ${feed}.open_tasks cascade`)

    await run()

    const [after] = await market.asOwner('select count(*)::integer as count from open_tasks')
    // One more row: a task that was full before.
    assert.equal(after!.count, before!.count + 1)
  })

  test('corrects a card that differs from its task, and adds lost cards and agents', async () => {
    await run()
    const [lost, wrong, last] = [await post({}), await post({ consensus_count: 2 }), await post({})]
    await market.events()
    await market.asOwner('delete from open_cards where task_id = $1', [lost])
    await market.asOwner('update open_cards set slots_taken = 1 where task_id = $1', [wrong])
    await market.asOwner('delete from open_agents where agent_id = $1', [agent.id])

    await run()

    const pending = { title: null, status: 'pending', slots_taken: 0 }
    assert.deepEqual(await Promise.all([lost, wrong, last].map(card)), Array(3).fill(pending))
    assert.equal(await nameOf(agent.id), agent.name)
  })

  test('removes agents without open tasks', async () => {
    const idle = await market.agent({ balanceCents: 1000 })
    const { body } = await idle.post('/tasks', { description: 'Look', budget_cents: 500 })
    await market.events()
    assert.equal(await nameOf(idle.id), idle.name)

    await idle.post(`/tasks/${body.task.id}/cancel`)
    await run()

    assert.equal(await nameOf(idle.id), undefined)
    assert.equal(await nameOf(agent.id), agent.name)
  })

  test('runs every hour', () => {
    assert(jobs.includes(projectOpen))
    assert.equal(projectOpen.schedule, '23 * * * *')
  })
})

const run = () => projectOpen.run({ ...market.background, log: market.server.log, payload: {} })

describe('takeAndProject', () => {
  test('a task that does not fit into the feed does not block other events', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'in_progress')
    await market.asOwner(
      `alter table ${feed}.open_tasks add constraint planted check (agent_id <> '${agent.id}')`,
    )
    const other = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    const errors: unknown[] = []

    const db = market.at(agent.id)
    const onError = (error: unknown) => errors.push(error)
    const events = await db.transaction((tx) =>
      takeAndProject(tx, 1000, { db, now: market.now(), onError }),
    )
    await market.asOwner(`alter table ${feed}.open_tasks drop constraint planted`)
    await projectOpen.run({ ...market.background, payload: {} })

    assert.equal(errors.length, 1)
    const told = events.filter(({ task_id }) => task_id === task.id).map(({ type }) => type)
    assert.deepEqual(told, ['task.created', 'task.accepted'])
    const rows = await market.asOwner('select 1 from open_tasks where task_id = $1', [other.id])
    assert.equal(rows.length, 1, 'the hourly job has added it')
  })
})

async function post(fields: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: 500,
    ...fields,
  })
  assert.equal(status, 201, text)
  return body.task.id
}

function project(types: string[], id: string) {
  const db = market.at(id)
  const events = types.map((type) => ({ type, task_id: id }))
  return db.transaction((tx) =>
    runIn(db.shards.feed, { db, tx }, (feed) =>
      projectOpenTasks({ tx, feed }, events, market.now()),
    ),
  )
}

const rows = (id: string) =>
  market.asOwner(
    `select agent_id, type, pay_cents::text, level_needed, skill_keys, lat, lng, cell5::text, cell6::text, cell7::text,
            area, paid_chance from open_tasks where task_id = $1`,
    [id],
  )

async function card(id: string) {
  const [row] = await market.asOwner(
    'select title, status, slots_taken from open_cards where task_id = $1',
    [id],
  )
  return row
}

async function nameOf(agentId: string): Promise<unknown> {
  const [row] = await market.asOwner('select name from open_agents where agent_id = $1', [agentId])
  return row?.name
}

const count = async (id: string) => (await rows(id)).length
