/**
 * A three-node PostgreSQL cluster loses machines, processes and links while tasks live through it, sent to two API
 * processes and a jobs process behind HAProxy. Clients log every acknowledgement, and afterwards the database must hold
 * each of them once.
 *
 * `npm run test:failover` inflicts every fault, FAILOVER_ROUNDS times. Without that setting, two faults and the control
 * are run, which takes about three minutes. FAILOVER_ONLY runs the faults whose name contains it.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { openDb, openProbe, translate } from '../../src/kit/db.ts'
import { judge, picture, seeded, type Target } from '../figures.ts'
import { atEnd } from '../hooks.ts'
import { eventually } from '../jobs-child.ts'
import { type Cast, recruit } from '../lives/cast.ts'
import { checkLives, type Verdict } from '../lives/check.ts'
import { type Fleet, startFleet } from '../lives/fleet.ts'
import { type Lives, startLives } from '../lives/load.ts'
import { targetsOf } from '../lives/targets.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { FAULTS, holdReplication, REJOIN_MAX_MS } from './faults.ts'

const { FAILOVER_ONLY = '' } = process.env
const FAILOVER_ROUNDS = process.env.FAILOVER_ROUNDS
const ROUNDS = Number(FAILOVER_ROUNDS ?? 1)
const CHOSEN = FAULTS.filter(
  ({ name, isShort }) =>
    name.includes(FAILOVER_ONLY) && (isShort || FAILOVER_ROUNDS !== undefined || FAILOVER_ONLY),
)
const CLIENTS = 6
/** Acknowledgements before a fault: enough that the load runs steadily. */
const STEADY = 40
/** The job queue may need 20 s to notice that it can't go on after a failover. */
const JOBS_DONE_MS = 60_000
const TEST_MAX_MS = 240_000
/** How long the standbys of the control miss everything. */
const CONTROL_LAG_MS = 3_000

describe('a PostgreSQL cluster of three machines', () => {
  const seed = seeded('failover', process.env.FAILOVER_SEED ?? randomBytes(4).toString('hex'))
  const table: object[] = []
  let cluster: Cluster
  let fleet: Fleet
  let cast: Cast

  before(
    async () => {
      const workerTokenKeys = randomBytes(32).toString('base64')
      cluster = await startCluster()
      atEnd(() => cluster.stop())
      fleet = await startFleet({
        databaseUrl: cluster.url,
        workerTokenKeys,
        settings: { EVENT_LOOP_DELAY_MAX_MS: '0' },
      })
      atEnd(() => fleet.stop())
      cast = await recruit({
        databaseUrl: cluster.ownerUrl,
        base: fleet.bases[0]!,
        workerTokenKeys,
      })
      atEnd(async () => console.table(table))
    },
    { timeout: TEST_MAX_MS },
  )

  for (let round = 1; round <= ROUNDS; round += 1)
    for (const { name, gapMaxMs, inflict } of CHOSEN)
      test(`loses nothing: ${name} (${round} of ${ROUNDS})`, {
        timeout: TEST_MAX_MS,
      }, async (t) => {
        const leader = await cluster.untilWhole()
        const lives = await startSteadyLives(t)

        const beganMs = lives.timeline.mark(name)
        const rejoinedMs = await inflict(cluster, leader)
        await untilMore(lives, STEADY)
        const gapMs = lives.timeline.longestGapMs(beganMs)
        await lives.stop()
        const verdict = await checkLives(cluster.ownerUrl, lives.log)

        tell(name, { gapMs, rejoinedMs, verdict })
        picture('failover', `${name} (${round} of ${ROUNDS})`, lives.timeline.series())
        console.log(verdict.details.join('\n'))
        const figures: Target[] = [
          ...targetsOf(verdict),
          {
            figure: 'longest time without an acknowledgement',
            value: gapMs,
            unit: 'ms',
            max: gapMaxMs,
          },
        ]
        if (rejoinedMs !== undefined)
          figures.push({
            figure: 'time until the node replicates again',
            value: rejoinedMs,
            unit: 'ms',
            max: REJOIN_MAX_MS,
          })
        judgeFault(name, figures)
        await untilJobsAreDone()
      })

  test('a server that reaches a standby refuses to read from it', async (t) => {
    const db = openDb(cluster.readUrl, { onError: () => {} })
    t.after(() => db.close())
    const probe = openProbe(cluster.readUrl)
    t.after(() => probe.close())
    const ordinary = new pg.Client({ connectionString: cluster.readUrl })
    await ordinary.connect()
    t.after(() => ordinary.end())

    const { rows } = await ordinary.query('select pg_is_in_recovery() as is_standby')

    assert.deepEqual(rows, [{ is_standby: true }], 'control: an ordinary client reads there')
    await assert.rejects(db.call('one', 'select 1', []), { code: 'unavailable' })
    await assert.rejects(sql`select 1`.execute(db.reader), (error: unknown) => {
      assert.equal((translate(error) as { code?: string }).code, 'unavailable')
      return true
    })
    assert.equal(await probe.isThere(), false)
  })

  test('needs no restart of the server', () => {
    assert.deepEqual(Object.values(fleet.starts()), [1, 1, 1])
  })

  test('control: without synchronous replication, acknowledged writes are lost', {
    timeout: TEST_MAX_MS,
  }, async (t) => {
    const leader = await cluster.untilWhole()
    await cluster.configure({ synchronous_mode: false, maximum_lag_on_failover: 1024 ** 3 })
    await eventually('replication is asynchronous', 60_000, async () => {
      const members = await cluster.members(leader)
      return members.filter(({ role }) => role === 'replica').length === 2 ? true : undefined
    })
    const lives = await startSteadyLives(t)

    const beganMs = lives.timeline.mark('control')
    await holdReplication(leader, CONTROL_LAG_MS)
    await leader.die()
    await cluster.untilAnotherLeads(leader)
    await untilMore(lives, STEADY)
    const gapMs = lives.timeline.longestGapMs(beganMs)
    await lives.stop()
    const verdict = await checkLives(cluster.ownerUrl, lives.log)

    tell('control: asynchronous', { gapMs, verdict })
    judge('failover', [
      { figure: 'control: lost with asynchronous replication', value: verdict.lost, min: 1 },
    ])
  })

  async function startSteadyLives(t: TestContext): Promise<Lives> {
    const lives = startLives({ bases: fleet.bases, cast, clients: CLIENTS, seed })
    t.after(() => lives.stop())
    await untilMore(lives, STEADY)
    return lives
  }

  function acknowledgedIn({ log }: Lives): number {
    return log.lines.filter(({ kind }) => kind === 'acknowledged').length
  }

  async function untilMore(lives: Lives, count: number): Promise<void> {
    const enough = acknowledgedIn(lives) + count
    await eventually(`${count} more acknowledgements`, 120_000, async () => {
      if (acknowledgedIn(lives) >= enough) return true
      await sleep(50)
      return undefined
    })
  }

  /** The jobs process has found the new leader, and everything that was recorded is handled. */
  async function untilJobsAreDone(): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.ownerUrl })
    await client.connect()
    try {
      await eventually('the jobs process has no work left', JOBS_DONE_MS, async () => {
        const { rows } = await client.query<{ left: number }>(
          `select (select count(*) from outbox)::integer
                + (select count(*) from graphile_worker.jobs where run_at <= now())::integer as left`,
        )
        if (rows[0]!.left === 0) return true
        await sleep(200)
        return undefined
      })
    } finally {
      await client.end()
    }
  }

  function tell(
    fault: string,
    of: { gapMs: number; rejoinedMs?: number | undefined; verdict: Verdict },
  ): void {
    const { acknowledged, lost, doubled } = of.verdict
    const seconds = (ms: number | undefined) => ms && Math.round(ms / 100) / 10
    table.push({
      fault,
      'gap s': seconds(of.gapMs),
      'rejoined s': seconds(of.rejoinedMs),
      acknowledged,
      lost,
      doubled,
    })
  }
})

/** The report of a night has the figures of all faults in one list. */
function judgeFault(fault: string, figures: readonly Target[]): void {
  judge(
    'failover',
    figures.map((one) => ({ ...one, figure: `${fault}: ${one.figure}` })),
  )
}
