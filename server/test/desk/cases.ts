/**
 * A marketplace with a case in every queue of the desk, as operators find it in the morning: appeals, held disputes, a
 * report, held and failed payouts, money in suspense, a worker who farmed free tasks, a suspended worker who objects,
 * and questions. Everything is set up through the API, the processor, or as an operator does it.
 */
import assert from 'node:assert/strict'
import { drawDoor } from '../browser/door.ts'
import { openHome } from '../browser/phone.ts'
import { objectBy, shutOut } from '../decisions.ts'
import type { Json, Marketplace, Reply, TestWorker } from '../harness.ts'
import { strayPayment } from '../money.ts'
import { ops } from '../ops.ts'
import { completedBy, payableWorker, payoutsOfTask } from '../payouts.ts'
import { signIn } from './sign-in.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SETTINGS = {
  // The second dispute of an agent within a day is held.
  DISPUTES_BEFORE_REVIEW: 1,
  // The unexplained payment is logged as an error.
  LOG_LEVEL: 'silent',
  HOLD_HOURS: 0,
  HOLD_HOURS_NEW: 0,
  HOLD_HOURS_FREE: 0,
}
/** Above the limit for two persons of an appeal, which is $200. */
const LARGE_CENTS = 30_000

/** By agent: of a second one the dispute would be held. */
const STATEMENTS = [
  ['Atlas Maps', 'The handle is at the left edge of the photo.'],
  ['Harbor Data', 'I was there at 9:10, before the shop opened. The sign says 9:30.'],
  ['Northwind Reviews', 'The agent asked for one photo, and I sent one.'],
] as const

const DOOR_PHOTO = `data:image/jpeg;base64,${(await drawDoor({ width: 640 })).toString('base64')}`

export type Cases = Awaited<ReturnType<typeof setCases>>

export async function setCases() {
  const { market, origin } = await openHome({
    mail: true,
    processor: true,
    roles: ['api', 'desk'],
    settings: SETTINGS,
  })
  market.advance(-2 * 24 * HOUR)
  await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })
  await market.settle()
  const appeals = []
  for (const [name, statement] of STATEMENTS)
    appeals.push(await appealed(market, { name, statement }))
  const largeAppeal = await appealed(market, {
    name: 'Brightline Audits',
    statement: 'I checked all twelve branches, one by one.',
    budget_cents: LARGE_CENTS,
  })
  const held = await holdDispute(market)
  const report = await reported(market)
  const farm = await farmFreeTasks(market)
  const suspense = await suspended(market)
  const objection = await objected(market)
  const questions = await asked(market)
  market.advance(9 * HOUR)
  await market.settle()
  const tara = await signIn(market, 'trust', { name: 'Tara Lindqvist' })
  const finn = await signIn(market, 'finance', { name: 'Finn Adeyemi' })
  const sue = await signIn(market, 'support', { name: 'Sue Castillo' })
  const vic = await signIn(market, 'viewer', { name: 'Vic Marsh' })
  const ada = await signIn(market, 'admin', { name: 'Ada Novak' })

  return {
    market,
    origin,
    operators: { tara, finn, sue, vic, ada },
    appeals,
    largeAppeal,
    held,
    report,
    farm,
    suspense,
    objection,
    questions,
  }
}

const done = (reply: Reply): Json => {
  assert(reply.status < 300, reply.text)
  return reply.body
}

type Agent = Awaited<ReturnType<Marketplace['agent']>>

/** An agent that has paid in by card, so that the books agree with the processor's. */
async function payer(market: Marketplace, name: string, cents: number): Promise<Agent> {
  const agent = await market.agent({ name, freeTasks: false })
  await market.deposit(agent, cents)
  return agent
}

/** A disputed task whose worker has appealed and whose agent has replied. */
async function appealed(
  market: Marketplace,
  {
    name,
    statement,
    budget_cents = 1500,
  }: { name: string; statement: string; budget_cents?: number },
) {
  const agent = await payer(market, name, budget_cents)
  const worker = await market.worker({ name: 'Mei Tanaka', approvals: 100 })
  const task = done(
    await agent.post('/verify', {
      question: 'Does the door of the pharmacy open automatically?',
      location: 'Bahnhofstrasse 21, Wedel',
      budget_cents,
    }),
  ).task
  done(await worker.post(`/worker/tasks/${task.id}/accept`))
  market.advance(12 * MINUTE)
  done(
    await worker.post(`/worker/tasks/${task.id}/proof`, {
      text: 'Yes. I stood in front of it and it slid open, twice.',
      answer: true,
      photos: [DOOR_PHOTO],
    }),
  )
  market.advance(HOUR)
  const reason = 'I can’t see the handle in the photo.'
  done(await agent.post(`/tasks/${task.id}/dispute`, { reason }))
  done(await worker.post(`/worker/tasks/${task.id}/appeal`, { statement }))
  done(
    await agent.post(`/tasks/${task.id}/dispute/answer`, {
      statement: 'Our customer needs the handle to be visible.',
    }),
  )
  const [appeal] = await market.asOwner('select id from appeals where task_id = $1', [task.id])
  return { id: appeal!.id as string, taskId: task.id as string, agent, worker }
}

async function holdDispute(market: Marketplace) {
  const hasty = await payer(market, 'Quickcheck', 10_000)
  const ids: string[] = []
  for (const reason of ['Too dark', 'Not what I asked for']) {
    const task = await market.taskIn(hasty, 'proof_submitted', { budget_cents: 2000 })
    done(await hasty.post(`/tasks/${task.id}/dispute`, { reason }))
    ids.push(task.id)
  }
  const [dispute] = await market.asOwner(
    `select id from disputes where status = 'held' and task_id = $1`,
    [ids[1]],
  )
  return { id: dispute!.id as string, taskId: ids[1]!, agent: hasty }
}

async function reported(market: Marketplace) {
  const agent = await payer(market, 'Curious Bot', 5000)
  const task = await market.taskIn(agent, 'pending', {
    description: 'Climb the scaffolding at Kirchweg 4 and photograph the street from the top',
  })
  const reporter = await market.trustedWorker()
  done(await reporter.post(`/worker/tasks/${task.id}/report`, { kind: 'dangerous' }))
  return { taskId: task.id, agent, reporter }
}

/** One worker does the free tasks of several agents whose people share an inbox with them. */
async function farmFreeTasks(market: Marketplace) {
  const worker: TestWorker & { accountId: string } = await payableWorker(market)
  const agents: Agent[] = []
  const payouts: string[] = []
  const taskIds: string[] = []
  for (let i = 0; i < 3; i += 1) {
    const agent = await market.agent({ name: `Helper ${i + 1}` })
    const email = worker.email.replace('@', `+${i}@`)
    await market.asOwner('update agents set email = $1 where id = $2', [email, agent.id])
    await market.asOwner('update agent_emails set email = $1 where agent_id = $2', [
      email,
      agent.id,
    ])
    const task = await completedBy(agent, [worker], { budget_cents: 500, description: 'Say hello' })
    await market.settle()
    const [payout] = await payoutsOfTask(market, task.id)
    assert.equal(payout!.hold_reason, 'self_dealing')
    agents.push(agent)
    taskIds.push(task.id)
    payouts.push(payout!.id)
  }
  return { worker, agents, taskIds, payouts }
}

/** A card payment that nobody ordered: it lands in suspense, and reconciliation records a break. */
async function suspended(market: Marketplace) {
  const line = await strayPayment(market, 4200)
  await market.settle()
  market.advance(16 * MINUTE)
  const said = await ops(market, 'reconcile')
  const [found] = await market.asOwner('select id, kind from money_breaks where subject = $1', [
    line.id,
  ])
  assert(found, said.out)
  return { transactionId: line.id as string, breakId: String(found.id) }
}

/** A suspended worker who asks a person to look at it again. */
async function objected(market: Marketplace) {
  const worker = await market.worker({ name: 'Jonas Petersen', approvals: 20 })
  const { token, decision } = await shutOut(market, worker)
  done(await objectBy(market, token, 'The photos are mine. I can send the originals.'))
  return { id: decision.id, worker }
}

async function asked(market: Marketplace) {
  const worker = await market.worker({ name: 'Lucía Romero', languages: ['es'] })
  const payment = done(
    await worker.post('/worker/questions', {
      subject: 'payment',
      text: '¿Cuándo llega mi pago? La app dice que está en camino desde el lunes.',
    }),
  ).question.id as string
  const safety = done(
    await worker.post('/worker/questions', {
      subject: 'safety',
      text: 'Someone followed me while I took the photo.',
    }),
  ).question.id as string
  return { worker, payment, safety }
}
