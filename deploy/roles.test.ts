import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { startPostgres } from '../scripts/postgres.ts'
import { migrate } from '../server/src/migrate.ts'
import { call, startOn } from '../server/test/harness.ts'

const FILE = path.join(import.meta.dirname, 'roles.sql')
const PASSWORDS: Record<string, string> = {
  LEGWORK_OWNER_PASSWORD: 'owner-secret',
  LEGWORK_APP_PASSWORD: 'app-secret',
}

/** The statements of roles.sql as psql would send them, for logins and a database of this test's own. */
function statements(suffix: string): string[] {
  const variables = new Map<string, string>()
  return readFileSync(FILE, 'utf8')
    .replaceAll(/^\\getenv (\w+) (\w+)$/gm, (_, name: string, variable: string) => {
      variables.set(name, PASSWORDS[variable]!)
      return ''
    })
    .replaceAll(/:'(\w+)'/g, (_, name: string) => pg.escapeLiteral(variables.get(name)!))
    .replaceAll(/\blegwork_owner\b/g, `legwork_owner_${suffix}`)
    .replaceAll(/\blegwork\b/g, `legwork_${suffix}`)
    .replaceAll(/--.*$/gm, '')
    .split(/;\n/)
    .reduce<string[]>((all, part) => {
      // A `do` block has semicolons of its own.
      const open = all.at(-1)
      if (open !== undefined && open.split('$$').length === 2)
        all[all.length - 1] = `${open};\n${part}`
      else all.push(part)
      return all
    }, [])
    .filter((part) => part.trim() !== '')
}

describe('deploy/roles.sql', () => {
  test('makes a login that can migrate, and one that can serve and owns nothing', async () => {
    await serveAs(process.env.TEST_DATABASE_URL!, { shards: 1 })
  })

  test('so it does for a market with several schemas, each of which has a role', async () => {
    // Roles belong to the whole server, where other tests make those of several schemas.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-roles-'))
    const postgres = await startPostgres({ dataDir: path.join(folder, 'data'), temporary: true })
    try {
      await serveAs(postgres.adminUrl, { shards: 2 })
    } finally {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** Makes the logins, migrates and serves with them. */
async function serveAs(adminUrl: string, { shards }: { shards: number }): Promise<void> {
  const suffix = randomBytes(4).toString('hex')
  const [ownerName, appName] = [`legwork_owner_${suffix}`, `legwork_${suffix}`]
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const urlFor = (user: string, password: string) => {
    const url = new URL(adminUrl)
    Object.assign(url, { username: user, password, pathname: `/legwork_${suffix}` })
    return url.href
  }
  const owner = urlFor(ownerName, PASSWORDS.LEGWORK_OWNER_PASSWORD!)
  const app = urlFor(appName, PASSWORDS.LEGWORK_APP_PASSWORD!)

  try {
    for (const statement of statements(suffix)) await admin.query(statement)
    await migrate(owner, { log: { info() {} }, shards })
    // A release migrates again.
    await migrate(owner, { log: { info() {} } })
    const server = await startOn(app, { clock: 'real' })
    const api = server.addresses.api!
    const registered = await call(api, 'POST', '/agents/register', {
      body: { name: 'Ada', email: 'ada@example.com' },
    })
    const created = await call(api, 'POST', '/tasks', {
      body: { description: 'Look', budget_cents: 500 },
      headers: { authorization: `Bearer ${registered.body.agent.api_key}` },
    })
    await server.stop()

    assert.equal(server.db.shards.all.length, shards)
    assert.equal(registered.status, 201, registered.text)
    assert.equal(created.status, 201, created.text)
    const { rows } = await admin.query(
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles
        where rolname in ($1, $2) order by rolcreaterole`,
      [appName, ownerName],
    )
    const rights = { rolsuper: false, rolcreatedb: false, rolbypassrls: false }
    assert.deepEqual(rows, [
      { rolname: appName, rolcreaterole: false, ...rights },
      { rolname: ownerName, rolcreaterole: true, ...rights },
    ])
  } finally {
    await admin.end()
  }
}
