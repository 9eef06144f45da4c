/**
 * A lost database is restored to a chosen second, and the operator's procedure of docs/restore.md brings its books in
 * line with the processor's. Needs root and the Debian tree (scripts/debian-tree.sh).
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { judge, picture } from '../figures.ts'
import type { Json } from '../harness.ts'
import { checkLives } from '../lives/check.ts'
import { ops } from '../ops.ts'
import { ARCHIVE_TIMEOUT_SECONDS } from './cluster.ts'
import { approve, hurry, openWorld, play, prove, timed, until, untilPaid } from './story.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
/** For a busy machine: the archiver also has to start and to send its file. */
const LAG_SLACK_SECONDS = 15

const world = await openWorld()
const { cluster, sandbox, url } = world
const story = await play(world).catch(async (error: unknown) => {
  await world.stop()
  throw error
})
after(() => world.stop())
const { at, agent, worker } = story

test('the newest backup restores, its ledger is sound, and little is lost with the disk', async () => {
  const { code, out, metrics } = await cluster.drill()

  assert.equal(code, 0, out)
  assert.equal(gauge(metrics, 'ok'), 1)
  const newest = gauge(metrics, 'success_timestamp_seconds') - gauge(metrics, 'lag_seconds')
  const lostSeconds = story.destroyedAt.getTime() / 1000 - newest
  console.log(out.trim())
  const { full, incremental } = story.backupSeconds
  picture('restore', 'A full and an incremental backup', story.series)
  judge('restore', [
    { figure: 'full backup', value: full, unit: 's' },
    { figure: 'incremental backup', value: incremental, unit: 's' },
    { figure: 'drill: restore', value: gauge(metrics, 'restore_seconds'), unit: 's' },
    { figure: 'drill: recovery', value: gauge(metrics, 'recovery_seconds'), unit: 's' },
    {
      figure: 'commits lost with the disk',
      value: lostSeconds,
      unit: 's',
      max: ARCHIVE_TIMEOUT_SECONDS + LAG_SLACK_SECONDS,
    },
  ])
})

test('a damaged backup fails the drill, which keeps the time of the last good one', async () => {
  const files = await readdir(cluster.repository, { recursive: true, withFileTypes: true })
  const bundles = files.filter(
    ({ parentPath, name }) => parentPath.endsWith('bundle') && /^\d+$/.test(name),
  )
  assert(bundles.length > 0, 'the repository has bundles')
  const whole = await Promise.all(
    bundles.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      return { file, bytes: await readFile(file) }
    }),
  )
  for (const { file, bytes } of whole) await writeFile(file, damaged(bytes))

  const { code, out, metrics } = await cluster.drill()
  for (const { file, bytes } of whole) await writeFile(file, bytes)

  assert.equal(code, 1, out)
  assert.equal(gauge(metrics, 'ok'), 0)
  assert(gauge(metrics, 'success_timestamp_seconds') > 0)
})

test('restored to a second, the database has all that was acknowledged before and nothing from after', async () => {
  const seconds = await timed(() => cluster.restore(at))
  const [size] = await cluster.query('select pg_database_size(current_database()) as bytes')

  const acknowledged = story.lines.filter((line) => line.kind === 'acknowledged')
  const before = acknowledged.filter((line) => line.at <= at.getTime())
  const later = acknowledged.filter((line) => line.at - line.ms > at.getTime())
  const created = later.filter(({ step, status }) => step === 'create' && status === 201)
  assert(
    before.length > 20 && created.length > 5,
    `${before.length} before, ${created.length} after`,
  )

  const begun = story.lines.filter((line) => line.kind === 'begun')
  const verdict = await checkLives(url, { lines: [...begun, ...before] })
  console.log(verdict.details.join('\n'))
  judge('restore', [
    { figure: 'acknowledged requests before the second', value: verdict.acknowledged, min: 20 },
    { figure: 'of these, lost', value: verdict.lost, max: 0 },
    { figure: 'effects that happened twice', value: verdict.doubled, max: 0 },
    { figure: 'tasks that differ from their request', value: verdict.mismatched, max: 0 },
    { figure: 'broken ledger invariants', value: verdict.breaks, max: 0 },
    { figure: 'restored', value: Number(size!.bytes) / 1e6, unit: 'MB' },
    { figure: 'restore to a chosen second', value: seconds, unit: 's' },
  ])
  const known = await cluster.query('select id from tasks where id = any($1)', 'legwork', [
    created.map(({ task_id }) => task_id),
  ])
  assert.deepEqual(known, [])
})

test('a server refuses to start on a restored database that nobody has declared', async () => {
  const { code, err } = await server('jobs')

  assert.equal(code, 1)
  assert.match(err, /This database was restored to .* Run `server ops restore declare` first/)
})

test('once declared, payouts, refunds and withdrawals can’t be turned on', async () => {
  const before = await sequenceOf(story.approvedLater)
  const declared = await server('ops', 'restore', 'declare')
  const turned = await server('ops', 'switch', 'payouts', 'on')

  assert.equal(declared.code, 0, declared.err)
  assert.match(declared.out, new RegExp(at.toISOString()))
  assert.notEqual(turned.code, 0)
  assert.match(turned.err, /payouts stay off until `ops restore open`/)
  // An agent that has seen a lost event of this task does not ignore the next one.
  assert.equal(await sequenceOf(story.approvedLater), before + 1000)
})

test('the check books what the processor did: nobody is paid twice, every deposit is credited', async () => {
  const control = 'create database control template legwork'
  await cluster.query(control, 'postgres')
  const checked = await server('ops', 'restore', 'check', '--json')
  const report = JSON.parse(checked.out) as Json

  assert.equal(checked.code, 0, checked.out + checked.err)
  assert.equal(report.reconciliation.processor_cents, report.reconciliation.ledger_cents)
  const booked = (source: string) =>
    (report.movements as Json[]).find(({ source_id }) => source_id === source)?.booked
  assert.equal(booked((await transferOf(story.heldBefore)).id), 'payout')
  assert.equal(booked((await transferOf(story.approvedLater)).id), 'suspense')
  assert.equal(booked((await transferOf(story.afterwards)).id), 'suspense')
  const deposits = await cluster.query('select id, status::text from deposits', 'legwork')
  const statusOf = (id: string) => deposits.find((row) => row.id === id)?.status
  assert.equal(statusOf(story.deposits.openBefore), 'succeeded')
  assert.equal(statusOf(story.deposits.after), 'succeeded')
  assert.equal(statusOf(story.deposits.ofLostAgent), undefined)
  const refunds = await cluster.query('select sum(amount_cents)::int as cents from refunds')
  assert.equal(refunds[0]!.cents, story.refundCents)
  // The two tasks of this agent that the second came too early for are not paid for here, or not yet.
  const market = await world.operate(url)
  const balance = await market.balance(agent.id)
  await market.server.stop()
  assert.equal(balance, story.balanceCents + 1500)
})

test('an account that was closed after the second is closed and erased again, by the list in the log', async () => {
  const { worker: leaving, inLog } = story.closed
  const read = async () => {
    const text = `
      select name, email, status::text, (select count(*)::int from worker_emails e where e.worker_id = w.id) as emails
        from workers w where id = $1`
    return (await cluster.query(text, 'legwork', [leaving.id]))[0]
  }
  const restored = await read()
  const erased = await server('ops', 'restore', 'erase', ...inLog)

  assert.deepEqual(inLog, [leaving.id])
  assert.deepEqual([restored?.email, restored?.status], [leaving.email, 'active'])
  assert.equal(erased.code, 0, erased.err)
  assert.deepEqual(await read(), {
    name: 'Former worker',
    email: `${leaving.id}@closed.invalid`,
    status: 'closed',
    emails: 0,
  })
})

test('opened again, a task that is approved a second time is paid by the transfer from before', async () => {
  const opened = await server('ops', 'restore', 'open')
  assert.equal(opened.code, 0, opened.out)
  // An operator had turned payouts off before the second.
  assert.match(opened.out, /On again: refunds, withdrawals\. Still off: payouts/)
  assert.equal((await server('ops', 'switch', 'payouts', 'on')).code, 0)
  const first = await transferOf(story.approvedLater)
  const { fleet, market } = await world.serve(url)
  const later = clientOf(market)

  const { status } = await market.client(story.closed.worker.token).get('/worker/profile')
  assert.equal(status, 401, 'the session of a closed account')
  await approve(later.agent, story.approvedLater)
  await untilPaid(cluster, story.approvedLater)
  const fresh = await prove(later.agent, later.worker)
  await approve(later.agent, fresh)
  await untilPaid(cluster, fresh)
  await hurry(cluster)
  await until(async () => (await unsettled()) === 0, 'payouts of the lives')
  // The processor lists a transfer a moment after it made it.
  await until(async () => {
    await ops(market, 'reconcile')
    return (await booksDiffer()).length === 0
  }, 'the books to agree')

  const [payout] = await cluster.query(
    'select transfer_id from payouts where task_id = $1',
    'legwork',
    [story.approvedLater],
  )
  assert.equal(payout!.transfer_id, first.id)
  assert.deepEqual(await paidTwice(), [])
  assert.deepEqual(await booksDiffer(), [])
  assert.deepEqual(await market.audit(), [])
  await fleet.stop()
  await market.server.stop()
})

test('what is left is a person’s decision, and then the books agree to the cent without it', async () => {
  const market = await world.operate(url)
  const waiting = await cluster.query(
    `select ref_id, sum(case credit when 'liab:suspense' then amount_cents else -amount_cents end)::int as cents
       from transfers where 'liab:suspense' in (debit, credit) group by ref_id having
       sum(case credit when 'liab:suspense' then amount_cents else -amount_cents end) <> 0`,
  )
  // Transfers for tasks of lost time, and the deposit of an agent that registered in it.
  const receipts = waiting.filter(({ cents }) => Number(cents) > 0)
  assert.deepEqual(
    receipts.map(({ cents }) => cents),
    [1100],
  )
  for (const { ref_id, cents } of waiting)
    await ops(market, 'suspense', String(ref_id), Number(cents) > 0 ? 'back' : 'ours')
  await ops(market, 'reconcile')

  assert.deepEqual(await booksDiffer(), [])
  assert.deepEqual(await market.audit(), [])
  await market.server.stop()
})

test('control: without the declared restore, the same approval pays the worker a second time', async () => {
  const database = cluster.urlOf('control')
  // Lets the server start, as one without this protection would.
  await cluster.query(
    'update restores set checked_at = now(), opened_at = now(), opened_by = $1',
    'control',
    ['test'],
  )
  await cluster.query(`update platform_switches set is_on = (name <> 'read_only')`, 'control')
  const { fleet, market } = await world.serve(database)
  await cluster.query('delete from restores', 'control')

  await approve(clientOf(market).agent, story.approvedLater)
  await untilPaid(cluster, story.approvedLater, 'control')
  const twice = await paidTwice()
  await fleet.stop()
  await market.server.stop()

  judge('restore', [
    { figure: 'control: tasks paid twice without it', value: twice.length, min: 1 },
  ])
  assert(twice.includes(`${story.approvedLater} ${worker.id}`), twice.join(', '))
})

test('a ledger that does not add up fails the drill', async () => {
  await cluster.query(
    'update ledger_agents set wallet_cents = wallet_cents + 1 where agent_id = $1',
    'legwork',
    [agent.id],
  )
  await cluster.archived()

  const { code, out, metrics } = await cluster.drill()

  assert.equal(code, 1, out)
  assert.match(out, /an agent’s wallet is the sum of its transfers/)
  assert.equal(gauge(metrics, 'ok'), 0)
})

function clientOf(market: Awaited<ReturnType<typeof world.operate>>) {
  return {
    agent: { ...agent, ...market.client(agent.api_key) },
    worker: { ...worker, ...market.client(worker.token) },
  }
}

/** Runs a command of the server on the restored database, in a process of its own. */
async function server(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = Object.fromEntries(
    Object.entries(world.settings).map(([name, value]) => [name, String(value)]),
  )
  const child = spawn(process.execPath, ['server/src/main.ts', ...words], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      // Without the compile cache a process takes half as long again to start.
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      DATABASE_URL: url,
      ...env,
    },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, out, err }
}

async function transfers(): Promise<Json[]> {
  const { objects } = await sandbox.state()
  return objects.transfer as Json[]
}

async function transferOf(taskId: string): Promise<Json> {
  const [transfer] = (await transfers()).filter(({ transfer_group }) => transfer_group === taskId)
  assert(transfer, `${taskId} was paid`)
  return transfer
}

/** The tasks and workers with more than one transfer. */
async function paidTwice(): Promise<string[]> {
  const made = Map.groupBy(
    await transfers(),
    ({ transfer_group, metadata }) => `${transfer_group} ${metadata.worker_id}`,
  )
  return [...made].filter(([, all]) => all.length > 1).map(([who]) => who)
}

async function unsettled(): Promise<number> {
  const waiting = `select 1 from payouts where status in ('held', 'requested', 'submitting', 'awaiting_funds')`
  return (await cluster.query(waiting)).length
}

/** Differences between the processor's balance and our books, by independent queries. */
async function booksDiffer(): Promise<string[]> {
  const { balance, balance_transactions } = await sandbox.state()
  const listed = (balance_transactions as Json[]).filter(
    ({ account }) => !account.startsWith('acct_'),
  )
  const [ours] = await cluster.query(`
    select sum(case debit when 'asset:processor_balance' then amount_cents else -amount_cents end)::bigint as cents
      from transfers where mode = 'live' and 'asset:processor_balance' in (debit, credit)`)
  const unmatched = await cluster.query(`
    select id as what from balance_transactions where matched_at is null
     union all
    select key from transfers f where mode = 'live' and 'asset:processor_balance' in (debit, credit)
       and not exists (select 1 from processor_matches m where m.key = f.key)`)
  const [mirrored] = await cluster.query('select count(*)::int as count from balance_transactions')
  const processorCents = balance.available + balance.pending
  return [
    ...(Number(ours!.cents) === processorCents
      ? []
      : [`${Number(ours!.cents)} and ${processorCents} cents`]),
    ...(mirrored!.count === listed.length
      ? []
      : [`${String(mirrored!.count)} of ${listed.length} movements`]),
    ...unmatched.map(({ what }) => `${String(what)} is not matched`),
  ]
}

async function sequenceOf(taskId: string): Promise<number> {
  const [row] = await cluster.query('select event_sequence from tasks where id = $1', 'legwork', [
    taskId,
  ])
  return Number(row!.event_sequence)
}

function gauge(metrics: string, name: string): number {
  const value = new RegExp(`^legwork_restore_drill_${name} (\\S+)$`, 'm').exec(metrics)?.[1]
  assert(value !== undefined, `${name} in ${metrics}`)
  return Number(value)
}

/** Flips every bit of one byte in each kilobyte. */
function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let i = 100; i < copy.length; i += 1024) copy[i] = copy[i]! ^ 0xff
  return copy
}
