/** The audit as it runs: what an increment finds, what only a round finds, and how a break ends. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { type Db, openDb } from '../../src/kit/db.ts'
import { openLog } from '../../src/kit/log.ts'
import { openMetrics } from '../../src/kit/metrics.ts'
import { auditNow } from '../../src/ledger/audit.ts'
import { AGENTS, nextPlace, sumRange, WORKERS } from '../../src/ledger/audit-checks.ts'
import { reportAudit, showAudit } from '../../src/ledger/audit-report.ts'
import { acceptDay, openBreaks } from '../../src/ledger/audit-state.ts'
import { UNCHANGED } from '../../src/ledger/invariants.ts'
import { postEntries } from '../../src/ledger/journal.ts'
import * as movements from '../../src/ledger/movements.ts'
import { deposit } from '../../src/ledger/movements.ts'
import { allGroups } from '../../src/ledger/statement.ts'
import { sumOf } from '../../src/ledger/sums.ts'
import { freshDatabase } from '../harness.ts'
import { agentId, fillLedger, now, PLANTED } from './planted.ts'
import { noCounts, play, prepare, steps } from './simulation.ts'

const template = await freshDatabase()
const admin = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL! })
await admin.connect()
after(() => admin.end())

before(async () => {
  const scene = open(template)
  await fillLedger(scene.db)
  await scene.round()
  assert.deepEqual(await scene.breaks(), [])
  await scene.close()
})

let made = 0

/** A copy of the ledger in which everything is proven. */
async function copyLedger() {
  made += 1
  const name = `${new URL(template).pathname.slice(1)}_${made}`
  await admin.query(`create database ${name} template ${new URL(template).pathname.slice(1)}`)
  const url = new URL(template)
  url.pathname = `/${name}`
  const scene = open(url.href)
  return scene
}

function open(url: string) {
  const db: Db = openDb(url, { connectionsMax: 4, onError: assert.ifError })
  const clock = { now: () => new Date(now.getTime() + 60_000) }
  const background = {
    db,
    clock: clock as never,
    config: readConfig({ DATABASE_URL: url }),
    log: openLog('silent'),
    metrics: openMetrics(),
  }
  const owner = new pg.Client({ connectionString: url })
  const connected = owner.connect()
  return {
    db,
    background,
    increment: async () => {
      await sealable(db)
      await auditNow(background, { isWhole: false, isGentle: false })
    },
    incrementAtOnce: () => auditNow(background, { isWhole: false, isGentle: false }),
    round: async () => {
      await sealable(db)
      await auditNow(background, { isWhole: true, isGentle: false })
    },
    breaks: () => openBreaks(db.reader),
    /** As a superuser could, without triggers. */
    async plant(...statements: string[]) {
      await connected
      await owner.query(
        `begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`,
      )
    },
    async close() {
      await connected
      await owner.end()
      await db.close()
    },
  }
}

/** Waits for the transactions of other test files on this server: they hold the position back. */
async function sealable(db: Db): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rows } = await sql<{ is_sealable: boolean }>`
      select coalesce(max(posted_xid), 0) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as is_sealable
        from transfers`.execute(db.reader)
    if (rows[0]!.is_sealable) return
    await sleep(50)
  }
  assert.fail('a transaction runs for too long')
}

/** New lines, new rows and edited balances; the rest are edits of old lines and rows. */
const isNew = (statements: string[]) =>
  statements.some((statement) =>
    /^\s*(insert into (transfers|deposits|refunds|payouts)|update ledger_(agents|workers)|delete from ledger_(agents|workers))/.test(
      statement,
    ),
  ) && !statements.some((statement) => /^\s*(update|delete from) (tasks|transfers)/.test(statement))

describe('an increment or the next round finds', () => {
  const byIncrement: string[] = []
  for (const [invariant, subject, ...statements] of PLANTED)
    test(`${invariant} (${statements.at(-1)!.trim().slice(0, 60)}…)`, async (t) => {
      const scene = await copyLedger()
      t.after(() => scene.close())
      const isFound = async () =>
        (await scene.breaks()).some((one) => one.invariant === invariant && one.subject === subject)
      await scene.plant(...statements)

      await scene.increment()
      const isFoundAtNight = await isFound()
      if (isFoundAtNight) byIncrement.push(invariant)
      else await scene.round()

      assert(await isFound(), JSON.stringify(await scene.breaks()))
      if (isNew(statements)) assert(isFoundAtNight, 'the increment must find what is new')
    })

  test('most of them by the increment', () => {
    assert(byIncrement.length >= 25, `${byIncrement.length}`)
  })
})

describe('a break', () => {
  test('stays open across restarts, and ends when a later check finds its subject right', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())
    const gauge = async () => {
      const metrics = openMetrics()
      await showAudit({ db: scene.db, metrics })
      return (await metrics.auditBreaks.get()).values[0]!.value
    }
    const set = (by: number) =>
      scene.plant(
        `update ledger_agents set wallet_cents = wallet_cents + ${by} where agent_id = '${agentId}'`,
      )

    await set(1)
    await scene.increment()
    const during = await gauge()
    await scene.increment()
    const still = await gauge()
    await set(-1)
    await scene.increment()

    assert.deepEqual([during, still, await gauge()], [1, 1, 0])
    const { rows } = await sql`select 1 from ledger_breaks where ended_at is not null`.execute(
      scene.db.reader,
    )
    assert.equal(rows.length, 1)
  })

  test('of an edited old line ends by repair, though its statement was proven before', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())
    const set = (by: number) =>
      scene.plant(`update transfers set agent_balance_cents = agent_balance_cents + ${by}
                    where agent_id = '${agentId}' and agent_statement_no = 1`)

    await set(1)
    await scene.increment()
    const atNight = await scene.breaks()
    await scene.round()
    const byRound = await scene.breaks()
    await scene.increment()
    const nextNight = await scene.breaks()
    await set(-1)
    await scene.round()

    assert.deepEqual(atNight, [])
    assert(byRound.some(({ subject }) => subject === agentId))
    assert(nextNight.some(({ subject }) => subject === agentId))
    assert.deepEqual(await scene.breaks(), [])
  })

  test('about a line that was edited without breaking a sum is found by its checksum, and ends by acceptance', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())
    const day = now.toISOString().slice(0, 10)
    const expected = [[UNCHANGED, day]]
    const open = async () =>
      (await scene.breaks()).map(({ invariant, subject }) => [invariant, subject])

    await scene.plant(
      `update transfers set request_hash = request_hash + 1 where key = 'deposit:dep_1:settled'`,
    )
    await scene.increment()
    const atNight = await open()
    await scene.round()
    const byRound = await open()
    await scene.round()
    const again = await open()
    const isAccepted = await acceptDay(scene.background, day)
    await scene.round()

    assert.deepEqual([atNight, byRound, again], [[], expected, expected])
    assert(isAccepted)
    assert.deepEqual(await open(), [])
  })
})

describe('the position', () => {
  test('does not pass a line that commits later', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())
    const post = (depositId: string, tx: Parameters<typeof postEntries>[0]) =>
      postEntries(
        tx,
        [
          deposit({
            mode: 'test',
            shard: 7,
            depositId,
            agentId: `agent_${depositId}`,
            amountCents: 1,
          }),
        ],
        { now },
      )
    for (const id of ['early', 'late'])
      await scene.plant(`insert into ledger_agents (agent_id, mode) values ('agent_${id}', 'test')`)
    const seen = async () =>
      Number(
        (
          await sql<{
            rows: number
          }>`select sum(rows_done) as rows from ledger_audits where kind = 'increment'`.execute(
            scene.db.reader,
          )
        ).rows[0]!.rows,
      )
    const before = await seen()
    const posted = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()

    const early = scene.db.transaction(async (tx) => {
      await post('early', tx)
      posted.resolve()
      await mayCommit.promise
    })
    await posted.promise
    await scene.db.transaction((tx) => post('late', tx))
    await scene.incrementAtOnce()
    const whileOpen = await seen()
    mayCommit.resolve()
    await early
    await scene.increment()

    // The later line waits for the earlier one: the position is the oldest transaction that still runs.
    assert.deepEqual([whileOpen - before, (await seen()) - before], [0, 2])
  })

  test('of a long statement continues in the next slice with the same sums', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())
    const { reader } = scene.db
    for (const statement of [AGENTS, WORKERS]) {
      const range = { after: '', until: undefined, carry: undefined }
      const whole = await sumRange(reader, statement, range)
      const pieces: typeof whole = []
      let after = ''
      let carry: (typeof whole)[number] | undefined
      for (;;) {
        const place = { owner_id: after, no: carry?.statement_no ?? Number.MAX_SAFE_INTEGER }
        const until = await nextPlace(reader, statement, place, 2)
        const owners = await sumRange(reader, statement, { after, until, carry })
        pieces.push(...owners.filter(({ owner_id }) => owner_id !== until?.owner_id))
        if (until === undefined) break
        carry = owners.find(({ owner_id }) => owner_id === until.owner_id)
        after = until.owner_id
      }

      const sorted = (owners: typeof whole) =>
        owners.toSorted((a, b) => (a.owner_id < b.owner_id ? -1 : 1))
      assert(whole.length > 1)
      assert.deepEqual(sorted(pieces), sorted(whole))
    }
  })

  test('of an abandoned round leaves no checksums to compare with', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())
    await sql`
      with begun as (
        insert into ledger_audits (kind, started_at, sealed_xid, pass, position)
          values ('round', now(), 1000000000, 'agents', '') returning id)
      insert into ledger_checksums select id, '2025-01-15', 1, 1, 0, 0 from begun`.execute(
      scene.db.reader,
    )

    await scene.round()

    assert.deepEqual(await scene.breaks(), [])
    assert.equal((await reportAudit([scene.db.reader])).round, null)
  })

  test('is reported, with the time of the last audit', async (t) => {
    const scene = await copyLedger()
    t.after(() => scene.close())

    const report = await reportAudit([scene.db.reader])

    assert.equal(report.audited_at?.getTime(), now.getTime() + 60_000)
    assert.equal(report.round_ended_at?.getTime(), now.getTime() + 60_000)
    assert.equal(report.round, null)
  })
})

describe('kept sums', () => {
  test('equal the full count after random operations, between and after audits', async (t) => {
    const url = await freshDatabase()
    await prepare(url)
    const scene = open(url)
    t.after(() => scene.close())
    const { reader } = scene.db
    const histories = fc.sample(steps, { seed: 11, numRuns: 8 })
    const counts = noCounts()
    const full = async () => {
      const { rows } = await sql<{
        agent_id: string
        kind: string
        credit: string
        cents: number
        count: number
      }>`
        select agent_id, kind, credit, sum(amount_cents)::bigint as cents, count(*) as count
          from transfers where agent_statement_no is not null group by 1, 2, 3 order by 1, 2, 3`.execute(
        reader,
      )
      return rows
    }
    const kept = async () => {
      const { rows } = await sql<{ agent_id: string }>`
        select distinct agent_id from transfers where agent_statement_no is not null order by 1`.execute(
        reader,
      )
      const all = await Promise.all(
        rows.map(async ({ agent_id }) =>
          (await allGroups(reader, agent_id)).map((group) => ({ agent_id, ...group })),
        ),
      )
      return all
        .flat()
        .sort((a, b) =>
          [a.agent_id, a.kind, a.credit].join() < [b.agent_id, b.kind, b.credit].join() ? -1 : 1,
        )
    }
    const processor = async () => {
      const { rows } = await sql<{ full: number; kept: number }>`
        select ${await sumOf(reader, 'processor')} as kept,
               (select coalesce(sum(case debit when 'asset:processor_balance' then amount_cents else -amount_cents end), 0)
                  from transfers where mode = 'live' and 'asset:processor_balance' in (debit, credit))::bigint as full
      `.execute(reader)
      return rows[0]!
    }

    for (const [i, history] of histories.entries()) {
      await play(scene.db, history, { rules: movements, shard: i, hasRows: i % 2 === 0, counts })
      if (i % 3 === 1) await scene.increment()
      if (i % 3 === 2) await scene.round()

      const sorted = (await full()).sort((a, b) =>
        [a.agent_id, a.kind, a.credit].join() < [b.agent_id, b.kind, b.credit].join() ? -1 : 1,
      )
      assert.deepEqual(await kept(), sorted)
      const sums = await processor()
      assert.equal(sums.kept, sums.full)
    }
    assert.deepEqual(await scene.breaks(), [])
    assert(counts.steps > 50)

    // Control: a kept sum that is off by one cent is noticed.
    await scene.plant(
      'update ledger_totals set cents = cents + 1',
      'update ledger_sums set cents = cents + 1',
    )
    assert.notDeepEqual(await kept(), await full())
    const off = await processor()
    assert.equal(off.kept, off.full + 1)
  })
})
