/**
 * `npm run story`: the whole life of a task, told as it happens. One database, one server with every role, a real
 * mailbox and real files, all on this machine and all gone afterwards. Every step is a call that anyone could make;
 * after each stands what it did to the money. At the end the ledger is audited.
 *
 * Days pass in a moment: the clock is the one thing that is not real.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { styleText } from 'node:util'
import sharp from 'sharp'
import { readConfig } from '../server/src/config.ts'
import { shardOf } from '../server/src/kit/ids.ts'
import { openLog } from '../server/src/kit/log.ts'
import { formatCents } from '../server/src/kit/money.ts'
import { auditLedger } from '../server/src/ledger/audit.ts'
import { postEntry } from '../server/src/ledger/journal.ts'
import { deposit } from '../server/src/ledger/movements.ts'
import { migrate } from '../server/src/migrate.ts'
import { startServer } from '../server/src/start.ts'
import { linksIn, startMailbox } from './inbox.ts'
import { startPostgres } from './postgres.ts'

const HOUR = 3_600_000
const BERLIN = { lat: 52.5219, lng: 13.4132 }

// What a test knows of an answer, the compiler does not.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = Record<string, any>

const closers: (() => unknown)[] = []
try {
  await story()
} finally {
  for (const close of closers.reverse()) await close()
}

async function story(): Promise<void> {
  const { api, db, clock, mails } = await openMarketplace()

  title('An agent and three people')
  const { agent } = await call('POST', '/agents/register', {
    body: { name: 'Atlas Maps', email: 'atlas@example.com' },
  })
  step(`Atlas Maps registers and gets a key and ${agent.free_tasks_remaining} free tasks`)
  const atlas = withKey(agent.api_key as string)
  await db.transaction((tx) =>
    postEntry(
      tx,
      deposit({
        mode: 'live',
        shard: shardOf(agent.id as string),
        depositId: 'story',
        agentId: agent.id as string,
        amountCents: 10_000,
      }),
      { now: clock.now() },
    ),
  )
  step('It deposits $100.00')
  await money()

  const ada = await join('Ada', 'ada@example.com')
  const ben = await join('Ben', 'ben@example.com')
  const cem = await join('Cem', 'cem@example.com')
  await money()

  title('A photo, approved')
  const bakery = await create('/verify', {
    question: 'Is the bakery open right now?',
    location: { address: 'Moorweg 12, Berlin', ...BERLIN },
    budget_cents: 2500,
  })
  await money()
  const card = await untilInFeed(ada, bakery.id as string)
  const shown = [card.title, dollars(card.you_earn_cents), `${card.distance_km} km`, card.area]
  step(`Ada sees it: ${shown.join(' · ')}`)
  assert.equal(JSON.stringify(card).includes('Moorweg'), false, 'the address is not shown yet')
  const accepted = await ada.post(`/worker/tasks/${bakery.id}/accept`)
  step(`Ada accepts it and is told the address: ${accepted.task.location.address}`)
  const sent = await ada.post(`/worker/tasks/${bakery.id}/proof`, {
    photos: [await photo()],
    answer: true,
    text: 'Open until six, says the sign.',
    location: { ...BERLIN, accuracy_m: 8 },
  })
  step(`Ada sends a photo of ${sent.proof.files[0].bytes} bytes and the answer yes`)
  const proof = await atlas.get(`/tasks/${bakery.id}/proof`)
  const [read] = proof.proofs as Body[]
  const checks = (read!.checks as Body[]).map(({ name, result }) => `${name}: ${result}`)
  step(`Atlas Maps reads “${read!.text}” and sees the photo; our checks: ${checks.join(', ')}`)
  const approved = await atlas.post(`/tasks/${bakery.id}/approve`, { tip_cents: 100 })
  const { settlement } = approved
  step('Atlas Maps approves, with a tip of $1.00')
  step(`Ada gets ${dollars(settlement.workers[0].net_cents)} and the tip`)
  step(`The commission is ${dollars(settlement.commission_cents)}`)
  await money()

  title('A dispute')
  const sign = await create('/tasks', {
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
  step(`Atlas Maps disputes it, and ${dollars(disputed.refunded_cents)} come back`)
  const told = await ben.get(`/worker/tasks/${sign.id}`)
  step(
    `Ben reads why: “${told.assignment.reason}”. His trust goes from ${before.trust_score} to ${after.trust_score}`,
  )
  await money()

  title('Three opinions, a conflict, a decision')
  const slogan = await create('/gut-check', {
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
  }
  const refused = await atlas.post(`/tasks/${slogan.id}/approve`, {}, 409)
  step(`They say 1, 5 and 10. Approving is refused: “${refused.error}”`)
  const settled = await atlas.post(`/tasks/${slogan.id}/approve`, { override_result: 5 })
  step(
    `Atlas Maps approves with its own word, 5; all three are paid: ${settled.settlement.workers
      .map((worker: Body) => dollars(worker.net_cents))
      .join(', ')}`,
  )
  await money()

  title('Nobody comes')
  const nobody = await create('/tasks', {
    description: 'Find a phone box that works.',
    budget_cents: 2200,
    deadline: '2h',
  })
  await money()
  clock.advance(2 * HOUR)
  await untilStatus(nobody.id as string, 'expired')
  step('Two hours pass, the deadline with them: the task expires, and its budget comes back')
  await money()

  title('The agent is silent')
  const silent = await create('/tasks', {
    description: 'Say in one sentence what the square smells of.',
    budget_cents: 2000,
  })
  await cem.post(`/worker/tasks/${silent.id}/accept`)
  await cem.post(`/worker/tasks/${silent.id}/proof`, { text: 'Roasted almonds and rain.' })
  step('Cem writes “Roasted almonds and rain.” Atlas Maps says nothing')
  clock.advance(24 * HOUR)
  const completed = await untilStatus(silent.id as string, 'completed')
  step(`A day later silence is approval (approved by: ${completed.approved_by}), and Cem is paid`)
  await money()

  title('The books')
  const breaks = await auditLedger(db.reader)
  for (const { invariant, subject } of breaks) step(`BROKEN ${invariant}: ${subject}`)
  assert.deepEqual(breaks, [])
  const total = await db.reader
    .selectFrom('transfers')
    .select((select) => select.fn.countAll<number>().as('lines'))
    .executeTakeFirstOrThrow()
  step(`The ledger holds: every cent of ${total.lines} lines is where it should be.\n`)

  // The actors and what they can do.

  function withKey(key: string) {
    const send =
      (method: string) =>
      (to: string, body?: Body, expected = 0) =>
        call(method, to, { key, ...(body ? { body } : {}), expected })
    return { get: send('GET'), post: send('POST'), put: send('PUT') }
  }

  /** Registers, follows the link in the mail, logs in, says where they are. */
  async function join(name: string, email: string) {
    const password = `a password of ${name}`
    await call('POST', '/worker/register', { body: { name, email, password } })
    const early = await call('POST', '/worker/login', { body: { email, password }, expected: 403 })
    const mail = await until(() => mails.find(({ to }) => to.includes(email)))
    const token = new URL(linksIn(mail.text)[0]!).searchParams.get('token')!
    await call('POST', '/worker/verify', { body: { token } })
    const { token: jwt } = await call('POST', '/worker/login', { body: { email, password } })
    step(`${name} registers. Logging in at once is refused: “${early.error}”`)
    step(`The link in the mail “${mail.subject}” opens the door`)
    const worker = withKey(jwt as string)
    await worker.put('/worker/profile', {
      location: { label: 'Berlin', lat: 52.52, lng: 13.405, radius_km: 10 },
    })
    return { name, ...worker }
  }

  async function create(to: string, body: Body): Promise<Body> {
    const { task } = await atlas.post(to, body)
    const question = (task.description as string).split('\n')[0]
    const payer = task.funding === 'free' ? ', a free task' : ''
    step(`Atlas Maps asks: “${question}” for ${dollars(task.budget_cents)}${payer}`)
    return task as Body
  }

  async function untilInFeed(worker: ReturnType<typeof withKey>, id: string): Promise<Body> {
    return until(async () => {
      const { tasks } = await worker.get('/worker/feed?sort=new')
      return (tasks as Body[]).find((task) => task.id === id)
    })
  }

  async function untilStatus(id: string, status: string): Promise<Body> {
    return until(async () => {
      const { task } = await atlas.get(`/tasks/${id}`)
      return task.status === status ? (task as Body) : undefined
    })
  }

  /** What the wallet and the workers have, and what is held for tasks. */
  async function money(): Promise<void> {
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
    const earned = workers.map(({ name, payable_cents }) => `${name} ${dollars(payable_cents)}`)
    const parts = [`wallet ${balance_formatted}`, `held ${dollars(held ?? 0)}`]
    if (earned.length > 0) parts.push(`earned: ${earned.join(', ')}`)
    say(styleText('dim', `      ${parts.join(' · ')}`))
  }

  async function call(
    method: string,
    to: string,
    { key, body, expected = 0 }: { key?: string; body?: Body; expected?: number },
  ): Promise<Body> {
    const response = await fetch(api + to, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Body
    const isRight = expected === 0 ? response.ok : response.status === expected
    assert(isRight, `${method} ${to}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
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
  const config = readConfig({
    DATABASE_URL: postgres.url,
    PORT: '0',
    OPS_PORT: '0',
    LOG_LEVEL: 'error',
    CHECK_ANSWERS: 'on',
    SMTP_URL: mailbox.url,
    FILES_DIR: path.join(folder, 'files'),
    // All of them call from one address.
    LIMIT_LOGIN_PER_15_MINUTES: '100',
    LIMIT_GLOBAL_PER_MINUTE: '1000',
  })
  await migrate(postgres.url, { log: openLog('error') })

  let aheadMs = 0
  const clock = {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms: number) {
      aheadMs += ms
    },
  }
  const server = await startServer({ config, roles: ['api', 'jobs'], clock, log: openLog('error') })
  closers.push(() => server.stop())
  return { api: server.addresses.api!, db: server.db, clock, mails: mailbox.mails }
}

/** What a phone would send: a picture with a place in it. */
async function photo(): Promise<string> {
  const pixels = Buffer.from(Array.from({ length: 80 * 60 * 3 }, (_, i) => (i * 7919) % 253))
  const jpeg = await sharp(pixels, { raw: { width: 80, height: 60, channels: 3 } })
    .resize(1280, 960)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 19/1' } })
    .jpeg()
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

/** Asks again until there is something, for at most ten seconds. */
async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + 10_000
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    assert(performance.now() < end, 'what was waited for did not come within ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
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
