import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, marketplace } from '../../test/harness.ts'
import { INVARIANTS } from '../../test/ledger/invariants.ts'
import {
  arrives,
  done,
  fillLedger,
  leaves,
  PLANTED,
  slot,
  w,
  x,
} from '../../test/ledger/planted.ts'
import { type Db, openDb, type Reader, type Tx } from '../kit/db.ts'
import { audit } from './audit.ts'
import { auditLedger } from './audit-checks.ts'
import { showAudit } from './audit-report.ts'
import { CLEARED, UNCHANGED } from './invariants.ts'

// One shard alone, with the tables that are global beside it.
const url = await freshDatabase(1)
const db = openDb(url, { connectionsMax: 2, onError: assert.ifError })
after(() => db.close())
await fillLedger(db)

/** Corrupts data in ways that our code can't, as the owner and without triggers; rolled back after the audit. */
async function breaksAfter(...statements: string[]) {
  let breaks: Awaited<ReturnType<typeof auditLedger>> = []
  await corrupted(db, statements, async (tx) => {
    breaks = await auditLedger(tx)
  })
  return breaks
}

async function corrupted(db: Db, statements: string[], look: (tx: Tx) => Promise<void>) {
  const undo = new Error('undo')
  const planted = db.transaction(async (tx) => {
    await sql`set local role none`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
    await look(tx)
    throw undo
  })
  await assert.rejects(planted, undo)
}

describe('the audit', () => {
  test('finds nothing in correct books', async () => {
    assert.deepEqual(await auditLedger(db.reader), [])
    assert.deepEqual(await breaksAfter(), [])
  })

  for (const [invariant, subject, ...statements] of PLANTED)
    test(`finds a violation of: ${invariant} (${statements.at(-1)!.slice(0, 40)}…)`, async () => {
      const breaks = await breaksAfter(...statements)

      assert(
        breaks.some((one) => one.invariant === invariant && one.subject === subject),
        JSON.stringify(breaks),
      )
    })

  test('accepts unequal pay if one worker did the task and another proved it impossible', async () => {
    const breaks = await breaksAfter(
      slot(w, 'done'),
      slot(x, 'not_possible'),
      `update transfers set amount_cents = 205 where key = 'task:${done.taskId}:settle' and worker_id = '${x}'`,
    )

    assert.deepEqual(
      breaks.filter(({ invariant }) => invariant.startsWith('workers of one task')),
      [],
    )
  })

  test('adds up clearing over all shards', async () => {
    const there = openDb(await freshDatabase(1), { connectionsMax: 1, onError: assert.ifError })
    const uncleared = async (here: Tx, shards: Reader[]) =>
      (await auditLedger(here, { shards })).filter(({ invariant }) => invariant === CLEARED)

    await corrupted(db, [leaves], async (tx) => {
      assert.equal((await uncleared(tx, [tx, there.reader])).length, 1)
      await corrupted(there, [arrives], async (other) => {
        assert.deepEqual(await uncleared(tx, [tx, other]), [])
        assert.deepEqual(await uncleared(other, [tx, other]), [])
        assert.equal((await uncleared(other, [other])).length, 1)
      })
    })
    await there.close()
  })

  test('has each of its invariants broken above', () => {
    const broken = new Set(PLANTED.map(([invariant]) => invariant))

    assert.deepEqual([...broken, UNCHANGED].sort(), [...INVARIANTS].sort())
  })

  test('changes nothing', async () => {
    assert.deepEqual(await auditLedger(db.reader), [])
  })
})

describe('the nightly job', () => {
  test('raises the alarm while the ledger is inconsistent, and ends it afterwards', async () => {
    const market = await marketplace()
    const agent = await market.agent({ balanceCents: 500 })
    const set = (cents: number) =>
      market.asOwner('update ledger_agents set wallet_cents = $1 where agent_id = $2', [
        cents,
        agent.id,
      ])
    const alarm = async () => {
      const log = market.background.log.child({}, { level: 'silent' })
      for (const background of market.backgrounds())
        await audit.run({ ...background, log, payload: {} })
      await showAudit(market.background)
      return (await market.background.metrics.auditBreaks.get()).values[0]!.value
    }

    const before = await alarm()
    await set(501)
    const during = await alarm()
    await set(500)

    assert.deepEqual([before, during, await alarm()], [0, 1, 0])
    const { values } = await market.background.metrics.auditedAt.get()
    assert.equal(values[0]?.value, market.now().getTime() / 1000)
  })

  test('checks a small ledger without pauses', async () => {
    const market = await marketplace()
    await market.agent({ balanceCents: 500 })

    const startedMs = performance.now()
    await market.runJob(audit)
    const tookMs = performance.now() - startedMs

    const [round] = await market.asOwner(
      `select sum(busy_ms)::integer as busy_ms, bool_and(ended_at is not null) as is_ended
         from ledger_audits where kind = 'round'`,
    )
    assert(round!.is_ended)
    // The increment takes about as long as the round; with pauses, the round would take 25 times as long as it works.
    assert(
      tookMs < 12 * round!.busy_ms,
      `${tookMs} ms, of which the round worked ${round!.busy_ms}`,
    )
  })
})
