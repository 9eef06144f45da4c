/**
 * A marketplace in which something waits in many queues of the operators' desk: held disputes, appeals (one of them with
 * a proposal that needs a second operator), a question, a report, a held payout. One operator of each role is signed in.
 */
import assert from 'node:assert/strict'
import { drawDoor } from '../browser/door.ts'
import { NO_HOLD, openHome } from '../browser/phone.ts'
import { decideHeld } from '../held-disputes.ts'
import type { Json, Marketplace, Reply, TestWorker } from '../harness.ts'
import { ops } from '../ops.ts'
import { completedBy, payableWorker } from '../payouts.ts'
import { ask } from '../questions.ts'
import { signIn } from './sign-in.ts'
import { setTeam } from './team.ts'

const MINUTE = 60_000
/** The sign-in screen offers it; nobody answers at this address. */
const COMPANY = {
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'desk',
  OIDC_CLIENT_SECRET: 'only the desk and the provider know it',
}
const HOUR = 60 * MINUTE

const DOOR_PHOTO = `data:image/jpeg;base64,${(await drawDoor({ width: 640 })).toString('base64')}`

export type DeskScene = Awaited<ReturnType<typeof setDeskScene>>

const done = (reply: Reply): Json => {
  assert(reply.status < 300, reply.text)
  return reply.body
}

export async function setDeskScene() {
  const { market } = await openHome({
    mail: true,
    processor: true,
    roles: ['api', 'desk'],
    settings: { ...NO_HOLD, DISPUTES_BEFORE_REVIEW: 1, ...COMPANY },
  })
  market.advance(-71 * HOUR)
  await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })
  const ada = await market.worker({ name: 'Ada Okafor', approvals: 40 })
  const jonas = await market.worker({ name: 'Jonas Petersen', approvals: 12 })
  const nordlicht = await market.agent({
    name: 'Nordlicht Retail',
    balanceCents: 200_000,
    freeTasks: false,
  })
  const large = await disputed(market, nordlicht, ada, { ...MILK, budget_cents: 30_000 })
  const small = await disputed(market, nordlicht, jonas, DOOR, 'I see no handle.')
  await appealed(market, nordlicht, ada, large)
  await appealed(market, nordlicht, jonas, small)
  for (const [at, order] of [MILK, DOOR, { ...DOOR, budget_cents: 2000 }].entries()) {
    market.advance(9 * HOUR)
    await disputed(market, nordlicht, at % 2 === 0 ? ada : jonas, order, 'Not sharp.')
  }
  await reported(nordlicht, jonas)
  await selfDealt(market)
  const question = await ask(ada, {
    subject: 'safety',
    text: 'Somebody at the pharmacy followed me to the bus stop.\nShould I still send the proof?',
    photos: [DOOR_PHOTO, DOOR_PHOTO],
  })
  await suspend(market)
  market.catchUp()
  await market.settle()
  const doubtful = await doubted(nordlicht)

  const people = {
    viewer: await signIn(market, 'viewer', { name: 'Vera Holm' }),
    support: await signIn(market, 'support', { name: 'Samir Haddad' }),
    trust: await signIn(market, 'trust', { name: 'Rosa Lindqvist' }),
    finance: await signIn(market, 'finance', { name: 'Tomás Silva' }),
    admin: await signIn(market, 'admin', { name: 'Ines Weber' }),
  }
  const team = await setTeam(market, people.admin)
  const appeals = {
    large: await appealOf(market, large),
    small: await appealOf(market, small),
  }
  const { decision } = done(
    await people.trust.post('/decisions', {
      kind: 'appeal.rule',
      subject: appeals.large,
      input: { ruling: 'overturned' },
      reason: 'The price is readable on the second photo, as the worker says.',
      request_key: 'large-appeal',
    }),
  )
  assert.equal(decision.state, 'waiting')
  return {
    market,
    origin: market.desk,
    people,
    appeals,
    /** Waits for a second operator. */
    decision: decision.decision_id as string,
    question: question.id as string,
    doubtful,
    worker: ada.id,
    agent: nordlicht.id,
    team,
  }
}

/** Waits for its screening. */
async function doubted(agent: Agent): Promise<string> {
  const { task } = done(
    await agent.post('/field', {
      mission: 'Stay near the entrance until the tenant of flat 4 comes home.',
      location: 'Rissener Strasse 4, Wedel',
      checklist: ['Note when he leaves his home; the name is sent after acceptance'],
      budget_cents: 3500,
    }),
  )
  assert.equal(task.status_reason, 'screening')
  return task.id as string
}

async function appealOf(market: Marketplace, taskId: string): Promise<string> {
  const { id } = await market
    .at(taskId)
    .reader.selectFrom('appeals')
    .select('id')
    .where('task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  return id
}

type Agent = Awaited<ReturnType<Marketplace['agent']>>

const DOOR = {
  title: 'Does the door of the pharmacy open by itself?',
  description: 'Go to the pharmacy. Look whether the door opens by itself, and photograph it.',
  type: 'verification',
  proof_required: 'photo',
  budget_cents: 500,
  deadline: '5h',
  location: { address: 'Bahnhofstrasse 21, Wedel', lat: 53.58, lng: 9.7 },
  criteria: [{ id: 'door', text: 'The whole door is in the photo' }],
}

const MILK = {
  title: 'Photograph five oat-milk price labels',
  description:
    'One photo per brand, with the price label and the shelf in the frame. Say which brands are missing.',
  type: 'field_mission',
  proof_required: 'photo',
  budget_cents: 1500,
  deadline: '5h',
  location: { address: 'Rissener Strasse 4, Wedel', lat: 53.581, lng: 9.71 },
}

async function disputed(
  market: Marketplace,
  agent: Agent,
  worker: TestWorker,
  order: object,
  reason = 'The photos do not show the price.',
): Promise<string> {
  const { task } = done(await agent.post('/tasks', order))
  done(await worker.post(`/worker/tasks/${task.id}/accept`))
  market.advance(9 * MINUTE)
  done(
    await worker.post(`/worker/tasks/${task.id}/proof`, {
      text: 'Three labels were missing in the shop. I photographed the empty places, see photo 2.',
      photos: [DOOR_PHOTO, DOOR_PHOTO, DOOR_PHOTO],
    }),
  )
  market.advance(20 * MINUTE)
  done(await agent.post(`/tasks/${task.id}/dispute`, { reason }))
  return task.id as string
}

async function appealed(
  market: Marketplace,
  agent: Agent,
  worker: TestWorker,
  taskId: string,
): Promise<void> {
  const { task } = done(await agent.get(`/tasks/${taskId}`))
  // The agent's second dispute of the day is held: an operator decides for the agent, and the worker appeals.
  if (task.status_reason === 'dispute_held')
    await decideHeld(market, taskId, 'uphold', 'The door is cut off.')
  done(
    await worker.post(`/worker/tasks/${taskId}/appeal`, {
      statement: 'The price is on the second photo, at the left edge.',
    }),
  )
  done(
    await agent.post(`/tasks/${taskId}/dispute/answer`, {
      statement: 'The figures can’t be read, even when enlarged.',
    }),
  )
}

async function reported(agent: Agent, worker: TestWorker): Promise<void> {
  const { task } = done(await agent.post('/tasks', DOOR))
  const { status } = await worker.post(`/worker/tasks/${task.id}/report`, {
    kind: 'dangerous',
    note: 'They ask me to open the staff entrance.',
  })
  assert.equal(status, 200)
}

async function selfDealt(market: Marketplace): Promise<void> {
  const worker = await payableWorker(market)
  const agent = await market.agent()
  await market.asOwner('update agents set email = $1 where id = $2', [worker.email, agent.id])
  await completedBy(agent, [worker], { budget_cents: 500 })
}

async function suspend(market: Marketplace): Promise<void> {
  const worker = await market.worker({ name: 'Luis Romero' })
  const { out, isBad } = await ops(market, 'worker', 'suspend', worker.id, 'Photos of other people')
  assert.equal(isBad, false, out)
}
