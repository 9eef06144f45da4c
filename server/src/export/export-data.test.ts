import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { PASSWORD, newEmail } from '../../test/people.ts'
import { exportData } from './export-data.ts'

const market = await marketplace({ settings: { RATE_LIMITS: 'on', LIMIT_EXPORT_PER_HOUR: 2 } })

/** Tables with a `worker_id` that an export leaves out, and why. */
const LEFT_OUT: Record<string, string> = {
  worker_emails: 'the same address is in account',
  worker_tokens: 'hashes of links',
  worker_closings: 'when our clock looks next; the request is in account',
  idempotency_keys: 'responses that the worker has had',
  photo_hashes: 'derived from photos',
  ledger_workers: 'balances, in account',
  agent_counts: 'numbers of approved assignments, which are in assignments',
  agent_count_changes: 'the same, not yet added up',
  away_commissions: 'a part of the pay that is in the assignment',
  away_reporters: 'hashes; the reports are in reports',
  promo_workers: 'sums by day of payouts, which are in payouts',
  unsafe_exits: 'how often; the exits themselves are in assignments, with their reason',
}
/** Tables whose rows are in the section of another name. */
const SECTIONS: Record<string, string> = {
  appeals: 'assignments',
  proofs: 'assignments',
  files: 'assignments',
  away_assignments: 'assignments',
  away_disputes: 'assignments',
  away_appeals: 'assignments',
  away_reports: 'reports',
  transfers: 'statement',
  task_reports: 'reports',
  worker_decisions: 'decisions',
  worker_sessions: 'sessions',
  worker_email_changes: 'email_changes',
  payout_accounts: 'payout_account',
  alerts: 'alert',
  check_ins: 'check_in',
  question_messages: 'questions',
  question_photos: 'questions',
}

describe('GET /worker/export', () => {
  test('is one JSON file with all that the worker did, and nothing of anybody else', async () => {
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false, name: 'Acme' })
    const worker = await market.worker({ name: 'Ann', approvals: 100, skills: ['juggling'] })
    const other = await market.worker({ name: 'Someone Else', approvals: 100 })
    await worker.post('/worker/email', { email: newEmail(), current_password: PASSWORD })
    await worker.put('/worker/alert', { min_pay_cents: 700 })
    await worker.post('/worker/questions', {
      subject: 'other',
      text: 'Who are you?',
      photos: [PHOTO],
    })
    const prove = async (who: typeof worker, fields: object = {}) => {
      const { body } = await agent.post('/tasks', {
        title: 'The shop',
        description: 'Look',
        budget_cents: 1000,
        ...fields,
      })
      const { id } = body.task
      await who.post(`/worker/tasks/${id}/accept`)
      await who.post(`/worker/tasks/${id}/proof`, { text: `Seen by ${who.name}` })
      return id as string
    }
    await agent.post(`/tasks/${await prove(worker)}/approve`)
    const disputed = await prove(worker)
    await agent.post(`/tasks/${disputed}/dispute`, { reason: 'Too dark' })
    await worker.post(`/worker/tasks/${disputed}/appeal`, { statement: 'It was night' })
    await prove(other)

    const { status, body, text, headers } = await worker.get('/worker/export')

    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^application\/json/)
    assert.match(headers.get('content-disposition')!, /attachment; filename="legwork-data.json"/)
    assert(exportData.success.body.safeParse(body).success)
    assert.equal(body.account.email, worker.email)
    assert.deepEqual(body.account.skills, ['juggling'])
    assert.equal(body.account.balance_cents, 820)
    assert.equal(body.alert.min_pay_cents, 700)
    assert.equal(body.assignments.length, 2)
    assert.equal(body.assignments[0].agent_name, 'Acme')
    assert.equal(body.assignments[0].proofs[0].text, 'Seen by Ann')
    assert.equal(body.assignments[1].disputes[0].reason, 'Too dark')
    assert.equal(body.assignments[1].appeals[0].statement, 'It was night')
    assert.equal(body.statement[0].amount_cents, 820)
    assert.equal(body.email_changes.length, 1)
    assert.equal(body.questions[0].messages[0].text, 'Who are you?')
    assert.equal(body.questions[0].photos[0].content_type, 'image/jpeg')
    assert.doesNotMatch(text, /Someone Else|password|token_hash|p256dh/)
  })

  test('has more rows than a page', async () => {
    const worker = await market.worker()
    await market.asOwner(
      `insert into trust_events (worker_id, key, cause, good, bad, weight, created_at)
       select $1, 'k' || i, 'approved', 1, 0, 1, now() from generate_series(1, 450) i`,
      [worker.id],
    )

    const { body } = await worker.get('/worker/export')

    assert.equal(body.trust_events.length, 450)
    await market.asOwner('delete from trust_events where worker_id = $1', [worker.id])
  })

  test('429 for the third in an hour, counted for each worker', async () => {
    const [worker, other] = [await market.worker(), await market.worker()]
    for (const _ of ['one', 'two']) assert.equal((await worker.get('/worker/export')).status, 200)

    const { status } = await worker.get('/worker/export')

    assert.equal(status, 429)
    assert.equal((await other.get('/worker/export')).status, 200)
  })

  test('has a section for every table with a worker_id, or a reason why not', async () => {
    const tables = await market.asOwner(
      `select distinct c.relname as name
         from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'worker_id' and not a.attisdropped
          and n.nspname not in ('pg_catalog', 'information_schema')`,
    )
    const known = Object.keys(exportData.success.body.shape)

    const missing = tables
      .map(({ name }) => String(name))
      .filter((name) => !(name in LEFT_OUT) && !known.includes(SECTIONS[name] ?? name))

    assert.deepEqual(missing, [])
  })
})
