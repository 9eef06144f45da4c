/**
 * Concurrent creations on two API processes with one database: money is spent once, and requests with the same
 * Idempotency-Key have one effect, whichever process dies in the middle.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { call, marketplace, type Reply } from '../harness.ts'
import { startApi } from './processes.ts'

const ROUNDS = 20
const PRICE = 2500
const TASK = { description: 'Look', budget_cents: PRICE }

const market = await marketplace({ clock: 'real' })
const apis = await Promise.all([startApi(market), startApi(market)])
after(() => Promise.all(apis.map((api) => api.stop())))

describe('creations over two processes', () => {
  test('64 concurrent requests on a wallet for 10: 10 are created, 54 are 402, nothing is left', async () => {
    const agents = await Promise.all(
      rounds(() => market.agent({ balanceCents: 10 * PRICE, freeTasks: false })),
    )

    const seen = []
    for (const agent of agents) {
      const replies = await atOnce(64, (i) => post(i, agent, TASK))
      seen.push({ ...tally(replies), balance: await market.balance(agent.id) })
    }

    for (const counts of seen) assertCovered(counts)
    for (const agent of agents) assert.equal(await tasksOf(agent), 10)
    assert.deepEqual(await market.audit(), [])
    console.log(`wallet for 10, 64 at once: ${ROUNDS} rounds of ${describeCounts(seen[0]!)}`)
  })

  test('32 concurrent requests on the last free task and an empty wallet: one is created', async () => {
    const agents = await Promise.all(rounds(() => market.agent()))
    for (const { id } of agents)
      await market.asOwner(
        `update ledger_agents set free_tasks_granted = 1, free_tasks_remaining = 1
          where agent_id = $1`,
        [id],
      )

    const seen = []
    for (const agent of agents) {
      const replies = await atOnce(32, (i) => post(i, agent, { ...TASK, budget_cents: 500 }))
      seen.push({ ...tally(replies), balance: await market.balance(agent.id) })
    }

    for (const counts of seen)
      assert.deepEqual(counts, { created: 1, refused: 31, other: 0, balance: 0 })
    for (const agent of agents) assert.equal(await tasksOf(agent), 1)
    assert.deepEqual(await market.audit(), [])
    console.log(`last free task, 32 at once: ${ROUNDS} rounds of ${describeCounts(seen[0]!)}`)
  })

  test('64 concurrent requests under one Idempotency-Key: one task, 64 equal responses', async () => {
    const agents = await Promise.all(
      rounds(() => market.agent({ balanceCents: 64 * PRICE, freeTasks: false })),
    )

    let replayed = 0
    for (const agent of agents) {
      const replies = await atOnce(64, (i) => post(i, agent, TASK, 'the-one-key'))

      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
      assert.equal(await tasksOf(agent), 1)
      assert.equal(await market.balance(agent.id), 63 * PRICE)
      replayed += replies.filter(isReplay).length
    }

    assert.equal(replayed, ROUNDS * 63)
    assert.deepEqual(await market.audit(), [])
    console.log(`one key, 64 at once: ${ROUNDS} rounds of 1 created, 63 replayed to the byte`)
  })

  test('kill -9 of one process during 200 keyed creations: each key ends as exactly one task', async (t) => {
    const agent = await market.agent({ balanceCents: 200 * PRICE, freeTasks: false })
    const victim = await startApi(market)
    t.after(() => victim.stop())
    const survivor = apis[0]!
    const acknowledged = new Map<string, Reply>()
    let lost = 0
    let before = 0

    async function untilAcknowledged(i: number): Promise<void> {
      const key = `order-${i}`
      for (let attempt = i; ; attempt += 1) {
        const base = attempt % 2 === 0 ? survivor.base : victim.base
        const reply = await send(base, agent, { ...TASK, description: key }, key).catch(() => null)
        if (reply?.status === 201) {
          acknowledged.set(key, reply)
          // When the survivor has released the wallet, the other process's batch is at the database.
          if (before === 0 && acknowledged.size >= 60 && base === survivor.base) {
            before = acknowledged.size
            void victim.stop()
          }
          return
        }
        lost += 1
        await sleep(5)
      }
    }
    // 50 clients, each with four orders, one after the other.
    await atOnce(50, async (client) => {
      for (let n = 0; n < 4; n += 1) await untilAcknowledged(client * 4 + n)
    })

    const rows = await market.db.reader
      .selectFrom('tasks')
      .select(['id', 'description'])
      .where('agent_id', '=', agent.id)
      .execute()
    const made = new Map(rows.map(({ id, description }) => [description, id]))
    assert.equal(acknowledged.size, 200)
    assert.equal(rows.length, 200, 'no key created two tasks')
    for (const [key, { body }] of acknowledged) assert.equal(body.task.id, made.get(key), key)
    assert.ok(lost > 0, 'the process was killed while it had requests')
    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(await market.audit(), [])
    const rescued = [...acknowledged.values()].filter(isReplay).length
    console.log(
      `kill -9 amid 200 keyed creations: killed after ${before} answers, ${lost} attempts failed, ` +
        `${rescued} had been created and lost their answer, 200 tasks in the end`,
    )
  })
})

describe('control: without our guard', () => {
  test('a creation that reads the balance and then writes it overspends', async () => {
    const outcome = await raceNaively('cents = $1')

    assert.ok(outcome.created > 10, `${outcome.created} created`)
    assert.throws(() => assertCovered(outcome))
    console.log(`read, then write the new balance: ${describeCounts(outcome)} on a wallet for 10`)
  })

  test('a creation that only subtracts hits the CHECK constraint instead of a 402', async () => {
    const outcome = await raceNaively(`cents = cents - ${PRICE} + 0 * $1`)

    assert.equal(outcome.created, 10)
    assert.ok(outcome.other > 0, 'some hit the constraint')
    assert.throws(() => assertCovered(outcome))
    console.log(`read, then subtract: ${describeCounts(outcome)} (the others broke the CHECK)`)
  })
})

interface Counts {
  created: number
  refused: number
  other: number
  balance: number
}

/** The expected result of 64 creations on a wallet that covers 10. */
function assertCovered(counts: Counts): void {
  assert.deepEqual(counts, { created: 10, refused: 54, other: 0, balance: 0 })
}

const describeCounts = ({ created, refused, other, balance }: Counts) =>
  `${created} created, ${refused} refused, ${other} other, balance ${balance}`

/** 64 times: read the wallet, decide, pay, as one would write it without concurrency in mind. */
async function raceNaively(payment: string): Promise<Counts> {
  const pool = new pg.Pool({ connectionString: market.url, max: 32 })
  try {
    await pool.query(`
      drop table if exists naive_wallet, naive_tasks;
      create table naive_wallet (cents bigint not null check (cents >= 0));
      create table naive_tasks (id bigint generated always as identity);
      insert into naive_wallet values (${10 * PRICE})`)
    const balance = async () =>
      Number((await pool.query<{ cents: string }>('select cents from naive_wallet')).rows[0]!.cents)
    // All connections are open before the race begins; otherwise the first ones would run alone.
    await atOnce(32, () => pool.query('select pg_sleep(0.05)'))

    const outcomes = await atOnce(64, async () => {
      const cents = await balance()
      if (cents < PRICE) return 'refused'
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query('insert into naive_tasks default values')
        await client.query(`update naive_wallet set ${payment}`, [cents - PRICE])
        await client.query('commit')
        return 'created'
      } catch {
        await client.query('rollback')
        return 'other'
      } finally {
        client.release()
      }
    })
    const count = (outcome: string) => outcomes.filter((found) => found === outcome).length
    const made = await pool.query('select id from naive_tasks')
    assert.equal(made.rows.length, count('created'))
    return {
      created: count('created'),
      refused: count('refused'),
      other: count('other'),
      balance: await balance(),
    }
  } finally {
    await pool.query('drop table if exists naive_wallet, naive_tasks')
    await pool.end()
  }
}

type Agent = Awaited<ReturnType<typeof market.agent>>

const atOnce = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
const rounds = <T>(make: () => T) => Array.from({ length: ROUNDS }, make)

/** Spread over both processes. */
const post = (i: number, agent: Agent, task: object, key?: string) =>
  send(apis[i % apis.length]!.base, agent, task, key)

const send = (base: string, agent: Agent, task: object, key?: string) =>
  call(base, 'POST', '/tasks', {
    body: task,
    headers: {
      authorization: `Bearer ${agent.api_key}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  })

const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true'

function tally(replies: Reply[]) {
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  const [created, refused] = [count(201), count(402)]
  return { created, refused, other: replies.length - created - refused }
}

async function tasksOf(agent: Agent): Promise<number> {
  const { body } = await agent.get('/tasks?limit=1')
  return body.total as number
}
