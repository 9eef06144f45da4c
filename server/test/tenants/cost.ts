/**
 * `npm run bench:tenants`: what row-level security costs a request, in CPU time of this process and of PostgreSQL. The
 * two marketplaces differ in nothing else: `before` has no policies and sets no tenant. They alternate in short slices,
 * so both see the same machine; other load hardly affects CPU time.
 */
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { endpoint } from '../../src/kit/endpoint.ts'
import { marketplace } from '../harness.ts'
import { takeFindings } from './recorder.ts'

const SLICES = Number(process.env.BENCH_SLICES ?? 40)
const REQUESTS = 25
const NOTICES = 20

const own = (workerId: string) =>
  sql<{
    id: string
  }>`select id from notices where worker_id = ${workerId} order by id desc limit 20`
const read = { method: 'GET', auth: 'worker', summary: 'Planted', errors: [] } as const
const success = { status: 200, body: z.object({ count: z.number() }) } as const
const moreEndpoints = [
  endpoint({
    ...read,
    path: '/planted/alone',
    success,
    async handler({ db, worker }) {
      return { count: (await own(worker.id).execute(db)).rows.length }
    },
  }),
  endpoint({
    ...read,
    path: '/planted/as-tenant',
    success,
    transaction: 'own',
    async handler({ db, worker }) {
      const { rows } = await db.transaction((tx) => own(worker.id).execute(tx), {
        workerId: worker.id,
      })
      return { status: 200, body: JSON.stringify({ count: rows.length }), isReplay: false }
    },
  }),
]

async function open(isSecured: boolean) {
  const market = await marketplace({ moreEndpoints })
  if (!isSecured) {
    for (const { name } of await market.asOwner(
      `select relname as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
    ))
      await market.asOwner(`alter table ${name as string} disable row level security`)
    const { transaction } = market.db
    market.db.transaction = (work) => transaction(work)
  }
  const worker = await market.worker()
  await market.asOwner(
    `insert into notices (id, worker_id, kind, cause, created_at)
     select 'ntc_' || lpad(n::text, 26, '0'), $1, 'paid', n::text, now() from generate_series(1, ${NOTICES}) n`,
    [worker.id],
  )
  await market.asOwner('analyze notices')
  return { market, worker, cpuMicros: 0 }
}

const [before, after] = [await open(false), await open(true)]
type Side = typeof before

test(
  'a writing request sets the tenant at the start of its transaction',
  { timeout: 900_000 },
  () =>
    compare((side, i) =>
      side.worker.post('/worker/notices/read', {
        up_to: `ntc_${String((i % NOTICES) + 1).padStart(26, '0')}`,
      }),
    ),
)

test('a reading request would need its own transaction', { timeout: 900_000 }, () =>
  compare((side) => side.worker.get(side === before ? '/planted/alone' : '/planted/as-tenant')),
)

async function compare(
  call: (side: Side, i: number) => Promise<{ status: number; text: string }>,
): Promise<void> {
  const ratios: number[] = []
  const totals = new Map<Side, number>([before, after].map((side) => [side, 0]))
  for (let slice = 0; slice < SLICES + 5; slice += 1) {
    const used = new Map<Side, number>()
    for (const side of slice % 2 === 0 ? [before, after] : [after, before])
      used.set(side, await cpuOf(side, call))
    // The test runner ends a run that is silent for long.
    if (slice % 10 === 0) console.log(`slice ${slice} of ${SLICES + 5}`)
    if (slice < 5) continue
    ratios.push(used.get(after)! / used.get(before)!)
    for (const [side, micros] of used) totals.set(side, totals.get(side)! + micros)
  }
  const sorted = ratios.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
  const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`
  console.log(
    `CPU of all: ${percent(totals.get(after)! / totals.get(before)!)}; of slices: median ${percent(at(0.5))}, ` +
      `quartiles ${percent(at(0.25))} to ${percent(at(0.75))}; ` +
      `${Math.round(totals.get(before)! / (SLICES * REQUESTS))} µs a request before`,
  )
  for (const path of ['GET /planted/alone', 'GET /planted/as-tenant']) takeFindings(path)
}

async function cpuOf(
  side: Side,
  call: (side: Side, i: number) => Promise<{ status: number; text: string }>,
) {
  const pids = await backendsOf(side)
  const [own, theirs] = [process.cpuUsage(), ticksOf(pids)]
  for (let i = 0; i < REQUESTS; i += 1) {
    const { status, text } = await call(side, i)
    if (status !== 200) throw new Error(text)
  }
  const { user, system } = process.cpuUsage(own)
  return user + system + (ticksOf(pids) - theirs) * 10_000
}

async function backendsOf({ market }: Side): Promise<number[]> {
  const rows = await market.asOwner(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'legwork'`,
  )
  return rows.map(({ pid }) => pid as number)
}

/** The CPU time of processes, in hundredths of a second. */
const ticksOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return sum + Number(fields[11]) + Number(fields[12])
  }, 0)
