import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { freshDatabase } from '../../test/harness.ts'
import { openDb, refuseTransactionPooler, violates } from './db.ts'

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

test('a violated constraint is known by its name, also with the suffix of a shard on Citus', () => {
  const of = (constraint: string, code = '23505') =>
    Object.assign(new Error(), { code, constraint })
  const long = 'constraint_with_a_name_that_leaves_no_room_for_the_shard_number'
  const cut = `${long.slice(0, 47)}_0a1b2c3d_102008`

  assert.equal(cut.length, 63)
  for (const [name, constraint] of [
    ['transfers_pkey', 'transfers_pkey'],
    ['transfers_pkey_102008', 'transfers_pkey'],
    ['notices_told_2_102008', 'notices_told_2'],
    [cut, long],
  ] as const)
    assert(violates(of(name), constraint), name)
  for (const [name, constraint] of [
    ['transfers_pkey_old', 'transfers_pkey'],
    ['transfers_102008', 'transfers_pkey'],
    ['transfers_pkey_102008', 'transfers'],
    ['transfers_0a1b2c3d_102008', 'transfers_pkey'],
    [cut, `other_${long}`],
  ] as const)
    assert(!violates(of(name), constraint), name)
  assert(!violates(of('transfers_pkey', '40001'), 'transfers_pkey'))
  assert(!violates(new Error('connection lost'), 'transfers_pkey'))
})

test('a transaction that loses the race for a key of a shard is repeated', async () => {
  let attempts = 0

  const outcome = await db.transaction(async () => {
    attempts += 1
    if (attempts === 1)
      throw Object.assign(new Error(), { code: '23505', constraint: 'transfers_pkey_102008' })
    return 'won'
  })

  assert.equal(outcome, 'won')
  assert.equal(attempts, 2)
})

test('a pooler that shares connections between transactions is refused, a direct connection is not', async (t) => {
  const url = new URL(await freshDatabase())
  const pooler = await poolTransactions(url)
  t.after(() => pooler.close())

  await refuseTransactionPooler(url.href, 'This test')

  await assert.rejects(
    refuseTransactionPooler(pooler.url, 'This test'),
    /This test needs a direct connection/,
  )
})

/** Serves all clients with one connection, one statement at a time, as PgBouncer does with a pool of one. */
async function poolTransactions(url: URL) {
  const backend = connect(Number(url.port), url.hostname)
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    client.once('data', (startup) => {
      // The first startup message also starts the connection to the database; later ones get the same greeting.
      if (clients.size === 1) void ask(startup).then((greeting) => begin(client, greeting))
      else begin(client, READY)
    })
  })
  const begin = (client: Socket, greeting: Buffer) => {
    client.write(greeting)
    client.on('data', (message) => {
      if (message[0] === QUERY) void ask(message).then((response) => client.write(response))
      else client.end()
    })
  }
  const ask = async (message: Buffer): Promise<Buffer> => {
    backend.write(message)
    const parts: Buffer[] = []
    do parts.push((await once(backend, 'data'))[0] as Buffer)
    while (!Buffer.concat(parts).subarray(-6).equals(IDLE))
    return Buffer.concat(parts)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pooled = new URL(url)
  pooled.port = String((server.address() as AddressInfo).port)
  return {
    url: pooled.href,
    close() {
      server.close()
      for (const socket of [backend, ...clients]) socket.destroy()
    },
  }
}

const QUERY = 'Q'.charCodeAt(0)
/** ReadyForQuery outside of a transaction, which ends every response. */
const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
/** AuthenticationOk, then ReadyForQuery. */
const READY = Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), IDLE])
