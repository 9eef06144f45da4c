import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { openDb } from '../../src/kit/db.ts'
import { mintId } from '../../src/kit/ids.ts'
import { openAccounts, postEntry } from '../../src/ledger/journal.ts'
import { deposit } from '../../src/ledger/movements.ts'
import { freshDatabase } from '../harness.ts'

const now = new Date('2025-01-15T12:00:00Z')
const url = await freshDatabase()
const db = openDb(url, { connectionsMax: 2, onError: assert.ifError })
const owner = new pg.Client({ connectionString: url })
await owner.connect()
after(async () => {
  await db.close()
  await owner.end()
})

const agentId = mintId('agent', now, 7)
await db.transaction(async (tx) => {
  await openAccounts(tx, { ownerId: agentId, mode: 'live' })
  const entry = deposit({ mode: 'live', shard: 7, depositId: 'd', agentId, amountCents: 500 })
  await postEntry(tx, entry, { now })
})

const INSUFFICIENT_PRIVILEGE = '42501'
const refused = { code: INSUFFICIENT_PRIVILEGE }

const LEDGER: Record<string, string> = {
  transfers: 'amount_cents',
  ledger_agents: 'wallet_cents',
  ledger_workers: 'payable_cents',
  ledger_transits: 'in_transit_cents',
}

describe('the application', () => {
  test('runs as legwork_app, which owns nothing', async () => {
    const { rows } = await sql<{ name: string; is_super: boolean; owned: number }>`
      select rolname as name, rolsuper as is_super,
             (select count(*) from pg_class where relowner = r.oid) as owned
        from pg_roles r where rolname = current_user`.execute(db.reader)

    assert.deepEqual(rows, [{ name: 'legwork_app', is_super: false, owned: 0 }])
  })

  for (const [table, column] of Object.entries(LEDGER)) {
    test(`reads ${table}`, async () => {
      await sql`select * from ${sql.table(table)} limit 0`.execute(db.reader)
    })

    for (const statement of [
      `insert into ${table} default values`,
      `insert into ${table} select * from ${table}`,
      `update ${table} set ${column} = 1`,
      `delete from ${table}`,
      `truncate ${table}`,
      `select 1 from ${table} for update`,
      `alter table ${table} disable trigger all`,
      `drop table ${table}`,
    ])
      test(`may not: ${statement}`, async () => {
        await assert.rejects(sql.raw(statement).execute(db.reader), refused)
      })
  }

  for (const statement of [
    'insert into tasks default values',
    'delete from tasks',
    'truncate tasks',
    'update tasks set budget_cents = 1',
    'update tasks set locked_cents = 1',
    `update tasks set agent_id = 'agent_x'`,
    `update tasks set mode = 'live'`,
    `update tasks set funding = 'free'`,
    'set session_replication_role = replica',
    `create or replace function ledger_open(p_owner text, p_mode agent_mode, p_free_tasks integer default 0)
       returns void language sql as ''`,
    'create table mine (id integer)',
  ])
    test(`may not: ${statement.split('\n')[0]}`, async () => {
      await assert.rejects(sql.raw(statement).execute(db.reader), refused)
    })

  test('may advance a task, and no more', async () => {
    await sql`update tasks set status = 'expired', status_reason = 'x', escrow_cents = 0, updated_at = now(),
                ended_at = now()`.execute(db.reader)
  })

  test('does not expose the functions of the ledger', async () => {
    const { rows } = await owner.query(`
      select p.proname from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prosecdef
         and has_function_privilege('public', p.oid, 'execute')`)

    assert.deepEqual(rows, [])
  })
})

describe('not even the owner', () => {
  for (const statement of [
    'update transfers set amount_cents = 1',
    'update transfers set kind = kind',
    'delete from transfers',
    'truncate transfers',
    'truncate transfers cascade',
  ])
    test(`may ${statement}`, async () => {
      await assert.rejects(owner.query(statement), { ...refused, message: /append-only/ })
    })

  test('has changed anything', async () => {
    const { rows } = await owner.query('select key, amount_cents from transfers')

    assert.deepEqual(rows, [{ key: 'deposit:d:settled', amount_cents: 500 }])
  })
})
