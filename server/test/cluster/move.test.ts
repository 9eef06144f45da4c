/**
 * Moves schemas of a market with sixteen between two PostgreSQL servers, while clients write: nothing that was
 * confirmed is lost, nothing fails, nobody waits for more than two seconds, and a mover that is killed at any step can
 * be run again.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { query, startPostgres } from '../../../scripts/postgres.ts'
import { schemasOf } from '../../src/kit/layout.ts'
import { migrate, migrateElsewhere } from '../../src/migrate.ts'
import type { Place } from '../../src/shards/move-place.ts'
import {
  FINISH_STEPS,
  finishMove,
  MOVE_STEPS,
  type Move,
  moveSchema,
  UNDO_STEPS,
  undoMove,
} from '../../src/shards/move-schema.ts'
import type { ChildOrder } from './move-child.ts'
import { type Load, startLoad } from './move-load.ts'

const SHARDS = 16
const PAUSE_MAX_MS = 2000
const CLIENTS = 4
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  wal_level: 'logical',
  max_replication_slots: 30,
  max_wal_senders: 30,
  max_worker_processes: 40,
  max_logical_replication_workers: 30,
  max_sync_workers_per_subscription: 6,
}
const CHILD = path.join(import.meta.dirname, 'move-child.ts')

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-move-'))
const start = async (name: string): Promise<Place> => {
  const server = await startPostgres({
    dataDir: path.join(folder, name),
    settings: SETTINGS,
    temporary: true,
  })
  after(() => server.stop())
  return { name, url: server.url }
}
const [main, second] = await Promise.all([start('main'), start('second')])
// The servers have stopped, and removed what was in it.
after(() => rm(folder, { recursive: true, force: true }))
const places = [main, second]
await migrate(main.url, { log: { info() {} }, shards: SHARDS })

describe('a schema that moves', () => {
  test('loses nothing of what clients write, and pauses them shortly', async (t) => {
    await addRows(main, 's05')
    const load = await startLoad(places, { schema: 's05', clients: CLIENTS })
    t.after(load.stop)
    let longWriter: Promise<unknown> | undefined
    let pauses = 0

    const moved = await moveSchema({
      ...orderOf('s05', main, second),
      async onStep(step) {
        // Holds a lock for a while. The mover must not make others wait behind it.
        if (step === 'linked back')
          longWriter = query(
            main.url,
            `begin; update s05.event_counters set last_number = last_number where false; select pg_sleep(1); commit`,
          )
        // The first pause takes too long, so writers go on before it is tried again.
        if (step === 'locked') {
          pauses += 1
          if (pauses === 1) await sleep(PAUSE_MAX_MS - 600)
        }
      },
    })
    assert(pauses >= 2)
    await longWriter
    await finishMove(orderOf('s05', main, second))
    // All tables count as large, so all are partly compared before the pause.
    const back = await moveSchema({ ...orderOf('s05', second, main), wholeBytesMax: 0 })
    await sleep(300)
    const undone = await undoMove(orderOf('s05', second, main))
    await sleep(300)
    await load.stop()

    for (const [what, { pauseMs }] of Object.entries({ moved, back, undone })) {
      t.diagnostic(`${what}: no writes for ${Math.round(pauseMs!)} ms`)
      assert(pauseMs! <= PAUSE_MAX_MS, `${what}: ${pauseMs} ms`)
    }
    t.diagnostic(
      `${load.written.length} transactions, ${load.repeats} repeats, slowest ${Math.round(load.slowestMs)} ms`,
    )
    // A transaction may wait for a pause, and then takes its own time.
    assert(
      load.slowestMs <= PAUSE_MAX_MS + 1000,
      `the slowest transaction took ${load.slowestMs} ms`,
    )
    await checkLoad(load, { at: second, schema: 's05' })
    await checkLeftNothing('s05', { at: second })
  })

  test('arrives if the mover is killed at any step', async (t) => {
    await addRows(main, 's04')
    const load = await startLoad(places, { schema: 's04', clients: CLIENTS })
    t.after(load.stop)
    const there = { schema: 's04', source: main, target: second, main }

    for (const step of MOVE_STEPS) await killAt({ ...there, command: 'move', killedAt: step })
    await moveSchema(orderOf('s04', main, second))
    for (const step of UNDO_STEPS) await killAt({ ...there, command: 'undo', killedAt: step })
    await undoMove(orderOf('s04', main, second))
    await moveSchema(orderOf('s04', main, second))
    await load.stop()
    await awaitSame('s04')
    for (const step of FINISH_STEPS) await killAt({ ...there, command: 'finish', killedAt: step })
    await finishMove(orderOf('s04', main, second))

    await checkLoad(load, { at: second, schema: 's04' })
    await checkLeftNothing('s04', { at: second })
  })

  test('can be undone after a mover was killed before the switch', async () => {
    const there = { schema: 's03', source: main, target: second, main }
    for (const step of ['recorded', 'compared']) {
      await killAt({ ...there, command: 'move', killedAt: step })
      await undoMove(orderOf('s03', main, second))
      await checkLeftNothing('s03', { at: main })
    }
  })
})

describe('the comparison before the switch', () => {
  /** Compared as a whole, and in buckets. */
  const WAYS = [{}, { wholeBytesMax: 0 }]

  test('refuses a copy that misses the last writes', async () => {
    await addRows(main, 's06')
    const order = orderOf('s06', main, second)
    let isLate = false
    const onStep: Move['onStep'] = async (step) => {
      if (step !== 'linked back' || isLate) return
      isLate = true
      await query(second.url, 'alter subscription legwork_move_s06 disable')
      await query(
        main.url,
        `insert into s06.event_counters values ('late', 1);
         delete from s06.events where id = (select min(id) from s06.events)`,
      )
    }
    for (const way of WAYS) {
      const move = moveSchema({ ...order, ...way, onStep, isCatchUpSkipped: true })
      await assert.rejects(move, ({ message }: Error) => {
        assert.match(message, /^Not switched: main and second differ in /)
        assert.match(message, /s06\.event_counters \(1 and 0 rows\)/)
        assert.match(message, /s06\.events \(4999 and 5000 rows\)/)
        return true
      })
      await assertOpen('s06', { at: main })
    }
    await query(second.url, 'alter subscription legwork_move_s06 enable')
    await moveSchema(order)
    await assertOpen('s06', { at: second })
  })

  test('refuses a copy in which a row differs', async () => {
    await addRows(main, 's07')
    const order = orderOf('s07', main, second)
    let isChanged = false
    const onStep: Move['onStep'] = async (step) => {
      if (step !== 'copied' || isChanged) return
      isChanged = true
      await query(
        second.url,
        `update s07.events set type = 'other' where id = (select min(id) from s07.events)`,
      )
    }
    for (const way of WAYS) {
      const move = moveSchema({ ...order, ...way, onStep })
      await assert.rejects(move, /differ in s07\.events \(contents of rows\)$/)
      await assertOpen('s07', { at: main })
    }
    await undoMove(order)
    await checkLeftNothing('s07', { at: main })
  })
})

describe('a move is refused', () => {
  const order = orderOf('s08', main, second)

  test('if tables have no key', async () => {
    await query(main.url, 'create table s08.keyless (n integer)')
    await assert.rejects(moveSchema(order), /no primary key: s08\.keyless/)
    await query(main.url, 'drop table s08.keyless')
  })

  test('if the migrations differ', async () => {
    await query(
      main.url,
      `insert into s08.migrations (name, checksum) values ('9999_later.sql', '')`,
    )
    await assert.rejects(moveSchema(order), /different migrations of s08 \(9999_later\.sql\)/)
    await query(main.url, `delete from s08.migrations where name = '9999_later.sql'`)
    await undoMove(order)
  })

  test('if there is no room for another slot', async () => {
    const [row] = await query(
      main.url,
      `select count(pg_create_logical_replication_slot('filler_' || i, 'pgoutput'))::integer as made
         from generate_series(1, ${SETTINGS.max_replication_slots} - 1
           - (select count(*) from pg_replication_slots)::integer) i`,
    )
    assert(row!.made > 0)
    await assert.rejects(moveSchema(order), /main has 1 free replication slots and needs 2/)
    await query(
      main.url,
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like 'filler%'`,
    )
  })

  test('if the other database already has the schema', async () => {
    await query(second.url, 'create schema s08')
    await assert.rejects(moveSchema(order), /second already has a schema s08/)
    await query(second.url, 'drop schema s08')
  })

  test('if nothing was begun that could be undone or finished', async () => {
    await assert.rejects(undoMove(order), /No move of s08 from main is under way/)
    await assert.rejects(finishMove(order), /No move of s08 from main is under way/)
  })
})

function orderOf(schema: string, source: Place, target: Place): Move {
  const home = schemasOf(SHARDS).find(({ name }) => name === schema)!
  return {
    schema: home,
    source,
    target,
    main,
    addSchema: (url) => migrateElsewhere(url, home, { log: { info() {} } }),
    onProgress() {},
  }
}

async function killAt(order: ChildOrder): Promise<void> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  assert.equal(signal, 'SIGKILL', `${order.command} was not killed at ${order.killedAt}: ${stderr}`)
}

/** Rows of several days, also of one whose partition only the source has, and of one that has none. */
async function addRows({ url }: Place, schema: string): Promise<void> {
  await query(
    url,
    `create table if not exists ${schema}.events_20200101 partition of ${schema}.events
       for values from ('2020-01-01') to ('2020-01-02');
     insert into ${schema}.events (id, type, agent_id, data, created_at)
       select 'old ' || i || clock_timestamp(), 'test', 'nobody', json_build_object('text', repeat('x', i % 500)),
              now() - make_interval(hours => i % 200)
         from generate_series(1, 5000) i`,
  )
}

async function assertOpen(schema: string, { at }: { at: Place }): Promise<void> {
  for (const { name, url } of places) {
    const [row] = await query(
      url,
      `select database, is_here, coalesce((select has_schema_privilege(r.oid, n.oid, 'usage')
                from pg_roles r, pg_namespace n
               where r.rolname = 'legwork_app_${schema}' and n.nspname = '${schema}'), false) as is_usable
         from public.shards where schema = '${schema}'`,
    )
    const isHere = name === at.name
    assert.deepEqual(row, { database: at.name, is_here: isHere, is_usable: isHere }, name)
  }
}

/** Everything that was confirmed is there once, and no position was given out twice. */
async function checkLoad(load: Load, { at, schema }: { at: Place; schema: string }) {
  assert.deepEqual(load.failures, [])
  assert(load.written.length > 100, `${load.written.length} transactions`)
  const [row] = await query(
    at.url,
    `select (select json_agg(id) from ${schema}.events where agent_id like 'client%') as events,
            (select json_agg(key_hash) from ${schema}.idempotency_keys) as keys,
            (select sum(last_number)::integer from ${schema}.event_counters) as counted`,
  )
  const ids = load.written.map(({ id }) => id).sort()
  assert.deepEqual((row!.events as string[]).sort(), ids)
  assert.deepEqual((row!.keys as string[]).sort(), ids)
  assert.equal(row!.counted, ids.length)
  assert.equal(new Set(load.written.map(({ position }) => position)).size, ids.length)
  await assertOpen(schema, { at })
}

/** The old schema follows, so soon both are the same. */
async function awaitSame(schema: string): Promise<void> {
  const tables = await query(
    main.url,
    `select relname as name from pg_class where relnamespace = '${schema}'::regnamespace
        and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'`,
  )
  const sums = tables
    .map(
      ({ name }) => `select '${name}' as name, count(*)::text as rows,
        md5(coalesce(string_agg(md5(x::text), '' order by md5(x::text)), '')) as hash from ${schema}.${name} x`,
    )
    .join(' union all ')
    .concat(' order by name')
  for (let attempt = 1; ; attempt += 1) {
    const [one, other] = await Promise.all(places.map(({ url }) => query(url, sums)))
    try {
      assert.deepEqual(one, other)
      return
    } catch (error) {
      if (attempt === 50) throw error
      await sleep(100)
    }
  }
}

/** Of a move that has ended, only the schema is left, in one place. */
async function checkLeftNothing(schema: string, { at }: { at: Place }): Promise<void> {
  await assertOpen(schema, { at })
  for (const { name, url } of places) {
    const [row] = await query(
      url,
      `select (select count(*)::integer from pg_publication where pubname like '%${schema}')
              + (select count(*)::integer from pg_subscription where subname like '%${schema}')
              + (select count(*)::integer from pg_replication_slots where slot_name like '%${schema}') as links,
              (select count(*)::integer from pg_namespace where nspname = '${schema}') as schemas,
              (select count(*)::integer from pg_trigger where tgname = 'shards_refuse_moved'
                and tgrelid in (select oid from pg_class where relnamespace = to_regnamespace('${schema}'))) as fences`,
    )
    assert.deepEqual(row, { links: 0, schemas: name === at.name ? 1 : 0, fences: 0 }, name)
  }
}
