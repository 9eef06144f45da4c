/**
 * A case for each queue of the desk that `cases.ts` leaves empty: a doubtful task, a request not to be contacted, a
 * missed check-in, failed and reversed payouts, a refused account, refunds, chargebacks, a mismatched deposit, debts, unclaimed money, and what fails in the platform itself. What only
 * an outage causes, such as a job out of attempts, is written to its table.
 */
import assert from 'node:assert/strict'
import { sendPayout } from '../../src/payouts/send.ts'
import { atWork, inMinutes } from '../check-ins.ts'
import { shutOut } from '../decisions.ts'
import type { Marketplace } from '../harness.ts'
import { ops } from '../ops.ts'
import { completedBy, payableWorker, requestedPayout } from '../payouts.ts'
import type { Cases } from './cases.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export async function addCases({ market, operators, largeAppeal }: Cases) {
  const refund = await pendingRefund(market)
  const mismatched = await mismatchedDeposit(market)
  const { chargeback, debtor } = await chargedBack(market)
  const failed = await failedPayout(market)
  const reversed = await reversedPayout(market)
  const refused = await refusedAccount(market)
  const suspended = await market.worker({ name: 'Luis Ortega' })
  await shutOut(market, suspended)
  const unclaimed = await closedWithBalance(market)
  const attempt = await unansweredReversal(market)
  const decision = await proposed(operators.tara, largeAppeal.id)
  await doubtfulTask(market)
  await askedNotToBeContacted(market)
  await missedCheckIn(market)
  await market.settle()
  // From here on, nothing may settle: these never end by themselves.
  const receiver = await failingReceiver(market)
  const notification = await givenUpNotification(market)
  const job = await deadJob(market)
  const event = await unrelayedWork(market, failed)
  const crossing = await waitingCrossing(market)
  return {
    refund,
    mismatched,
    chargeback,
    debtor,
    failed,
    reversed,
    refused,
    suspended: suspended.id,
    unclaimed,
    attempt,
    receiver,
    notification,
    job,
    event,
    crossing,
    decision,
  }
}

/** A screening rule found it doubtful. */
async function doubtfulTask(market: Marketplace) {
  const agent = await market.agent({ name: 'Nearby Notes', balanceCents: 2500, freeTasks: false })
  const { body, text } = await agent.post('/tasks', {
    description: 'Deliver the letter; the address is sent after acceptance',
    budget_cents: 2500,
  })
  assert.equal(body.task?.status_reason, 'screening', text)
}

async function askedNotToBeContacted(market: Marketplace) {
  const { status, text } = await market.call('POST', '/do-not-contact/requests', {
    body: { kind: 'phone', value: '+49 30 1234 0001', reason: 'Six calls in a week' },
  })
  assert.equal(status, 202, text)
}

/** The worker asked to be checked on, and didn't answer. */
async function missedCheckIn(market: Marketplace) {
  const { set } = await atWork(market)
  assert.equal((await set({ at: inMinutes(market, 1) })).status, 200)
  for (const minutes of [2, 16]) {
    market.advance(minutes * MINUTE)
    await market.sweep()
  }
}

async function idOf(market: Marketplace, text: string, ...values: unknown[]): Promise<string> {
  const [row] = await market.asOwner(text, values)
  assert(row, `no row: ${text}`)
  return String(Object.values(row)[0])
}

async function pendingRefund(market: Marketplace) {
  const agent = await market.agent({ name: 'Lighthouse Labs', freeTasks: false })
  await market.deposit(agent, 2500)
  await market.sandbox.control('POST', 'settings', { pending_refunds: true })
  const { isBad, out } = await ops(market, 'refund', agent.id, '1000', 'asked', 'by', 'mail')
  assert(!isBad, out)
  await market.settle()
  await market.sandbox.control('POST', 'settings', { pending_refunds: false })
  return idOf(market, 'select id from refunds where agent_id = $1', agent.id)
}

/** Somebody paid another amount than was ordered. */
async function mismatchedDeposit(market: Marketplace) {
  const agent = await market.agent({ name: 'Oddsum Research', freeTasks: false })
  const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
  await market.asOwner('update deposits set amount_cents = 9999 where id = $1', [
    body.transaction_id,
  ])
  await market.sandbox.pay(body.session_id)
  await market.settle()
  return body.transaction_id as string
}

/** The agent has spent the money before its card's owner disputed the payment: it owes us. */
async function chargedBack(market: Marketplace) {
  const agent = await market.agent({ name: 'Fastlane Checks', freeTasks: false })
  const depositId = await market.deposit(agent, 2500)
  await market.taskIn(agent, 'in_progress', { budget_cents: 2500 })
  const chargeId = await idOf(market, 'select charge_id from deposits where id = $1', depositId)
  const { id } = await market.sandbox.control('POST', `charges/${chargeId}/dispute`, {})
  await market.settle()
  return { chargeback: id as string, debtor: agent.id }
}

/** The processor refused the transfer; of the automatic tries, which take days, none is left. */
async function failedPayout(market: Marketplace) {
  const { id } = await requestedPayout(market)
  await market.sandbox.control('POST', 'faults', [
    { match: 'POST /v1/transfers', mode: 'error_before', status: 400, code: 'no_way', times: 1 },
  ])
  await sendPayout(market.background, id)
  await market.asOwner('update payouts set check_at = null where id = $1', [id])
  return id
}

async function reversedPayout(market: Marketplace) {
  const { id } = await requestedPayout(market)
  await sendPayout(market.background, id)
  const { isBad, out } = await ops(market, 'payout', 'reverse', id)
  assert(!isBad, out)
  return id
}

async function refusedAccount(market: Marketplace) {
  const worker = await payableWorker(market)
  await market.sandbox.control('POST', `accounts/${worker.accountId}/capability`, {
    status: 'rejected',
  })
  await market.settle()
  const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
  await completedBy(agent, [worker])
  return worker.id
}

async function closedWithBalance(market: Marketplace) {
  const worker = await market.worker({ approvals: 100 })
  const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
  await completedBy(agent, [worker])
  await market.asOwner(
    `update workers set status = 'closed', password_hash = 'none', closed_at = $2 where id = $1`,
    [worker.id, market.now()],
  )
  return worker.id
}

/** An operator took a payout back, and the processor didn't answer. */
async function unansweredReversal(market: Marketplace) {
  const { id } = await requestedPayout(market)
  await sendPayout(market.background, id)
  await market.asOwner(
    `insert into processor_attempts (subject_id, attempt, key, begun_at, sent_at, tries, last_cause)
     values ($1, 1, $2, $3, $3, 2, 'timeout')`,
    [`${id}r300`, `reversal_${id}r300_a1`, market.now()],
  )
  return `attempt_${id}r300`
}

async function failingReceiver(market: Marketplace) {
  const agent = await market.agent({ name: 'Deafline', freeTasks: false })
  await market.asOwner('update agents set webhook_url = $2 where id = $1', [
    agent.id,
    'https://hooks.example.com/legwork?key=secret',
  ])
  await market.asOwner(
    `insert into webhook_lanes (id, agent_id, failures, failing_since, due_at) values ($1, $1, 12, $2, $3)`,
    [agent.id, new Date(market.now().getTime() - 5 * HOUR), market.now()],
  )
  return `receiver_${agent.id}`
}

async function givenUpNotification(market: Marketplace) {
  const event = 'evt_1GivenUp'
  await market.asOwner(
    `insert into processor_events (event_id, source, type, object_id, payload, status, attempts, error, created_at,
            received_at)
     values ($1, 'account', 'charge.refunded', 'ch_unknown', '{}', 'dead', 12, 'Error: no such charge', $2, $2)`,
    [event, market.now()],
  )
  return `notification_${event}`
}

async function deadJob(market: Marketplace) {
  const key = await idOf(
    market,
    `select id from graphile_worker.add_job('workers.send-mail', '{}'::json, max_attempts := 1)`,
  )
  await market.asOwner(
    `select graphile_worker.permanently_fail_jobs(array[$1::bigint], 'Error: mail refused')`,
    [key],
  )
  return `job_${key}`
}

/** Work that only a newer release knows waits for its relay. */
async function unrelayedWork(market: Marketplace, about: string) {
  const id = 'evt_01m7h4xk1pfkx909107ks5ks0a'
  await market.asOwner(
    `insert into outbox (id, type, data, created_at) values ($1, 'payout.rethink', $2, $3)`,
    [id, JSON.stringify({ id: about }), market.now()],
  )
  return `event_${id}`
}

async function waitingCrossing(market: Marketplace) {
  const id = await idOf(
    market,
    `insert into crossings (home, call, arguments) values ('elsewhere', 'ledger_receive', '{}')
     returning 'crossing_' || current_schema() || '_' || id`,
  )
  return id
}

async function proposed(by: Cases['operators']['tara'], subject: string) {
  const { status, body, text } = await by.post('/decisions', {
    kind: 'appeal.rule',
    subject,
    input: { ruling: 'overturned' },
    reason: 'The photos show all twelve branches.',
    request_key: 'more-cases',
  })
  assert.equal(status, 201, text)
  assert.equal(body.decision.state, 'waiting')
  return body.decision.decision_id as string
}
