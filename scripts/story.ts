/**
 * `npm run story`: the whole life of a task and its money, narrated as it happens. It runs one database, one server
 * with every role, a real mailbox, real files, the sandbox processor with its pages, and an agent's server that
 * receives webhooks, all on this machine and removed afterward. Every step is a call that anyone could make or a form
 * that anyone could fill in; after each step it prints which webhooks the agent got and how the money moved. At the
 * end, the books are reconciled with the processor's, and the ledger is audited.
 *
 * Days pass in a moment: the clock is the only thing that isn't real.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { styleText } from 'node:util'
import sharp from 'sharp'
import { readConfig } from '../server/src/config.ts'
import { openLog } from '../server/src/kit/log.ts'
import type { Background } from '../server/src/kit/job.ts'
import { formatCents } from '../server/src/kit/money.ts'
import { auditLedger } from '../server/src/ledger/audit-checks.ts'
import { migrate } from '../server/src/migrate.ts'
import { reconcile } from '../server/src/reconcile/reconcile.ts'
import { startServer } from '../server/src/start.ts'
import { linksIn, startMailbox } from './inbox.ts'
import { freePort, startPostgres } from './postgres.ts'
import { type ReceivedWebhook, startReceiver } from './receiver.ts'
import { startProcessor } from './sandbox.ts'
import {
  type Body,
  call,
  type Client,
  openPage,
  type OpenPage,
  send,
  until,
  withKey,
} from './visitor.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The operator's own money, from which free tasks are paid. */
const OPERATOR_CENTS = 100_000
const BERLIN = { lat: 52.5219, lng: 13.4132 }
const HEADING = /<h1[^>]*>([^]*?)<\/h1>/
const ALERT = /<strong>([^]*?)<\/strong>/
const AMOUNT = /<p class="big money">([^]*?)<\/p>/
/** All events in the story; the default subscription has only the four that need a response. */
const EVENTS = [
  'task.accepted',
  'task.proof_submitted',
  'task.consensus_proof',
  'task.completed',
  'task.disputed',
  'task.expired',
  'payout.paid',
  'deposit.succeeded',
]
const CARD = { expiry: '12 / 34', cvc: '123', name: 'Atlas Maps' }

const closers: (() => unknown)[] = []
try {
  await story()
} finally {
  for (const close of closers.reverse()) await close()
}

type Marketplace = Awaited<ReturnType<typeof openMarketplace>>

interface Stage extends Marketplace {
  atlas: Client
  receiver: Awaited<ReturnType<typeof startReceiver>>
  /** The status that the agent's server responds with. */
  receiverStatus: number
  /** Webhooks that were already printed. */
  shown: Set<ReceivedWebhook>
}

type People = Awaited<ReturnType<typeof threeJoin>>

/** The completed tasks, whose workers are paid. */
type Paid = Record<'bakery' | 'slogan' | 'silent', Body>

async function story(): Promise<void> {
  const stage = await payIn(await openMarketplace())
  const people = await threeJoin(stage)
  const bakery = await approvePhoto(stage, people)
  await disputeProof(stage, people)
  const slogan = await resolveConflict(stage, people)
  await letTaskExpire(stage)
  const silent = await approveBySilence(stage, people)
  const paid = { bakery, slogan, silent }
  await holdPayout(stage, people, paid)
  await payOut(stage, people, paid)
  await closeBooks(stage)
}

async function openMarketplace() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-story-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    temporary: true,
  })
  closers.push(() => postgres.stop())
  const mailbox = await startMailbox()
  closers.push(() => mailbox.stop())

  let aheadMs = 0
  const clock = {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms: number) {
      aheadMs += ms
    },
  }
  const processor = await startProcessor({ key: 'story', now: clock.now })
  closers.push(() => processor.stop())

  const config = readConfig({
    ...processor.settings,
    DATABASE_URL: postgres.url,
    // The processor's pages link back to this port.
    PORT: String(await freePort()),
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    CHECK_ANSWERS: 'on',
    SMTP_URL: mailbox.url,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    FILES_DIR: path.join(folder, 'files'),
    // All actors call from one address.
    LIMIT_LOGIN_PER_15_MINUTES: '100',
    LIMIT_GLOBAL_PER_MINUTE: '1000',
  })
  await migrate(postgres.url, { log: openLog('error') })
  const server = await startServer({ config, roles: ['api', 'jobs'], clock, log: openLog('error') })
  closers.push(() => server.stop())
  await processor.tell(server.addresses.api!)
  await processor.fundOnce(OPERATOR_CENTS)
  const { db, log, metrics } = server
  const background: Background = { db, clock, config, log, metrics }
  return { api: server.addresses.api!, background, clock, mails: mailbox.mails }
}

async function payIn(market: Marketplace): Promise<Stage> {
  title('An agent deposits money')
  const { api, clock } = market
  let secret = ''
  const receiver = await startReceiver({ secretOf: () => secret, now: clock.now })
  closers.push(() => receiver.stop())
  const { agent } = await call(api, 'POST', '/agents/register', {
    body: {
      name: 'Atlas Maps',
      email: 'atlas@example.com',
      webhook_url: receiver.address,
      events: EVENTS,
    },
  })
  secret = agent.webhook_secret as string
  step(`Atlas Maps registers and gets a key and ${agent.free_tasks_remaining} free tasks`)
  step('It sets a webhook URL and gets a secret to verify webhooks')
  const atlas = withKey(api, agent.api_key as string)
  const stage: Stage = { ...market, atlas, receiver, receiverStatus: 204, shown: new Set() }
  const deposit = await atlas.post('/wallet/deposit', { amount_cents: 10_000 })
  step('It starts a deposit of $100.00 and gets a link to a payment page')
  const checkout = await openPage(deposit.checkout_url as string)
  const declined = await send(checkout, { ...CARD, number: '4000 0000 0000 0002' })
  step(`The first card is declined: “${textOf(declined, ALERT)}”`)
  await money(stage)
  const paid = await send(checkout, { ...CARD, number: '4242 4242 4242 4242' })
  step(`The second card works and leads back to us: “${textOf(paid, HEADING)}”`)
  const arrived = await until(async () => {
    const page = await openPage(paid.url)
    return textOf(page, HEADING).includes('added') ? page : undefined
  })
  step(`A moment later: “${textOf(arrived, HEADING)}”`)
  await atlasHears(stage, undefined, 'deposit.succeeded')
  await money(stage)
  return stage
}

async function threeJoin(stage: Stage) {
  title('Three people join')
  const ada = await join(stage, 'Ada', 'ada@example.com')
  const ben = await join(stage, 'Ben', 'ben@example.com')
  const cem = await join(stage, 'Cem', 'cem@example.com')
  await money(stage)
  return { ada, ben, cem }
}

async function approvePhoto(stage: Stage, { ada }: People): Promise<Body> {
  title('A photo is approved')
  const { atlas } = stage
  const bakery = await create(stage, '/verify', {
    question: 'Is the bakery open right now?',
    location: { address: 'Moorweg 12, Berlin', ...BERLIN },
    budget_cents: 2500,
  })
  await money(stage)
  const card = await untilInFeed(ada, bakery.id as string)
  const facts = [card.title, dollars(card.you_earn_cents), `${card.distance_km} km`, card.area]
  step(`Ada sees it: ${facts.join(' · ')}`)
  assert.equal(JSON.stringify(card).includes('Moorweg'), false, 'the address is not shown yet')
  const accepted = await ada.post(`/worker/tasks/${bakery.id}/accept`)
  step(`Ada accepts it and sees the address: ${accepted.task.location.address}`)
  await atlasHears(stage, bakery, 'task.accepted')
  const sent = await ada.post(`/worker/tasks/${bakery.id}/proof`, {
    photos: [await photo()],
    answer: true,
    text: 'Open until six, says the sign.',
    location: { ...BERLIN, accuracy_m: 8 },
  })
  step(`Ada sends a photo of ${sent.proof.files[0].bytes} bytes and the answer yes`)
  await atlasHears(stage, bakery, 'task.proof_submitted')
  const proof = await atlas.get(`/tasks/${bakery.id}/proof`)
  const [read] = proof.proofs as Body[]
  const checks = (read!.checks as Body[]).map(({ name, result }) => `${name}: ${result}`)
  step(`Atlas Maps reads “${read!.text}” and sees the photo; our checks: ${checks.join(', ')}`)
  const approved = await atlas.post(`/tasks/${bakery.id}/approve`, { tip_cents: 100 })
  const { settlement } = approved
  step('Atlas Maps approves, with a tip of $1.00')
  step(`Ada gets ${dollars(settlement.workers[0].net_cents)} and the tip`)
  step(`The commission is ${dollars(settlement.commission_cents)}`)
  await atlasHears(stage, bakery, 'task.completed')
  await money(stage)
  return bakery
}

async function disputeProof(stage: Stage, { ben }: People): Promise<void> {
  title('A proof is disputed')
  const { atlas } = stage
  const sign = await create(stage, '/tasks', {
    description: 'Read every line of the sign at the door.',
    budget_cents: 3000,
  })
  await ben.post(`/worker/tasks/${sign.id}/accept`)
  await ben.post(`/worker/tasks/${sign.id}/proof`, { text: 'There is a sign.' })
  const before = await ben.get('/worker/trust')
  const disputed = await atlas.post(`/tasks/${sign.id}/dispute`, {
    reason: 'The lines are not there',
  })
  const after = await ben.get('/worker/trust')
  step('Ben sends “There is a sign.”')
  await atlasHears(stage, sign, 'task.accepted', 'task.proof_submitted')
  step(`Atlas Maps disputes it and gets ${dollars(disputed.refunded_cents)} back`)
  await atlasHears(stage, sign, 'task.disputed')
  const told = await ben.get(`/worker/tasks/${sign.id}`)
  step(
    `Ben sees the reason: “${told.assignment.reason}”. ` +
      `His trust score drops from ${before.trust_score} to ${after.trust_score}`,
  )
  await money(stage)
}

async function resolveConflict(stage: Stage, { ada, ben, cem }: People): Promise<Body> {
  title('Three people disagree, and the agent decides')
  const { atlas } = stage
  const slogan = await create(stage, '/gut-check', {
    content: 'Legs for your software',
    question: 'Does this read well?',
    scale: '1-10',
    consensus: 3,
    budget_cents: 2400,
  })
  for (const [worker, answer] of [
    [ada, 1],
    [ben, 5],
    [cem, 10],
  ] as const) {
    await worker.post(`/worker/tasks/${slogan.id}/accept`)
    await worker.post(`/worker/tasks/${slogan.id}/proof`, { answer })
    step(`${worker.name} says ${answer}`)
    await atlasHears(stage, slogan, 'task.accepted', 'task.proof_submitted', 'task.consensus_proof')
  }
  const refused = await atlas.post(`/tasks/${slogan.id}/approve`, {}, 409)
  step(`Approving is refused: “${refused.error}”`)
  const settled = await atlas.post(`/tasks/${slogan.id}/approve`, { override_result: 5 })
  step(
    `Atlas Maps overrides the result with 5 and approves. All three are paid: ${settled.settlement.workers
      .map((worker: Body) => dollars(worker.net_cents))
      .join(', ')}`,
  )
  await atlasHears(stage, slogan, 'task.completed')
  await money(stage)
  return slogan
}

async function letTaskExpire(stage: Stage): Promise<void> {
  title('A task expires')
  const nobody = await create(stage, '/tasks', {
    description: 'Find a phone box that works.',
    budget_cents: 2200,
    deadline: '2h',
  })
  await money(stage)
  stage.clock.advance(2 * HOUR)
  await untilStatus(stage, nobody.id as string, 'expired')
  step('Two hours later the deadline passes. The task expires, and its budget is refunded')
  await atlasHears(stage, nobody, 'task.expired')
  await money(stage)
}

async function approveBySilence(stage: Stage, { cem }: People): Promise<Body> {
  title('The agent’s server is down, so it doesn’t respond')
  const { atlas, clock, receiver } = stage
  stage.receiverStatus = 503
  await atlas.patch('/agents/me', { webhook_url: `${receiver.address}/${stage.receiverStatus}` })
  step(`Atlas Maps’ server now responds to everything with ${stage.receiverStatus}`)
  const silent = await create(stage, '/tasks', {
    description: 'Say in one sentence what the square smells of.',
    budget_cents: 2000,
  })
  await cem.post(`/worker/tasks/${silent.id}/accept`)
  await cem.post(`/worker/tasks/${silent.id}/proof`, { text: 'Roasted almonds and rain.' })
  step('Cem writes “Roasted almonds and rain.”')
  await atlasHears(stage, silent, 'task.accepted', 'task.proof_submitted')
  clock.advance(24 * HOUR)
  const completed = await untilStatus(stage, silent.id as string, 'completed')
  step(
    `A day later the proof is approved automatically (approved by: ${completed.approved_by}), and Cem is paid`,
  )
  await atlasHears(stage, silent, 'task.completed')
  await money(stage)
  stage.receiverStatus = 204
  await atlas.patch('/agents/me', { webhook_url: receiver.address })
  const { replayed } = await atlas.post('/events/replay', { from: silent.created_at })
  step(`The server works again. Atlas Maps replays the events it missed: ${replayed}`)
  await atlasHears(stage, silent, 'task.accepted', 'task.proof_submitted', 'task.completed')
  return silent
}

async function holdPayout(stage: Stage, { ada }: People, { bakery }: Paid): Promise<void> {
  title('Ada sets up payouts')
  const { clock } = stage
  const { status } = await setUpPayouts(ada)
  step('Ada enters her details and her bank account on the processor’s page')
  step(`The processor has verified her. Her payouts are ${status}`)
  const held = await untilPayoutIs(stage, 'held', { worker: ada, task: bakery })
  const days = Math.ceil((Date.parse(held.available_at) - clock.now().getTime()) / DAY)
  step(
    `Atlas Maps requests the payout for the bakery. It is on hold for ${days} more days, because the deposit is new`,
  )
  await money(stage)
}

async function payOut(
  stage: Stage,
  { ada, cem }: People,
  { bakery, slogan, silent }: Paid,
): Promise<void> {
  title('A week later')
  const { atlas, clock } = stage
  await untilHeard(stage)
  clock.advance(7 * DAY)
  const paidOut = await untilPayoutIs(stage, 'paid', { worker: ada, task: bakery })
  step(
    `The payout was sent automatically: ${dollars(paidOut.amount_cents)} for the bakery is in Ada’s account`,
  )
  await atlasHears(stage, bakery, 'payout.paid')
  await untilPayoutIs(stage, 'paid', { worker: ada, task: slogan })
  const { payouts } = await atlas.post(`/tasks/${slogan.id}/payout`)
  const statuses = (payouts as Body[]).map(({ status }) => status)
  step(`The payouts of the three opinions: ${statuses.join(', ')}`)
  await money(stage)
  await setUpPayouts(await cem.logIn())
  for (const task of [slogan, silent]) await untilPayoutIs(stage, 'paid', { worker: cem, task })
  step('Cem sets up payouts, and the money that waited for him is sent automatically')
  await money(stage)
  const { dashboard_url } = await (await ada.logIn()).post('/worker/stripe/dashboard')
  const dashboard = await openPage(dashboard_url as string)
  step(`Ada opens her dashboard at the processor: ${textOf(dashboard, AMOUNT)} has arrived`)
}

async function closeBooks(stage: Stage): Promise<void> {
  title('The ledger is reconciled')
  const { atlas, background, receiver } = stage
  await untilHeard(stage)
  const books = await reconcile(background)
  step(`The processor holds ${dollars(books.processor_cents)} for us.`)
  step(`Our ledger says ${dollars(books.ledger_cents)}.`)
  const difference = books.processor_cents - books.ledger_cents
  step(
    `The difference is ${dollars(difference)}. Of it, ${dollars(books.own_funds_cents)} is our own money.`,
  )
  assert.equal(difference, 0)
  const breaks = await auditLedger(background.db.reader)
  for (const { invariant, subject } of breaks) step(`BROKEN ${invariant}: ${subject}`)
  assert.deepEqual(breaks, [])
  const total = await background.db.reader
    .selectFrom('transfers')
    .select((select) => select.fn.countAll<number>().as('lines'))
    .executeTakeFirstOrThrow()
  step(`The ledger balances: all ${total.lines} lines add up.`)
  assert(receiver.webhooks.every(({ problem }) => problem === undefined))
  const { deliveries } = await atlas.get('/webhooks/deliveries?outcome=failed')
  step(
    `Atlas Maps received ${receiver.webhooks.length} webhooks and verified each of them. ` +
      `It responded to ${deliveries.length} with 503, and they were sent again.\n`,
  )
}

// The actors and what they can do.

/** Registers, follows the link in the email, logs in, and sets a location. */
async function join({ api, mails }: Stage, name: string, email: string) {
  const password = `a password of ${name}`
  const { worker: person } = await call(api, 'POST', '/worker/register', {
    body: { name, email, password },
  })
  const early = await call(api, 'POST', '/worker/login', {
    body: { email, password },
    expected: 403,
  })
  const mail = await until(() => mails.find(({ to }) => to.includes(email)))
  const token = new URL(linksIn(mail.text)[0]!).searchParams.get('token')!
  await call(api, 'POST', '/worker/verify', { body: { token } })
  step(`${name} registers. Logging in right away fails: “${early.error}”`)
  step(`The link in the email “${mail.subject}” confirms the account`)
  const logIn = async () => {
    const { token: jwt } = await call(api, 'POST', '/worker/login', { body: { email, password } })
    return withKey(api, jwt as string)
  }
  const worker = await logIn()
  await worker.put('/worker/profile', {
    location: { label: 'Berlin', lat: 52.52, lng: 13.405, radius_km: 10 },
  })
  return { id: person.id as string, name, logIn, ...worker }
}

/** Completes onboarding on the processor's page; a verified worker can be paid. */
async function setUpPayouts(worker: Client): Promise<Body> {
  const { onboarding_url } = await worker.post('/worker/stripe/connect')
  const form = await openPage(onboarding_url as string)
  await send(form, { name: 'A Person', month: '3', day: '27', year: '1990' })
  return until(async () => {
    const account = await worker.get('/worker/stripe/status')
    return account.status === 'active' ? account : undefined
  })
}

/** Waits until a worker's payout for a task has this status. */
async function untilPayoutIs(
  { atlas }: Stage,
  status: string,
  { worker, task }: { worker: { id: string }; task: Body },
): Promise<Body> {
  return until(async () => {
    const { payouts } = await atlas.post(`/tasks/${task.id}/payout`)
    const payout = (payouts as Body[]).find(({ worker_id }) => worker_id === worker.id)
    return payout?.status === status ? payout : undefined
  })
}

async function create({ atlas }: Stage, to: string, body: Body): Promise<Body> {
  const { task } = await atlas.post(to, body)
  const question = (task.description as string).split('\n')[0]
  const payer = task.funding === 'free' ? ', a free task' : ''
  step(`Atlas Maps asks: “${question}” for ${dollars(task.budget_cents)}${payer}`)
  return task as Body
}

async function untilInFeed(worker: Client, id: string): Promise<Body> {
  return until(async () => {
    const { tasks } = await worker.get('/worker/feed?sort=new')
    return (tasks as Body[]).find((task) => task.id === id)
  })
}

async function untilStatus({ atlas }: Stage, id: string, status: string): Promise<Body> {
  return until(async () => {
    const { task } = await atlas.get(`/tasks/${id}`)
    return task.status === status ? (task as Body) : undefined
  })
}

/** Waits until all processor events are handled; events that couldn't be handled yet are retried minutes later. */
async function untilHeard({ background, clock }: Stage): Promise<void> {
  await until(async () => {
    const untold = await background.db.reader
      .selectFrom('processor_events')
      .select('event_id')
      .where('status', '=', 'pending')
      .executeTakeFirst()
    if (untold === undefined) return true
    clock.advance(MINUTE)
    return undefined
  })
}

/** Waits until the agent's server has received new webhooks of these types, and prints them. */
async function atlasHears(stage: Stage, task: Body | undefined, ...types: string[]): Promise<void> {
  for (const type of types) {
    const webhook = await until(() =>
      stage.receiver.webhooks.findLast(
        (one) =>
          one.event?.type === type &&
          one.event.data.task?.id === task?.id &&
          one.answered === stage.receiverStatus &&
          !stage.shown.has(one),
      ),
    )
    stage.shown.add(webhook)
    assert.equal(webhook.problem, undefined)
    const { event, times } = webhook
    const parts = [
      `webhook ${type}`,
      ...(event!.sequence === null ? [] : [`event ${event!.sequence} of this task`]),
      ...(times > 1 ? ['seen before'] : []),
      'verified ✓',
      `responded ${stage.receiverStatus}`,
    ]
    say(styleText('cyan', `      ${parts.join(' · ')}`))
  }
}

/** Prints the balances of the wallet and the workers, and the escrow. */
async function money({ atlas, background: { db } }: Stage): Promise<void> {
  const { balance_formatted } = await atlas.get('/wallet')
  const workers = await db.reader
    .selectFrom('ledger_workers')
    .innerJoin('workers', 'workers.id', 'ledger_workers.worker_id')
    .select(['name', 'payable_cents'])
    .orderBy('name')
    .execute()
  const { held } = await db.reader
    .selectFrom('tasks')
    .select((select) => select.fn.sum<number>('escrow_cents').as('held'))
    .executeTakeFirstOrThrow()
  const paidOut = await db.reader
    .selectFrom('payouts')
    .innerJoin('workers', 'workers.id', 'payouts.worker_id')
    .select((select) => ['name', select.fn.sum<number>('amount_cents').as('cents')])
    .where('payouts.status', '=', 'paid')
    .groupBy('name')
    .orderBy('name')
    .execute()
  const earned = workers.map(({ name, payable_cents }) => `${name} ${dollars(payable_cents)}`)
  const sent = paidOut.map(({ name, cents }) => `${name} ${dollars(cents)}`)
  const parts = [`wallet ${balance_formatted}`, `held ${dollars(held ?? 0)}`]
  if (earned.length > 0) parts.push(`earned: ${earned.join(', ')}`)
  if (sent.length > 0) parts.push(`paid out: ${sent.join(', ')}`)
  say(styleText('dim', `      ${parts.join(' · ')}`))
}

/** The text of a page between two tags. */
function textOf({ url, html }: OpenPage, pattern: RegExp): string {
  const found = pattern.exec(html)?.[1]
  assert(found !== undefined, `there is no ${pattern} on ${url}`)
  return found.replaceAll(/<[^>]*>/g, '').trim()
}

/** A photo as a phone would send it: with a location in its metadata. */
async function photo(): Promise<string> {
  const pixels = Buffer.from(Array.from({ length: 80 * 60 * 3 }, (_, i) => (i * 7919) % 253))
  const jpeg = await sharp(pixels, { raw: { width: 80, height: 60, channels: 3 } })
    .resize(1280, 960)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 19/1' } })
    .jpeg()
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

function dollars(cents: unknown): string {
  return formatCents(Number(cents))
}

function title(text: string): void {
  say('', styleText('bold', `  ${text}`))
}

function step(text: string): void {
  say(`    ${text}`)
}

function say(...lines: string[]): void {
  console.log(lines.join('\n'))
}
