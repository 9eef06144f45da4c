/**
 * A database with sixteen shards: what one schema has and the others must not reach, and that its tables are those of a
 * database with one schema.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { query } from '../../../scripts/postgres.ts'
import { schemasOf } from '../../src/kit/layout.ts'
import { migrate } from '../../src/migrate.ts'
import { TABLE_HOMES, TRIGGER_HOMES } from '../../src/shards/homes.ts'
import { emptyDatabase } from '../harness.ts'

const SHARDS = 16
const log = { info() {} }

const one = await emptyDatabase()
await migrate(one, { log })
const many = await emptyDatabase()
await migrate(many, { log, shards: SHARDS })

describe('migrations over sixteen shards', () => {
  test('make the tables of a database with one schema, each where it lives', async () => {
    const expected = await structureOf(one, 'public')
    const found: Record<string, string[]> = {}
    for (const { name, homes } of schemasOf(SHARDS)) {
      const own = await structureOf(many, name)
      for (const [table, lines] of Object.entries(own)) {
        assert.deepEqual(lines, expected[table]?.filter(isAt(homes)), `${name}.${table}`)
        const home = TABLE_HOMES[table] ?? table
        assert(home === 'both' || homes.includes(home as never), `${table} is in ${name}`)
        found[table] = lines
      }
    }
    assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort())
  })

  test('do nothing the second time, and keep the number of schemas', async () => {
    const applied: unknown[] = []
    await migrate(many, { log: { info: (...line: unknown[]) => applied.push(line) }, shards: 4 })
    assert.deepEqual(applied, [])
    assert.equal((await query(many, 'select count(*)::int as n from shards'))[0]!.n, SHARDS)
  })

  test('continue where they stopped', async () => {
    const url = await emptyDatabase()
    await query(url, 'create schema s05; create table s05.workers ()')
    await assert.rejects(migrate(url, { log, shards: SHARDS }), /workers.*already exists/)

    await query(url, 'drop table s05.workers')
    await migrate(url, { log, shards: SHARDS })

    const [row] = await query(url, `select to_regclass('s05.workers') is not null as is_there`)
    assert.equal(row!.is_there, true)
  })
})

describe('the role of a shard', () => {
  const asRole = (role: string, text: string) => query(many, `set role ${role}; ${text}`)

  test('reads its own tables', async () => {
    await asRole('legwork_app_s00', 'select from s00.tasks')
  })

  for (const forbidden of [
    'select from s01.tasks',
    'insert into s01.outbox default values',
    'select s01.move_tasks(now(), null, null, null, null, null, null)',
    'select from global.agent_emails',
    'select from feed.open_tasks',
    'select from s00.tasks join s01.workers on true',
  ])
    test(`is refused: ${forbidden}`, async () => {
      await assert.rejects(asRole('legwork_app_s00', forbidden), /permission denied/)
    })
})

/** All lines but those of triggers that only another home has. */
function isAt(homes: readonly string[]): (line: string) => boolean {
  const elsewhere = Object.entries(TRIGGER_HOMES)
    .filter(([, home]) => !homes.includes(home))
    .map(([trigger]) => `CREATE TRIGGER ${trigger} `)
  return (line) => !elsewhere.some((start) => line.startsWith(start))
}

/** For each table: its columns, constraints, indexes, triggers, policies and rights, without names of schemas. */
async function structureOf(url: string, schema: string): Promise<Record<string, string[]>> {
  const rows = await query(
    url,
    `select t.relname as table, d.line
       from pg_class t cross join lateral (
         select format('column %s %s %s %s', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                       pg_get_expr(f.adbin, f.adrelid)) as line
           from pg_attribute a left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
          where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
         union all select format('constraint %s %s', conname, pg_get_constraintdef(oid)) from pg_constraint
          where conrelid = t.oid and contype not in ('n', 't')
         union all select pg_get_indexdef(indexrelid) from pg_index where indrelid = t.oid
         union all select pg_get_triggerdef(oid) from pg_trigger
          where tgrelid = t.oid and not tgisinternal and tgname not like '%\\_send\\_away'
         union all select format('policy %s %s %s', polname, pg_get_expr(polqual, polrelid),
                                 pg_get_expr(polwithcheck, polrelid)) from pg_policy where polrelid = t.oid
         union all select format('rights %s', acl) from unnest(t.relacl) acl
         union all select format('rights on %s %s', a.attname, acl) from pg_attribute a, unnest(a.attacl) acl
          where a.attrelid = t.oid) d
      where t.relnamespace = $1::regnamespace and t.relkind in ('r', 'p', 'v') and not t.relispartition
        and t.relname not in ('migrations')
      order by 1, 2`,
    [schema],
  )
  const byTable: Record<string, string[]> = {}
  for (const { table, line } of rows)
    (byTable[table as string] ??= []).push(
      String(line)
        .replaceAll(new RegExp(`\\blegwork_app_${schema}\\b`, 'g'), 'legwork_app')
        .replaceAll(new RegExp(`\\b${schema}\\.`, 'g'), '')
        .replaceAll('public.', ''),
    )
  for (const lines of Object.values(byTable)) lines.sort()
  return byTable
}
