import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { projectOpen } from '../feed/project-open.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { waitingReports } from '../ops/reports.ts'
import { decideReport } from './decide-report.ts'

const MINUTE = 60_000

const market = await marketplace()
const agent = await market.agent({ balanceCents: 10_000_000, freeTasks: false })

type Worker = Awaited<ReturnType<typeof market.worker>>

const report = (worker: Worker, id: string, fields: Record<string, unknown> = {}) =>
  worker.post(`/worker/tasks/${id}/report`, { kind: 'dangerous', ...fields })

const mend = () => market.runJob(projectOpen)

async function isShown(id: string): Promise<boolean> {
  await market.events()
  const worker = await market.worker()
  const feed = await worker.get('/worker/feed?sort=new&limit=100')
  const detail = await worker.get(`/worker/feed/${id}`)
  const preview = await market.call('GET', '/worker/preview')
  const found = [feed, preview].map(({ body }) =>
    (body.tasks as { id: string }[]).some((task) => task.id === id),
  )
  const all = [...found, detail.status === 200]
  assert.equal(new Set(all).size, 1, `feed, preview and detail agree: ${all.join()}`)
  return all[0]!
}

describe('POST /worker/tasks/:id/report', () => {
  test('hides the task from everyone, and it cannot be accepted', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    assert.equal(await isShown(id), true)
    const worker = await market.trustedWorker()

    const { status, body } = await report(worker, id, { note: 'They ask for my bank card' })

    assert.equal(status, 200)
    assert.match(body.message, /^Thank you/)
    assert.equal(await isShown(id), false)
    const other = await market.worker()
    const refused = await other.post(`/worker/tasks/${id}/accept`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'no_slot'])
  })

  test('does not tell the agent about the reporter or the report', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    const worker = await market.trustedWorker()
    const before = await agent.get(`/tasks/${id}`)
    await market.events()
    market.advance(MINUTE)

    await report(worker, id, { note: 'Secret' })

    const after = await agent.get(`/tasks/${id}`)
    assert.equal(after.text, before.text)
    assert.deepEqual(await market.events(), [])
  })

  test('releases the reporter’s assignment, without an effect on trust', async () => {
    const task = await market.taskIn(agent, 'in_progress')
    const worker = task.workers[0]!
    market.advance(10 * MINUTE)

    const { status } = await report(worker, task.id, { kind: 'dangerous' })

    assert.equal(status, 200)
    const own = await worker.get(`/worker/tasks/${task.id}`)
    assert.equal(own.body.assignment.status, 'released')
    assert.equal(own.body.task.location, null)
    assert.deepEqual((await worker.get('/worker/trust')).body.changes, [])
    const shown = await agent.get(`/tasks/${task.id}`)
    assert.equal(shown.body.task.status, 'pending')
    assert(!shown.text.includes('reported') && !shown.text.includes('dangerous'))
    // Its event brings it back into the feed, because a single newcomer's report doesn't hide a task.
    const events = await market.events()
    assert(events.some(({ type, task_id }) => type === 'task.released' && task_id === task.id))
    assert.equal(await isShown(task.id), true)
  })

  test('lets other holders finish and be paid', async () => {
    const task = await market.taskIn(agent, 'in_progress', { consensus_count: 2 })
    const [one, two] = task.workers
    await report(await market.trustedWorker(), task.id)

    for (const worker of [one!, two!]) {
      const sent = await worker.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })
      assert.equal(sent.status, 201, sent.text)
    }
    const approved = await agent.post(`/tasks/${task.id}/approve`, { override_result: 'Done' })

    assert.equal(approved.status, 200, approved.text)
    assert(approved.body.settlement.workers.every((paid: { net_cents: number }) => paid.net_cents))
  })

  test('keeps a freed slot hidden, and the hourly job does not restore it', async () => {
    const task = await market.taskIn(agent, 'in_progress')
    await report(await market.trustedWorker(), task.id)

    await task.workers[0]!.post(`/worker/tasks/${task.id}/release`, {})
    await mend()

    assert.equal(await isShown(task.id), false)
  })

  test('the hourly job removes a reported task from the feed', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    await report(await market.trustedWorker(), id)
    await market.events()
    await market.asOwner(
      `insert into open_tasks (task_id, agent_id, type, pay_cents, level_needed, skill_keys, deadline, cell5, cell6,
                               cell7, paid_chance)
         select id, agent_id, type, 1, 1, '{}', deadline, 0, 0, 0, 1 from tasks where id = $1`,
      [id],
    )

    assert.equal(await isShown(id), false)
    await mend()
    const rows = await market.asOwner('select 1 from open_tasks where task_id = $1', [id])
    assert.equal(rows.length, 0)
  })

  test('reporting twice, also concurrently, is one report with the same response', async () => {
    const task = await market.taskIn(agent, 'in_progress')
    const worker = task.workers[0]!

    const replies = await Promise.all(Array.from({ length: 6 }, () => report(worker, task.id)))
    const again = await report(worker, task.id, { kind: 'other' })

    for (const { status, body } of replies)
      assert.deepEqual([status, body], [again.status, again.body])
    const rows = await market.asOwner('select kind from task_reports where task_id = $1', [task.id])
    assert.deepEqual(rows, [{ kind: 'dangerous' }])
    const events = await market.events()
    assert.equal(events.filter(({ type }) => type === 'task.released').length, 1)
  })

  test('concurrent report and accept: an accepted slot is kept, and later ones are refused', async () => {
    let taken = 0
    const reporters = [
      await market.trustedWorker(),
      await market.trustedWorker(),
      await market.trustedWorker(),
    ]
    for (let round = 0; round < 12; round += 1) {
      const { id } = await market.taskIn(agent, 'pending', { consensus_count: 4 })
      const reporter = reporters[round % 3]
      const [late, ...workers] = await Promise.all(Array.from({ length: 4 }, () => market.worker()))

      const accepted = workers.map((worker) => worker.post(`/worker/tasks/${id}/accept`))
      const [{ status }, ...replies] = await Promise.all([report(reporter!, id), ...accepted])

      assert.equal(status, 200)
      const got = replies.filter((reply) => reply.status === 200).length
      for (const reply of replies) assert([200, 409].includes(reply.status), reply.text)
      const { body } = await agent.get(`/tasks/${id}`)
      assert.equal(body.task.assignments.length, got)
      assert.equal((await late!.post(`/worker/tasks/${id}/accept`)).status, 409)
      taken += got
      await agent.post(`/tasks/${id}/cancel`)
    }
    assert(taken < 36, 'some accepted after the report')
    await market.events()
  })

  test('only five unreviewed reports of one worker hide a task', async () => {
    const worker = await market.trustedWorker()
    const ids: string[] = []
    for (let i = 0; i < 6; i += 1) ids.push((await market.taskIn(agent, 'pending')).id)

    for (const id of ids) assert.equal((await report(worker, id)).status, 200)

    assert.deepEqual([await isShown(ids[4]!), await isShown(ids[5]!)], [false, true])
    const other = await market.trustedWorker()
    await report(other, ids[5]!)
    assert.equal(await isShown(ids[5]!), false)
  })

  test('only five of twelve concurrent reports of one worker hide a task', async () => {
    const worker = await market.trustedWorker()
    const tasks = []
    for (let i = 0; i < 12; i += 1) tasks.push(await market.taskIn(agent, 'pending'))

    const replies = await Promise.all(tasks.map(({ id }) => report(worker, id)))

    for (const { status } of replies) assert.equal(status, 200)
    const hidden = await market.asOwner(
      'select 1 from tasks where id = any($1) and reported_at is not null',
      [tasks.map(({ id }) => id)],
    )
    assert.equal(hidden.length, 5)
  })

  test('a worker who reported a task before and holds it now releases it by a second report', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    const worker = await market.trustedWorker()
    await report(worker, id)
    await market
      .at(id)
      .transaction((tx) =>
        decideReport(
          tx,
          { taskId: id, verdict: 'cleared' },
          { ...market.background, now: market.now() },
        ),
      )
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    market.advance(10 * MINUTE)

    const { status } = await report(worker, id, { kind: 'dangerous' })

    assert.equal(status, 200)
    const own = await worker.get(`/worker/tasks/${id}`)
    assert.equal(own.body.assignment.status, 'released')
    const { changes } = (await worker.get('/worker/trust')).body
    assert(changes.every(({ cause }: { cause: string }) => cause === 'approved'))
    assert.equal(await isShown(id), true, 'an operator has reviewed it')
  })

  test('a former holder can report an ended task; 404 for others, another mode, and unknown tasks', async () => {
    const done = await market.taskIn(agent, 'completed')
    const tried = await market.taskIn(agent.test, 'pending')
    const stranger = await market.worker()

    const own = await report(done.workers[0]!, done.id)
    const refused = await Promise.all([done.id, tried.id, 'x'].map((id) => report(stranger, id)))

    assert.equal(own.status, 200)
    for (const { status, body } of refused)
      assert.deepEqual([status, body.code], [404, 'task_not_found'])
    const rows = await market.asOwner('select 1 from task_reports where worker_id = $1', [
      stranger.id,
    ])
    assert.equal(rows.length, 0)
  })

  test('new accounts hide nothing for others; each no longer sees what it reported', async () => {
    const ids: string[] = []
    for (let i = 0; i < 12; i += 1) ids.push((await market.taskIn(agent, 'pending')).id)
    const newcomers = [await market.worker(), await market.worker(), await market.worker()]

    for (const newcomer of newcomers)
      for (const id of ids) assert.equal((await report(newcomer, id)).status, 200)

    await market.events()
    const honest = await market.worker()
    for (const id of ids) assert.equal((await honest.get(`/worker/feed/${id}`)).status, 200)
    assert.equal((await honest.post(`/worker/tasks/${ids[11]}/accept`)).status, 200)
    for (const newcomer of newcomers)
      for (const sort of ['new', 'pay', 'nearest', 'match']) {
        const place = sort === 'nearest' ? '&lat=52.5&lng=13.4' : ''
        const { body } = await newcomer.get(`/worker/feed?sort=${sort}&limit=100${place}`)
        const seen = (body.tasks as { id: string }[]).filter(({ id }) => ids.includes(id))
        assert.deepEqual(seen, [], sort)
      }
    assert.equal((await newcomers[0]!.get(`/worker/feed/${ids[0]}`)).status, 404)
    const waiting = await waitingReports([market.db.reader])
    for (const id of ids) assert(waiting.some((task) => task.id === id && !task.reported_at))
  })

  test('one experienced worker hides dangerous or illegal tasks; a scam takes two', async () => {
    const [scam, illegal] = [
      (await market.taskIn(agent, 'pending')).id,
      (await market.taskIn(agent, 'pending')).id,
    ]
    const [one, two] = [await market.trustedWorker(), await market.trustedWorker()]

    await report(one, illegal, { kind: 'illegal' })
    await report(one, scam, { kind: 'scam' })
    const afterOne = [await isShown(illegal), await isShown(scam)]
    await report(two, scam, { kind: 'abusive' })

    assert.deepEqual(afterOne, [false, true])
    assert.equal(await isShown(scam), false)
  })

  const setWorker = (id: string, change: string) =>
    market.asOwner(`update workers set ${change} where id = $1`, [id])
  const WEIGHTLESS: Record<string, () => Promise<Worker>> = {
    'an account younger than a week': async () => {
      const worker = await market.trustedWorker()
      await setWorker(worker.id, `created_at = created_at + interval '24 days'`)
      return worker
    },
    'a suspended account': async () => {
      const worker = await market.trustedWorker()
      await setWorker(worker.id, `status = 'suspended'`)
      return worker
    },
    'four approved tasks': () => market.trustedWorker({ tasks: 4 }),
    'work for one agent only': () => market.trustedWorker({ payers: 1 }),
    'work paid by free tasks': () => market.trustedWorker({ areFree: true }),
    'three unfounded reports': async () => {
      const worker = await market.trustedWorker()
      const now = market.now()
      const reports = Array.from({ length: 3 }, () => ({
        task_id: mintId('task', now, shardOf(worker.id)),
        worker_id: worker.id,
        kind: 'other' as const,
        created_at: now,
        verdict: 'cleared' as const,
        decided_at: now,
      }))
      await market
        .at(worker.id)
        .transaction((tx) => tx.insertInto('task_reports').values(reports).execute())
      return worker
    },
  }
  const weightOf = async (worker: Worker, taskId: string) => {
    const [row] = await market.asOwner(
      `select ${market.at(taskId).schema.name}.tasks_report_weight($1, $2, 'illegal', $3) as weight`,
      [taskId, worker.id, market.now()],
    )
    return row!.weight as number
  }
  for (const [words, make] of Object.entries(WEIGHTLESS))
    test(`the report of a worker with ${words} has no weight`, async () => {
      const { id } = await market.taskIn(agent, 'pending')

      assert.equal(await weightOf(await make(), id), 0)
      assert.equal(
        await weightOf(await market.trustedWorker(), id),
        2,
        'otherwise it would have a weight of 2',
      )
    })

  test('work for the agent of the reported task does not count', async () => {
    const worker = await market.trustedWorker()
    const [done] = await market.asOwner('select task_id from assignments where worker_id = $1', [
      worker.id,
    ])

    assert.equal(await weightOf(worker, done!.task_id as string), 0)
  })

  test('two reporters who look like one person count as one', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    const [one, two, three] = [
      await market.trustedWorker(),
      await market.trustedWorker(),
      await market.trustedWorker(),
    ]
    const address = `registered_from = '203.0.113.9'`
    await setWorker(one.id, `${address}, email = 'An.n+1@gmail.com'`)
    await setWorker(two.id, address)
    await setWorker(three.id, `email = 'ann@googlemail.com'`)

    for (const worker of [one, two, three]) await report(worker, id, { kind: 'scam' })

    const rows = await market.asOwner(
      'select weight from task_reports where task_id = $1 order by worker_id',
      [id],
    )
    assert.equal(
      rows.reduce((sum, { weight }) => sum + Number(weight), 0),
      1,
    )
    assert.equal(await isShown(id), true)
  })

  test('a veteran of 25 tasks for three agents hides any kind alone', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    const veteran = await market.trustedWorker({ tasks: 25, payers: 3 })

    await report(veteran, id, { kind: 'other' })

    assert.equal(await isShown(id), false)
  })

  test('the database refuses to hide a task without enough weight', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    await report(await market.worker(), id)

    await market
      .at(id)
      .transaction((tx) =>
        tx.updateTable('tasks').set({ reported_at: market.now() }).where('id', '=', id).execute(),
      )

    const [row] = await market.asOwner('select reported_at from tasks where id = $1', [id])
    assert.equal(row!.reported_at, null)
  })

  test('400 for an unknown kind, and for a note that is too long', async () => {
    const { id } = await market.taskIn(agent, 'pending')
    const worker = await market.worker()

    const replies = [
      await report(worker, id, { kind: 'dull' }),
      await report(worker, id, { note: 'x'.repeat(2001) }),
      await worker.post(`/worker/tasks/${id}/report`, {}),
    ]

    for (const { status } of replies) assert.equal(status, 400)
    assert.equal(await isShown(id), true)
  })
})
