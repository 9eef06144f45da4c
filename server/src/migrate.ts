/**
 * Brings a database to the state that this version of the code expects: applies pending migrations, changed SQL
 * functions, and the tables of the job queue. Safe to run repeatedly and from several processes at once. See
 * server/migrations/README.md for the rules for the files.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { refuseTransactionPooler } from './kit/db.ts'
import type { NamedDatabase } from './kit/databases.ts'
import { APP_ROLE, type HomeSchema, MAIN, schemasOf, typesIn } from './kit/layout.ts'
import type { Log } from './kit/log.ts'
import { isForSeveral, openRenderer, renderFunctions } from './shards/render-sql.ts'
import { findLayout, recordLayout } from './shards/recorded-layout.ts'

interface MigrateOptions {
  log: Pick<Log, 'info'>
  /** The number of schemas that hold the logical shards, for a new market. An existing one keeps its number. */
  shards?: number
  /** Further databases; a new market spreads its schemas over all of them. */
  databases?: readonly NamedDatabase[]
  /** The setting FORCE_GENERIC_PLANS. */
  forcesGenericPlans?: boolean
  /** The folder that contains `migrations` and `functions`. Only tests of this file override it. */
  folder?: string
}

interface SqlFile {
  name: string
  text: string
  checksum: string
}

interface Applied {
  name: string
  checksum: string
}

const FOLDER = path.join(import.meta.dirname, '..')
const MIGRATION_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
/** The name of the row in the table `migrations` that represents all of server/functions. */
const FUNCTIONS = 'functions'
/** The advisory lock's key. An arbitrary number that nothing else in this database uses. */
const LOCK = 5_640_302_117_419

/** This many schemas are migrated at once. */
const PARALLEL = 4

/** `url` must connect to PostgreSQL directly: the lock belongs to a session. */
export async function migrate(
  url: string,
  { log, shards, databases = [], forcesGenericPlans = true, folder = FOLDER }: MigrateOptions,
): Promise<void> {
  const files = readFiles(folder)
  const how = { log, forcesGenericPlans }
  await withLock(url, log, async (client) => {
    const names = [MAIN, ...databases.map(({ name }) => name)]
    const schemas =
      (await findLayout({ ask: async (text) => (await client.query(text)).rows[0] }, names)) ??
      schemasOf(shards ?? 1, names)
    await migrateDatabase(client, { name: MAIN, url }, { schemas, files, how })
    for (const database of databases)
      await withClient(database.url, (own) =>
        migrateDatabase(own, database, { schemas, files, how }),
      )
  })
}

/** Only one process at a time migrates a database. Closing the session releases the lock. */
async function withLock(
  url: string,
  log: Pick<Log, 'info'>,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  await refuseTransactionPooler(url, 'Migrating')
  await withClient(url, async (client) => {
    await takeLock(client, log)
    await work(client)
  })
}

/** Makes the schemas of this database, and records where the others are. */
async function migrateDatabase(
  client: pg.Client,
  { name, url }: NamedDatabase,
  { schemas, files, how }: { schemas: readonly HomeSchema[]; files: SqlFiles; how: How },
): Promise<void> {
  const [first, ...others] = schemas.filter(({ database }) => database === name)
  // The other schemas use the types of the first one.
  await migrateSchema(client, first!, files, how)
  if (await canRecordLayout(client)) await recordLayout(client, schemas, name)
  await inParallel(others, (schema) => addSchema(url, schema, { files, how }))
  await runMigrations({ connectionString: url })
  for (const schema of [first!, ...others]) await grantJobQueue(client, schema)
}

function addSchema(
  url: string,
  schema: HomeSchema,
  { files, how }: { files: SqlFiles; how: How },
): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`create schema if not exists ${schema.name}`)
    await client.query(`set search_path = ${schema.name}, public`)
    await migrateSchema(client, schema, files, how)
  })
}

const readFiles = (folder: string): SqlFiles => ({
  migrations: readSqlFiles(path.join(folder, 'migrations')),
  functions: readSqlFiles(path.join(folder, 'functions')),
})

/**
 * Makes one schema of a market with several in the database that `schema` names, with the types and the job queue that
 * it uses. The caller records where it is. Safe to run repeatedly.
 */
export async function migrateElsewhere(
  url: string,
  schema: HomeSchema,
  {
    log,
    forcesGenericPlans = true,
    folder = FOLDER,
  }: Pick<MigrateOptions, 'log' | 'forcesGenericPlans' | 'folder'>,
): Promise<void> {
  const files = readFiles(folder)
  const how = { log, forcesGenericPlans }
  await withLock(url, log, async (client) => {
    await migrateSchema(client, typesIn(schema.database), files, how)
    await addSchema(url, schema, { files, how })
    await runMigrations({ connectionString: url })
    await grantJobQueue(client, schema)
  })
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'legwork migrate' })
  // A broken connection also fails the running statement. Without a listener, its error event would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A test of single migrations stops before the table has all of its columns. */
async function canRecordLayout(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('public.shards') and attname = 'is_here'`,
  )
  return rowCount === 1
}

/** Every schema is attempted, even if another one fails: the next run continues with those that are left. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  const lanes = await Promise.allSettled(Array.from({ length: PARALLEL }, lane))
  const failed = lanes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

type How = Required<Pick<MigrateOptions, 'log' | 'forcesGenericPlans'>>

interface SqlFiles {
  migrations: SqlFile[]
  functions: SqlFile[]
}

/** Each schema has its own list of what was applied, so an interrupted run continues where it stopped. */
async function migrateSchema(
  client: pg.Client,
  schema: HomeSchema,
  files: SqlFiles,
  { log, forcesGenericPlans }: How,
): Promise<void> {
  const { migrations, functions } = filesFor(schema, files)
  await client.query(`
    create table if not exists ${schema.name}.migrations (
      name       text primary key,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )`)
  const { rows: applied } = await client.query<Applied>(
    `select name, checksum from ${schema.name}.migrations order by name`,
  )

  const { pending, isAhead } = planMigrations(migrations, applied)
  for (const file of pending) await applyMigration(client, file, log)
  // Keep the functions of a newer version: its processes are running, and this version is compatible with them
  // (expand and contract).
  if (isAhead)
    log.info({}, 'the database is newer than this version; its functions are not changed')
  else {
    const checksum = checksumOf(files.functions, forcesGenericPlans)
    if (applied.find((row) => row.name === FUNCTIONS)?.checksum !== checksum)
      await applyFunctions(client, functions, checksum, { log, forcesGenericPlans })
  }
  await makePartitions(client)
  await grantMigrations(client, schema)
  if (schema.role !== APP_ROLE) await grantToLogins(client, schema)
}

/** A login that has the role of a database with one schema gets that of this schema, too. */
async function grantToLogins(client: pg.Client, { role }: HomeSchema): Promise<void> {
  const { rows } = await client.query<{ login: string }>(
    `select quote_ident(member.rolname) as login
       from pg_auth_members m join pg_roles member on member.oid = m.member
      where m.roleid = to_regrole($1) and member.rolcanlogin and member.rolname <> current_user
        and not pg_has_role(member.oid, $2, 'set')`,
    [APP_ROLE, role],
  )
  for (const { login } of rows)
    await client.query(`grant ${role} to ${login} with inherit false, set true`)
}

/** Operators look at it. */
async function grantMigrations(client: pg.Client, { name, role }: HomeSchema): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount !== 0) await client.query(`grant select on ${name}.migrations to ${role}`)
}

/** The files as they are applied to this schema. Their checksums are those of the whole files. */
function filesFor(schema: HomeSchema, { migrations, functions }: SqlFiles): SqlFiles {
  if (schemasOf(1)[0]!.homes.every((home) => schema.homes.includes(home)))
    return { migrations, functions: functions.filter(({ text }) => !isForSeveral(text)) }
  const renderer = openRenderer(migrations.map(({ text }) => text))
  return {
    migrations: migrations.map((file) => ({
      ...file,
      text: renderer.migration(file.text, schema),
    })),
    functions: functions.flatMap((file) => {
      const text = renderFunctions(file.text, schema)
      return text === undefined ? [] : [{ ...file, text }]
    }),
  }
}

/** Today's partitions must exist before the first row is inserted. Later ones are created by a job. */
async function makePartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_known: boolean }>(
    `select to_regprocedure('maintain_partitions()') is not null as is_known`,
  )
  if (rows[0]?.is_known) await client.query('select maintain_partitions()')
}

function readSqlFiles(folder: string): SqlFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8')
      return { name, text, checksum: sha256(text) }
    })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Polls for the lock: the snapshot of a blocking statement would hold up the migration that is running. */
async function takeLock(client: pg.Client, log: Pick<Log, 'info'>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [LOCK],
    )
    if (rows[0]?.taken) return
    if (attempt === 1) log.info({}, 'another process is migrating; waiting for it')
    await sleep(100)
  }
}

/** Returns the pending files. Throws on any inconsistency, before anything is changed. */
function planMigrations(
  files: SqlFile[],
  rows: Applied[],
): { pending: SqlFile[]; isAhead: boolean } {
  files.forEach((file, index) => {
    const number = String(index + 1).padStart(4, '0')
    if (!MIGRATION_NAME.test(file.name)) {
      throw new Error(`migration ${file.name} is not named NNNN_snake_case.sql`)
    }
    if (!file.name.startsWith(`${number}_`)) {
      throw new Error(`migration ${number} is missing: found ${file.name} instead`)
    }
  })

  const applied = rows.filter((row) => row.name !== FUNCTIONS)
  applied.forEach((row, index) => {
    const file = files[index]
    if (!file) return
    if (file.name !== row.name) {
      throw new Error(
        `migration ${file.name} was never applied, but ${row.name} was: a migration keeps its number`,
      )
    }
    if (file.checksum !== row.checksum) {
      throw new Error(
        `migration ${file.name} was changed after it was applied: write a new one instead`,
      )
    }
  })
  return { pending: files.slice(applied.length), isAhead: applied.length > files.length }
}

async function applyMigration(
  client: pg.Client,
  file: SqlFile,
  log: Pick<Log, 'info'>,
): Promise<void> {
  const startedAt = performance.now()
  await inTransaction(client, async () => {
    // All other queries on the table queue behind a lock that isn't granted, so give up early and retry.
    await client.query("set local lock_timeout = '5s'; set local statement_timeout = 0")
    await run(client, `migration ${file.name}`, file.text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [
      file.name,
      file.checksum,
    ])
  })
  const durationMs = Math.round(performance.now() - startedAt)
  log.info({ migration: file.name, duration_ms: durationMs }, 'migration applied')
}

/** Of all files: schemas of one version have the same checksum, wherever they are and whichever functions they have. */
function checksumOf(files: SqlFile[], forcesGenericPlans: boolean): string {
  const lines = files.map((file) => `${file.name} ${file.checksum}\n`)
  // A change of the setting applies all functions again, because their files force generic plans.
  return sha256([...lines, ...(forcesGenericPlans ? [] : ['any plans\n'])].join(''))
}

async function applyFunctions(
  client: pg.Client,
  files: SqlFile[],
  checksum: string,
  { log, forcesGenericPlans }: How,
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query("set local lock_timeout = '5s'; set local statement_timeout = 0")
    // Functions may call each other in any order: the first pass creates them all, the second checks their bodies.
    for (const isChecked of ['off', 'on']) {
      await client.query(`set local check_function_bodies = ${isChecked}`)
      for (const file of files) await run(client, `function ${file.name}`, file.text)
    }
    if (!forcesGenericPlans) await client.query(ALLOW_ANY_PLAN)
    await client.query(
      `insert into migrations (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
      [FUNCTIONS, checksum],
    )
  })
  log.info({ functions: files.length }, 'functions applied')
}

/** Other settings of the functions stay: they only make the planner prefer indexes. */
const ALLOW_ANY_PLAN = `
  do $$
  declare
    planned_once regprocedure;
  begin
    for planned_once in
      select p.oid from pg_proc p, unnest(p.proconfig) setting
       where p.pronamespace = current_schema()::regnamespace and setting like 'plan\\_cache\\_mode=%'
    loop
      execute format('alter function %s reset plan_cache_mode', planned_once);
    end loop;
  end
  $$`

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    // On a broken connection the rollback fails, too. The original error is more useful.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function run(client: pg.Client, name: string, text: string): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    const line = error.position && text.slice(0, Number(error.position)).split('\n').length
    const place = line ? `, line ${line}` : ''
    throw new Error(`${name}${place}: ${error.message}`, { cause: error })
  }
}

/** The job queue creates its own tables, so our migrations can't grant privileges on them. */
async function grantJobQueue(client: pg.Client, { role }: HomeSchema): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) return
  await client.query(`
    grant usage on schema graphile_worker to ${role};
    grant all on all tables in schema graphile_worker to ${role};
    grant all on all sequences in schema graphile_worker to ${role};
    grant execute on all functions in schema graphile_worker to ${role}`)
  // Its tables have row-level security: without a policy, only their owner can see rows.
  await client.query(`
    do $$
    declare
      private regclass;
    begin
      for private in
        select c.oid from pg_class c
         where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
           and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = '${role}')
      loop
        execute format('create policy ${role} on %s to ${role} using (true) with check (true)', private);
      end loop;
    end
    $$`)
}
