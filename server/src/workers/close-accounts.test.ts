import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { completedBy, payableWorker, payoutsOfTask } from '../../test/payouts.ts'
import { newEmail, PASSWORD, signUp } from '../../test/people.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true, processor: true })
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })
const CLOSE = { current_password: PASSWORD }

const statusOf = async (id: string) =>
  (await market.asOwner('select status from workers where id = $1', [id]))[0]!.status

/** Days pass, one at a time, as the clock sees them. */
async function pass(days: number) {
  for (let day = 0; day < days; day += 1) {
    market.advance(DAY)
    await market.settle()
  }
}

describe('workers.close-accounts', () => {
  test('closes an account after 14 days: sessions end, the login is refused, the email can join again', async () => {
    const person = await signUp(market, { name: 'Zebulon Quark' })
    const { body: login } = await person.logIn()
    const worker = market.client(login.token)
    await worker.post('/worker/close', CLOSE)
    await pass(13)
    assert.equal(await statusOf(person.id), 'active')

    await pass(1)

    assert.equal(await statusOf(person.id), 'closed')
    assert.equal((await worker.get('/worker/profile')).status, 401)
    assert.equal((await person.logIn()).status, 401)
    assert.equal((await market.call('GET', `/worker/${person.id}/public`)).status, 404)
    await market.inbox.mailTo(person.email)
    await market.inbox.mailTo(person.email)
    const again = await signUp(market, { email: person.email })
    assert.notEqual(again.id, person.id)
    assert.equal((await again.logIn()).status, 200)
  })

  test('waits until work is reviewed and its pay has arrived', async () => {
    const worker = await payableWorker(market)
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const { body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 1000,
    })
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    await worker.post(`/worker/tasks/${body.task.id}/proof`, { text: 'Done' })
    await worker.post('/worker/close', CLOSE)
    await market.asOwner(
      `update tasks set review_due_at = review_due_at + interval '60 days' where id = $1`,
      [body.task.id],
    )
    await pass(15)
    assert.equal(await statusOf(worker.id), 'active')

    assert.equal((await agent.post(`/tasks/${body.task.id}/approve`)).status, 200)
    await market.settle()
    await pass(10)

    assert.equal(await statusOf(worker.id), 'closed')
    assert.equal((await payoutsOfTask(market, body.task.id)).at(-1)!.status, 'paid')
    assert.equal(await market.payable(worker.id), 0)
  })

  test('reminds a worker without a bank account every month, and closes the account after a year', async () => {
    const worker = await market.worker({ approvals: 100 })
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    await completedBy(agent, [worker])
    await market.settle()
    await worker.post('/worker/close', CLOSE)
    await pass(14)
    await market.inbox.mailTo(worker.email)
    const reminder = await market.inbox.mailTo(worker.email)
    assert.match(reminder.text, /\$8\.20/)
    assert.equal(reminder.links[0]?.pathname, '/payout')
    await pass(29)
    assert.deepEqual(market.inbox.unreadTo(worker.email), [])
    await pass(1)
    assert.equal(market.inbox.unreadTo(worker.email).length, 1)

    market.advance(320 * DAY)
    await market.settle()
    assert.equal(await statusOf(worker.id), 'active')
    await pass(1)

    assert.equal(await statusOf(worker.id), 'closed')
    assert.equal(await market.payable(worker.id), 820)
    assert.match(market.inbox.unreadTo(worker.email).at(-1)!.text, new RegExp(worker.id))
    assert.match((await ops(market, 'unclaimed')).out, new RegExp(`${worker.id} +\\$8\\.20`))
  })

  test('an account that we owe money can be reopened, is paid, and is closed again', async () => {
    const worker = await market.worker({ approvals: 100 })
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    await completedBy(agent, [worker])
    await market.settle()
    await worker.post('/worker/close', CLOSE)
    market.advance(366 * DAY)
    await market.settle()
    assert.equal(await statusOf(worker.id), 'closed')
    const [taken, email] = [(await signUp(market)).email, newEmail()]

    const refused = await ops(
      market,
      'worker',
      'reopen',
      worker.id,
      taken,
      'Showed',
      'a',
      'passport',
    )
    const { out } = await ops(
      market,
      'worker',
      'reopen',
      worker.id,
      email,
      'Showed',
      'a',
      'passport',
    )

    assert.match(refused.out, /Another worker has this email/)
    assert.match(out, /active again/)
    await market.work()
    const token = (await market.inbox.mailTo(email)).links[0]!.searchParams.get('token')
    const password = 'some other long words'
    await market.call('POST', '/worker/password/reset', { body: { token, password } })
    const { body } = await market.call('POST', '/worker/login', { body: { email, password } })
    const owner = { ...worker, email, ...market.client(body.token), token: body.token }
    await market.onboard(owner)
    await market.settle()
    assert.equal(await market.payable(worker.id), 0)
    assert(!(await ops(market, 'unclaimed')).out.includes(worker.id))
    await owner.post('/worker/close', { current_password: password })
    market.advance(14 * DAY)
    await market.settle()
    assert.equal(await statusOf(worker.id), 'closed')
    assert.deepEqual(await tablesWith(email), [])
  })

  test('a suspension delays the closing until it ends', async () => {
    const worker = await market.worker()
    await worker.post('/worker/close', CLOSE)
    await ops(market, 'worker', 'suspend', worker.id, '--days', '20', 'Looking', 'into', 'it')

    await pass(19)
    assert.equal(await statusOf(worker.id), 'suspended')
    await pass(3)

    assert.equal(await statusOf(worker.id), 'closed')
  })

  test('the address is erased after a week even if the mail server refuses the last mail', async () => {
    const worker = await market.worker()
    await worker.post('/worker/close', CLOSE)
    market.advance(14 * DAY)
    await market.sweep()
    await market.asOwner(`delete from outbox where type = 'worker.closed'`)

    market.advance(7 * DAY)
    await market.sweep()

    assert.deepEqual(await tablesWith(worker.email), [])
  })

  test('an address that a stopped process left in the directory is erased after a week', async () => {
    const worker = await market.worker()
    await worker.post('/worker/close', CLOSE)
    market.advance(14 * DAY)
    await market.sweep()
    await market.asOwner(`delete from outbox where type = 'worker.closed'`)
    await market.asOwner('insert into worker_emails (email, worker_id) values ($1, $2)', [
      worker.email.toLowerCase(),
      worker.id,
    ])

    market.advance(7 * DAY)
    await market.sweep()

    assert.deepEqual(await tablesWith(worker.email), [])
  })

  test('after closing, no row of the database has the email or the name, and the books balance', async () => {
    const name = 'Zebulon Quark'
    const worker = await market.worker({ name, approvals: 100, skills: ['juggling'] })
    const login = { email: worker.email, password: PASSWORD }
    assert.equal((await market.call('POST', '/worker/login', { body: login })).status, 200)
    await market.call('POST', '/worker/password/forgot', { body: { email: worker.email } })
    const place = { location: { label: 'Quarktown', radius_km: 5 } }
    assert.equal((await worker.put('/worker/profile', place)).status, 200)
    const changedTo = newEmail()
    const change = { email: changedTo, current_password: PASSWORD }
    await worker.post('/worker/email', change, { 'idempotency-key': 'once' })
    await market.onboard(worker)
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
    const task = await completedBy(agent, [worker])
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    await worker.post(`/worker/tasks/${body.task.id}/accept`)
    await worker.post(`/worker/tasks/${body.task.id}/proof`, { text: 'Done' })
    await agent.post(`/tasks/${body.task.id}/dispute`, { reason: 'No' })
    await worker.post('/worker/questions', { subject: 'other', text: `I am ${name}. Who are you?` })
    await ops(market, 'worker', worker.email)
    await market.settle()
    const NAMED = ['payout_accounts', 'workers']
    assert.deepEqual(await tablesWith(name), ['payout_accounts', 'question_messages', 'workers'])
    const CHANGES = ['worker_email_changes', 'worker_emails']
    assert.deepEqual(await tablesWith(worker.email), [...CHANGES, ...NAMED].sort())
    assert.deepEqual(await tablesWith(changedTo), ['idempotency_keys', 'worker_email_changes'])
    const statement = await market.asOwner(STATEMENT, [worker.id])
    await worker.post('/worker/close', CLOSE)

    await pass(16)

    assert.equal(await statusOf(worker.id), 'closed')
    for (const email of [worker.email, changedTo]) assert.deepEqual(await tablesWith(email), [])
    for (const words of [name, 'juggling', 'Quarktown'])
      assert.deepEqual(await tablesWith(words), [])
    const kept = await market.asOwner(STATEMENT, [worker.id])
    assert.deepEqual(kept.slice(0, statement.length), statement)
    const { body: proof } = await agent.get(`/tasks/${task.id}/proof`)
    assert.equal(proof.proofs[0].worker.name, 'Former worker')
    assert.deepEqual(await market.audit(), [])
  })
})

const STATEMENT = `select key, kind, amount_cents, worker_balance_cents from transfers
                    where worker_id = $1 and worker_statement_no is not null order by worker_statement_no`

/** The tables, also those of the job queue, in which any column of any row contains these words. */
async function tablesWith(words: string): Promise<string[]> {
  const tables = await market.asOwner(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { schema, name } of tables) {
    const rows = await market.asOwner(
      `select 1 from "${schema}"."${name}" t where position(lower($1) in lower(t::text)) > 0 limit 1`,
      [words],
    )
    if (rows.length > 0) found.push(String(name))
  }
  return found.sort()
}
