import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { maintain } from './maintain.ts'

const market = await marketplace()
/** The partitions of one shard. */
const home = market.server.db.shards.of(7).schema.name

describe('runner.maintain', () => {
  test('creates the partitions of today and the next two days, of this week and the next two', async () => {
    await market.asOwner(
      `drop table ${home}.${await named('events', 1)}, ${home}.${await named('keys', 14)}`,
    )

    await run()

    const expected = await Promise.all([
      ...[0, 1, 2].map((days) => named('events', days)),
      ...[0, 7, 14].map((days) => named('keys', days)),
    ])
    const names = (await partitions()).map(({ name }) => name)
    assert.deepEqual(
      expected.filter((name) => !names.includes(name)),
      [],
    )
  })

  test('drops partitions past their retention and no others', async () => {
    const old = [await make('events', -32), await make('keys', -21)]
    const kept = [await make('events', -31), await make('events', -1), await make('keys', -7)]

    await run()

    const names = (await partitions()).map(({ name }) => name)
    assert.deepEqual(
      old.filter((name) => names.includes(name)),
      [],
    )
    assert.deepEqual(
      kept.filter((name) => !names.includes(name)),
      [],
    )
  })

  test('leaves rows in the default partition readable, and creates the other partitions', async () => {
    const missing = await named('events', 2)
    const other = await named('events', 1)
    await market.asOwner(`drop table if exists ${home}.${missing}, ${home}.${other}`)
    await event('evt_early', '2 days')

    await run()

    const names = (await partitions()).map(({ name }) => name)
    const [found] = await market.asOwner(
      `select c.relname as place from ${home}.events e join pg_class c on c.oid = e.tableoid where e.id = 'evt_early'`,
    )
    assert.equal(found?.place, 'events_rest')
    assert(!names.includes(missing))
    assert(names.includes(other))
  })

  test('deletes rows of the default partition past their retention, and nothing younger', async () => {
    await event('evt_old', '-32 days')
    await event('evt_young', '-5 days')

    await run()

    const rows = await market.asOwner(
      `select id from ${home}.events where id in ('evt_old', 'evt_young')`,
    )
    assert.deepEqual(rows, [{ id: 'evt_young' }])
  })

  test('does nothing the second time', async () => {
    await run()
    const before = await partitions()

    await run()

    assert.deepEqual(await partitions(), before)
  })

  test('works in ten concurrent runs', async () => {
    await market.asOwner(
      `drop table ${home}.${await named('keys', 7)}, ${home}.${await named('keys', 14)}`,
    )

    await Promise.all(Array.from({ length: 10 }, run))

    const names = (await partitions()).map(({ name }) => name)
    assert(names.includes(await named('keys', 7)))
    assert(names.includes(await named('keys', 14)))
  })
})

/** Runs with the job's own database permissions. */
function run(): Promise<void> {
  return market.runJob(maintain)
}

const LOGS = {
  events: { table: 'events', days: 1, current: `(now() at time zone 'UTC')::date` },
  keys: {
    table: 'idempotency_keys',
    days: 7,
    current: `date_trunc('week', now() at time zone 'UTC')::date`,
  },
}

/** The name of the partition that begins this many days from the current one. */
async function named(log: keyof typeof LOGS, days: number): Promise<string> {
  const { table, current } = LOGS[log]
  const [row] = await market.asOwner(
    `select '${table}_' || to_char(${current} + ${days}, 'YYYYMMDD') as name`,
  )
  return row!.name as string
}

async function make(log: keyof typeof LOGS, from: number): Promise<string> {
  const { table, days, current } = LOGS[log]
  const name = await named(log, from)
  await market.asOwner(`
    do $$ begin
      execute format('create table ${home}.${name} partition of ${home}.${table} for values from (%L) to (%L)',
        ${current} + ${from}, ${current} + ${from + days});
    end $$`)
  return name
}

async function event(id: string, age: string): Promise<void> {
  await market.asOwner(
    `insert into ${home}.events (id, type, agent_id, data, created_at)
      values ($1, 'task.expired', 'agent_x', '{}', now() + $2::interval)`,
    [id, age],
  )
}

async function partitions() {
  return market.asOwner(
    `select c.relname as name, c.oid from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where c.relkind = 'r' and c.relnamespace = $1::regnamespace order by c.relname`,
    [home],
  )
}
