/** Row-level security: in a request's transaction, a forgotten filter can't reach another tenant's rows. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { endpoint } from '../../src/kit/endpoint.ts'
import { mintId, shardOf } from '../../src/kit/ids.ts'
import { marketplace } from '../harness.ts'
import { takeFindings } from './recorder.ts'

const success = { status: 200, body: z.object({ ids: z.array(z.string()) }) } as const

/** Endpoints that forget whose rows they change. */
const readsAll = endpoint({
  method: 'POST',
  path: '/planted/notices',
  auth: 'worker',
  summary: 'Planted',
  success,
  errors: [],
  async handler({ tx }) {
    const { rows } = await sql<{
      id: string
    }>`update notices set read_at = now() returning id`.execute(tx)
    return { ids: rows.map(({ id }) => id) }
  },
})
const countsAll = endpoint({
  method: 'POST',
  path: '/planted/deposits',
  auth: 'agent',
  scope: 'read',
  summary: 'Planted',
  success,
  errors: [],
  async handler({ tx }) {
    const { rows } = await sql<{ id: string }>`select id from deposits`.execute(tx)
    return { ids: rows.map(({ id }) => id) }
  },
})
const givesAway = endpoint({
  method: 'POST',
  path: '/planted/alerts',
  auth: 'worker',
  summary: 'Planted',
  success,
  errors: [],
  async handler({ tx, worker, now }) {
    await addNotice(tx, mintId('worker', now, shardOf(worker.id)), now)
    return { ids: [] }
  },
})

const market = await marketplace({ moreEndpoints: [readsAll, countsAll, givesAway] })

function addNotice(db: Pick<typeof market.db, 'reader'>['reader'], workerId: string, now: Date) {
  const id = mintId('ntc', now, shardOf(workerId))
  return sql`
    insert into notices (id, worker_id, kind, cause, created_at)
    values (${id}, ${workerId}, 'paid', ${id}, ${now})`
    .execute(db)
    .then(() => id)
}

const forget = (path: string) => takeFindings(`POST /planted/${path}`)

describe('in the transaction of a request', () => {
  test('a worker reaches only its own notices, even without a filter', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    const own = await addNotice(market.db.reader, worker.id, market.now())
    await addNotice(market.db.reader, other.id, market.now())

    const { body } = await worker.post('/planted/notices')

    forget('notices')
    assert.deepEqual(body.ids, [own])
  })

  test('an agent reaches only its own deposits, even without a filter', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    const own = await agent.test.post('/wallet/deposit', { amount_cents: 1000 })
    await other.test.post('/wallet/deposit', { amount_cents: 1000 })
    assert.equal(own.status, 201, own.text)

    const { body } = await agent.test.post('/planted/deposits')

    forget('deposits')
    assert.equal(body.ids.length, 1)
  })

  test('a row that would belong to somebody else is refused', async () => {
    const worker = await market.worker()

    const { status } = await worker.post('/planted/alerts')

    forget('alerts')
    assert.equal(status, 500)
  })
})

describe('outside of a request', () => {
  test('jobs and timers reach all rows, also on a connection that a request has used', async () => {
    const workers = [await market.worker(), await market.worker()]
    for (const { id } of workers) await addNotice(market.db.reader, id, market.now())
    for (const worker of workers) await worker.post('/planted/notices')
    forget('notices')

    const seen = await Promise.all(
      Array.from({ length: 20 }, () =>
        market.db.transaction((tx) =>
          tx
            .selectFrom('notices')
            .select('id')
            .where(
              'worker_id',
              'in',
              workers.map(({ id }) => id),
            )
            .execute(),
        ),
      ),
    )

    assert.deepEqual(new Set(seen.map(({ length }) => length)), new Set([2]))
  })
})

describe('the policies', () => {
  test('are on exactly these tables, and the application’s role cannot bypass them', async () => {
    const tables = await market.asOwner(
      `select relname::text as name from pg_class
        where relrowsecurity and relnamespace = 'public'::regnamespace order by 1`,
    )
    const [role] = await market.asOwner(
      `select rolbypassrls, rolsuper from pg_roles where rolname = 'legwork_app'`,
    )

    assert.deepEqual(
      tables.map(({ name }) => name as string),
      [
        'alerts',
        'appeals',
        'check_ins',
        'deposits',
        'disputes',
        'notices',
        'payout_accounts',
        'question_messages',
        'question_photos',
        'questions',
        'refunds',
        'trust_events',
        'unsafe_exits',
        'worker_decisions',
      ],
    )
    assert.deepEqual(role, { rolbypassrls: false, rolsuper: false })
  })
})
