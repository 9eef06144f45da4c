/** A market with sixteen shards: what must be unique, limited or complete among everybody. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { sealSecrets } from '../../src/agents/seal-secrets.ts'
import type { Db, Shards } from '../../src/kit/db.ts'
import { keepSecret, keptPrefix } from '../../src/kit/secrets.ts'
import { copySwitches, readSwitches, turnSwitch } from '../../src/reconcile/switches.ts'
import { openPushService } from '../devices.ts'
import { marketplace, PHOTO, type TestWorker } from '../harness.ts'
import { ops } from '../ops.ts'

const MINUTE = 60_000
const market = await marketplace({
  shards: 16,
  settings: { FILES_PER_WORKER_DAY: 3, LOG_LEVEL: 'silent' },
})
const { shards } = market.server.db
const service = await openPushService({ after })

/** Two of a kind on two shards. */
async function apart<T extends { id: string }>(make: () => Promise<T>): Promise<[T, T]> {
  const one = await make()
  for (;;) {
    const other = await make()
    if (market.at(other.id) !== market.at(one.id)) return [one, other]
  }
}

describe('workers on two shards', () => {
  test('a browser that both register at the same time belongs to one of them', async () => {
    const [ann, bob] = await apart(() => market.worker())
    const { endpoint, keys } = service.device()
    const count = async (who: TestWorker) =>
      (await who.get('/worker/push')).body.subscriptions.length as number

    for (let round = 0; round < 5; round += 1) {
      const replies = await Promise.all(
        [ann, bob, ann, bob].map((who) => who.post('/worker/push', { endpoint, keys })),
      )

      assert.deepEqual(
        replies.map(({ status }) => status),
        [201, 201, 201, 201],
      )
      assert.equal((await count(ann)) + (await count(bob)), 1)
    }
  })
})

describe('a worker with tasks of two shards', () => {
  const upload = (taskId: string) => ({
    task_id: taskId,
    kind: 'photo',
    content_type: 'image/jpeg',
    bytes: 1000,
    sha256: 'ab'.repeat(32),
  })

  test('409 above the files of a day, for uploads and for photos in a proof', async () => {
    const agents = await apart(() => market.agent({ balanceCents: 10_000 }))
    const worker = await market.worker()
    const taskIds = []
    for (const agent of agents) {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
      taskIds.push(body.task.id as string)
      await worker.post(`/worker/tasks/${body.task.id}/accept`)
    }
    const [first, second] = taskIds as [string, string]
    const allowed = []
    for (const taskId of [first, second, first])
      allowed.push(await worker.post('/worker/uploads', upload(taskId)))

    const refused = await worker.post('/worker/uploads', upload(second))
    const inline = await worker.post(`/worker/tasks/${second}/proof`, {
      text: 'Done',
      photos: [PHOTO],
    })

    assert.deepEqual(
      allowed.map(({ status }) => status),
      [201, 201, 201],
    )
    assert.deepEqual([refused.status, refused.body.per], [409, 'day'])
    assert.match(inline.body.error, /one too many: you can send 3 files a day/)
  })
})

describe('switches', () => {
  const turn = (isOn: boolean) =>
    shards.global.transaction((tx) =>
      turnSwitch(tx, {
        name: 'free_tasks',
        isOn,
        reason: 'a test',
        operator: 'ada',
        now: market.now(),
      }),
    )
  const copies = () =>
    Promise.all(
      shards.readers.map(
        async (reader) =>
          (await readSwitches(reader)).find(({ name }) => name === 'free_tasks')!.is_on,
      ),
    )

  /** The shards, with one that is only reached after `gate`. */
  function behind(gate: () => Promise<void>): { slow: Shards; reached: Promise<void> } {
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const [first, ...others] = shards.all
    const late: Db = {
      ...first!,
      async transaction(work) {
        resolve()
        await gate()
        return first!.transaction(work)
      },
    }
    return { slow: { ...shards, all: [late, ...others] }, reached }
  }

  test('a slow copy does not overwrite a newer one', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { slow, reached } = behind(() => gate)
    await turn(false)
    const older = copySwitches(slow)
    await reached
    await turn(true)
    const newer = copySwitches(shards)
    // Without a lock, the newer one would end in this time.
    await Promise.race([newer, new Promise((resolve) => setTimeout(resolve, 500))])

    open()
    await Promise.all([older, newer])

    assert.deepEqual(await copies(), Array(16).fill(true))
  })

  test('are copied to the other shards if one fails', async () => {
    const { slow } = behind(() => Promise.reject(new Error('this shard is away')))
    await turn(false)

    await assert.rejects(copySwitches(slow), /this shard is away/)

    const [first, ...others] = await copies()
    assert.equal(first, true)
    assert.deepEqual(others, Array(15).fill(false))
    await turn(true)
    await copySwitches(shards)
  })
})

describe('agents.seal-secrets', () => {
  test('encrypts the secrets of all shards although two have one that cannot be decrypted', async () => {
    const key = randomBytes(32).toString('base64')
    const agents = await Promise.all(Array.from({ length: 24 }, () => market.agent()))
    const lost = await apart(() => market.agent())
    for (const { id } of lost)
      await market.asOwner('update agents set webhook_secret = $2 where id = $1', [
        id,
        keepSecret('whsec_lost', { keys: [randomBytes(32).toString('base64')], owner: id }),
      ])
    const { config } = market.server
    const WEBHOOK_SECRET_KEYS = [key, ...config.WEBHOOK_SECRET_KEYS]

    const run = sealSecrets.run({
      ...market.background,
      config: { ...config, WEBHOOK_SECRET_KEYS },
      payload: {},
    })

    await assert.rejects(run, /2 places failed/)
    const rows = await market.asOwner('select webhook_secret from agents where id = any($1)', [
      agents.map(({ id }) => id),
    ])
    const isSealed = rows.map((row) =>
      (row.webhook_secret as string).startsWith(keptPrefix({ keys: [key] })),
    )
    assert.deepEqual(isSealed, Array(24).fill(true))
  })
})

describe('ops webhooks', () => {
  test('counts events in the outbox of the global schema', async () => {
    await market.work()
    const before = await ops(market, 'webhooks')
    await market.asOwner(
      `insert into global.outbox (id, type, data, created_at)
       values ('evt_1', 'processor.event', '{}', $1)`,
      [new Date(market.now().getTime() - 2 * MINUTE)],
    )

    const { out, isBad } = await ops(market, 'webhooks')

    assert.match(before.out, /In the outbox: 0 events/)
    assert.match(out, /In the outbox: 1 event\b/)
    assert(isBad)
    assert.match(out, /events stay in the outbox/)
    await market.asOwner(`delete from global.outbox where id = 'evt_1'`)
  })
})

describe('a leaderboard', () => {
  test('finds approved tasks of its own shard and of others by an index each', async () => {
    const plan = await shards.all[0]!.transaction(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select worker_id, count(*) from worker_assignments
         where status = 'approved' and ended_at >= ${market.now()} group by worker_id`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })

    assert.match(plan, /\bassignments_approved\b/)
    assert.match(plan, /\baway_assignments_approved\b/)
  })
})
