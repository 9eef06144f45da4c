/**
 * Writes a different marker into every column that holds personal data of one worker, then follows the comments on
 * these columns: exported markers are in the export, erased ones are nowhere after the account is closed, kept ones
 * stay.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ColumnRule,
  parsePersonal,
  type PersonalRule,
  readDataRules,
} from '../../../scripts/data-rules.ts'
import { filesOf } from '../../src/files/files.ts'
import { readyKey } from '../../src/files/store.ts'
import { auditLedger } from '../../src/ledger/audit-checks.ts'
import { copyAway } from '../away.ts'
import { marketplace, PHOTO } from '../harness.ts'
import { ops } from '../ops.ts'
import { newEmail, PASSWORD } from '../people.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true, processor: true })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

/**
 * Columns that can't have a marker: few values are valid, the processor knows them, the harness audits them, or they
 * are made from another column. The export must have their names.
 */
const CONSTRAINED = new Set([
  'proofs.area',
  'workers.trust_good',
  'workers.trust_bad',
  'workers.trust_pending',
  'payout_accounts.account_id',
  'payout_accounts.requirements_due',
  'payouts.account_id',
  'alerts.types',
  'workers.app_language',
  'payouts.hold_reason',
  'payouts.transfer_id',
])
/** Copies for the agent, which end after 30 days, copies on their way to a shard, and columns of several workers. */
const NOT_OF_ONE_WORKER = new Set([
  'outbox.data',
  'events.data',
  'crossings.arguments',
  'tasks.consensus',
])
/** The rows of the worker in tables without a `worker_id`. */
const ROWS_OF: Record<string, string> = {
  workers: 'id = $1',
  idempotency_keys: 'principal = $1',
  disputes: 'task_id in (select task_id from assignments where worker_id = $1)',
  operator_actions: `$1 = any(words)`,
  operator_decisions: 'subject = $1',
  case_assignments: 'subject = $1',
  case_notes: 'subject = $1',
  audit_words: 'words_hash in (select words_hash from audit_log where subject = $1)',
}

interface Marked extends PersonalRule {
  name: string
  column: string
  /** Undefined if the column is in CONSTRAINED. */
  marker?: { inRow: string; inExport: string }
}

describe('the personal data of a worker', () => {
  test('is exported, erased and kept as the comments on its columns say, and the books balance', async () => {
    const { worker, agent, taskId, fileId, photoId } = await busyWorker()
    const marked = await markColumns(worker.id)
    const statement = await market.asOwner(STATEMENT, [worker.id])
    const of = (...erasures: string[]) => marked.filter(({ erasure }) => erasures.includes(erasure))
    // Without this the test could pass because a marker was never written.
    assert.deepEqual(await absent(marked), [])

    const exported = await worker.get('/worker/export')

    assert.equal(exported.status, 200, exported.text)
    const isInExport = ({ column, marker }: Marked) =>
      exported.text.includes(marker?.inExport ?? `"${column}":`)
    assert.deepEqual(names(marked.filter((one) => one.isExported && !isInExport(one))), [])
    assert.deepEqual(
      names(marked.filter((one) => one.marker && !one.isExported && isInExport(one))),
      [],
    )

    market.advance(15 * DAY)
    await market.settle()
    // The address is kept for the last mail, for a week at most.
    market.advance(8 * DAY)
    await market.settle()

    const [account] = await market.asOwner(
      'select status, name, app_language from workers where id = $1',
      [worker.id],
    )
    assert.deepEqual(account, { status: 'closed', name: 'Former worker', app_language: 'en' })
    assert.deepEqual(await present(of('erase', 'replace')), [])
    assert.deepEqual(await absent(of('keep')), [])
    const kept = await market.asOwner(STATEMENT, [worker.id])
    assert.deepEqual(kept.slice(0, statement.length), statement)
    assert.deepEqual(await auditLedger(market.db.reader), [])

    // The agent sees the photo until its retention ends, which the closing doesn't prolong.
    const { store } = filesOf(market.server.config)
    assert.equal(await store.size(readyKey(photoId)), undefined)
    const photosOf = async () =>
      (await agent.get(`/tasks/${taskId}/proof`)).body.proofs[0].photos.length as number
    assert.equal(await photosOf(), 1)
    market.advance(180 * DAY)
    await market.settle()
    assert.equal(await photosOf(), 0)
    assert.equal(await store.size(readyKey(fileId)), undefined)
    assert.deepEqual(
      await market.asOwner('select id from files where worker_id = $1', [worker.id]),
      [],
    )
  })
})

const names = (marked: Marked[]) => marked.map(({ name }) => name)

/** A worker with a row in every table that holds personal data of workers, who has asked to close the account. */
async function busyWorker() {
  const worker = await market.worker({ approvals: 100, skills: ['juggling'] })
  const login = { email: worker.email, password: PASSWORD }
  const { body: session } = await market.call('POST', '/worker/login', { body: login })
  await market.call('POST', '/worker/password/forgot', { body: { email: worker.email } })
  await worker.put('/worker/profile', { location: { label: 'Berlin', radius_km: 5 } })
  await worker.put('/worker/alert', { min_pay_cents: 700, lat: 52.5, lng: 13.4, radius_km: 5 })
  const change = { email: newEmail(), current_password: PASSWORD }
  await worker.post('/worker/email', change, { 'idempotency-key': 'once' })
  await market.onboard(worker)

  const agent = await market.agent({ balanceCents: 9000, freeTasks: false })
  const accept = async (fields: object = {}) => {
    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
      ...fields,
    })
    const accepted = await worker.post(`/worker/tasks/${body.task.id}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
    return body.task.id as string
  }
  const taskId = await accept({ proof_required: 'photo' })
  const proof = { photos: [PHOTO], text: 'Done', location: { lat: 52.5, lng: 13.4 } }
  const proven = await worker.post(`/worker/tasks/${taskId}/proof`, proof)
  assert.equal(proven.status, 201, proven.text)
  await agent.post(`/tasks/${taskId}/approve`)
  await worker.post('/worker/questions', {
    subject: 'task',
    task_id: taskId,
    text: 'Why was it so late?',
    photos: [PHOTO],
  })
  const { body: other } = await agent.post('/tasks', { description: 'Odd', budget_cents: 1000 })
  await worker.post(`/worker/tasks/${other.task.id}/report`, { kind: 'scam', note: 'Odd' })
  const disputed = await accept()
  await worker.post(`/worker/tasks/${disputed}/proof`, { text: 'Done' })
  await agent.post(`/tasks/${disputed}/dispute`, { reason: 'No' })
  await worker.post(`/worker/tasks/${disputed}/appeal`, { statement: 'It was night' })
  await market.settle()
  // The agent doesn't reply, so the appeal is conceded.
  market.advance(4 * DAY)
  await market.settle()
  await ops(market, 'worker', 'suspend', worker.id, '--days', '1', 'Looking', 'into', 'it')
  await ops(market, 'worker', 'reinstate', worker.id, 'All', 'is', 'well')
  await market.settle()
  await market.asOwner(
    `insert into check_ins (worker_id, task_id, at, contact, created_at, check_at)
     values ($1, 'task_x', now(), 'Ann', now(), now() + interval '1 year')`,
    [worker.id],
  )
  await market.asOwner(
    `insert into push_subscriptions (id, worker_id, endpoint, p256dh, auth, created_at)
     values ('sub_1', $1, 'https://push.example.com/1', 'key', 'auth', now())`,
    [worker.id],
  )
  await market.asOwner(
    `insert into case_assignments (subject, operator_id, since, handed_by, words)
     values ($1, 'opr_x', now(), 'opr_y', 'Please look')`,
    [worker.id],
  )
  await market.asOwner(
    `insert into case_notes (id, subject, operator_id, text, created_at) values ('note_x', $1, 'opr_x', 'Seen', now())`,
    [worker.id],
  )
  await copyAway(market, { workerId: worker.id, agentIds: [agent.id] })
  // As a report about a task in another database does.
  await market.asOwner(`insert into away_reporters values ('task_x', $1, 1, 'x', 'x')`, [worker.id])

  const again = await market.call('POST', '/worker/login', { body: login })
  assert.equal(again.status, 200, again.text)
  const owner = { ...worker, ...market.client((again.body ?? session).token) }
  const closing = await owner.post('/worker/close', { current_password: PASSWORD })
  assert.equal(closing.status, 202, closing.text)
  const [file] = await market.asOwner('select id from files where worker_id = $1', [worker.id])
  const [photo] = await market.asOwner('select id from question_photos where worker_id = $1', [
    worker.id,
  ])
  return { worker: owner, agent, taskId, fileId: file!.id as string, photoId: photo!.id as string }
}

async function markColumns(workerId: string): Promise<Marked[]> {
  const { columns } = await readDataRules(market.url)
  // These refuse texts that no real row has together, and a change of an appeal after its ruling.
  await market.asOwner(`
    alter table appeals disable trigger appeals_once;
    alter table disputes drop constraint disputes_decided;
    alter table worker_decisions drop constraint worker_decisions_objected, drop constraint worker_decisions_replied`)
  const marked: Marked[] = []
  const emailMarker = 'marker-of-worker-emails@example.com'
  for (const column of columns) {
    const name = `${column.table}.${column.column}`
    const rule = parsePersonal(column.comment)
    if (rule?.whose !== 'worker' || NOT_OF_ONE_WORKER.has(name)) continue
    if (CONSTRAINED.has(name)) {
      marked.push({ ...rule, name, column: column.column })
      continue
    }
    const { value, ...marker } =
      name === 'worker_emails.email'
        ? { value: emailMarker, inRow: emailMarker, inExport: emailMarker }
        : column.table === 'operator_actions'
          ? operatorMarker(column, emailMarker)
          : markerOf(column, marked.length)
    const rows = await market.asOwner(
      `update ${column.table} set ${column.column} = $2
        where ctid = (select ctid from ${column.table}
                       where ${ROWS_OF[column.table] ?? 'worker_id = $1'}
                       order by ${column.column} is null limit 1)
       returning 1`,
      [workerId, value],
    )
    assert.equal(rows.length, 1, `${name}: the worker has no row to write a marker into`)
    marked.push({ ...rule, name, column: column.column, marker })
  }
  await market.asOwner('alter table appeals enable trigger appeals_once')
  return marked
}

/** The audit log has what operators typed and saw: the worker's address among other words. */
function operatorMarker({ type }: ColumnRule, email: string) {
  return { value: type === 'text[]' ? [email] : `Reopened ${email}`, inRow: email, inExport: email }
}

function markerOf({ column, type }: ColumnRule, number: number) {
  const word = `marker${100 + number}x`
  const same = (text: string) => ({ inRow: text, inExport: text })
  if (type === 'text[]') return { value: [word], ...same(word) }
  if (type.startsWith('json'))
    return { value: JSON.stringify({ lat: 52.5, lng: 13.4, label: word }), ...same(word) }
  if (type === 'bigint')
    return { value: 7_654_321_000 + number, ...same(`${7_654_321_000 + number}`) }
  if (/double|real/.test(type)) {
    // The last digit is never 0, so that no marker is the start of another.
    const digits = `0.76001${100 + number}1`
    return { value: Number(digits), ...same(digits) }
  }
  if (type.startsWith('timestamp')) {
    const time = `04:${10 + Math.floor(number / 50)}:${10 + (number % 50)}`
    return {
      value: `2031-02-03T${time}Z`,
      inRow: `2031-02-03 ${time}`,
      inExport: `2031-02-03T${time}`,
    }
  }
  if (column === 'bank_last4') return { value: 'Q7zX', ...same('"Q7zX"'), inRow: ',Q7zX' }
  const text = column.includes('email') ? `${word}@example.com` : word
  return { value: text, ...same(text) }
}

const STATEMENT = `select key, kind, amount_cents, worker_balance_cents from transfers
                    where worker_id = $1 and worker_statement_no is not null order by worker_statement_no`

const present = async (marked: Marked[]) => {
  const all = await wholeDatabase()
  return names(marked.filter(({ marker }) => marker && all.includes(marker.inRow)))
}

const absent = async (marked: Marked[]) => {
  const all = await wholeDatabase()
  return names(marked.filter(({ marker }) => marker && !all.includes(marker.inRow)))
}

/** Every row of every table as text, also of the job queue. */
async function wholeDatabase(): Promise<string> {
  const tables = await market.asOwner(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'graphile_worker')`,
  )
  const texts: string[] = []
  for (const { name } of tables)
    for (const { text } of await market.asOwner(`select t::text as text from ${name} t`))
      texts.push(text)
  return texts.join('\n')
}
