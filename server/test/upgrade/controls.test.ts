/**
 * Controls of upgrade.test.ts: migrations that break the last release, planted one at a time. Each must fail requests
 * of the same load. `npm run test:upgrade` runs them all; other runs only the first two (UPGRADE_CONTROLS).
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../jobs-child.ts'
import { checkOutLast } from './checkout.ts'
import { openFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { migrateUpTo, migrationsOf } from './migrate-step.ts'
import { openWorld, populate, type World } from './world.ts'

const TEST_MAX_MS = 300_000
const FAILS_WITHIN_MS = 20_000
const COUNT = Number(process.env.UPGRADE_CONTROLS ?? 2)
const HEADER = '-- Planted.\n-- lock: none\n-- backfill: none\n'

interface Control {
  name: string
  sql: string
  /** A failure that only this migration explains. */
  fails: RegExp
  /** A prepared statement keeps its function, so only connections opened after the migration fail. */
  isRestarted?: boolean
}

const CONTROLS: Control[] = [
  {
    name: 'drops a column that it reads',
    sql: 'alter table workers drop column skills;',
    fails: /feed: 500|session: 500/,
  },
  {
    name: 'adds a function with as many parameters as one that it calls',
    sql: `do $$
          declare
            parameters text := (
              select pg_get_function_identity_arguments(oid) from pg_proc where proname = 'create_tasks');
          begin
            execute format('create function create_tasks(%s) returns integer language sql as ''select 1''',
                           regexp_replace(parameters, '\\S+$', 'jsonb'));
          end
          $$;`,
    fails: /create: 500/,
    isRestarted: true,
  },
  {
    name: 'adds a required column that it does not write',
    sql: `alter table tasks add column planted text;
          update tasks set planted = '';
          alter table tasks alter column planted set not null;`,
    fails: /create: 500/,
  },
  {
    name: 'renames a function that it calls',
    sql: 'alter function move_tasks rename to move_all_tasks;',
    fails: /(?:accept|cancel|proof|approve): 500/,
  },
  {
    name: 'holds an exclusive lock for 10 s',
    sql: 'lock table tasks in access exclusive mode; select pg_sleep(10);',
    fails: /: 503 |after (?:8|9|\d\d)\d{3} ms/,
  },
]

const last = await checkOutLast()

describe(`a migration breaks ${last.name} if it`, { timeout: 2 * TEST_MAX_MS }, () => {
  let world: World
  let parties: Awaited<ReturnType<typeof populate>>

  before(
    async () => {
      world = await openWorld()
      const fleet = await openFleet(world.settings)
      await fleet.migrate(last)
      await Promise.all([fleet.start('api1', last), fleet.start('jobs', last)])
      parties = await populate(world, fleet.base, 2)
      await fleet.stopAll()
      await fleet.close()
    },
    { timeout: TEST_MAX_MS },
  )

  after(async () => {
    await world?.close()
    await last.remove()
  })

  for (const { name, sql, fails, isRestarted } of CONTROLS.slice(0, COUNT))
    test(name, { timeout: TEST_MAX_MS }, async () => {
      const url = await world.copyDatabase()
      const fleet = await openFleet({ ...world.settings, DATABASE_URL: url })
      await fleet.start('api1', last)
      const load = startLoad(fleet.base, parties)
      try {
        await load.round()
        assert.deepEqual(load.failures, [], 'before the migration')

        await migrateUpTo(url, {
          release: last,
          last: migrationsOf(last).at(-1)!,
          functionsOf: last,
          planted: HEADER + sql,
        })
        if (isRestarted) await fleet.replace('api1', last)

        const found = await eventually('a request fails', FAILS_WITHIN_MS, async () =>
          load.failures.find((failure) => fails.test(failure)),
        )
        console.log(`${name}: ${load.failures.length} requests failed, such as ${found}`)
      } finally {
        await load.stop()
        await fleet.close()
      }
    })
})
