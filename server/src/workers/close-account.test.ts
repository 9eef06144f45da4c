import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { opsByTwo } from '../../test/ops.ts'
import { PASSWORD, signUp } from '../../test/people.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true })
const { changed, session, undo } = openEmailChanges(market)
const CLOSE = { current_password: PASSWORD }

describe('POST /worker/close', () => {
  test('202: the account closes in 14 days; the worker is told by email and sees no tasks until then', async () => {
    const [agent, worker] = [await market.agent({ balanceCents: 5000 }), await market.worker()]
    const { id } = await market.taskIn(agent, 'pending')
    await market.work()
    assert.equal((await worker.get('/worker/feed')).body.tasks.length, 1)

    const { status, body } = await worker.post('/worker/close', CLOSE)

    assert.equal(status, 202)
    const closes_at = new Date(market.now().getTime() + 14 * DAY).toISOString()
    assert.equal(body.closing.closes_at, closes_at)
    assert.equal((await worker.get('/worker/profile')).body.worker.closes_at, closes_at)
    assert.deepEqual((await worker.get('/worker/feed')).body.tasks, [])
    const accepted = await worker.post(`/worker/tasks/${id}/accept`)
    assert.equal(accepted.status, 409)
    assert.equal(accepted.body.code, 'account_closing')
    assert.equal(accepted.body.closes_at, closes_at)
    await market.work()
    const mail = await market.inbox.mailTo(worker.email)
    assert.match(mail.subject, /will be closed/)
    assert.equal(mail.links[0]?.pathname, '/me/close')
  })

  test('asking again changes nothing, also at once', async () => {
    const worker = await market.worker()
    const ask = () => worker.post('/worker/close', CLOSE)

    const [one, other] = await Promise.all([ask(), ask()])
    market.advance(DAY)
    const later = await ask()

    assert.equal(later.status, 202)
    assert.deepEqual(later.body, one.body)
    assert.deepEqual(later.body, other.body)
    const [row] = await market.asOwner(
      `select count(*)::integer as mails from outbox where type = 'worker.closing' and data ->> 'id' = $1`,
      [worker.id],
    )
    assert.equal(row!.mails, 1)
  })

  test('403 with a wrong password: a stolen session is not enough', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.post('/worker/close', { current_password: 'not it' })

    assert.equal(status, 403)
    assert.equal(body.code, 'wrong_password')
    assert.equal((await worker.get('/worker/close')).body.closing.requested_at, null)
  })

  test('409 with a task in progress; work under review is no obstacle', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id, workers } = await market.taskIn(agent, 'in_progress')
    const worker = workers[0]!

    const refused = await worker.post('/worker/close', CLOSE)
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
    const { status, body } = await worker.post('/worker/close', CLOSE)

    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'tasks_in_progress')
    assert.deepEqual(refused.body.task_ids, [id])
    assert.equal(status, 202)
    assert.equal(body.closing.under_review, 1)
  })

  test('is cancelled with a change of the email that its owner undoes', async () => {
    const person = await signUp(market)
    const { undoToken, email } = await changed(person)
    const thief = await session({
      logIn: () => market.call('POST', '/worker/login', { body: { email, password: PASSWORD } }),
    })
    assert.equal((await thief.post('/worker/close', CLOSE)).status, 202)

    assert.equal((await undo(undoToken)).status, 200)

    const rows = await market.asOwner('select closing_at from workers where id = $1', [person.id])
    assert.deepEqual(rows, [{ closing_at: null }])
  })

  test('is replaced by an operator’s decision to close the account', async () => {
    const worker = await market.worker()
    await worker.post('/worker/close', CLOSE)

    await opsByTwo(market, 'worker', 'close', worker.id, 'Fraud')

    market.advance(15 * DAY)
    await market.sweep()
    const rows = await market.asOwner('select email, closed_at from workers where id = $1', [
      worker.id,
    ])
    assert.deepEqual(rows, [{ email: worker.email, closed_at: null }])
  })
})
