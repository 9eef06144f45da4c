import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountStatus, shutOut } from '../../test/decisions.ts'
import { marketplace, proofFor } from '../../test/harness.ts'
import { openBooks } from '../../test/money.ts'
import { ops, opsByTwo } from '../../test/ops.ts'
import { payableWorker } from '../../test/payouts.ts'
import { openBrowser, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const DAY = 86_400_000

describe('ops worker suspend', () => {
  test('ends every session and device at once, and says why', async () => {
    const person = await signUp(market)
    const { body: session } = await person.logIn()
    const browser = openBrowser(market)
    await browser.logIn(person)
    const me = market.client(session.token as string)
    const before = await me.get('/worker/profile')

    await shutOut(market, person)

    const [token, cookie] = [await me.get('/worker/profile'), await browser.get('/worker/feed')]
    const shown = await browser.get('/worker/session')
    assert.equal(before.status, 200)
    for (const { status, body } of [token, cookie]) {
      assert.equal(status, 401)
      assert.deepEqual([body.code, body.account_status], ['invalid_token', 'suspended'])
    }
    assert.equal(shown.body.worker, null)
  })

  test('[5-shut-out] 403 at login with the reason and an objection link, for the right password', async () => {
    const person = await signUp(market)
    const { decision } = await shutOut(market, person)

    const [right, wrong] = [await person.logIn(), await person.logIn('a wrong password')]
    const inBrowser = await openBrowser(market).logIn(person)

    assert.equal(right.status, 403)
    assert.equal(right.body.code, 'worker_suspended')
    assert.equal(right.body.reason, 'Photos of others')
    assert.equal(right.body.since, decision.decided_at.toISOString())
    assert.equal(Date.parse(right.body.until), decision.decided_at.getTime() + 30 * DAY)
    const token = new URL(right.body.objection_url).searchParams.get('token')
    const page = await market.call('GET', `/worker/objections?token=${token}`)
    assert.equal(page.status, 200, page.text)
    assert.equal(inBrowser.body.code, 'worker_suspended')
    assert.equal(wrong.status, 401)
    assert.deepEqual(Object.keys(wrong.body), ['error', 'code', 'request_id', 'hint', 'doc_url'])
  })

  test('invalidates an earlier password reset link', async () => {
    const person = await signUp(market)
    const link = await person.forget()

    await shutOut(market, person)

    const reset = await market.call('POST', '/worker/password/reset', {
      body: { token: link, password: 'a password of one’s own choice' },
    })
    assert.equal(reset.status, 400)
  })

  test('refuses invalid arguments with a message, and changes nothing', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const other = await market.taskIn(agent, 'in_progress')
    const [active, suspended, closed] = [
      await signUp(market),
      await signUp(market),
      await signUp(market),
    ]
    const unverified = await signUp(market, { isVerified: false })
    const scripted = await market.worker({ mode: 'test' })
    await shutOut(market, suspended)
    await shutOut(market, closed, 'close')
    const say = async (...words: string[]) => {
      const { out, isBad } = await ops(market, 'worker', ...words)
      assert.equal(isBad, true, out)
      return out
    }

    assert.match(await say('suspend', suspended.id, 'x'), /already suspended, until .*; reinstate/)
    assert.match(await say('suspend', closed.id, 'x'), /is already closed/)
    assert.match(await say('close', closed.id, 'x'), /is already closed/)
    assert.match(await say('suspend', unverified.id, 'x'), /not confirmed an email address/)
    assert.match(await say('close', scripted.id, 'x'), /belongs to test mode/)
    assert.match(await say('suspend', 'worker_nobody', 'x'), /Worker worker_nobody does not exist/)
    assert.match(
      await say('reinstate', active.id, 'x'),
      /is active: there is no decision to reverse/,
    )
    assert.match(await say('reinstate', scripted.id, 'x'), /belongs to test mode/)
    assert.match(
      await say('reinstate', 'worker_nobody', 'x'),
      /Worker worker_nobody does not exist/,
    )
    assert.match(
      await say('suspend', active.id, '--tasks', other.id, 'x'),
      new RegExp(`never accepted ${other.id}`),
    )
    await assert.rejects(ops(market, 'worker', 'suspend', active.id), /Give a reason/)
    await assert.rejects(
      ops(market, 'worker', 'suspend', active.id, '--days', '0', 'x'),
      /1 to 365/,
    )
    assert.equal(await accountStatus(market, active.id), 'active')
    assert.equal((await active.logIn()).status, 200)
  })

  test('twice concurrently suspends once', async () => {
    const person = await signUp(market)

    const said = await Promise.all(
      ['one', 'two', 'three'].map((word) => ops(market, 'worker', 'suspend', person.id, word)),
    )

    assert.equal(said.filter(({ isBad }) => !isBad).length, 1)
    const rows = await market.asOwner('select id from worker_decisions where worker_id = $1', [
      person.id,
    ])
    assert.equal(rows.length, 1)
  })

  test('is recorded with its operator, its reason and its tasks', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'proof_submitted')
    const worker = task.workers[0]!

    const { decision } = await shutOut(market, worker, 'suspend', '--tasks', task.id, '--days', '3')

    assert.deepEqual(decision.task_ids, [task.id])
    assert.deepEqual([decision.decided_by, decision.reason], ['ada', 'Photos of others'])
    assert.equal(decision.ends_at!.getTime() - decision.decided_at.getTime(), 3 * DAY)
    const { out } = await ops(market, 'actions', '--about', worker.id)
    assert.match(out, /ada {2}ops worker suspend .* Photos of others/)
  })
})

describe('ops worker close', () => {
  test('closes an active or suspended account; the login gives the reason', async () => {
    const person = await signUp(market)
    await shutOut(market, person)

    await shutOut(market, person, 'close')

    const { status, body } = await person.logIn()
    assert.equal(status, 403)
    assert.deepEqual([body.code, body.reason], ['worker_closed', 'Photos of others'])
    assert(!('until' in body))
    const rows = await market.asOwner(
      'select kind, ended_for from worker_decisions where worker_id = $1 order by id',
      [person.id],
    )
    assert.deepEqual(rows, [
      { kind: 'suspended', ended_for: 'closed_instead' },
      { kind: 'closed', ended_for: null },
    ])
  })
})

describe('ops worker reinstate', () => {
  test('lets a worker log in again, old sessions stay ended, and a mail is sent', async () => {
    const person = await signUp(market)
    const { body: session } = await person.logIn()
    await shutOut(market, person, 'close')

    const { out } = await ops(market, 'worker', 'reinstate', person.id, 'It', 'was', 'a', 'mix-up')
    await market.work()

    assert.match(out, /is active again/)
    const mail = await market.inbox.mailTo(person.email)
    assert.equal(mail.subject, 'Your Legwork account is active again')
    assert.match(mail.text, /Our reply: It was a mix-up/)
    assert.equal((await market.client(session.token).get('/worker/profile')).status, 401)
    const again = await person.logIn()
    assert.equal(again.status, 200)
    assert.equal((await market.client(again.body.token).get('/worker/profile')).status, 200)
  })
})

test('[5-shut-out-paid] a suspended and a closed worker are paid for submitted work', async () => {
  const books = await openBooks()
  await books.sandbox.control('POST', 'topups', { amount: 10_000 })
  const agent = await books.agent({ freeTasks: false })
  await books.deposit(agent, 5000)
  const ids: string[] = []
  for (const how of ['suspend', 'close']) {
    const worker = await payableWorker(books)
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    await worker.post(`/worker/tasks/${body.task.id}/proof`, proofFor(body.task))
    await opsByTwo(books, 'worker', how, worker.id, 'Photos of others')
    await books.settle()

    const approved = await agent.post(`/tasks/${body.task.id}/approve`)
    assert.equal(approved.status, 200, approved.text)
    ids.push(worker.id)
  }
  await books.settle()

  const payouts = await books.asOwner('select worker_id, status, amount_cents from payouts')
  assert.deepEqual(
    new Map(
      payouts.map(({ worker_id, status, amount_cents }) => [worker_id, [status, amount_cents]]),
    ),
    new Map(ids.map((id) => [id, ['paid', 820]])),
  )
})
