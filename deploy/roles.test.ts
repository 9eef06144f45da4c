import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
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
    const suffix = randomBytes(4).toString('hex')
    const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL! })
    await admin.connect()
    const urlFor = (user: string, password: string) => {
      const url = new URL(process.env.TEST_DATABASE_URL!)
      Object.assign(url, { username: user, password, pathname: `/legwork_${suffix}` })
      return url.href
    }
    const owner = urlFor(`legwork_owner_${suffix}`, PASSWORDS.LEGWORK_OWNER_PASSWORD!)
    const app = urlFor(`legwork_${suffix}`, PASSWORDS.LEGWORK_APP_PASSWORD!)

    try {
      for (const statement of statements(suffix)) await admin.query(statement)
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

      assert.equal(registered.status, 201, registered.text)
      assert.equal(created.status, 201, created.text)
      const { rows } = await admin.query(
        `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles
          where rolname in ($1, $2) order by rolcreaterole`,
        [`legwork_${suffix}`, `legwork_owner_${suffix}`],
      )
      assert.deepEqual(rows, [
        {
          rolname: `legwork_${suffix}`,
          rolsuper: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolbypassrls: false,
        },
        {
          rolname: `legwork_owner_${suffix}`,
          rolsuper: false,
          rolcreaterole: true,
          rolcreatedb: false,
          rolbypassrls: false,
        },
      ])
    } finally {
      await admin.end()
    }
  })
})
