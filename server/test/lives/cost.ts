/**
 * `npm run bench:cost`: what a task costs from its creation to its payment, in CPU time, disk, WAL and traffic; the
 * figures of docs/operations.md. COST_TASKS (2,000) sets its length.
 *
 * Each task asks for a photo of 300 kB, and its agent receives webhooks. The worker reads the feed and the task, accepts
 * it and sends the proof; the agent reads the proof with its photo, and approves. One API process and one jobs process
 * run as in production, on a PostgreSQL with fsync. CPU time hardly depends on what else the machine does.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer, connect, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { cpuOf, settle, startDurablePostgres } from '../../../load/machine.ts'
import type { Json } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { openReceiver } from '../receiver.ts'
import { type Party, recruit } from './cast.ts'
import { startFleet } from './fleet.ts'
import { call, number, nextShop } from './measured.ts'

const TASKS = Number(process.env.COST_TASKS ?? 2000)
const CLIENTS = 8
const WARM_UP = Math.min(100, TASKS)
const MILLION = 1_000_000
const TOKEN_KEYS = randomBytes(32).toString('base64')
const HERE = { lat: 53.5503, lng: 9.9937 }

test('what a task costs from its creation to its payment', { timeout: 3_000_000 }, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-cost-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startDurablePostgres(folder)
  atEnd(() => postgres.stop())
  const files = path.join(folder, 'files')
  const fleet = await startFleet({
    databaseUrl: postgres.url,
    workerTokenKeys: TOKEN_KEYS,
    apis: 1,
    settings: {
      FILES_DIR: files,
      FILES_PER_WORKER_DAY: '1000000',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    },
  })
  atEnd(() => fleet.stop())
  const wire = await openWire(new URL(fleet.bases[0]!).port)
  const receiver = await openReceiver({ after: atEnd })
  const cast = await recruit({
    databaseUrl: postgres.url,
    base: fleet.bases[0]!,
    workerTokenKeys: TOKEN_KEYS,
    agents: 8,
    workers: 40,
  })
  const base = `http://127.0.0.1:${wire.port}/api/v1`
  for (const agent of cast.agents)
    await call(agent, 'PATCH', `${base}/agents/me`, { webhook_url: receiver.url })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  atEnd(() => client.end())
  const photos = await makePhotos(16)

  async function live(count: number): Promise<void> {
    let begun = 0
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (begun < count) {
          const n = begun++
          await oneLife(base, {
            agent: cast.agents[n % cast.agents.length]!,
            worker: cast.workers[n % cast.workers.length]!,
            photo: photos[n % photos.length]!,
          })
          // The test runner ends a run that is silent for long.
          if (n % 500 === 499) console.log(`${n + 1} of ${count} tasks`)
        }
      }),
    )
    await untilDelivered(client)
  }

  async function measure(): Promise<Totals> {
    settle()
    const pids = fleet.pids()
    return {
      api: cpuOf(pids['api 1']!),
      jobs: cpuOf(pids['jobs 1']!),
      postgres: cpuOf(postgres.pid),
      wal: await number(client, `select pg_current_wal_lsn() - '0/0'::pg_lsn`),
      tables: await sizes(client),
      files: await sizeOf(files),
      received: wire.received(),
      sent: wire.sent(),
      webhooks: receiver.received.length,
    }
  }

  await live(WARM_UP)
  const before = await measure()
  await live(TASKS)
  const after = await measure()

  const completed = await number(client, `select count(*) from tasks where status = 'completed'`)
  assert.equal(completed, WARM_UP + TASKS)
  print(before, after, photos[0]!.length)
})

/** CPU in microseconds, everything else in bytes, except for the count of webhooks. */
interface Totals {
  api: number
  jobs: number
  postgres: number
  wal: number
  tables: Map<string, number>
  files: number
  received: number
  sent: number
  webhooks: number
}

function print(before: Totals, after: Totals, photoBytes: number): void {
  const each = (key: Exclude<keyof Totals, 'tables'>) => (after[key] - before[key]) / TASKS
  const line = (what: string, value: string) =>
    console.log(`${what.padEnd(44)}${value.padStart(16)}`)
  console.log(`\n${TASKS} tasks with a photo of ${(photoBytes / 1000).toFixed(0)} kB, each:`)
  for (const role of ['api', 'jobs', 'postgres'] as const)
    line(`CPU of ${role}`, `${(each(role) / 1000).toFixed(2)} ms`)
  line('WAL', `${(each('wal') / 1000).toFixed(1)} kB`)
  line('files', `${(each('files') / 1000).toFixed(1)} kB`)
  line('traffic to the API', `${(each('received') / 1000).toFixed(1)} kB`)
  line('traffic from the API', `${(each('sent') / 1000).toFixed(1)} kB`)
  line('webhooks', each('webhooks').toFixed(1))
  const grown = [...after.tables]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.tables.get(name) ?? 0)) / TASKS }))
    .sort((a, b) => b.bytes - a.bytes)
  const database = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  line('database, with indexes', `${(database / 1000).toFixed(1)} kB`)
  for (const { name, bytes } of grown.filter((one) => one.bytes >= 50))
    line(`  ${name}`, `${(bytes / 1000).toFixed(2)} kB`)

  console.log('\nA million such tasks:')
  const cpu = each('api') + each('jobs') + each('postgres')
  line('CPU', `${((cpu * MILLION) / 3.6e9).toFixed(1)} hours`)
  const gigabytes = (bytes: number) => `${((bytes * MILLION) / 1e9).toFixed(0)} GB`
  line('database', gigabytes(database))
  line('files', gigabytes(each('files')))
  line('WAL', gigabytes(each('wal')))
  line('traffic to the API', gigabytes(each('received')))
  line('traffic from the API', gigabytes(each('sent')))
}

interface Life {
  agent: Party
  worker: Party
  photo: Buffer
}

async function oneLife(base: string, { agent, worker, photo }: Life): Promise<void> {
  const { task } = await call(agent, 'POST', `${base}/tasks`, {
    type: 'verification',
    description: 'Is the bakery at the corner open? Photograph the door with its opening hours.',
    location: nextShop(HERE),
    proof_required: 'photo',
    budget_cents: 500,
  })
  const id = (task as Json).id as string
  await call(worker, 'GET', `${base}/worker/feed?lat=${HERE.lat}&lng=${HERE.lng}`)
  await call(worker, 'POST', `${base}/worker/tasks/${id}/accept`)
  await call(worker, 'POST', `${base}/worker/tasks/${id}/proof`, {
    text: 'It is open until six.',
    photos: [`data:image/jpeg;base64,${photo.toString('base64')}`],
  })
  const proof = await call(agent, 'GET', `${base}/tasks/${id}/proof`)
  assert(JSON.stringify(proof).length > photo.length, 'the proof contains its photo')
  await call(agent, 'POST', `${base}/tasks/${id}/approve`)
}

/** A TCP proxy to the API that counts bytes. */
async function openWire(target: string) {
  let [received, sent] = [0, 0]
  const server = createServer((near) => {
    const far = connect(Number(target), '127.0.0.1')
    near.on('data', (chunk) => (received += chunk.length)).on('error', () => far.destroy())
    far.on('data', (chunk) => (sent += chunk.length)).on('error', () => near.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  atEnd(async () => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, received: () => received, sent: () => sent }
}

/** Photos with noise, because a smooth picture would compress to almost nothing. */
function makePhotos(count: number): Promise<Buffer[]> {
  const [width, height] = [1600, 1200]
  return Promise.all(
    Array.from({ length: count }, () =>
      sharp(randomBytes((width / 4) * (height / 4) * 3), {
        raw: { width: width / 4, height: height / 4, channels: 3 },
      })
        .resize(width, height, { kernel: 'cubic' })
        .jpeg({ quality: 35 })
        .toBuffer(),
    ),
  )
}

async function untilDelivered(client: pg.Client): Promise<void> {
  for (let i = 0; i < 1200; i += 1) {
    const waiting = await number(
      client,
      'select (select count(*) from outbox) + (select count(*) from deliveries)',
    )
    if (waiting === 0) return
    await sleep(100)
  }
  throw new Error('events are still waiting after two minutes')
}

/** Bytes of each table with its indexes; partitions count as their table. */
async function sizes(client: pg.Client): Promise<Map<string, number>> {
  await client.query('vacuum')
  const { rows } = await client.query<{ name: string; bytes: string }>(`
    select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c
      left join pg_inherits i on i.inhrelid = c.oid
      left join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
     group by 1`)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  let bytes = 0
  for (const name of names) {
    const found = await stat(path.join(folder, name)).catch(() => undefined)
    if (found?.isFile()) bytes += found.size
  }
  return bytes
}
