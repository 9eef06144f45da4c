/**
 * Concurrent creations on two API processes, limited by the caps of a key: what exceeds a cap is refused, and nothing
 * else.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { call, marketplace } from '../harness.ts'
import { startApi } from './processes.ts'

const ROUNDS = 5
const AT_ONCE = 64
const PRICE = 2500
const TASK = { description: 'Look', budget_cents: PRICE }

const market = await marketplace({ clock: 'real' })
const apis = await Promise.all([startApi(market), startApi(market)])
after(() => Promise.all(apis.map((api) => api.stop())))

describe('creations over two processes', () => {
  for (const cap of ['day_max_cents', 'budget_cents'])
    test(`64 concurrent requests with a ${cap} for 10: 10 are created, 54 are 402, and the cap is full`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const agent = await rich()
        const key = await market.key(agent, { [cap]: 10 * PRICE })

        const counts = await race(() => key.api_key)

        assertHeld({ ...counts, spent: await spentBy(key.id) })
        assert.equal(await market.balance(agent.id), (AT_ONCE - 10) * PRICE)
      }
      assert.deepEqual(await market.audit(), [])
      console.log(`${cap} for 10, 64 at once: ${ROUNDS} rounds of 10 created, 54 refused`)
    })

  test('64 concurrent requests with four children of a key with a cap for 10: 10 in all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const parent = await market.key(await rich(), { budget_cents: 10 * PRICE })
      const children: Awaited<ReturnType<typeof market.key>>[] = []
      for (let i = 0; i < 4; i += 1) children.push(await market.key(parent))

      const counts = await race((i) => children[i % 4]!.api_key)

      assertHeld({ ...counts, spent: await spentBy(parent.id) })
      const below = await Promise.all(children.map(({ id }) => spentBy(id)))
      assert.equal(
        below.reduce((sum, cents) => sum + cents),
        10 * PRICE,
      )
    }
    assert.deepEqual(await market.audit(), [])
  })

  test('concurrent creations, cancellations and cap changes: the spent amount equals the escrow', async () => {
    const agent = await rich()
    const key = await market.key(agent, { budget_cents: 20 * PRICE })

    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        if (i % 10 === 9) {
          await agent.patch(`/agents/keys/${key.id}`, { budget_cents: (20 + i) * PRICE })
          return
        }
        const { status, body } = await create(i, key.api_key)
        if (status === 201 && i % 2 === 0) await key.post(`/tasks/${body.task.id}/cancel`)
      }),
    )

    const escrow = await market.asOwner(
      'select coalesce(sum(escrow_cents), 0)::bigint as cents from tasks where agent_id = $1',
      [agent.id],
    )
    assert.equal(await spentBy(key.id), Number(escrow[0]!.cents))
    assert.deepEqual(await market.audit(), [])
  })
})

describe('control: without our guard', () => {
  test('a creation that checks the cap before its transaction overspends it', async () => {
    const outcome = await raceNaively()

    assert.ok(outcome.created > 10, `${outcome.created} created`)
    assert.throws(() => assertHeld(outcome))
    console.log(`read, then charge: ${outcome.created} created under a cap for 10`)
  })
})

interface Counts {
  created: number
  refused: number
  other: number
  spent: number
}

/** The expected result of 64 creations under a cap for 10. */
function assertHeld(counts: Counts): void {
  assert.deepEqual(counts, { created: 10, refused: 54, other: 0, spent: 10 * PRICE })
}

const rich = () => market.agent({ balanceCents: AT_ONCE * PRICE, freeTasks: false })

const create = (i: number, apiKey: string) =>
  call(apis[i % apis.length]!.base, 'POST', '/tasks', {
    body: TASK,
    headers: { authorization: `Bearer ${apiKey}` },
  })

async function race(keyOf: (i: number) => string) {
  const replies = await atOnce((i) => create(i, keyOf(i)))
  const refused = replies.filter(({ body }) => body.code === 'key_cap').length
  const created = replies.filter(({ status }) => status === 201).length
  return { created, refused, other: AT_ONCE - created - refused }
}

async function spentBy(keyId: string): Promise<number> {
  const rows = await market.asOwner('select total_cents from key_limits where key_id = $1', [keyId])
  return Number(rows[0]!.total_cents)
}

const atOnce = <T>(work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, i) => work(i)))

/** As a check before the transaction would do it: read, decide, then create and charge. */
async function raceNaively(): Promise<Counts> {
  const pool = new pg.Pool({ connectionString: market.url, max: 32 })
  const spent = async () =>
    Number((await pool.query<{ cents: string }>('select cents from naive_cap')).rows[0]!.cents)
  try {
    await pool.query(
      'create table naive_cap (cents bigint not null); insert into naive_cap values (0)',
    )
    // All connections are open before the race begins; otherwise the first ones would run alone.
    await atOnce(() => pool.query('select pg_sleep(0.02)'))
    const outcomes = await atOnce(async () => {
      if ((await spent()) + PRICE > 10 * PRICE) return 'refused'
      await pool.query('update naive_cap set cents = cents + $1', [PRICE])
      return 'created'
    })
    const count = (outcome: string) => outcomes.filter((found) => found === outcome).length
    return {
      created: count('created'),
      refused: count('refused'),
      other: 0,
      spent: await spent(),
    }
  } finally {
    await pool.query('drop table if exists naive_cap')
    await pool.end()
  }
}
