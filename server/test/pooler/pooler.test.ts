/** API processes behind PgBouncer in transaction mode, with the configuration of deploy/pgbouncer. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { openTree } from '../../../scripts/debian-tree.ts'
import { freePort } from '../../../scripts/postgres.ts'
import { migrate } from '../../src/migrate.ts'
import { marketplace, startOn } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { eventually } from '../jobs-child.ts'
import { recruit } from '../lives/cast.ts'
import { checkLives } from '../lives/check.ts'
import { type Lives, startLives } from '../lives/load.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const LIVES = 60
const PASSWORD = 'pooler-secret'

const market = await marketplace({ clock: 'real' })
const workerTokenKeys = market.server.config.WORKER_TOKEN_KEYS!
const target = new URL(market.url)
const tree = await openTree('pooler')
atEnd(() => tree.stop())

/** A login of deploy/roles.sql: with its settings, or as a login was before it had any. */
async function makeLogin({ hasSettings }: { hasSettings: boolean }): Promise<string> {
  const name = `legwork_${randomBytes(4).toString('hex')}`
  await market.asOwner(`create role ${name} login password '${PASSWORD}' in role legwork_app`)
  atEnd(async () => void (await market.asOwner(`drop role ${name}`)))
  const settings = readFileSync(path.join(ROOT, 'deploy/roles.sql'), 'utf8').matchAll(
    /^alter role legwork (set .*);$/gm,
  )
  if (hasSettings)
    for (const [, setting] of settings) await market.asOwner(`alter role ${name} ${setting}`)
  return name
}

/** The URL of the database through a new PgBouncer. */
async function startPooler(login: string, change = (file: string) => file): Promise<string> {
  const port = await freePort()
  const folder = path.join(tree.folder, login)
  const inside = path.join(tree.inside, login)
  await tree.run('mkdir', ['-p', inside])
  const file = readFileSync(path.join(ROOT, 'deploy/pgbouncer/pgbouncer.ini'), 'utf8')
    .replace(
      /^legwork = .*$/m,
      `legwork = host=127.0.0.1 port=${target.port} dbname=${target.pathname.slice(1)}`,
    )
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${inside}/userlist.txt`)
  writeFileSync(path.join(folder, 'pgbouncer.ini'), change(file))
  writeFileSync(path.join(folder, 'userlist.txt'), `"${login}" "${PASSWORD}"\n`)
  chmodSync(path.join(folder, 'userlist.txt'), 0o644)
  await tree.start('pgbouncer', [`${inside}/pgbouncer.ini`], { log: path.join(folder, 'log') })
  const url = `postgres://${login}:${PASSWORD}@127.0.0.1:${port}/legwork`
  await eventually('PgBouncer accepts connections', 20_000, async () => {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return true
    } catch {
      return undefined
    } finally {
      await client.end().catch(() => {})
    }
  })
  return url
}

const begunIn = ({ log }: Lives) => log.lines.filter(({ kind }) => kind === 'begun').length

describe('an API process behind PgBouncer', () => {
  test('serves whole lives: prepared statements, row security and locks hold', async () => {
    const url = await startPooler(await makeLogin({ hasSettings: true }))
    const settings = { WORKER_TOKEN_KEYS: workerTokenKeys, DATABASE_CONNECTIONS: '30' }
    const server = await startOn(url, { roles: ['api'], clock: 'real', settings })
    const base = server.addresses.api!
    const cast = await recruit({ databaseUrl: market.url, base, workerTokenKeys })

    const lives = startLives({ bases: [base], cast, clients: 16 })
    await eventually(`${LIVES} tasks were begun`, 60_000, async () =>
      begunIn(lives) >= LIVES ? true : undefined,
    )
    await lives.stop()
    const verdict = await checkLives(market.url, lives.log)
    const { details, acknowledged, begun, ...findings } = verdict
    await server.stop()

    assert.deepEqual(
      Object.entries(findings).filter(([, count]) => count > 0),
      [],
      details.join('\n'),
    )
    assert(begun >= LIVES && acknowledged > 3 * begun, JSON.stringify(verdict))
  })

  test('control: does not start if the login has no settings, which PgBouncer drops', async () => {
    const url = await startPooler(await makeLogin({ hasSettings: false }))

    await assert.rejects(
      startOn(url, { roles: ['api'], clock: 'real' }),
      /Refusing to start: .*role is none instead of legwork_app.*statement_timeout is 0 instead of 10000/,
    )
  })

  test('control: the jobs and a migration, which need sessions of their own, do not start', async () => {
    const login = await makeLogin({ hasSettings: true })
    const url = await startPooler(login)

    await assert.rejects(
      startOn(url, { roles: ['jobs'], clock: 'real' }),
      /Refusing to start: .*The jobs process needs a direct connection/,
    )
    await assert.rejects(
      migrate(url, { log: { info() {} } }),
      /Migrating needs a direct connection/,
    )
  })

  test('control: fails if PgBouncer does not prepare statements again', async () => {
    const login = await makeLogin({ hasSettings: true })
    const url = await startPooler(login, (file) =>
      file.replace(/^max_prepared_statements = .*$/m, 'max_prepared_statements = 0'),
    )
    const client = new pg.Client({ connectionString: url })
    const others = [1, 2].map(() => new pg.Client({ connectionString: url }))
    await Promise.all([client, ...others].map((one) => one.connect()))
    const statement = { name: 'planted', text: 'select 1' }
    await client.query(statement)

    // Others take the connection on which the statement was prepared.
    await Promise.all(others.map((one) => one.query('begin')))
    await assert.rejects(client.query(statement), /prepared statement "planted" does not exist/)
    await Promise.all([client, ...others].map((one) => one.end()))
  })
})
