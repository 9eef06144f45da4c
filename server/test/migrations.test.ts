import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { query } from '../../scripts/postgres.ts'
import { migrate } from '../src/migrate.ts'

const SERVER = path.join(import.meta.dirname, '..')
const FILES = readdirSync(path.join(SERVER, 'migrations')).filter((name) => name.endsWith('.sql'))

const log = { info() {} }
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('migrations', () => {
  test('lead from an empty database to the full schema', async () => {
    const url = await emptyDatabase()

    await migrate(url, { log })

    const { names, jobs } = await state(url)
    assert.deepEqual(names, [...FILES, 'functions'].sort())
    assert.equal(jobs, true, 'legwork_app may use the job queue')
  })

  test('applied twice change nothing', async () => {
    const url = await emptyDatabase()
    await migrate(url, { log })
    const before = await state(url)

    await migrate(url, { log })

    assert.deepEqual(await state(url), before)
  })

  test('started twice concurrently both succeed, and each is applied once', async () => {
    const url = await emptyDatabase()

    await Promise.all([migrate(url, { log }), migrate(url, { log }), migrate(url, { log })])

    assert.deepEqual((await state(url)).names, [...FILES, 'functions'].sort())
  })

  test('since 0017 do not alter and index a table in one file, which would build the index under a lock', () => {
    const tablesOf = (text: string, pattern: RegExp) =>
      new Set([...text.matchAll(pattern)].map(([, table]) => table!))
    for (const name of FILES.filter((file) => file >= '0017')) {
      const text = readFileSync(path.join(SERVER, 'migrations', name), 'utf8')
      const altered = tablesOf(text, /^alter table (\w+)/gm)
      const indexed = tablesOf(
        text,
        /^create (?:unique )?index (?:if not exists )?\w+\s+on (\w+)/gm,
      )
      // A table that the same file creates is empty.
      const created = tablesOf(text, /^create table (\w+)/gm)
      assert.deepEqual([...altered.intersection(indexed).difference(created)], [], name)
    }
  })

  test('refuse a file that was changed after it was applied', async () => {
    const url = await emptyDatabase()
    const folder = copyOfServer()
    await migrate(url, { log, folder })

    appendFileSync(path.join(folder, 'migrations', FILES[0]!), '-- A harmless comment.\n')

    await assert.rejects(migrate(url, { log, folder }), /0001_\w+\.sql was changed after/)
  })

  test('refuse a missing number, and one inserted before an applied one', async () => {
    const url = await emptyDatabase()
    const folder = copyOfServer()
    const last = FILES.at(-1)!
    await migrate(url, { log, folder })
    const gap = numbered(FILES.length + 2, 'later')
    const other = last.replace('_', '_other_')

    writeMigration(folder, gap, 'select 1;')
    await assert.rejects(migrate(url, { log, folder }), /is missing/)
    rmSync(path.join(folder, 'migrations', gap))

    cpSync(path.join(folder, 'migrations', last), path.join(folder, 'migrations', other))
    rmSync(path.join(folder, 'migrations', last))
    await assert.rejects(migrate(url, { log, folder }), /was never applied/)
  })

  test('roll back a failing file completely, and name its line', async () => {
    const url = await emptyDatabase()
    const folder = copyOfServer()
    const bad = numbered(FILES.length + 1, 'bad')
    writeMigration(folder, bad, 'create table half (id text);\n\nselect nonsense;\n')

    await assert.rejects(migrate(url, { log, folder }), new RegExp(`${bad}, line 3: .*nonsense`))

    const { names } = await state(url)
    assert.deepEqual(names, [...FILES])
    assert.equal(await exists(url, 'half'), false)
  })

  test('let an older version start on a newer database, and keep the newer functions', async () => {
    const url = await emptyDatabase()
    const folder = copyOfServer()
    writeMigration(folder, numbered(FILES.length + 1, 'newer'), 'create table newer (id text);')
    appendFileSync(path.join(folder, 'functions', 'newer.sql'), newerFunction)
    await migrate(url, { log, folder })
    const before = await state(url)

    await migrate(url, { log })

    assert.deepEqual(await state(url), before)
  })

  test('apply the functions again when one changed', async () => {
    const url = await emptyDatabase()
    const folder = copyOfServer()
    await migrate(url, { log, folder })

    appendFileSync(path.join(folder, 'functions', 'newer.sql'), newerFunction)
    await migrate(url, { log, folder })

    assert.deepEqual(await query(url, 'select newer() as answer'), [{ answer: 42 }])
  })

  test('force generic plans, unless the setting says otherwise, and change back with it', async () => {
    const url = await emptyDatabase()
    const functionsWith = async (setting: string) => {
      const rows = await query(
        url,
        `select proname as name from pg_proc
          where pronamespace = 'public'::regnamespace and '${setting}' = any(proconfig) order by 1`,
      )
      return (rows as { name: string }[]).map(({ name }) => name)
    }
    const forced = () => functionsWith('plan_cache_mode=force_generic_plan')

    await migrate(url, { log })
    const before = await forced()
    await migrate(url, { log, forcesGenericPlans: false })
    const without = await forced()
    const indexed = await functionsWith('enable_seqscan=off')
    await migrate(url, { log })

    for (const name of [
      'create_tasks',
      'move_tasks',
      'ledger_post',
      'feed_newest',
      'targets_reserve',
    ]) {
      assert(before.includes(name), name)
      assert(indexed.includes(name), name)
    }
    assert.deepEqual(without, [])
    assert.deepEqual(await forced(), before)
  })

  test('give every table and partition a key, by which replication finds the rows to change', async () => {
    const url = await emptyDatabase()

    await migrate(url, { log })

    const keyless = await query(
      url,
      `select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relreplident <> 'f'
          and not exists (select from pg_index i where i.indrelid = c.oid and i.indisvalid
                             and (i.indisprimary or i.indisreplident))`,
    )
    assert.deepEqual(keyless, [])
  })

  test('take over a key that was built on a partition of a large log before', async () => {
    const url = await emptyDatabase()
    const folder = copyOfServer()
    for (const file of FILES.filter((name) => name >= '0060'))
      rmSync(path.join(folder, 'migrations', file))
    for (const file of readdirSync(path.join(folder, 'functions')))
      rmSync(path.join(folder, 'functions', file))
    await migrate(url, { log, folder })
    const part = 'delivery_attempts_20200101'
    await query(
      url,
      `create table ${part} partition of delivery_attempts for values from ('2020-01-01') to ('2020-01-02')`,
    )
    await query(
      url,
      `create unique index concurrently ${part}_key on ${part} (agent_id, id, created_at)`,
    )
    const fileOf = (index: string) => query(url, `select pg_relation_filenode('${index}') as file`)
    const built = await fileOf(`${part}_key`)

    cpSync(path.join(SERVER, 'migrations'), path.join(folder, 'migrations'), { recursive: true })
    await migrate(url, { log, folder })

    const taken = await fileOf(`${part}_pkey`)
    assert.deepEqual(taken, built)
    const [parent] = await query(
      url,
      `select indisvalid as is_valid from pg_index where indexrelid = 'delivery_attempts_pkey'::regclass`,
    )
    assert.deepEqual(parent, { is_valid: true })
  })

  test('declare their lock and backfill in the header', () => {
    for (const name of FILES) {
      const text = readFileSync(path.join(SERVER, 'migrations', name), 'utf8')
      assert.match(text, /^-- [A-Z].*\n(-- .*\n)*-- lock: .+\n-- backfill: .+\n/, name)
    }
  })
})

const newerFunction = `
create or replace function newer() returns integer language sql as $$ select 42 $$;
`

let databases = 0

async function emptyDatabase(): Promise<string> {
  const adminUrl = process.env.TEST_DATABASE_URL
  assert.ok(adminUrl, 'run the tests by npm test, which starts a database')
  databases += 1
  const name = `migrations_${process.pid}_${Date.now()}_${databases}`
  await query(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = name
  return url.href
}

async function state(url: string) {
  const rows = await query(url, 'select name, checksum, applied_at from migrations order by name')
  return {
    rows,
    names: (rows as { name: string }[]).map((row) => row.name),
    jobs: await mayUseJobs(url),
  }
}

async function mayUseJobs(url: string): Promise<boolean> {
  if (!(await exists(url, 'graphile_worker._private_jobs'))) return false
  const [row] = await query(
    url,
    "select has_table_privilege('legwork_app', 'graphile_worker._private_jobs', 'insert') as granted",
  )
  return (row as { granted: boolean }).granted
}

async function exists(url: string, table: string): Promise<boolean> {
  const [row] = await query(url, `select to_regclass('${table}') is not null as found`)
  return (row as { found: boolean }).found
}

function copyOfServer(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-migrations-'))
  folders.push(folder)
  for (const name of ['migrations', 'functions']) {
    cpSync(path.join(SERVER, name), path.join(folder, name), { recursive: true })
  }
  return folder
}

function numbered(number: number, name: string): string {
  return `${String(number).padStart(4, '0')}_${name}.sql`
}

function writeMigration(folder: string, name: string, text: string): void {
  appendFileSync(path.join(folder, 'migrations', name), text)
}
