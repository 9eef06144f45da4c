import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { freshDatabase } from '../../test/harness.ts'
import { openDb } from './db.ts'

const waits: number[] = []
const db = openDb(await freshDatabase(), {
  connectionsMax: 1,
  onWait: (seconds) => waits.push(seconds),
  onError: assert.ifError,
})
after(() => db.close())

const look = () => sql`select 1`.execute(db.reader)

test('a pool reports how long each query and transaction waited for a connection', async () => {
  await look()
  const before = waits.splice(0).length

  const holding = db.transaction(async (tx) => {
    await sql`select 1`.execute(tx)
    await sleep(300)
  })
  await sleep(50)
  await Promise.all([look(), db.call('one', 'select 1', []), holding])

  assert.equal(before, 1)
  assert.equal(waits.length, 3)
  assert.equal(waits.filter((seconds) => seconds >= 0.2).length, 2)
})

test('a connection that turned read-only is refused with 503 and replaced', async (t) => {
  const url = await freshDatabase()
  const own = openDb(url, { connectionsMax: 1, onError: () => {} })
  t.after(() => own.close())
  const write = () => own.call('write', 'create table if not exists written ()', [])
  const makeReadOnly = () =>
    own.call('make read-only', 'set default_transaction_read_only = on', [])
  const backend = async () => (await own.call('backend', 'select pg_backend_pid() as pid', []))[0]

  await makeReadOnly()
  const before = await backend()
  await assert.rejects(write(), { code: 'unavailable' })
  const after = await backend()
  const inTransaction = own.transaction(async (tx) => {
    await sql`set transaction read only`.execute(tx)
    await sql`create table written ()`.execute(tx)
  })
  await assert.rejects(inTransaction, { code: 'unavailable' })

  assert.notDeepEqual(before, after)
  assert.notDeepEqual(await backend(), after)
})
