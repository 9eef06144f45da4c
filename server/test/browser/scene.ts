/**
 * A marketplace with realistic activity, for screenshots and for tests that check every screen: agents with a track
 * record, tasks of every kind around one place, a worker with a week of work, a new one, and one whose text is all
 * script. Everything is set up through the API; the clock starts a week ago and is advanced to the present.
 */
import assert from 'node:assert/strict'
import { type Json, type Marketplace, PHOTO, type Reply, type TestWorker } from '../harness.ts'
import { signUp } from '../people.ts'
import { ops } from '../ops.ts'
import { ask } from '../questions.ts'
import { drawDoor } from './door.ts'
import { NO_HOLD, openHome } from './phone.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const WEDEL = { label: 'Wedel', lat: 53.582, lng: 9.703, radius_km: 10 }
/** Far away, so nothing here shows up in anybody's list by chance. */
const FAR_AWAY = { lat: 34.69, lng: 135.5 }

const DOOR_PHOTO = `data:image/jpeg;base64,${(await drawDoor({ width: 640 })).toString('base64')}`

/** A dialog opens if any of this is executed instead of displayed. */
export const SCRIPT = '<img src=x onerror=alert(1)><script>alert(2)</script>'

export type Scene = Awaited<ReturnType<typeof setScene>>
type Agent = Awaited<ReturnType<Marketplace['agent']>>

export async function setScene() {
  const { market, origin } = await openHome({ mail: true, processor: true, settings: NO_HOLD })
  market.advance(-6 * DAY)
  await market.sandbox.control('POST', 'topups', { amount: 100_000 })
  const agents = await openAgents(market)
  const people = await openPeople(market)

  const week = await liveThroughTheWeek(market, agents, people)
  const mallory = await writeScript(market, agents.mallory, people.mallory)
  market.catchUp()
  // Sessions that began a week ago would be about to expire.
  for (const worker of [people.ada, people.ben, people.mallory])
    Object.assign(
      worker,
      await market.tokens.sign({ workerId: worker.id, version: 1 }, market.now()),
    )
  const offered = await offerTasks(market, agents)
  const hands = await takeTasks(market, agents, people)
  const disputeHeld = await holdDispute(agents.hasty, people)
  const questions = await askQuestions(market, people.ada)
  await market.settle()

  return {
    market,
    origin,
    agents,
    ...people,
    questions,
    tasks: { ...week, ...offered, ...hands, ...mallory, disputeHeld },
    /** Gives Ada one more accepted task, so drafts of another task don't interfere. */
    async takeDoor(): Promise<string> {
      market.catchUp()
      const id = await openTask(agents.atlas, DOOR)
      await accept(people.ada, id)
      return id
    },
  }
}

async function askQuestions(market: Marketplace, worker: TestWorker) {
  const closed = await ask(worker, { subject: 'account', text: 'How do I change my name?' })
  await ops(market, 'question', 'close', closed.id, 'You can do that under Profile & preferences.')
  const answered = await ask(worker, {
    subject: 'payment',
    text: 'My payout of Monday has not arrived. Is something wrong with my account?',
    photos: [PHOTO],
  })
  await ops(
    market,
    'question',
    'answer',
    answered.id,
    'Nothing is wrong. Your bank needs one or two working days.\n\nIf it isn’t there on Thursday, write again.',
  )
  const open = await ask(worker, {
    subject: 'safety',
    text: 'Somebody at the pharmacy followed me to the bus stop.',
    photos: [DOOR_PHOTO, PHOTO],
  })
  // Enough answers that the usual time is shown.
  await market.asOwner(
    `insert into question_times (asker, answers, median_seconds, measured_at)
     values ('worker', 40, 21000, $1)
     on conflict (asker) do update set answers = 40, median_seconds = 21000`,
    [market.now()],
  )
  return { closed: closed.id, answered: answered.id, open: open.id }
}

type Fields = Record<string, unknown> & { description: string }

/** A point this many kilometers to the north and east of the place. */
const near = (north: number, east: number) => ({
  lat: Math.round((WEDEL.lat + north / 111.2) * 1e5) / 1e5,
  lng: Math.round((WEDEL.lng + east / 66) * 1e5) / 1e5,
})

const DOOR = {
  title: 'Does the door of the pharmacy open by itself?',
  description:
    'Go to the pharmacy.\n1. Look whether the door opens by itself.\n2. Photograph the door.\n' +
    '3. Say whether it does.',
  type: 'verification',
  proof_required: 'photo',
  budget_cents: 500,
  deadline: '5h',
  location: { address: 'Bahnhofstrasse 21, Wedel', ...near(0.3, 0.1) },
  answer_schema: { type: 'boolean', description: 'Does it open by itself?' },
  criteria: [{ id: 'door', text: 'The whole door is in the photo' }],
}

const ANNOUNCEMENT = {
  title: 'Record the announcement at the ferry pier',
  description: 'Stand near the loudspeaker and record one announcement.',
  type: 'field_mission',
  proof_required: 'audio',
  budget_cents: 1100,
  deadline: '5h',
  location: near(1.4, 1.1),
}

const LOADING_BAY = {
  title: 'Film the way from the gate to the loading bay',
  description: 'Walk slowly, and hold the phone upright.',
  type: 'field_mission',
  proof_required: 'video',
  budget_cents: 2400,
  deadline: '8h',
  location: near(-1.1, 1.8),
}

const LIBRARY = {
  title: 'Call the town library and ask for the Saturday hours',
  description: 'Ask whether they change in December, too.',
  type: 'voice_proxy',
  budget_cents: 800,
  deadline: '1d',
  context: { number: '+49 4103 555 0123', script: 'Until when are you open on Saturdays?' },
}

async function openAgents(market: Marketplace) {
  const named = (name: string) => market.agent({ name, balanceCents: 1_000_000, freeTasks: false })
  return {
    atlas: await named('Atlas Maps'),
    brandloop: await named('Brandloop'),
    nordlicht: await named('Nordlicht Retail'),
    kestrel: await named('Kestrel Logistics'),
    hasty: await named('Quickcheck Surveys'),
    mallory: await named(SCRIPT),
  }
}
type Agents = Awaited<ReturnType<typeof openAgents>>

async function openPeople(market: Marketplace) {
  const ada = await market.worker({
    name: 'Ada Okafor',
    location: WEDEL,
    skills: ['photography', 'german', 'bicycle'],
    languages: ['en', 'de'],
    approvals: 9,
  })
  done(
    await ada.put('/worker/profile', {
      bio: 'I know every bakery between Wedel and Blankenese, and I am quick on the bicycle.',
    }),
  )
  const others = []
  for (const name of ['Jonas Petersen', 'Mei Tanaka', 'Luis Romero', 'Amira Haddad'])
    others.push(await market.worker({ name, location: WEDEL, approvals: 30 + others.length * 7 }))
  const waiting = await signUp(market, { isVerified: false, name: 'Nils' })
  const { headers } = await market.call('POST', '/worker/session', {
    body: { email: waiting.email, password: waiting.password },
    headers: { origin: new URL(market.server.addresses.api!).origin },
  })
  const token = headers.getSetCookie()[0]?.split(/[=;]/)[1]
  assert(token, 'an unconfirmed worker has a pending session')
  return {
    ada,
    others,
    /** Has just joined, with an empty profile. */
    ben: await market.worker({ name: 'Ben' }),
    mallory: await market.worker({ name: SCRIPT, location: { ...WEDEL, ...FAR_AWAY } }),
    nils: { token, email: waiting.email, linkToken: waiting.linkToken },
  }
}
type People = Awaited<ReturnType<typeof openPeople>>

/** Agents' public stats are computed from their verdicts. */
async function giveRecords(
  market: Marketplace,
  { atlas, brandloop, nordlicht, kestrel }: Agents,
  others: TestWorker[],
): Promise<void> {
  const verdicts: [Agent, number, string[]][] = [
    [atlas, 6, []],
    [brandloop, 12, []],
    [nordlicht, 25, ['The shelf is not in the photo']],
    [kestrel, 45, ['The number can’t be read', 'Wrong entrance']],
  ]
  for (const [agent, minutes, reasons] of verdicts)
    for (const [at, reason] of [undefined, undefined, undefined, ...reasons].entries()) {
      const worker = others[at % others.length]!
      const id = await openTask(agent, { description: 'Look', budget_cents: 600 })
      await accept(worker, id)
      market.advance(MINUTE)
      await prove(worker, id)
      market.advance(minutes * MINUTE)
      if (reason === undefined) done(await agent.post(`/tasks/${id}/approve`))
      else done(await agent.post(`/tasks/${id}/dispute`, { reason }))
    }
  await market.work()
}

interface Week {
  market: Marketplace
  agents: Agents
  people: People
}

async function liveThroughTheWeek(market: Marketplace, agents: Agents, people: People) {
  const week: Week = { market, agents, people }
  await market.onboard(people.ada)
  const paid = await beginWeek(week)
  const { appealed, conceded } = await loseTwo(week)
  const cancelled = await winAppeal(week, conceded)
  const { disputed, late } = await appealAndMissDeadline(week, appealed)
  const { today, mood } = await workToday(week)
  return { paid, appealed, conceded, cancelled, disputed, late, today, mood }
}

async function beginWeek(week: Week): Promise<string> {
  const { market, agents } = week
  const { atlas, brandloop, nordlicht } = agents
  await earn(week, atlas, {
    title: 'Is the ferry pier open to walkers?',
    description: 'Go to the pier and photograph the gate.',
    type: 'verification',
    proof_required: 'photo',
    budget_cents: 600,
    location: near(0.8, 1.1),
  })
  await earn(week, brandloop, {
    title: 'Which of these two names sounds more honest?',
    description: 'Say which, and in one sentence why.',
    type: 'gut_check',
    budget_cents: 300,
  })
  await goTo(market, -5 * DAY + 8 * HOUR)
  const paid = await earn(
    week,
    nordlicht,
    {
      title: 'Count the free parking spaces behind the station',
      description: 'Walk once around it and count.',
      type: 'field_mission',
      proof_required: 'photo',
      budget_cents: 1800,
      location: near(0.4, -0.6),
    },
    200,
  )
  return paid
}

async function loseTwo(week: Week) {
  const { market, agents } = week
  const { atlas, kestrel } = agents
  await goTo(market, -3 * DAY + 7 * HOUR)
  await earn(week, atlas, {
    title: 'Does the drugstore on Bahnhofstrasse sell SIM cards?',
    description: 'Ask at the till and photograph the shelf.',
    type: 'verification',
    proof_required: 'photo',
    budget_cents: 900,
    location: near(0.2, 0.3),
  })
  const appealed = await lose(
    week,
    kestrel,
    {
      title: 'Photograph the opening hours of the parcel shop',
      description: 'All of the sign must be readable.',
      proof_required: 'photo',
      budget_cents: 700,
      location: near(-0.9, 0.4),
    },
    { reason: 'The lower half of the sign is missing.', category: 'unreadable' },
  )
  const conceded = await lose(
    week,
    kestrel,
    {
      title: 'Is the loading bay at gate 4 free?',
      description: 'Look from the street.',
      proof_required: 'photo',
      budget_cents: 500,
      location: near(1.2, 1.6),
    },
    { reason: 'This is gate 5.', category: 'wrong_place' },
  )
  return { appealed, conceded }
}

/** Ada appeals a dispute, and the agent withdraws it; another task is cancelled while she has it. */
async function winAppeal(week: Week, conceded: string): Promise<string> {
  const { market, agents, people } = week
  const { brandloop, nordlicht, kestrel } = agents
  const { ada } = people
  await goTo(market, -2 * DAY + 10 * HOUR)
  done(
    await ada.post(`/worker/tasks/${conceded}/appeal`, {
      statement: 'The photo shows the number 4 above the gate, at the right edge.',
    }),
  )
  await market.work()
  done(await kestrel.post(`/tasks/${conceded}/dispute/withdraw`))
  await earn(week, nordlicht, {
    title: 'Photograph five price labels of oat milk',
    description: 'In the supermarket at the station.',
    type: 'field_mission',
    proof_required: 'photo',
    budget_cents: 1500,
    location: near(0.5, 0.2),
  })
  const cancelled = await openTask(brandloop, {
    title: 'Look whether the poster at the town hall hangs',
    description: 'Photograph it.',
    proof_required: 'photo',
    budget_cents: 800,
    location: near(0.3, 0.9),
  })
  await accept(ada, cancelled)
  market.advance(4 * MINUTE)
  done(await brandloop.post(`/tasks/${cancelled}/cancel`))
  return cancelled
}

async function appealAndMissDeadline(week: Week, appealed: string) {
  const { market, agents, people } = week
  const { atlas, kestrel } = agents
  const { ada, others } = people
  await goTo(market, -1 * DAY)
  await giveRecords(market, agents, others)
  done(
    await ada.post(`/worker/tasks/${appealed}/appeal`, {
      statement: 'The lower half is behind the door, which was open. I wrote that with the photo.',
    }),
  )
  const disputed = await lose(
    week,
    kestrel,
    {
      title: 'Read the meter in the yard of Rissener Strasse 12',
      description: 'The number with all its digits.',
      proof_required: 'photo',
      budget_cents: 900,
      location: near(0.7, -0.2),
      criteria: [
        { id: 'digits', text: 'All seven digits can be read' },
        { id: 'label', text: 'The label of the meter is in the photo' },
      ],
    },
    {
      reason: 'The last two digits are not readable: there is a reflection on the glass.',
      category: 'unreadable',
      criteria: ['digits'],
    },
  )
  const late = await openTask(atlas, {
    title: 'Is the lift at the station running?',
    description: 'Press the button and wait.',
    urgency: 'urgent',
    budget_cents: 400,
    location: near(0.4, -0.5),
  })
  await accept(ada, late)
  market.advance(2 * HOUR)
  await market.settle()
  return { disputed, late }
}

async function workToday(week: Week) {
  const { market, agents, people } = week
  const { atlas, brandloop } = agents
  const { ada, others } = people
  await goTo(market, -3 * HOUR)
  const today = await earn(week, atlas, {
    title: 'Is the bakery on Moorweg open on Sundays?',
    description: 'Photograph the sign with the hours.',
    type: 'verification',
    proof_required: 'photo',
    budget_cents: 500,
    location: near(0.6, 0.4),
  })
  const mood = await openTask(brandloop, {
    title: 'How does this reply to a complaint feel?',
    description: '“We are sorry that you feel that way.” Say it in one word and in one sentence.',
    type: 'vibe_reader',
    consensus_count: 3,
    budget_cents: 900,
  })
  for (const worker of [ada, others[0]!]) await accept(worker, mood)
  await prove(ada, mood)
  await market.work()
  return { today, mood }
}

/** Ada does a task, and the agent approves it. */
async function earn(
  { market, people: { ada } }: Week,
  agent: Agent,
  fields: Fields,
  tipCents?: number,
): Promise<string> {
  const id = await openTask(agent, fields)
  await accept(ada, id)
  market.advance(20 * MINUTE)
  await prove(ada, id, fields)
  market.advance(11 * MINUTE)
  done(
    await agent.post(`/tasks/${id}/approve`, tipCents === undefined ? {} : { tip_cents: tipCents }),
  )
  return id
}
/** Ada does a task, and the agent disputes it. */
async function lose(
  { market, people: { ada } }: Week,
  agent: Agent,
  fields: Fields,
  verdict: Json,
): Promise<string> {
  const id = await openTask(agent, fields)
  await accept(ada, id)
  market.advance(25 * MINUTE)
  await prove(ada, id, fields)
  market.advance(40 * MINUTE)
  done(await agent.post(`/tasks/${id}/dispute`, verdict))
  return id
}

/** Puts script into every field where a person or an agent can enter text. */
async function writeScript(market: Marketplace, agent: Agent, mallory: TestWorker) {
  const fields = {
    title: `Title ${SCRIPT}`,
    description: `Description ${SCRIPT}`,
    budget_cents: 500,
    location: { address: `Address ${SCRIPT}`, ...FAR_AWAY },
    criteria: [{ id: 'one', text: `Criterion ${SCRIPT}` }],
    proof_required: 'photo',
  }
  done(
    await mallory.put('/worker/profile', {
      bio: `Bio ${SCRIPT}`,
      skills: [`${SCRIPT}`.slice(0, 50)],
    }),
  )
  const scriptDisputed = await openTask(agent, fields)
  await accept(mallory, scriptDisputed)
  done(
    await mallory.post(`/worker/tasks/${scriptDisputed}/proof`, {
      text: `Proof ${SCRIPT}`,
      photos: [PHOTO],
    }),
  )
  done(await agent.post(`/tasks/${scriptDisputed}/dispute`, { reason: `Reason ${SCRIPT}` }))
  market.catchUp()
  const scriptHeld = await openTask(agent, fields)
  await accept(mallory, scriptHeld)
  const scriptOpen = await openTask(agent, fields)
  await market.work()
  return { scriptDisputed, scriptHeld, scriptOpen }
}

async function offerTasks(market: Marketplace, { atlas, brandloop, nordlicht, kestrel }: Agents) {
  const bakery = await openTask(atlas, {
    title: 'Is the bakery on Moorweg open right now?',
    description:
      'Go to the door of the bakery.\n1. Look whether the light is on and the door opens.\n2. Photograph the ' +
      'door with the sign that has the opening hours.\n3. Say whether it is open.',
    type: 'verification',
    proof_required: 'photo',
    budget_cents: 550,
    deadline: '38m',
    location: { address: 'Moorweg 8, Wedel', ...near(0.2, 0.25) },
    answer_schema: { type: 'boolean', description: 'Is it open?' },
    criteria: [
      { id: 'door', text: 'The whole door is in the photo' },
      { id: 'hours', text: 'The opening hours can be read' },
    ],
  })
  await openTask(nordlicht, {
    title: 'Photograph five oat-milk price labels',
    description: 'In the supermarket at the station, one photo for each label.',
    type: 'field_mission',
    proof_required: 'photo',
    skills: ['photography'],
    budget_cents: 1800,
    deadline: '6h',
    location: near(0.5, 0.2),
  })
  const consensus = await openTask(brandloop, {
    title: 'Does this logo look like a bank you would trust?',
    description: 'Look at the logo, and say how much you would trust it with your money.',
    type: 'gut_check',
    consensus_count: 5,
    budget_cents: 1500,
    deadline: '2h',
    answer_schema: { type: 'integer', minimum: 1, maximum: 10, description: 'How much?' },
  })
  await openTask(atlas, ANNOUNCEMENT)
  await openTask(kestrel, LOADING_BAY)
  await openTask(brandloop, LIBRARY)
  await openTask(brandloop, {
    title: 'Read this apology aloud in your head: does it sound sincere?',
    description: 'Say what you feel, in two sentences.',
    type: 'vibe_reader',
    budget_cents: 450,
    deadline: '3h',
  })
  await openTask(kestrel, {
    title: 'Write a kind answer to a customer whose parcel is lost',
    description: 'He waited for a birthday present. Write what you would like to read.',
    type: 'empathy_escalation',
    budget_cents: 1200,
    deadline: '4h',
    context: { name: 'Mr. Sommer', channel: 'e-mail', tone: 'warm' },
  })
  const remote = await openTask(nordlicht, {
    title: 'Which of these two receipts is easier to read?',
    description: 'Compare them, and say why in a sentence.',
    type: 'custom',
    budget_cents: 350,
    deadline: '12h',
    answer_schema: { type: 'string', enum: ['The first', 'The second'] },
  })
  const locked = await openTask(kestrel, {
    title: 'Wait for the technician and let her in',
    description: 'She comes between nine and twelve. The key is at the neighbour’s.',
    type: 'field_mission',
    budget_cents: 6500,
    min_worker_level: 3,
    deadline: '2d',
    location: near(1.3, -0.4),
  })
  const skilled = await openTask(kestrel, {
    title: 'Ask at the bakery when the next bread is ready',
    description: 'They speak only Portuguese. Drive there if you can: it is far from the station.',
    type: 'field_mission',
    budget_cents: 1200,
    skills: ['driving'],
    languages: ['pt-br'],
    deadline: '2d',
    location: near(1.1, -0.3),
  })
  await market.work()
  return { bakery, consensus, remote, locked, skilled }
}

/** Ada accepts one task of every kind. */
async function takeTasks(
  market: Marketplace,
  { atlas, brandloop, nordlicht, kestrel }: Agents,
  { ada }: People,
) {
  const take = async (agent: Agent, fields: Fields) => {
    const id = await openTask(agent, fields)
    await accept(ada, id)
    return id
  }
  const photo = await take(atlas, DOOR)
  const scale = await take(brandloop, {
    title: 'How trustworthy does this shop look?',
    description: 'Look at the picture of the shop window.',
    type: 'gut_check',
    consensus_count: 5,
    budget_cents: 1500,
    deadline: '2h',
    context: { url: 'https://brandloop.example/shop-window' },
    answer_schema: { type: 'integer', minimum: 1, maximum: 10, description: 'From 1 to 10' },
  })
  const call = await take(brandloop, LIBRARY)
  const video = await take(kestrel, LOADING_BAY)
  const audio = await take(atlas, ANNOUNCEMENT)
  const again = await take(nordlicht, {
    title: 'Photograph the shelf with the new crisps',
    description: 'All of the shelf, from the front.',
    proof_required: 'photo',
    budget_cents: 1000,
    deadline: '5h',
    location: near(0.5, 0.2),
  })
  await prove(ada, again, { proof_required: 'photo', description: '' })
  done(
    await nordlicht.post(`/tasks/${again}/request-revision`, {
      note: 'The left end of the shelf is missing. Please step back a little.',
    }),
  )
  const review = await take(nordlicht, {
    title: 'Is the new bus shelter at the market lit?',
    description: 'After dark, one photo.',
    proof_required: 'photo',
    budget_cents: 650,
    deadline: '3h',
    location: near(0.1, -0.3),
  })
  await prove(ada, review, { proof_required: 'photo', description: '' })
  await market.work()
  return { photo, scale, call, video, audio, again, review }
}

/** The agent's sixth dispute of the day, about Ada's proof, so Legwork must decide first. */
async function holdDispute(agent: Agent, { ada, others }: People): Promise<string> {
  const dispute = async (worker: TestWorker, fields: Fields, reason: string) => {
    const id = await openTask(agent, { proof_required: 'photo', ...fields })
    await accept(worker, id)
    await prove(worker, id, { proof_required: 'photo' })
    const reply = await agent.post(`/tasks/${id}/dispute`, { reason })
    done(reply)
    return { id, status_reason: reply.body.task.status_reason as string }
  }
  for (let at = 0; at < 5; at += 1)
    await dispute(others[at % others.length]!, { description: 'Count the bicycles' }, 'Too dark.')
  const { id, status_reason } = await dispute(
    ada,
    {
      title: 'Count the bicycles in front of the town hall',
      description: 'Count them and photograph the racks.',
      budget_cents: 750,
      location: near(0.2, 0.5),
    },
    'Two racks are missing from the photo.',
  )
  assert.equal(status_reason, 'dispute_held')
  return id
}

async function openTask(agent: Agent, fields: Fields): Promise<string> {
  const { status, body, text } = await agent.post('/tasks', { budget_cents: 500, ...fields })
  assert.equal(status, 201, text)
  return body.task.id as string
}

const accept = async (worker: TestWorker, id: string) =>
  done(await worker.post(`/worker/tasks/${id}/accept`))

async function prove(worker: TestWorker, id: string, fields: Partial<Fields> = {}): Promise<void> {
  done(
    await worker.post(`/worker/tasks/${id}/proof`, {
      text: 'As asked for; see the photo.',
      ...(fields['proof_required'] === 'photo' ? { photos: [DOOR_PHOTO] } : {}),
    }),
  )
}

async function goTo(market: Marketplace, fromNowMs: number): Promise<void> {
  market.advance(Math.max(0, Date.now() + fromNowMs - market.now().getTime()))
  await market.settle()
}

function done(reply: Reply): void {
  assert(reply.status < 300, reply.text)
}
