import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase, marketplace } from '../../test/harness.ts'
import { INVARIANTS } from '../../test/ledger/invariants.ts'
import { done, fillLedger, PLANTED, slot, w, x } from '../../test/ledger/planted.ts'
import { openDb } from '../kit/db.ts'
import { audit } from './audit.ts'
import { auditLedger } from './audit-checks.ts'
import { showAudit } from './audit-report.ts'
import { UNCHANGED } from './invariants.ts'

const url = await freshDatabase()
const db = openDb(url, { connectionsMax: 2, onError: assert.ifError })
after(() => db.close())
await fillLedger(db)

/** Corrupts data in ways that our code can't, as the owner and without triggers; rolled back after the audit. */
async function breaksAfter(...statements: string[]) {
  const undo = new Error('undo')
  let breaks: Awaited<ReturnType<typeof auditLedger>> = []
  const planted = db.transaction(async (tx) => {
    await sql`set local role none`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
    breaks = await auditLedger(tx)
    throw undo
  })
  await assert.rejects(planted, undo)
  return breaks
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
      const background = {
        ...market.background,
        log: market.background.log.child({}, { level: 'silent' }),
      }
      await audit.run({ ...background, payload: {} })
      await showAudit(background)
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
    await audit.run({ ...market.background, payload: {} })
    const tookMs = performance.now() - startedMs

    const [round] = await market.asOwner(
      `select busy_ms, ended_at from ledger_audits where kind = 'round'`,
    )
    assert(round!.ended_at !== null)
    // The increment takes about as long as the round; with pauses, the round would take 25 times as long as it works.
    assert(
      tookMs < 12 * round!.busy_ms,
      `${tookMs} ms, of which the round worked ${round!.busy_ms}`,
    )
  })
})
