import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type pg from 'pg'
import { marketplace } from '../../test/harness.ts'
import { runEverywhere } from '../../test/run-sweep.ts'
import { PASSWORD } from '../../test/people.ts'
import { removeUnverified } from './remove-unverified.ts'

const DAY = 86_400_000
const market = await marketplace()

const run = () => runEverywhere(market, removeUnverified)

async function register(email = `${randomUUID()}@example.com`) {
  const { status, body } = await market.call('POST', '/worker/register', {
    body: { name: 'Ann', email, password: PASSWORD },
  })
  assert.equal(status, 201)
  return { id: body.worker.id as string, email }
}

/** Rows that a registration leaves behind, apart from the mail's, which is deleted once sent. */
async function rowsOf({ id }: { id: string }) {
  const [row] = await market.asOwner(
    `select (select count(*) from workers where id = $1) + (select count(*) from worker_emails where worker_id = $1)
          + (select count(*) from ledger_workers where worker_id = $1)
          + (select count(*) from worker_tokens where worker_id = $1) as rows`,
    [id],
  )
  return Number(row!.rows)
}

test('an account with an unconfirmed email is deleted after 30 days, and can register again', async () => {
  const never = await register()
  market.advance(30 * DAY - 1)
  await run()
  const kept = await rowsOf(never)
  market.advance(2)

  await run()

  assert(kept >= 3)
  assert.equal(await rowsOf(never), 0)
  await register(never.email)
})

test('confirmed accounts, recent ones, and those with work are not deleted', async () => {
  const [active, worked] = [await market.worker(), await register()]
  const agent = await market.agent({ balanceCents: 5000 })
  const task = await market.taskIn(agent, 'in_progress')
  await market.asOwner('update assignments set worker_id = $1 where task_id = $2', [
    worked.id,
    task.id,
  ])
  market.advance(31 * DAY)
  const young = await register()

  await run()

  for (const worker of [active, worked, young]) assert((await rowsOf(worker)) >= 3)
  await market.asOwner('update assignments set worker_id = $1 where task_id = $2', [
    task.workers[0]!.id,
    task.id,
  ])
})

test('an account whose address was released by a run that stopped is deleted by the next one', async () => {
  const never = await register()
  await market.asOwner('delete from worker_emails where worker_id = $1', [never.id])
  market.advance(31 * DAY)

  await run()

  assert.equal(await rowsOf(never), 0)
})

test('an account that is confirmed during the run stays, with its address', async () => {
  const late = await register()
  market.advance(31 * DAY)
  const db = market.at(late.id)
  const slow: typeof db = {
    ...db,
    shards: db.shards,
    async call<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) {
      await market.asOwner(`update workers set status = 'active' where id = $1`, [late.id])
      return db.call<Row>(name, text, values)
    },
  }

  await removeUnverified.run({ ...market.background, db: slow, payload: undefined })

  const rows = await market.asOwner('select email from worker_emails where worker_id = $1', [
    late.id,
  ])
  assert.deepEqual(rows, [{ email: late.email }])
})
