/**
 * An upgrade at noon: the last release and the next one side by side on one database, under load, from the first
 * migration to the last process; then back, and forward again. No request fails and nothing is lost.
 *
 * The last release is a checkout of the commit in server/migrations/released.json.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { jobs } from '../../src/jobs.ts'
import { reconcileMoney } from '../../src/reconcile/reconcile.ts'
import { auditPatiently } from '../../src/ledger/audit-patiently.ts'
import { call } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { PASSWORD } from '../people.ts'
import { checkOutLast, mentions, NEXT } from './checkout.ts'
import { type Fleet, openFleet, type Place } from './fleet.ts'
import { type Life, type Load, startLoad } from './load.ts'
import { migrateUpTo, migrationsOf } from './migrate-step.ts'
import { openWorld, populate, registerWorker, type Worker, type World } from './world.ts'

const TEST_MAX_MS = 300_000
const WEBHOOK_MAX_MS = 60_000
const ERRORS_SHOWN = 3
const PLACES: readonly Place[] = ['api1', 'api2', 'jobs']
const WORKERS = 3
/** The kind of an event and the name of a job that neither release knows. */
const UNKNOWN = 'upgrade.unknown'
const NEW_PASSWORD = 'another horse battery staple'

const last = await checkOutLast()
const known = new Set(migrationsOf(last))
const pending = migrationsOf(NEXT).filter((name) => !known.has(name))
/** A scheduled job that only the next release knows, if there is one. */
const newJob = jobs.find(({ name, schedule }) => schedule !== undefined && !mentions(last, name))
/** Whether only the next release tells workers by email that their password was changed. */
const isMailNew = !mentions(last, 'worker.password_changed')

describe(`the upgrade from ${last.name}, under load`, { timeout: 2 * TEST_MAX_MS }, () => {
  let world: World
  let fleet: Fleet
  let load: Load
  /** Requests of the phases so far. */
  let counted = 0
  let parties: Awaited<ReturnType<typeof populate>>
  /** Changes their password with the next release while the last release runs the jobs. */
  let changer: Worker

  before(
    async () => {
      world = await openWorld()
      fleet = await openFleet(world.settings)
      await fleet.migrate(last)
      await Promise.all(PLACES.map((place) => fleet.start(place, last)))
      parties = await populate(world, fleet.base, WORKERS)
      changer = await registerWorker(world, fleet.base)
      load = startLoad(fleet.base, parties)
    },
    { timeout: TEST_MAX_MS },
  )

  after(async () => {
    await load?.stop()
    await fleet?.close()
    await world?.close()
    await last.remove()
  })

  test(`${last.name} serves alone`, () => everyRequestSucceeds('before'))

  for (const name of pending)
    test(`${last.name} serves during and after ${name}`, async () => {
      const startedAt = performance.now()
      await migrateUpTo(world.url, { release: NEXT, last: name, functionsOf: last })
      const ms = Math.round(performance.now() - startedAt)

      await everyRequestSucceeds(`${name} (${ms} ms)`)
    })

  test(`${last.name} serves with the functions of the next release`, async () => {
    await fleet.migrate(NEXT)

    await everyRequestSucceeds('functions')
  })

  for (const place of ['jobs', 'api1', 'api2'] as const)
    test(`forward: ${place} is replaced by the next release`, () => replaced('forward', place))

  test(`back: jobs and api1 are replaced by ${last.name}`, () => replaced('back', 'jobs', 'api1'))

  test('leaves alone what it does not know: events in the outbox, jobs in the queue', async () => {
    await world.query(
      `insert into outbox (id, type, data, created_at) values ('evt_unknown', $1, '{"id": "x"}', now())`,
      [UNKNOWN],
    )
    const names = [UNKNOWN, ...(newJob ? [newJob.name] : [])]
    for (const name of names) await world.query('select graphile_worker.add_job($1)', [name])
    // The API process that is still of the next release asks for an email that the jobs process may not know.
    const { status, text } = await call(fleet.baseOf('api2'), 'POST', '/worker/password', {
      headers: { authorization: `Bearer ${changer.token}` },
      body: { current_password: PASSWORD, password: NEW_PASSWORD },
    })
    assert.equal(status, 200, text)
    await everyRequestSucceeds('unknown work')

    const waiting = await world.query(
      `select type from outbox where agent_id is null and type = any($1) order by type`,
      [[UNKNOWN, 'worker.password_changed']],
    )
    assert.deepEqual(
      waiting.map(({ type }) => type),
      [UNKNOWN, ...(isMailNew ? ['worker.password_changed'] : [])],
    )
    for (const name of names)
      assert.deepEqual(await jobsNamed(name), [{ attempts: 0, last_error: null }], name)
  })

  test(`back: api2 is replaced by ${last.name}, whose migrate changes nothing`, async () => {
    const before = await world.query('select name, checksum, applied_at from migrations')
    await fleet.migrate(last)
    assert.deepEqual(await world.query('select name, checksum, applied_at from migrations'), before)

    await replaced('back', 'api2')
  })

  test('forward again: api1 is replaced by the next release', () => replaced('forward', 'api1'))

  test('forward again: api2 and jobs are replaced by the next release', () =>
    replaced('forward', 'api2', 'jobs'))

  test('the next release does the work that waited for it, and leaves alone what it does not know', async () => {
    await eventually('the job is done', 30_000, async () =>
      newJob === undefined || (await jobsNamed(newJob.name)).length === 0 ? true : undefined,
    )
    const mail = await world.inbox.mailTo(changer.email)
    assert.match(mail.subject, /password/i)
    assert.equal((await jobsNamed(UNKNOWN)).length, 1)
    assert.equal((await world.query('select from outbox where type = $1', [UNKNOWN])).length, 1)
  })

  test('every acknowledged task exists once, and ended as acknowledged', async () => {
    await load.stop()

    const rows = await world.query(
      `select id, description, status from tasks where description like 'Upgrade %'`,
    )
    const statuses = new Map(rows.map(({ id, status }) => [id as string, status as string]))
    console.log(`${load.lives.length} lives; responses: ${JSON.stringify(load.counts)}`)
    assert.deepEqual(
      [...statuses.keys()].sort(),
      [...load.created.keys()].sort(),
      'tasks in the database are the acknowledged ones',
    )
    assert.equal(new Set(rows.map(({ description }) => description)).size, rows.length)
    assert.deepEqual(
      load.lives.filter(({ taskId, end }) => statuses.get(taskId) !== end),
      [],
    )
  })

  test('every completed task was announced by a signed webhook', async () => {
    const completed = load.lives.filter(({ end }) => end === 'completed')
    const webhook = new Webhook(parties.agent.webhook_secret)

    await untilTold(load.lives)

    for (const { headers, text } of world.receiver.received) {
      // Not `verify`, which refuses those of the first minutes as too old.
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
      const signature = webhook.sign(String(headers['webhook-id']), sentAt, text)
      assert(String(headers['webhook-signature']).split(' ').includes(signature))
    }
    const told = toldOf('task.completed')
    for (const { taskId } of completed) assert.equal(told.get(taskId)!.size, 1, 'one event each')
  })

  test('the ledger holds and agrees with the processor, no job failed, and no process logged an error', async () => {
    assert.deepEqual(await auditPatiently(world.url), [])
    await world.query('select graphile_worker.add_job($1)', [reconcileMoney.name])
    await eventually('the money is reconciled', 60_000, async () =>
      (await jobsNamed(reconcileMoney.name)).length === 0 ? true : undefined,
    )
    assert.deepEqual(
      await world.query(
        'select task_identifier, last_error from graphile_worker.jobs where last_error is not null',
      ),
      [],
    )
    assert.deepEqual(fleet.errors, [])
  })

  test('no function has two forms with as many parameters, which untyped calls could not tell apart', async () => {
    const rows = await world.query(
      `select proname, pronargs from pg_proc where pronamespace = 'public'::regnamespace
        group by proname, pronargs having count(*) > 1`,
    )
    assert.deepEqual(rows, [])
  })

  async function replaced(direction: 'forward' | 'back', ...places: Place[]): Promise<void> {
    const startedAt = performance.now()
    const release = direction === 'back' ? last : NEXT
    await Promise.all(places.map((place) => fleet.replace(place, release)))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)

    await everyRequestSucceeds(`${direction}, ${places.join(' and ')} (${seconds} s)`)
  }

  /** No request failed so far; from here on each kind succeeds at least twice, and webhooks arrive. */
  async function everyRequestSucceeds(phase: string): Promise<void> {
    const livesBefore = load.lives.length
    await load.round()
    const sent = requests() - counted
    counted += sent
    console.log(`${phase}: ${sent} requests, ${load.failures.length} failed`)
    for (const error of fleet.errors.slice(0, ERRORS_SHOWN)) console.log(error)
    assert.deepEqual(load.failures, [], phase)
    await untilTold(load.lives.slice(livesBefore))
    assert.deepEqual(fleet.errors, [], phase)
  }

  const requests = () => Object.values(load.counts).reduce((sum, count) => sum + count, 0)

  async function untilTold(lives: Life[]): Promise<void> {
    const completed = lives.filter(({ end }) => end === 'completed')
    await eventually(`${completed.length} webhooks arrive`, WEBHOOK_MAX_MS, async () => {
      const told = toldOf('task.completed')
      return completed.every(({ taskId }) => told.has(taskId)) ? true : undefined
    }).catch((error: Error) =>
      assert.fail([error.message, ...fleet.errors.slice(0, ERRORS_SHOWN)].join('\n')),
    )
  }

  const jobsNamed = (name: string) =>
    world.query(
      `select attempts, last_error from graphile_worker.jobs where task_identifier = $1`,
      [name],
    )

  /** Ids of the events of this type that were received, by task. */
  function toldOf(type: string): Map<string, Set<string>> {
    const told = new Map<string, Set<string>>()
    for (const { body, headers } of world.receiver.received)
      if (body.type === type) {
        const taskId = body.data.task.id as string
        told.set(taskId, (told.get(taskId) ?? new Set()).add(String(headers['webhook-id'])))
      }
    return told
  }
})
