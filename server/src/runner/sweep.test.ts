import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { runSweep, sweepEverywhere } from '../../test/run-sweep.ts'
import { openDb } from '../kit/db.ts'
import { unavailable } from '../kit/errors.ts'
import { databaseOf, mintId, shardOf } from '../kit/ids.ts'
import { type Background, type DueRow, sweep, type Sweep } from '../kit/job.ts'
import { openLog } from '../kit/log.ts'
import { expire } from '../tasks/expire.ts'
import { startSweep } from './sweep.ts'

const market = await marketplace()
const HOUR_MS = 3_600_000
const log = openLog('silent')
const background = { ...market.background, log }
const backgroundAt = (id: string) => ({ ...market.backgroundAt(id), log })
/** In every shard. */
const run = (declared: Sweep, { config }: Pick<Background, 'config'> = background) =>
  sweepEverywhere(
    { backgrounds: (work) => market.backgrounds(work).map((one) => ({ ...one, log, config })) },
    declared,
  )

async function valueOf(metric: 'sweepFailures' | 'sweptAt', timer: string) {
  const { values } = await background.metrics[metric].get()
  return values.find(({ labels }) => labels.timer === timer)?.value
}

describe('a sweep', () => {
  test('moves a row when it is due by the clock, and not before', async () => {
    const agent = await market.agent()
    const { body } = await agent.post('/tasks', {
      description: 'Soon',
      budget_cents: 500,
      deadline: '2h',
    })

    market.advance(2 * HOUR_MS - 1)
    const early = await market.sweep()
    market.advance(1)
    const inTime = await market.sweep()

    assert.deepEqual([early, inTime], [0, 1])
    assert.equal((await agent.get(`/tasks/${body.task.id}`)).body.task.status, 'expired')
  })

  test('moves the rows of two databases in separate transactions', async () => {
    const tasks = await tasksInTwoDatabases()
    const { counting, calls } = counted(expire)

    const moved = await run(counting)

    assert.equal(moved, 2)
    assert.deepEqual(
      calls.map((ids) => ids.length),
      [1, 1],
    )
    const writers = new Set<unknown>()
    for (const id of tasks) {
      const [row] = await market.asOwner(
        `select xmin::text from ${tasksOf(id)} where id = $1 and status = 'expired'`,
        [id],
      )
      writers.add(row!.xmin)
    }
    assert.equal(writers.size, 2)
  })

  const isApart = market.server.db.shards.all.length > 1 && 'no sweep has rows of two schemas'
  test('of one database would use one transaction for both, which test databases refuse', {
    skip: isApart,
  }, async () => {
    await tasksInTwoDatabases()
    const { counting, calls } = counted(expire)
    const config = { ...background.config, SHARD_DATABASES: 1 }

    const moved = await run(counting, { config })

    assert.deepEqual(
      calls.map((ids) => ids.length),
      [2, 1, 1],
    )
    assert.equal(moved, 2)
  })

  test('is not blocked by a row that cannot be moved', async () => {
    const agent = await market.agent({ balanceCents: 500 })
    const ids = []
    for (const description of ['One', 'Poison', 'Three', 'Four']) {
      const { body } = await agent.post('/tasks', {
        description,
        budget_cents: 100,
        deadline: '1h',
      })
      ids.push(body.task.id as string)
    }
    await market.asOwner(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'poison'; end $$;
      create trigger refuse before update on ${tasksOf(agent.id)} for each row
        when (new.description = 'Poison') execute function refuse()`)
    market.advance(HOUR_MS)

    const moved = await runSweep(backgroundAt(agent.id), expire)
    const statuses = await statusesOf(ids)
    await market.asOwner(`drop trigger refuse on ${tasksOf(agent.id)}`)
    const later = await runSweep(backgroundAt(agent.id), expire)

    assert.equal(moved, 3)
    assert.deepEqual(statuses, ['expired', 'pending', 'expired', 'expired'])
    assert.equal(later, 1)
    assert.deepEqual(await valueOf('sweepFailures', expire.name), 1)
  })

  test('is not blocked by a whole batch of such rows', async (t) => {
    const row = () => ({ id: mintId('task', market.now(), 7) })
    const poisoned = Array.from({ length: 1200 }, row)
    const sound = Array.from({ length: 10 }, row)
    const waiting = new Set([...poisoned, ...sound])
    const stubborn = sweep({
      name: 'test.stubborn',
      due: async (_, limit) => [...waiting].slice(0, limit),
      async move(_, rows) {
        if (rows.some((due) => poisoned.includes(due))) throw new Error('poison')
        for (const due of rows) waiting.delete(due)
        return rows.length
      },
    })

    const sweeping = startSweep(
      { ...background, config: { ...background.config, SWEEP_INTERVAL_MS: 10 } },
      stubborn,
    )
    t.after(() => sweeping.stop())
    await eventually('the sound rows are moved', 30_000, async () =>
      sound.some((due) => waiting.has(due)) ? undefined : true,
    )

    assert.equal(waiting.size, 1200)
    assert.equal(await valueOf('sweptAt', 'test.stubborn'), market.now().getTime() / 1000)
  })

  test('blames no row if the database is down', async () => {
    const { counting, calls } = counted({
      ...expire,
      due: async () => [
        { id: mintId('task', market.now(), 7) },
        { id: mintId('task', market.now(), 7) },
      ],
      move: () => Promise.reject(unavailable({ retry_after_seconds: 1 })),
    })

    await assert.rejects(runSweep(background, counting), { code: 'unavailable' })

    assert.equal(calls.length, 1)
  })

  test('writes nothing if nothing is due', async (t) => {
    const agent = await market.agent()
    const { schema } = market.at(agent.id)
    const readOnly = encodeURIComponent(
      `-c role=${schema.role} -c search_path=${schema.name},public -c default_transaction_read_only=on`,
    )
    const db = openDb(`${market.url}?options=${readOnly}`, { schema, onError: () => {} })
    t.after(() => db.close())

    const idle = await runSweep({ ...background, db }, expire)
    await agent.post('/tasks', { description: 'Soon', budget_cents: 100, deadline: '1h' })
    market.advance(HOUR_MS)
    await assert.rejects(runSweep({ ...background, db }, expire), { code: 'unavailable' })
    const moved = await market.sweep()

    assert.deepEqual([idle, moved], [0, 1])
  })

  test('shares the rows with a concurrent sweep: each is moved once', async () => {
    const agent = await market.agent({ balanceCents: 12_000, freeTasks: false })
    await Promise.all(
      Array.from({ length: 120 }, () =>
        agent.post('/tasks', { description: 'Many', budget_cents: 100, deadline: '1h' }),
      ),
    )
    const spent = await market.balance(agent.id)
    market.advance(HOUR_MS)

    const here = backgroundAt(agent.id)
    const moved = await Promise.all(Array.from({ length: 4 }, () => runSweep(here, expire)))

    const [events] = await market.asOwner(
      `select count(*)::integer as count, count(distinct task_id)::integer as tasks
         from outbox where type = 'task.expired' and agent_id = $1`,
      [agent.id],
    )
    assert.equal(spent, 0)
    assert.equal(
      moved.reduce((sum, count) => sum + count),
      120,
    )
    assert.deepEqual(events, { count: 120, tasks: 120 })
    assert.equal(await market.balance(agent.id), 12_000)
  })
})

/** Two due tasks of agents whose shards are in different databases. */
async function tasksInTwoDatabases(): Promise<string[]> {
  const taken = new Map<number, string>()
  while (taken.size < 2) {
    const agent = await market.agent()
    const { body } = await agent.post('/tasks', {
      description: 'Far',
      budget_cents: 100,
      deadline: '1h',
    })
    if (taken.has(homeOf(agent.id))) await agent.post(`/tasks/${body.task.id}/cancel`)
    else taken.set(homeOf(agent.id), body.task.id as string)
  }
  market.advance(HOUR_MS)
  return [...taken.values()]
}

const tasksOf = (id: string) => `${market.at(id).schema.name}.tasks`

const homeOf = (id: string) => databaseOf(shardOf(id), background.config.SHARD_DATABASES)

/** Wraps a sweep and records which rows it moves together. */
function counted(declared: Sweep) {
  const calls: string[][] = []
  const counting = sweep({
    ...declared,
    move(given, rows: DueRow[]) {
      calls.push(rows.map(({ id }) => id))
      return declared.move(given, rows)
    },
  })
  return { counting, calls }
}

async function statusesOf(ids: string[]): Promise<string[]> {
  const rows = await market.asOwner('select id, status from tasks where id = any($1)', [ids])
  const statuses = new Map(rows.map(({ id, status }) => [id as string, status as string]))
  return ids.map((id) => statuses.get(id) ?? 'none')
}
