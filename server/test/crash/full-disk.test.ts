/**
 * PostgreSQL's disk runs full under load, first for its tables, then also for its write-ahead log. The files' folder is
 * tested in server/src/files/full-store.test.ts. `npm run test:disk` runs both.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { judge, picture, seeded } from '../figures.ts'
import { call, type Reply } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { checkLives } from '../lives/check.ts'
import { type Lives, startLives } from '../lives/load.ts'
import { targetsOf } from '../lives/targets.ts'
import { type Disk, openDisk } from './disk.ts'
import { openStand, type Stand } from './stand.ts'

const DISK_MB = 600
const SETTINGS = { min_wal_size: '32MB', max_wal_size: '96MB' }
const CLIENTS = 4
const CALM_MS = 1000
const FULL_MS = 3000
const REFUSED_WITHIN_MS = 60_000
const SERVES_WITHIN_MS = 10_000
/** On a busy machine, where even a calm start takes long. */
const TOLERATED_STARTS = 4
const SWITCHES_MAX = 200
const TIMEOUT_MS = 300_000

describe('a full disk of the database', () => {
  const seed = seeded('disk', randomBytes(4).toString('hex'))
  let disk: Disk
  let stand: Stand
  let lives: Lives
  let tolerated: number

  before(
    async () => {
      disk = await openDisk(DISK_MB)
      const dataDir = path.join(disk.folder, 'data')
      stand = await openStand({ dataDir, settings: SETTINGS, apis: 1, jobs: 0 })
      tolerated = Math.max(SERVES_WITHIN_MS, TOLERATED_STARTS * stand.startMs)
      const { fleet, cast } = stand
      lives = startLives({ bases: fleet.bases, cast, clients: CLIENTS, seed })
      await sleep(CALM_MS)
    },
    { timeout: TIMEOUT_MS },
  )
  after(async () => {
    await disk?.freeSpace()
    await lives?.stop()
    await stand?.stop()
    await disk?.remove()
  })

  const create = () =>
    call(stand.fleet.bases[0]!, 'POST', '/tasks', {
      // Larger than the free space in the pages of the table.
      body: { description: 'x'.repeat(2000), budget_cents: 100 },
      headers: { authorization: `Bearer ${stand.cast.agents[0]!.bearer}` },
    })

  /** Requests until one is refused. */
  const untilRefused = () =>
    eventually('a creation is refused', REFUSED_WITHIN_MS, async () => {
      const reply = await create().catch(() => undefined)
      return reply === undefined || reply.status === 201 ? undefined : reply
    })

  /** Milliseconds until a creation succeeds; a supervisor would also start PostgreSQL again if it gave up. */
  async function untilServing(): Promise<number> {
    const begun = performance.now()
    await eventually('a creation succeeds', TIMEOUT_MS, async () => {
      if (!stand.database.isRunning()) await stand.database.start()
      const reply = await create().catch(() => undefined)
      return reply?.status === 201 ? true : undefined
    })
    return performance.now() - begun
  }

  test('503 with Retry-After while it is full; it serves again without a restart', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const before = stand.fleet.starts()
    lives.timeline.mark('disk full')
    await disk.fill()
    const refused = await untilRefused()
    const later: number[] = []
    for (const until = performance.now() + FULL_MS; performance.now() < until; await sleep(100)) {
      // PostgreSQL may have removed something meanwhile.
      await disk.fill()
      later.push((await create()).status)
    }
    lives.timeline.mark('space again')
    await disk.freeSpace()
    const servesMs = await untilServing()

    assertUnavailable(refused)
    assert.deepEqual(stand.fleet.starts(), before, 'no server process has ended')
    judge('disk', [
      {
        figure: 'control: creations refused while it stayed full',
        value: later.filter((status) => status === 503).length,
        min: 1,
      },
      {
        figure: 'other responses while it stayed full',
        value: later.filter((status) => status !== 503 && status !== 201).length,
        max: 0,
      },
      {
        figure: 'from free space to the first creation',
        value: servesMs,
        unit: 'ms',
        max: SERVES_WITHIN_MS,
        tolerated,
      },
    ])
  })

  test('a full write-ahead log ends PostgreSQL, which recovers when there is space', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const before = stand.fleet.starts()
    lives.timeline.mark('log full')
    // Keeps PostgreSQL from using old segments of the log again, as a replica does that has fallen behind.
    await query(stand.database.url, `select pg_create_physical_replication_slot('behind', true)`)
    await disk.fill()
    await exhaustLog(stand.database.url)
    const refused = await untilRefused()
    lives.timeline.mark('space again')
    await disk.freeSpace()
    const servesMs = await untilServing()
    await query(stand.database.url, `select pg_drop_replication_slot('behind')`)

    assertUnavailable(refused)
    assert.deepEqual(stand.fleet.starts(), before, 'no server process has ended')
    judge('disk', [
      {
        figure: 'from free space to the first creation, after a full write-ahead log',
        value: servesMs,
        unit: 'ms',
        max: SERVES_WITHIN_MS,
        tolerated,
      },
    ])
  })

  test('loses, doubles and corrupts nothing', { timeout: TIMEOUT_MS }, async () => {
    await lives.stop()
    const verdict = await checkLives(stand.database.url, lives.log)
    const corrupt = await unreadableTables(stand.database.url)

    picture('disk', 'The database’s disk runs full twice', lives.timeline.series())
    console.log(JSON.stringify({ seed, ...lives.counts }), stand.fleet.errors())
    judge(
      'disk',
      [...targetsOf(verdict), { figure: 'unreadable tables', value: corrupt.length, max: 0 }],
      verdict.details,
    )
  })
})

function assertUnavailable({ status, body, headers }: Reply): void {
  assert.equal(status, 503, JSON.stringify(body))
  assert.equal(body.code, 'unavailable')
  assert(Number(headers.get('retry-after')) >= 1)
}

/** Begins new segments of the log until there is no space for another one, which PostgreSQL does not survive. */
async function exhaustLog(url: string): Promise<void> {
  for (let n = 0; n < SWITCHES_MAX; n += 1)
    try {
      await query(url, `select pg_logical_emit_message(true, 'test', repeat('x', 4000000))`)
      await query(url, 'select pg_switch_wal()')
    } catch {
      return
    }
  throw new Error('the write-ahead log has not filled the disk')
}

/** Reads every page of every table; a page whose checksum is wrong can't be read. */
async function unreadableTables(url: string): Promise<string[]> {
  const tables = await query(
    url,
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'm') order by 1`,
  )
  const bad: string[] = []
  for (const { name } of tables)
    await query(url, `select count(*) from ${name} as t where t is null`).catch((error: Error) =>
      bad.push(`${name}: ${error.message}`),
    )
  return bad
}

async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  // A database that ends during the statement breaks the connection as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
