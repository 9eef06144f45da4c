import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mintId } from '../../src/kit/ids.ts'
import { reversePayout } from '../../src/payouts/reverse.ts'
import { sendPayout } from '../../src/payouts/send.ts'
import type { TaskStatus } from '../../src/tasks/status.ts'
import { objectBy, shutOut } from '../decisions.ts'
import { atEnd } from '../hooks.ts'
import { type Json, marketplace, PHOTO, type TestWorker } from '../harness.ts'
import { HELD_AFTER_ONE, heldDispute } from '../held-disputes.ts'
import { DAY, HOUR, MINUTE, openBooks, reconcileAfter, strayPayment } from '../money.ts'
import { ops } from '../ops.ts'
import { completedBy, payableWorker, payoutsOfTask, requestedPayout } from '../payouts.ts'
import { newEmail, PASSWORD, tokenOf } from '../people.ts'
import { openReceiver } from '../receiver.ts'
import {
  type Drive,
  driveAlarm,
  driveExit,
  type Entered,
  isIn,
  stillWaiting,
  turn,
} from './drive.ts'
import { LINES, type Line } from './states.ts'

const market = await marketplace({
  mail: true,
  processor: true,
  settings: {
    LOG_LEVEL: 'silent',
    STRIPE_RETRIES: 0,
    STRIPE_TIMEOUT_MS: 1000,
    // Two free tasks of 410 cents a day.
    PROMO_DAILY_CENTS: 1000,
    LIMIT_MAILS_PER_HOUR: 100,
    SWITCH_CACHE_MS: 0,
    ...HELD_AFTER_ONE,
  },
})
const { sandbox } = market
await sandbox.control('POST', 'topups', { amount: 50_000_000 })
/** All money here came through the processor, so the books balance. */
const books = await openBooks()
await books.sandbox.control('POST', 'topups', { amount: 100_000 })
await books.settle()
await reconcileAfter(books, MINUTE)

type Agent = Awaited<ReturnType<typeof market.agent>>
interface WithTask extends Entered {
  agent: Agent
  worker: TestWorker
  taskId: string
}

type TestAgent = Awaited<ReturnType<typeof funded>>
const funded = () => market.agent({ balanceCents: 50_000, freeTasks: false })
const ok = (reply: { status: number; text: string }) => assert(reply.status < 300, reply.text)

async function rowId(text: string, ...values: unknown[]): Promise<string> {
  const [row] = await market.asOwner(text, values)
  assert(row, `no row: ${text}`)
  return String(Object.values(row)[0])
}

/** A task in this status; `of` selects which of its rows is in the state. */
async function task(
  status: TaskStatus,
  { of = 'tasks', ...fields }: Json & { of?: 'tasks' | 'assignments' | 'disputes' } = {},
): Promise<WithTask> {
  const agent = await funded()
  const { id, workers } = await market.taskIn(agent, status, fields)
  const key = of === 'tasks' ? id : await rowId(`select id from ${of} where task_id = $1`, id)
  await market.work()
  return { key, agent, worker: workers[0] ?? (await market.worker()), taskId: id }
}

const approve = ({ agent, taskId }: WithTask) => agent.post(`/tasks/${taskId}/approve`).then(ok)
const cancel = ({ agent, taskId }: WithTask) => agent.post(`/tasks/${taskId}/cancel`).then(ok)
const withdrawDispute = ({ agent, taskId }: WithTask) =>
  agent.post(`/tasks/${taskId}/dispute/withdraw`).then(ok)
const prove = ({ worker, taskId }: WithTask) =>
  worker.post(`/worker/tasks/${taskId}/proof`, { text: 'Done' }).then(ok)
const after = (ms: number) => () => market.advance(ms)

async function appealed({ isAnswered = false } = {}): Promise<WithTask> {
  const disputed = await task('disputed')
  const { worker, agent, taskId } = disputed
  ok(await worker.post(`/worker/tasks/${taskId}/appeal`, { statement: 'I did it.' }))
  if (isAnswered) ok(await agent.post(`/tasks/${taskId}/dispute/answer`, { statement: 'No.' }))
  return { ...disputed, key: await rowId('select id from appeals where task_id = $1', taskId) }
}

/** An appeal by a scripted worker, which its agent has replied to. */
async function testAppeal(): Promise<Entered> {
  const { test: agent } = await market.agent()
  const { body } = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: 500,
    context: { sim: 'appeal' },
  })
  const { id } = body.task
  for (const _ of ['accept', 'proof']) {
    market.advance(MINUTE)
    await market.sweep()
  }
  ok(await agent.post(`/tasks/${id}/dispute`, { reason: 'No' }))
  market.advance(MINUTE)
  await market.sweep()
  ok(await agent.post(`/tasks/${id}/dispute/answer`, { statement: 'No.' }))
  return {
    key: await rowId('select id from appeals where task_id = $1', id),
    agent: { id: body.task.agent_id },
  }
}

async function conflict(): Promise<WithTask> {
  const agent = await funded()
  const workers = [await market.worker(), await market.worker()]
  const { body } = await agent.post('/tasks', {
    description: 'Open?',
    budget_cents: 1000,
    consensus_count: 2,
    answer_schema: { type: 'boolean' },
  })
  const { id } = body.task
  for (const worker of workers) ok(await worker.post(`/worker/tasks/${id}/accept`))
  for (const [i, worker] of workers.entries())
    ok(await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done', answer: i === 0 }))
  return { key: id, agent, worker: workers[0]!, taskId: id }
}

async function oneOfThree(): Promise<WithTask> {
  const agent = await funded()
  const worker = await market.worker()
  const { body } = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: 900,
    consensus_count: 3,
  })
  const { id } = body.task
  ok(await worker.post(`/worker/tasks/${id}/accept`))
  ok(await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' }))
  const key = await rowId('select id from assignments where task_id = $1', id)
  return { key, agent, worker, taskId: id }
}

async function reported(): Promise<WithTask> {
  const open = await task('pending')
  const reporter = await market.trustedWorker()
  ok(await reporter.post(`/worker/tasks/${open.taskId}/report`, { kind: 'dangerous' }))
  return open
}

interface WithPayout extends Entered {
  taskId: string
  agent: Agent
  worker: TestWorker
}

/** The payouts of `count` free tasks of one agent, each of 410 cents and held for seven days. */
async function freePayouts(count: number, { isSelf = false } = {}): Promise<WithPayout[]> {
  const worker = await payableWorker(market)
  const agent = await market.agent()
  if (isSelf)
    await market.asOwner('update agents set email = $1 where id = $2', [worker.email, agent.id])
  const payouts: WithPayout[] = []
  for (let i = 0; i < count; i += 1) {
    const { id } = await completedBy(agent, [worker], { budget_cents: 500 })
    await market.work()
    const [payout] = await payoutsOfTask(market, id)
    payouts.push({ key: payout!.id, taskId: id, agent, worker })
  }
  return payouts
}

async function overBudget(): Promise<WithPayout> {
  const payouts = await freePayouts(3)
  market.advance(8 * DAY)
  await turn(market)
  const key = await rowId(
    `select id from payouts where id = any($1) and hold_reason = 'promo_budget'`,
    payouts.map((payout) => payout.key),
  )
  return { ...payouts[0]!, key }
}

async function unaccounted(): Promise<WithPayout> {
  const agent = await funded()
  const worker = await market.worker()
  const { id } = await completedBy(agent, [worker])
  await market.work()
  const [payout] = await payoutsOfTask(market, id)
  return { key: payout!.id, taskId: id, agent, worker }
}

async function onboardByLink({ worker }: WithPayout): Promise<void> {
  const { token } = await shutOut(market, worker, 'close')
  ok(await market.call('POST', '/worker/objections/payout-account', { body: { token } }))
  const account = await market.db.reader
    .selectFrom('payout_accounts')
    .select('account_id')
    .where('worker_id', '=', worker.id)
    .executeTakeFirstOrThrow()
  await sandbox.control('POST', `accounts/${account.account_id}/submit`, { outcome: 'verified' })
  await market.settle()
}

async function refusedAccount(): Promise<Entered> {
  const worker = await payableWorker(market)
  await sandbox.control('POST', `accounts/${worker.accountId}/capability`, { status: 'rejected' })
  await market.settle()
  await completedBy(await funded(), [worker])
  await market.work()
  return { key: worker.id, worker }
}

async function requested(): Promise<WithPayout> {
  const { id, agent, task: of, worker } = await requestedPayout(market)
  return {
    key: id,
    taskId: of.id,
    agent: agent as Agent,
    worker: worker as TestWorker,
  }
}

const refuseTransfers = (code: string, times = 1) =>
  sandbox.control('POST', 'faults', [
    { match: 'POST /v1/transfers', mode: 'error_before', status: 400, code, times },
  ])

async function refused(code: string, times = 1): Promise<WithPayout> {
  const payout = await requested()
  await refuseTransfers(code, times)
  await sendPayout(market.background, payout.key)
  return payout
}

async function refusedForGood(): Promise<WithPayout> {
  const payout = await refused('no_way', 5)
  for (const days of [1, 2, 4, 8]) {
    market.advance(days * DAY)
    await turn(market)
  }
  const last = (await payoutsOfTask(market, payout.taskId)).at(-1)!
  return { ...payout, key: last.id }
}

async function takenBack(): Promise<WithPayout> {
  const payout = await requested()
  await sendPayout(market.background, payout.key)
  await reversePayout(market.background, { payoutId: payout.key, requestedBy: 'ada' })
  await market.work()
  return payout
}

const releasePayout = ({ key }: Entered) => ops(market, 'payout', 'release', key, 'looked', 'at')
const retryPayout = ({ key }: Entered) => ops(market, 'payout', 'retry', key)

interface WithDeposit extends Entered {
  agent: Agent
  sessionId: string
}

async function deposit(): Promise<WithDeposit> {
  const agent = await market.agent()
  const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
  return { key: body.transaction_id, sessionId: body.session_id, agent }
}

async function pageless(): Promise<Entered> {
  const agent = await market.agent()
  await sandbox.control('POST', 'faults', [
    { match: 'POST /v1/checkout/sessions', mode: 'error_before', status: 500, times: 1 },
  ])
  const { status } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
  assert.equal(status, 503)
  // Drops the job that would poll at once.
  await market.events()
  const key = await rowId('select id from deposits where agent_id = $1', agent.id)
  return { key, agent }
}

async function bankDebit(): Promise<WithDeposit> {
  const open = await deposit()
  await sandbox.pay(open.sessionId, 'bank_debit')
  await market.settle()
  return open
}

/** Something happens at the processor and its webhook is lost; a timer has to detect it. */
const inSilence =
  <E extends Entered>(ms: number, happen: (entered: E) => Promise<unknown>) =>
  async (entered: E) => {
    await sandbox.control('POST', 'deliveries', { mode: 'hold' })
    await happen(entered)
    await sandbox.control('POST', 'deliveries/release', { drop: 1 })
    await sandbox.control('POST', 'deliveries', { mode: 'normal' })
    market.advance(ms)
  }

async function mismatched(): Promise<WithDeposit> {
  const open = await deposit()
  await market.asOwner('update deposits set amount_cents = 9999 where id = $1', [open.key])
  await sandbox.pay(open.sessionId)
  await market.settle()
  return open
}

interface WithChargeback extends Entered {
  disputeId: string
  agent: Agent
}

async function chargedBack({ isSpent = false } = {}): Promise<WithChargeback> {
  const agent = await market.agent({ freeTasks: false })
  const depositId = await market.deposit(agent, 2500)
  if (isSpent) await market.taskIn(agent, 'in_progress', { budget_cents: 2500 })
  const chargeId = await rowId('select charge_id from deposits where id = $1', depositId)
  const { id } = await sandbox.control('POST', `charges/${chargeId}/dispute`, {})
  await market.settle()
  return { key: isSpent ? agent.id : depositId, disputeId: id, agent }
}
const win = ({ disputeId }: WithChargeback) =>
  sandbox.control('POST', `disputes/${disputeId}/close`, { status: 'won' })

async function refund({ isPending = false } = {}): Promise<Entered> {
  const agent = await market.agent()
  await market.deposit(agent, 2500)
  await sandbox.control('POST', 'settings', { pending_refunds: isPending })
  await ops(market, 'refund', agent.id, '1000', 'asked', 'by', 'mail')
  if (isPending) await market.settle()
  // Drops the job that would send it at once.
  else await market.events()
  await sandbox.control('POST', 'settings', { pending_refunds: false })
  return { key: await rowId('select id from refunds where agent_id = $1', agent.id), agent }
}
const succeed = async ({ key }: Entered) => {
  const made = await rowId('select processor_refund_id from refunds where id = $1', key)
  await sandbox.control('POST', `refunds/${made}/succeed`)
}

async function notified(): Promise<Entered> {
  const { sessionId } = await deposit()
  await sandbox.pay(sessionId)
  await sandbox.flush()
  // Drops the job that would check at once.
  await market.events()
  const key = await rowId(
    `select event_id from processor_events where status = 'pending' and object_id = $1`,
    sessionId,
  )
  return { key }
}

async function givenUp(): Promise<Entered> {
  const agent = await market.agent()
  const depositId = await market.deposit(agent, 2500)
  const chargeId = await rowId('select charge_id from deposits where id = $1', depositId)
  await sandbox.control('POST', `charges/${chargeId}/dispute`, {})
  await sandbox.flush()
  const key = await rowId(
    `select event_id from processor_events
      where status = 'pending' and type = 'charge.dispute.created' order by received_at desc`,
  )
  await sandbox.control('POST', 'faults', { match: 'GET /', mode: 'error_before', times: 100_000 })
  for (let i = 0; i < 14; i += 1) {
    market.advance(7 * HOUR)
    await turn(market)
  }
  await sandbox.control('DELETE', 'faults')
  return { key }
}

async function listening(
  status: number,
): Promise<Entered & { agent: Agent; answerWith(status: number): void; url: string }> {
  const receiver = await openReceiver({
    after: (end) =>
      atEnd(async () => {
        await end()
      }),
  })
  receiver.answerWith(status)
  const agent = await funded()
  await agent.patch('/agents/me', { webhook_url: receiver.url })
  return {
    key: agent.id,
    agent,
    url: receiver.url,
    answerWith: (code) => receiver.answerWith(code),
  }
}

async function undelivered() {
  const listener = await listening(500)
  await market.taskIn(listener.agent, 'proof_submitted')
  await market.deliver()
  const key = await rowId('select event_id from deliveries where agent_id = $1', listener.agent.id)
  return { ...listener, key }
}

async function paused() {
  const listener = await listening(200)
  await ops(market, 'receiver', 'pause', listener.agent.id, '2', 'asked', 'for')
  await market.taskIn(listener.agent, 'proof_submitted')
  await market.work()
  const key = await rowId('select event_id from deliveries where agent_id = $1', listener.agent.id)
  return { ...listener, key }
}

async function disabled() {
  const listener = await listening(410)
  await market.taskIn(listener.agent, 'proof_submitted')
  await market.deliver()
  await market.work()
  return listener
}

async function unverified(): Promise<Entered & { token: string }> {
  const email = newEmail()
  const { body } = await market.call('POST', '/worker/register', {
    body: { name: 'Ann', email, password: PASSWORD },
  })
  await market.work()
  return { key: body.worker.id, token: tokenOf(await market.inbox.mailTo(email)) }
}

async function changingEmail(): Promise<Entered & { session: string; undoToken: string }> {
  const { id: key, email, token: session, post } = await market.worker()
  ok(await post('/worker/email', { email: newEmail(), current_password: PASSWORD }))
  await market.work()
  const undoToken = tokenOf(await market.inbox.mailTo(email))
  return { key, worker: { id: key, email }, session, undoToken, read: ['mail emailChanging'] }
}

async function closing({
  isOwed = false,
} = {}): Promise<Entered & { session: string; email: string }> {
  const worker = await market.worker({ approvals: 100 })
  if (isOwed) await completedBy(await funded(), [worker])
  ok(await worker.post('/worker/close', { current_password: PASSWORD }))
  return { key: worker.id, worker, session: worker.token, email: worker.email }
}

/** An account that was closed a year after the request, because its owner never added a bank account. */
async function closedWithBalance(): Promise<Entered & { email: string }> {
  const { key } = await closing({ isOwed: true })
  await turn(market)
  market.advance(366 * DAY)
  await turn(market)
  const email = newEmail()
  return { key, worker: { id: key, email }, email }
}

async function checkIn(waits: number[]): Promise<WithTask> {
  const entered = await task('in_progress')
  const { worker, taskId } = entered
  const at = new Date(market.now().getTime() + HOUR).toISOString()
  ok(await worker.post(`/worker/tasks/${taskId}/check-in`, { at }))
  for (const ms of waits) {
    market.advance(ms)
    await market.sweep()
    await market.work()
  }
  return { ...entered, key: worker.id }
}
const isFine = async ({ worker, taskId }: WithTask) =>
  ok(await worker.post(`/worker/tasks/${taskId}/check-in/ok`))

async function asked(): Promise<Entered & { worker: TestWorker }> {
  const worker = await market.worker()
  const { body } = await worker.post('/worker/questions', {
    subject: 'payment',
    text: 'When will my payout arrive?',
  })
  return { key: body.question.id, worker }
}

async function answered() {
  const entered = await asked()
  await ops(market, 'question', 'answer', entered.key, 'Tomorrow.')
  await market.work()
  return entered
}

async function askedByAgent(): Promise<Entered & { agent: TestAgent }> {
  const agent = await funded()
  const confirmed = [agent.id, market.now()]
  await market.asOwner('update agents set email_verified_at = $2 where id = $1', confirmed)
  const { body } = await agent.post('/agents/questions', {
    subject: 'billing',
    text: 'Can I have an invoice?',
  })
  return { key: body.question.id, agent }
}

async function answeredToAgent() {
  const entered = await askedByAgent()
  await ops(market, 'question', 'answer', entered.key, 'Tomorrow.')
  await market.work()
  return entered
}

const closeAgentQuestion = async ({ key, agent }: { key: string; agent: TestAgent }) =>
  ok(await agent.post(`/agents/questions/${key}/close`))

/** The same question again is the first one, so its photo has no message. */
async function unusedPhoto(): Promise<Entered> {
  const worker = await market.worker()
  const question = { subject: 'task', text: 'What is this?', photos: [PHOTO] }
  // The photo is stored before the task turns out not to exist.
  const { status } = await worker.post('/worker/questions', {
    ...question,
    task_id: mintId('task', market.now(), 0),
  })
  assert.equal(status, 404)
  const key = await rowId(
    'select id from question_photos where worker_id = $1 and question_id is null',
    worker.id,
  )
  return { key }
}

const closeQuestion = async ({ key, worker }: { key: string; worker: TestWorker }) =>
  ok(await worker.post(`/worker/questions/${key}/close`))

async function begunUpload(): Promise<Entered> {
  const { taskId, worker } = await task('in_progress', { proof_required: 'photo', urgency: 'flex' })
  const { body } = await worker.post('/worker/uploads', {
    task_id: taskId,
    kind: 'photo',
    content_type: 'image/jpeg',
    bytes: 1000,
    sha256: 'ab'.repeat(32),
  })
  return { key: body.upload_id }
}

async function deadJob(): Promise<Entered> {
  const key = await rowId(
    `select id from graphile_worker.add_job('workers.send-mail', '{}'::json, max_attempts := 1)`,
  )
  await market.asOwner(`select graphile_worker.permanently_fail_jobs(array[$1::bigint], 'no')`, [
    key,
  ])
  return { key }
}

async function restricted(): Promise<Entered & { agent: Agent }> {
  const agent = await market.agent()
  await ops(market, 'agent', 'restrict', agent.id, 'fraud')
  return { key: agent.id, agent }
}

async function testAgent(): Promise<Entered & { apiKey: string }> {
  const { body } = await market.call('POST', '/test/agents', { body: {} })
  return { key: body.agent.id, apiKey: body.agent.test_api_key }
}

async function withoutMuch(): Promise<Entered> {
  const agent = await market.agent({ balanceCents: 420 })
  await agent.patch('/agents/me', { low_balance_cents: 1000 })
  return { key: agent.id, agent }
}

async function held(): Promise<WithTask> {
  const { agent, worker, task: of, held: body } = await heldDispute(market)
  return { key: body.dispute.id, agent: agent as Agent, worker, taskId: of.id }
}

async function shutOutWorker(
  how: 'suspend' | 'close',
  { hasObjected = false } = {},
): Promise<Entered & { token: string }> {
  const worker = await market.worker()
  const { token } = await shutOut(market, worker, how)
  if (hasObjected) ok(await objectBy(market, token))
  return { key: worker.id, worker, token, read: ['mail accountShutOut'] }
}
const object = ({ token }: { token: string }) => objectBy(market, token).then(ok)
const reinstate = ({ key }: Entered) => ops(market, 'worker', 'reinstate', key, 'A', 'mistake')

const turned = (key: string, state: 'on' | 'off') => async (): Promise<Entered> => {
  await ops(market, 'switch', key, state, 'a', 'test')
  return { key }
}
const turnBack = (state: 'on' | 'off') => ({
  'ops switch': ({ key }: Entered) => ops(market, 'switch', key, state),
})

async function strayMoney(): Promise<Entered & { transactionId: string }> {
  const { id } = await strayPayment(books, 700)
  await books.settle()
  await reconcileAfter(books, 16 * MINUTE)
  const [row] = await books.asOwner(
    `select id from money_breaks where closed_at is null and subject = $1`,
    [id],
  )
  return { key: String(row!.id), transactionId: id as string }
}

let noContacts = 0
async function noContact({ isConfirmed = false } = {}): Promise<Entered> {
  noContacts += 1
  const email = newEmail()
  const value = `+4930123${String(noContacts).padStart(5, '0')}`
  ok(
    await market.call('POST', '/do-not-contact/requests', {
      body: { kind: 'phone', value, email },
    }),
  )
  const key = await rowId('select id from do_not_contact where email = $1', email)
  if (isConfirmed) await ops(market, 'do-not-contact', key, 'confirm', 'It', 'is', 'theirs')
  return { key, agent: { id: 'none', email } }
}

async function withdrawal(): Promise<Entered> {
  const { out } = await ops(books, 'withdraw', '500')
  await books.events()
  return { key: out.split(':')[0]! }
}

/** Each has its own kind of `Entered`. */
type AnyDrive = Drive<any> & { market?: typeof market; also?: Record<string, AnyDrive> }

const DRIVES: Record<string, AnyDrive> = {
  'no-contact-requested': {
    enter: noContact,
    exits: {
      'ops do-not-contact': ({ key }: Entered) =>
        ops(market, 'do-not-contact', key, 'confirm', 'It', 'is', 'theirs'),
      'targets.end-no-contact': after(14 * DAY),
    },
  },
  'no-contact-confirmed': {
    enter: () => noContact({ isConfirmed: true }),
    exits: {
      'ops do-not-contact': ({ key }: Entered) =>
        ops(market, 'do-not-contact', key, 'decline', 'It', 'has', 'moved'),
      'targets.end-no-contact': after(730 * DAY),
    },
  },
  'task-pending': {
    enter: () => task('pending'),
    exits: {
      'POST /worker/tasks/:id/accept': ({ worker, taskId }: WithTask) =>
        worker.post(`/worker/tasks/${taskId}/accept`).then(ok),
      'POST /tasks/:id/cancel': cancel,
      'tasks.expire': after(8 * DAY),
    },
  },
  'assignment-accepted': {
    enter: () => task('in_progress', { of: 'assignments' }),
    exits: {
      'POST /worker/tasks/:id/proof': prove,
      'POST /worker/tasks/:id/release': ({ worker, taskId }: WithTask) =>
        worker.post(`/worker/tasks/${taskId}/release`, { reason: 'Too far' }).then(ok),
      'POST /worker/tasks/:id/unsafe': ({ worker, taskId }: WithTask) =>
        worker.post(`/worker/tasks/${taskId}/unsafe`).then(ok),
      'POST /tasks/:id/cancel': cancel,
      'tasks.time-out': after(5 * HOUR),
    },
  },
  'revision-requested': {
    enter: async () => {
      const done = await task('proof_submitted', { of: 'assignments' })
      ok(await done.agent.post(`/tasks/${done.taskId}/request-revision`, { note: 'Closer' }))
      return done
    },
    exits: { 'POST /worker/tasks/:id/proof': prove, 'tasks.time-out': after(5 * HOUR) },
  },
  'proof-waits-for-others': {
    enter: oneOfThree,
    exits: { 'POST /tasks/:id/cancel': cancel, 'tasks.expire': after(8 * DAY) },
  },
  'task-proof-submitted': {
    enter: () => task('proof_submitted'),
    exits: {
      'POST /tasks/:id/approve': approve,
      'POST /tasks/:id/dispute': ({ agent, taskId }: WithTask) =>
        agent.post(`/tasks/${taskId}/dispute`, { reason: 'No' }).then(ok),
      'POST /tasks/:id/request-revision': ({ agent, taskId }: WithTask) =>
        agent.post(`/tasks/${taskId}/request-revision`, { note: 'Closer' }).then(ok),
      'tasks.auto-approve': after(4 * DAY),
    },
  },
  'consensus-conflict': {
    enter: conflict,
    exits: {
      'POST /tasks/:id/approve': ({ agent, taskId }: WithTask) =>
        agent.post(`/tasks/${taskId}/approve`, { override_result: true }).then(ok),
      'tasks.auto-approve': after(2 * DAY),
    },
  },
  'dispute-held': {
    enter: held,
    exits: {
      'ops dispute': ({ key }: Entered) => ops(market, 'dispute', key, 'reject', 'It can be read.'),
      'POST /tasks/:id/approve': approve,
      'POST /tasks/:id/dispute/withdraw': withdrawDispute,
      'tasks.lapse-held-disputes': after(73 * HOUR),
    },
  },
  'dispute-open': {
    enter: () => task('disputed', { of: 'disputes' }),
    exits: {
      'POST /worker/tasks/:id/appeal': ({ worker, taskId }: WithTask) =>
        worker.post(`/worker/tasks/${taskId}/appeal`, { statement: 'I did it.' }).then(ok),
      'POST /tasks/:id/dispute/withdraw': withdrawDispute,
    },
  },
  'appeal-unanswered': {
    enter: () => appealed(),
    exits: {
      'POST /tasks/:id/dispute/answer': ({ agent, taskId }: WithTask) =>
        agent.post(`/tasks/${taskId}/dispute/answer`, { statement: 'No.' }).then(ok),
      'POST /tasks/:id/dispute/withdraw': withdrawDispute,
      'tasks.concede-appeals': after(3 * DAY),
    },
  },
  'appeal-answered': {
    enter: () => appealed({ isAnswered: true }),
    exits: {
      'ops appeal': ({ key }: WithTask) => ops(market, 'appeal', key, 'overturned', 'It is there.'),
      'POST /tasks/:id/dispute/withdraw': withdrawDispute,
    },
    alarmAfterMs: 2 * DAY,
  },
  'appeal-answered-test': { enter: testAppeal, exits: { 'rehearsal.rule': after(25 * HOUR) } },
  'task-reported': {
    enter: reported,
    exits: {
      'ops report': ({ key }: WithTask) => ops(market, 'report', key, 'uphold', 'A scam'),
      'POST /tasks/:id/cancel': cancel,
      'tasks.expire': after(8 * DAY),
    },
  },
  'task-screened': {
    enter: () =>
      task('pending', {
        description: 'Deliver the letter; the address is sent after acceptance',
      }),
    exits: {
      'ops screening': ({ key }: WithTask) => ops(market, 'screening', key, 'refuse', 'It spies'),
      'POST /tasks/:id/cancel': cancel,
      'tasks.lapse-screenings': after(5 * HOUR),
    },
    alarmAfterMs: 5 * HOUR,
  },
  'rehearsal-step': {
    enter: async () => {
      const { test: agent } = await market.agent()
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
      return { key: body.task.id, agent: { id: body.task.agent_id } }
    },
    exits: { 'rehearsal.play': after(MINUTE) },
  },
  'payout-held-for-time': {
    enter: async () => (await freePayouts(1))[0]!,
    exits: { 'ops payout release': releasePayout, 'payouts.release': after(8 * DAY) },
  },
  'payout-held-for-person': {
    enter: async () => (await freePayouts(1, { isSelf: true }))[0]!,
    exits: { 'ops payout release': releasePayout },
    alarmAfterMs: 25 * HOUR,
  },
  'payout-held-for-budget': {
    enter: overBudget,
    exits: { 'ops payout release': releasePayout, 'payouts.release': after(DAY) },
  },
  'payout-awaiting-account': {
    enter: unaccounted,
    exits: {
      'POST /worker/stripe/connect': ({ worker }: WithPayout) => market.onboard(worker),
      'POST /worker/objections/payout-account': onboardByLink,
    },
  },
  'payout-account-refused': {
    enter: refusedAccount,
    exits: {
      'ops account replace': ({ key }: Entered) => ops(market, 'account', 'replace', key, 'asked'),
    },
  },
  'payout-being-sent': {
    enter: requested,
    exits: { 'payouts.send-due': after(HOUR) },
    alarmAfterMs: 2 * HOUR,
  },
  'payout-awaiting-funds': {
    enter: () => refused('balance_insufficient'),
    exits: { 'payouts.send-due': after(2 * HOUR) },
    alarmAfterMs: 25 * HOUR,
  },
  'payout-failed': {
    enter: () => refused('no_way'),
    exits: {
      'ops payout retry': retryPayout,
      'POST /tasks/:id/payout': ({ agent, taskId }: WithPayout) =>
        agent.post(`/tasks/${taskId}/payout`).then(ok),
      'payouts.retry-failed': after(25 * HOUR),
    },
  },
  'payout-failed-for-good': { enter: refusedForGood, exits: { 'ops payout retry': retryPayout } },
  'payout-reversed': {
    enter: takenBack,
    exits: { 'ops payout retry': retryPayout },
    alarmAfterMs: 31 * DAY,
  },
  'switch-off': {
    enter: turned('withdrawals', 'off'),
    exits: turnBack('on'),
    alarmAfterMs: 25 * HOUR,
    also: {
      'reconcile.run': {
        market: books,
        // The state in which reconciliation leaves it while money is unexplained.
        enter: async () => {
          await books.asOwner(
            `update platform_switches set is_on = false, reason = 'unexplained', set_by = 'reconciliation'
              where name = 'payouts'`,
          )
          return { key: 'payouts' }
        },
        exits: { 'reconcile.run': () => books.advance(5 * MINUTE) },
      },
    },
  },
  'registrations-off': {
    enter: turned('registrations', 'off'),
    exits: turnBack('on'),
    alarmAfterMs: 25 * HOUR,
  },
  'task-type-off': {
    enter: turned('tasks_custom', 'off'),
    exits: turnBack('on'),
    alarmAfterMs: 25 * HOUR,
  },
  'read-only': {
    enter: turned('read_only', 'on'),
    exits: turnBack('off'),
    alarmAfterMs: 2 * HOUR,
  },
  'deposit-creating': {
    enter: pageless,
    exits: { 'wallet.deposits': after(5 * MINUTE) },
    alarmAfterMs: 5 * HOUR,
  },
  'deposit-open': {
    enter: deposit,
    exits: {
      'says that the page was paid': ({ sessionId }: WithDeposit) => sandbox.pay(sessionId),
      'wallet.deposits': inSilence(2 * DAY, ({ sessionId }: WithDeposit) =>
        sandbox.control('POST', `sessions/${sessionId}/expire`),
      ),
    },
    alarmAfterMs: 2 * DAY,
  },
  'deposit-processing': {
    enter: bankDebit,
    exits: {
      'says that the bank has paid, or has refused': ({ sessionId }: WithDeposit) =>
        sandbox.control('POST', `sessions/${sessionId}/settle`, { ok: true }),
      'wallet.deposits': inSilence(2 * HOUR, ({ sessionId }: WithDeposit) =>
        sandbox.control('POST', `sessions/${sessionId}/settle`, { ok: true }),
      ),
    },
    alarmAfterMs: 8 * DAY,
  },
  'deposit-mismatched': {
    enter: mismatched,
    exits: {
      'ops suspense': async ({ key, agent }: WithDeposit) => {
        const transaction = await rowId(
          'select balance_transaction_id from deposits where id = $1',
          key,
        )
        await ops(market, 'suspense', transaction, 'to', agent.id)
      },
    },
    alarmAfterMs: MINUTE,
  },
  'chargeback-open': {
    enter: chargedBack,
    exits: {
      'decides the chargeback': win,
      'wallet.chargebacks': inSilence(25 * HOUR, win),
    },
    alarmAfterMs: 8 * DAY,
  },
  'refund-being-sent': {
    enter: refund,
    exits: { 'wallet.refunds': after(HOUR) },
    alarmAfterMs: 2 * HOUR,
  },
  'refund-pending': {
    enter: () => refund({ isPending: true }),
    exits: { 'wallet.refunds': inSilence(2 * HOUR, succeed) },
    alarmAfterMs: 31 * DAY,
  },
  'withdrawal-requested': {
    market: books,
    enter: withdrawal,
    exits: { 'reconcile.withdrawals': () => books.advance(HOUR) },
    alarmAfterMs: 2 * HOUR,
  },
  'notification-pending': {
    enter: notified,
    exits: { 'processor.notifications': after(5 * MINUTE) },
    alarmAfterMs: HOUR,
  },
  'notification-dead': {
    enter: givenUp,
    exits: { 'ops events retry': () => ops(market, 'events', 'retry') },
  },
  'break-open': {
    market: books,
    enter: strayMoney,
    exits: {
      'ops explain': ({ key }: Entered) => ops(books, 'explain', key, 'a', 'test'),
      'reconcile.run': async ({ transactionId }: { transactionId: string }) => {
        await ops(books, 'suspense', transactionId, 'ours')
        books.advance(5 * MINUTE)
      },
    },
  },
  'agent-restricted': {
    enter: restricted,
    exits: {
      'ops agent free': ({ key }: Entered) => ops(market, 'agent', 'free', key, 'looked', 'at'),
    },
  },
  'agent-owes': {
    enter: () => chargedBack({ isSpent: true }),
    exits: {
      'POST /wallet/deposit': ({ agent }: WithChargeback) => market.deposit(agent, 5000),
      'ops write-off': ({ agent }: WithChargeback) =>
        ops(market, 'write-off', agent.id, '2500', 'gone'),
    },
  },
  'low-balance': { enter: withoutMuch, exits: { 'agents.watch-balance': after(6 * MINUTE) } },
  'test-agent': {
    enter: testAgent,
    exits: {
      'POST /agents/register': ({ apiKey }: { apiKey: string }) =>
        market
          .call('POST', '/agents/register', {
            body: { name: 'Kept', email: newEmail() },
            headers: { authorization: `Bearer ${apiKey}` },
          })
          .then(ok),
      'rehearsal.end-agents': after(8 * DAY),
    },
  },
  'test-agent-ended': {
    enter: async () => {
      const made = await testAgent()
      market.advance(7 * DAY + MINUTE)
      await turn(market)
      return made
    },
    exits: { 'rehearsal.erase-agents': after(DAY) },
  },
  'delivery-waiting': {
    enter: undelivered,
    exits: {
      'POST /events/:id/redeliver': async ({
        agent,
        answerWith,
        key,
      }: Awaited<ReturnType<typeof undelivered>>) => {
        answerWith(200)
        ok(await agent.post(`/events/${key}/redeliver`))
        await market.deliver()
      },
      'webhooks deliverer': ({ answerWith }: Awaited<ReturnType<typeof undelivered>>) => {
        answerWith(200)
        market.advance(10 * MINUTE)
      },
    },
  },
  'receiver-paused': {
    enter: paused,
    exits: {
      'ops receiver resume': async ({ agent }: { agent: Agent }) => {
        await ops(market, 'receiver', 'resume', agent.id)
        await market.deliver()
      },
      'webhooks deliverer': after(3 * HOUR),
    },
  },
  'receiver-disabled': {
    enter: disabled,
    exits: {
      'PATCH /agents/me': async ({ agent, url }: Awaited<ReturnType<typeof listening>>) =>
        ok(await agent.patch('/agents/me', { webhook_url: `${url}/new` })),
      'POST /webhooks/ping': async ({
        agent,
        answerWith,
      }: Awaited<ReturnType<typeof listening>>) => {
        answerWith(200)
        ok(await agent.post('/webhooks/ping'))
        await market.deliver()
      },
    },
  },
  'worker-unverified': {
    enter: unverified,
    exits: {
      'POST /worker/verify': ({ token }: { token: string }) =>
        market.call('POST', '/worker/verify', { body: { token } }).then(ok),
      'workers.remove-unverified': after(31 * DAY),
    },
  },
  'email-change': {
    enter: changingEmail,
    exits: {
      'DELETE /worker/email': ({ session }: { session: string }) =>
        market.client(session).delete('/worker/email').then(ok),
      'POST /worker/email/undo': ({ undoToken: token }: { undoToken: string }) =>
        market.call('POST', '/worker/email/undo', { body: { token } }).then(ok),
      'workers.end-email-changes': after(2 * DAY),
    },
  },
  'worker-closing': {
    enter: closing,
    exits: {
      'DELETE /worker/close': ({ session }: { session: string }) =>
        market.client(session).delete('/worker/close').then(ok),
      'workers.close-accounts': after(15 * DAY),
    },
  },
  'closed-balance': {
    enter: closedWithBalance,
    exits: {
      'ops worker reopen': ({ key, email }: { key: string; email: string }) =>
        ops(market, 'worker', 'reopen', key, email, 'showed', 'a', 'passport'),
    },
  },
  'worker-suspended': {
    enter: () => shutOutWorker('suspend'),
    exits: {
      'POST /worker/objections': object,
      'ops worker reinstate': reinstate,
      'workers.end-decisions': after(366 * DAY),
    },
  },
  'objection-waiting': {
    enter: () => shutOutWorker('close', { hasObjected: true }),
    exits: {
      'ops objection': ({ key }: Entered) =>
        ops(market, 'objection', key, 'uphold', 'They', 'are', 'not'),
      'workers.end-decisions': after(15 * DAY),
    },
  },
  'worker-closed': {
    enter: () => shutOutWorker('close'),
    exits: { 'POST /worker/objections': object, 'ops worker reinstate': reinstate },
  },
  'check-in-waiting': {
    enter: () => checkIn([]),
    exits: { 'POST /worker/tasks/:id/check-in/ok': isFine, 'safety.check-ins': after(HOUR) },
  },
  'check-in-asked': {
    enter: () => checkIn([HOUR]),
    exits: { 'POST /worker/tasks/:id/check-in/ok': isFine, 'safety.check-ins': after(HOUR) },
  },
  'check-in-missed': {
    enter: () => checkIn([HOUR, HOUR]),
    exits: {
      'POST /worker/tasks/:id/check-in/ok': isFine,
      'ops check-in close': ({ key }: Entered) =>
        ops(market, 'check-in', 'close', key, 'Called, all is well.'),
    },
  },
  'question-open': {
    enter: asked,
    exits: {
      'ops question answer': ({ key }: Entered) =>
        ops(market, 'question', 'answer', key, 'Tomorrow.'),
      'ops question close': ({ key }: Entered) =>
        ops(market, 'question', 'close', key, 'Tomorrow.'),
      'POST /worker/questions/:id/close': closeQuestion,
    },
    alarmAfterMs: 4 * DAY,
  },
  'question-answered': {
    enter: answered,
    exits: {
      'POST /worker/questions/:id/replies': async ({
        key,
        worker,
      }: {
        key: string
        worker: TestWorker
      }) => ok(await worker.post(`/worker/questions/${key}/replies`, { text: 'It did not come.' })),
      'POST /worker/questions/:id/close': closeQuestion,
      'questions.close-answered': after(15 * DAY),
    },
  },
  'agent-question-open': {
    enter: askedByAgent,
    exits: {
      'ops question answer': ({ key }: Entered) =>
        ops(market, 'question', 'answer', key, 'Tomorrow.'),
      'ops question close': ({ key }: Entered) =>
        ops(market, 'question', 'close', key, 'Tomorrow.'),
      'POST /agents/questions/:id/close': closeAgentQuestion,
    },
    alarmAfterMs: 4 * DAY,
  },
  'agent-question-answered': {
    enter: answeredToAgent,
    exits: {
      'POST /agents/questions/:id/replies': async ({
        key,
        agent,
      }: {
        key: string
        agent: TestAgent
      }) => ok(await agent.post(`/agents/questions/${key}/replies`, { text: 'It did not come.' })),
      'POST /agents/questions/:id/close': closeAgentQuestion,
      'questions.close-answered': after(15 * DAY),
    },
  },
  'photo-unused': { enter: unusedPhoto, exits: { 'questions.sweep-photos': after(2 * DAY) } },
  'upload-unused': { enter: begunUpload, exits: { 'files.sweep-unused': after(2 * DAY) } },
  'outbox-row': {
    enter: async () => {
      const agent = await funded()
      ok(await agent.post('/tasks', { description: 'Look', budget_cents: 100 }))
      return { key: await rowId('select id from outbox where agent_id = $1', agent.id), agent }
    },
    exits: { relay: () => {} },
  },
  'job-dead': { enter: deadJob, exits: { 'ops jobs retry': () => ops(market, 'jobs', 'retry') } },
}

/** The drive of an exit, and the marketplace that it runs on. */
function driveOf({ id }: Line, how: string) {
  const drive = DRIVES[id]
  assert(drive, `${id}: nothing drives it`)
  const chosen = drive.also?.[how] ?? drive
  return { drive: chosen, on: chosen.market ?? market }
}

const waiting = LINES.filter(({ exits }) => exits.length > 0)

describe('a waiting state', () => {
  for (const line of waiting) {
    for (const exit of line.exits)
      test(`${line.id} is ended by the ${exit.by}: ${exit.how}`, async () => {
        const { drive, on } = driveOf(line, exit.how)
        await driveExit(on, line, exit, drive)
      })
    if (line.alarm)
      test(`${line.id} is reported to operators: ${line.alarm.command}`, async () => {
        const { drive, on } = driveOf(line, '')
        await driveAlarm(on, line, drive)
        await turn(on)
      })
  }
})

describe('after a long time', () => {
  /** Creates a row in each state that the clock alone must end, starting with those that take days to enter. */
  async function enterAll(): Promise<void> {
    const certain = waiting.filter(({ exits }) => exits.some(({ isCertain }) => isCertain))
    const slow = ['payout-held-for-budget', 'appeal-answered-test', 'test-agent-ended']
    const isSlow = ({ id }: Line) => slow.includes(id)
    for (const { id } of [...certain.filter(isSlow), ...certain.filter((line) => !isSlow(line))])
      await DRIVES[id]!.enter()
  }

  /** Advances days and months with all background jobs, or without one of the timers. */
  async function letTimePass(without?: string): Promise<void> {
    for (const ms of [HOUR, 12 * HOUR, ...Array<number>(9).fill(DAY), 90 * DAY, 8 * DAY, DAY]) {
      market.advance(ms)
      await turn(market, without === undefined ? {} : { without })
      if (without !== 'webhooks deliverer') await market.deliver()
    }
  }

  test('nothing waits for the clock; control: without one of the timers something does', async () => {
    await enterAll()
    // What follows takes four months; a protection lasts two years.
    await market.asOwner(
      `update do_not_contact set due_at = due_at - interval '640 days' where state = 'confirmed'`,
    )

    await letTimePass('tasks.auto-approve')
    assert.deepEqual(await stillWaiting(market), ['task-proof-submitted', 'consensus-conflict'])
    await DRIVES['payout-held-for-time']!.enter()
    await letTimePass('payouts.release')
    assert.deepEqual(await stillWaiting(market), ['payout-held-for-time'])
    await letTimePass()
    assert.deepEqual(await stillWaiting(market), [])
    const [escrow] = await market.asOwner(
      'select count(*) as count from tasks where ended_at is null and escrow_cents > 0',
    )
    assert.equal(Number(escrow!.count), 0)
    assert.deepEqual(await market.audit(), [])
  })
})

describe('control', () => {
  const lineOf = (id: string) => LINES.find((line) => line.id === id)!
  const exitOf = (line: Line, how: string) => line.exits.find((exit) => exit.how === how)!

  for (const [id, how] of [
    ['task-pending', 'tasks.expire'],
    ['appeal-answered', 'ops appeal'],
    ['payout-failed', 'POST /tasks/:id/payout'],
    ['task-proof-submitted', 'POST /tasks/:id/approve'],
  ] as const)
    test(`${id} without its exit ${how} is found`, async () => {
      const line = lineOf(id)
      const drive: AnyDrive = { ...DRIVES[id]!, exits: { [how]: () => {} } }
      await assert.rejects(driveExit(market, line, exitOf(line, how), drive), /does not end it/)
    })

  test('a timer with a wrong name in the table is found', async () => {
    const line = lineOf('task-pending')
    const wrong = { ...exitOf(line, 'tasks.expire'), how: 'tasks.time-out' }
    const drive: AnyDrive = { ...DRIVES[line.id]!, exits: { 'tasks.time-out': after(8 * DAY) } }
    await assert.rejects(driveExit(market, line, wrong, drive), /names the wrong timer/)
  })

  test('a missing notice is found', async () => {
    const line = lineOf('task-pending')
    const exit = { ...exitOf(line, 'POST /tasks/:id/cancel'), tells: ['notice paid'] }
    await assert.rejects(driveExit(market, line, exit, DRIVES[line.id]!), /nobody was told/)
  })

  test('a state without an alarm for operators is found', async () => {
    const line = lineOf('appeal-answered')
    const quiet: Line = { ...line, alarm: { ...line.alarm!, command: 'ops jobs' } }
    await assert.rejects(driveAlarm(market, quiet, DRIVES[line.id]!), /does not say/)
  })

  test('a setup that does not reach its state is found', async () => {
    const line = lineOf('task-pending')
    const drive: AnyDrive = { ...DRIVES[line.id]!, enter: () => task('cancelled') }
    await assert.rejects(driveExit(market, line, line.exits[0]!, drive), /was not entered/)
    assert.equal(await isIn(market, line, 'task_unknown'), false)
  })
})
