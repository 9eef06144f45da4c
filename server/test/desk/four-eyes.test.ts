/**
 * Decisions above their limits, under attack: one operator, or several who each act alone, try to make one take effect
 * without a second operator who agrees. `npm run test:desk` makes 10,000 attempts, or FOUR_EYES_RACES.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { mintId } from '../../src/kit/ids.ts'
import { marketplace, type Marketplace, type Reply } from '../harness.ts'
import { MINUTE, reconcileAfter } from '../money.ts'
import { CASES, type Case, OVER_CENTS } from './guarded-cases.ts'
import { deskClient, type DeskClient, sessionFor, signIn } from './sign-in.ts'

const RACES = Number(process.env.FOUR_EYES_RACES ?? 300)
const TIMEOUT_MS = 120_000 + RACES * 60
/** Proposals of one batch; each also tries to agree to itself, and repeats its request. */
const PROPOSALS = 10
const REASON = 'The receipt was checked with the bank.'
/** Kinds whose limit holds for the decision alone, and why no changed row asks for it. */
const NO_GUARDED_ROW: Record<string, string> = {
  'payout.retry':
    'the row is the same as that of an automatic retry, and the worker has earned the money',
}
/** Guarded like others of their kinds; `UNMADE` shows the refusal. */
const BY_STATEMENT = ['suspense.resolve', 'payout.reverse']

const open = () =>
  marketplace({
    processor: true,
    roles: ['api', 'desk'],
    settings: { DISPUTES_BEFORE_REVIEW: 1, LOG_LEVEL: 'silent' },
  })

/** A marketplace and its operators, of whom the first has two sessions. */
async function openPlace(without = '') {
  const market = await open()
  await market.sandbox.control('POST', 'topups', { amount: 50_000_000 })
  await market.settle()
  await reconcileAfter(market, MINUTE)
  if (without !== '')
    for (const schema of new Set(market.server.db.shards.all.map((db) => db.schema.name)))
      await market.asOwner(`set search_path = ${schema}, public; ${without}; reset search_path`)
  const first = await signIn(market, 'admin')
  return {
    market,
    first,
    elsewhere: deskClient(market, await sessionFor(market, first.id)),
    second: await signIn(market, 'admin'),
    third: await signIn(market, 'admin'),
  }
}
type Place = Awaited<ReturnType<typeof openPlace>>

const place = await openPlace()
const { market, first, second, third } = place
/** A market of its own, because a difference in another case's books would stop withdrawals. */
const books = await openPlace()
const placeOf = (name: string) => (name === 'withdrawals' ? books : place)

let attempts = 0
const effects: string[] = []

describe('a decision above its limit', { timeout: TIMEOUT_MS }, () => {
  test(`takes effect in none of ${RACES} attempts by one operator`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const makers = Object.entries(CASES)
    for (let n = 0; attempts < RACES || n < makers.length; n += 1) {
      const [name, make] = makers[n % makers.length]!
      const at = placeOf(name)
      const it = await make(at.market)
      attempts += await attack(it, at)
      await assertNotAlone(it, name)
    }
    console.log(`${attempts} attempts, ${effects.length} single-handed`)
    assert.deepEqual(effects, [])
  })

  test('of several operators who each act alone has no effect', async () => {
    for (const [name, make] of Object.entries(CASES)) {
      const at = placeOf(name)
      const it = await make(at.market)
      const replies = await Promise.all(
        [at.first, at.second, at.third].flatMap((one) =>
          Array.from({ length: 4 }, (_, i) => propose(one, it, i)),
        ),
      )
      assert(
        replies.some(({ status }) => status === 201),
        name,
      )
      await assertNotAlone(it, name)
    }
    assert.deepEqual(effects, [])
  })

  test('takes effect once if somebody else agrees, whatever else happens at the same time', async () => {
    const outcomes = new Set<string>()
    for (let n = 0; n < 16; n += 1) {
      const it = await CASES.payout!(market)
      const { decision } = (await propose(first, it, 0)).body
      const id = decision.decision_id as string
      const rivals = [
        () => second.post(`/decisions/${id}/agree`, {}),
        () => second.post(`/decisions/${id}/agree`, {}),
        () => third.post(`/decisions/${id}/agree`, {}),
        () => third.post(`/decisions/${id}/decline`, { reason: REASON }),
        () => first.post(`/decisions/${id}/withdraw`, {}),
      ]
      const turned = [...rivals.slice(n % rivals.length), ...rivals.slice(0, n % rivals.length)]
      const replies = await Promise.all(turned.map((rival) => rival()))

      assert.equal(replies.filter(({ status }) => status < 300).length, 1, it.subject)
      const [row] = await market.asOwner('select * from operator_decisions where id = $1', [id])
      outcomes.add(row!.state)
      assert.equal((await it.moved()) > 0, row!.state === 'done')
      if (row!.state === 'done') assert.notEqual(row!.second_by, first.id)
      await assertNotAlone(it, 'payout')
    }
    assert(outcomes.size > 1, [...outcomes].join())
    assert.deepEqual(effects, [])
  })

  test('is split among its parts, and nothing is left for one operator afterwards', async () => {
    const it = await CASES['refund in parts']!(market)
    const { decision } = (await propose(first, it, 0)).body
    assert.equal(decision.state, 'waiting')
    assert.equal((await second.post(`/decisions/${decision.decision_id}/agree`, {})).status, 200)

    assert.equal(await it.moved(), it.amount_cents)
    await assert.rejects(it.change(), { name: /.*/ })
    await assertNotAlone(it, 'refund in parts')
    assert.deepEqual(effects, [])
  })
})

describe('a second operator', () => {
  test('cannot agree once the first has been disabled or has lost the right', async () => {
    for (const change of [`role = 'viewer'`, `status = 'disabled', disabled_at = now()`]) {
      const leaving = await signIn(market, 'admin')
      const it = await CASES.closing!(market)
      const { decision } = (await propose(leaving, it, 0)).body
      await market.asOwner(`update operators set ${change} where id = $1`, [leaving.id])

      const { status, body } = await second.post(`/decisions/${decision.decision_id}/agree`, {})

      assert.deepEqual([status, body.code], [409, 'proposer_left'])
      assert.equal(await it.moved(), 0)
    }
  })

  test('who is disabled while agreeing either agreed before, or does not', async () => {
    for (let i = 0; i < 8; i += 1) {
      const leaving = await signIn(market, 'admin')
      const it = await CASES.closing!(market)
      const { decision } = (await propose(first, it, 0)).body
      const [{ status }] = await Promise.all([
        leaving.post(`/decisions/${decision.decision_id}/agree`, {}),
        market.asOwner(
          `update operators set status = 'disabled', disabled_at = now() where id = $1`,
          [leaving.id],
        ),
      ])
      assert.equal(await it.moved(), status === 200 ? 1 : 0)
    }
  })
})

describe('as the application’s role, the database refuses', () => {
  for (const [name, make] of Object.entries(CASES))
    test(`${name}: the change without a decision, or with one of a single operator`, async () => {
      const at = placeOf(name)
      const it = await make(at.market)
      if (it.kind === 'limit.change' && market.server.db.shards.all.length > 1) return

      await assert.rejects(it.change(), isTwoPersons, name)
      await pretend(it, { amount_cents: it.amount_cents === null ? null : 1, state: 'agreed' }, at)
      await assert.rejects(it.change(), isTwoPersons, name)

      await assertNotAlone(it, name)
    })

  test('requests to the processor and lines of the ledger for money in suspense', async () => {
    const global = market.server.db.shards.global
    const id = `txn_${randomUUID()}`
    await market.asOwner(
      `insert into balance_transactions (id, type, reporting_category, amount_cents, fee_cents, net_cents, currency,
         created_at, available_on, mirrored_at)
       values ($1, 'charge', 'charge', 30000, 0, 30000, 'usd', now(), now(), now())`,
      [id],
    )
    const attempt = (subject: string, key: string) =>
      global.transaction((tx) =>
        sql`insert into processor_attempts (subject_id, attempt, key, begun_at) values (${subject}, 1, ${key}, now())`.execute(
          tx,
        ),
      )

    await assert.rejects(attempt(id, `suspense_${id}_a1`), isTwoPersons)
    await assert.rejects(attempt('po_1r30000', 'reversal_po_1r30000_a1'), isTwoPersons)
    await attempt('po_1r20000', 'reversal_po_1r20000_a1')
    await market.asOwner('delete from processor_attempts')
    await market.asOwner('delete from balance_transactions where id = $1', [id])
  })

  test('a decision that begins or becomes agreed without the second operator', async () => {
    const it = await CASES.payout!(market)

    await assert.rejects(
      pretend(it, { state: 'agreed' }),
      constraint('operator_decisions_first_state'),
    )
    const id = await pretend(it, { state: 'waiting' })
    const set = (changes: string) =>
      it.home.transaction((tx) =>
        sql`update operator_decisions set ${sql.raw(changes)} where id = ${id}`.execute(tx),
      )
    const two = constraint('operator_decisions_two_persons')
    await assert.rejects(set(`state = 'agreed'`), two)
    await assert.rejects(set(`state = 'agreed', second_by = proposed_by, second_at = now()`), two)
    await assert.rejects(
      set(`state = 'done', ended_at = now()`),
      constraint('operator_decisions_forward'),
    )
    for (const changes of ['needs_second = false', 'amount_cents = 1', `proposed_by = 'x'`])
      await assert.rejects(set(changes), /permission denied/)
    await assert.rejects(
      it.home.transaction((tx) => sql`delete from operator_decisions where id = ${id}`.execute(tx)),
      /permission denied/,
    )
    await assert.rejects(
      it.home.transaction((tx) => sql`alter table payouts disable trigger all`.execute(tx)),
      /must be owner/,
    )
    await assertNotAlone(it, 'payout')
  })

  test('every kind with a limit, or there is a reason why its rows do not ask', async () => {
    const { body } = await first.get('/limits')
    const guarded = new Set([...BY_STATEMENT, ...Object.keys(NO_GUARDED_ROW)])
    for (const make of Object.values(CASES)) guarded.add((await make(market)).kind)

    assert.deepEqual(
      body.limits.map(({ kind }: { kind: string }) => kind).toSorted(),
      [...guarded].toSorted(),
    )
  })
})

describe('control: the same attacks succeed', () => {
  test('without the triggers and the constraint', async () => {
    const bare = await openPlace(`
      drop trigger operator_decisions_second on operator_decisions;
      alter table operator_decisions drop constraint operator_decisions_two_persons;
      drop trigger payouts_two_persons on payouts;
      drop trigger appeals_two_persons on appeals;
      drop trigger disputes_two_persons on disputes;
      drop trigger refunds_two_persons on refunds;
      drop trigger withdrawals_two_persons on withdrawals;
      drop trigger transfers_two_persons on transfers;
      drop trigger worker_decisions_two_persons on worker_decisions;
      drop trigger two_person_limits_two_persons on two_person_limits`)
    const succeeded: string[] = []
    // First, because the books of the others differ from the processor's.
    const cases = Object.entries(CASES).toSorted(([name]) => (name === 'withdrawals' ? -1 : 0))
    for (const [name, make] of cases) {
      const it = await make(bare.market)
      await attack(it, bare, { isForgetful: false })
      if (await isAlone(it, bare.market)) succeeded.push(name)
    }

    assert.deepEqual(succeeded.toSorted(), Object.keys(CASES).toSorted())
  })

  test('without the lock, by many small proposals at once', async () => {
    const bare = await openPlace(`
      drop trigger refunds_two_persons on refunds;
      do $$ begin
        execute replace(pg_get_functiondef('decide_second_person'::regproc),
          'perform pg_advisory_xact_lock(', 'perform abs(');
      end $$`)
    let alone = 0
    for (let i = 0; i < 10 && alone === 0; i += 1) {
      const it = await CASES.refunds!(bare.market)
      await Promise.all(Array.from({ length: 12 }, (_, at) => propose(bare.first, it, at)))
      if (await isAlone(it, bare.market)) alone += 1
    }

    assert(alone > 0)
  })
})

/** Proposes many times at once, repeats requests, and agrees alone to whatever waits. Returns the number of attempts. */
async function attack(
  it: Case,
  { market: on, first: one, elsewhere }: Place,
  { isForgetful = true } = {},
): Promise<number> {
  const by = [one, elsewhere]
  const keys = Array.from({ length: PROPOSALS }, () => randomUUID())
  let tries = 0
  let isHeard = false
  const send = async (work: Promise<Reply>) => {
    tries += 1
    const reply = await work
    assert(reply.status < 500 && reply.status !== 401, reply.text)
    isHeard ||= reply.status === 201
    return reply
  }
  await Promise.all(
    [...keys, ...keys].map(async (key, at) => {
      const session = by[at % by.length]!
      const { body } = await send(propose(session, it, at, key))
      const waiting = body.decision?.decision_id ?? body.details?.decision_id
      if (waiting) await send(session.post(`/decisions/${waiting}/agree`, {}))
    }),
  )
  // Code that forgets the second person, while the decision waits.
  const isProtected = it.kind !== 'limit.change' || on.server.db.shards.all.length === 1
  assert(isHeard, `${it.kind}: nothing could be proposed`)
  if (isForgetful && isProtected)
    for (const work of [
      () => it.change(),
      () => it.home.transaction((tx) => ownConsent(one.id, it.subject).execute(tx)),
    ]) {
      tries += 1
      await work().catch((error: unknown) => {
        if (!isTwoPersons(error) && !isApiError(error)) throw error
      })
    }
  return tries
}

const ownConsent = (id: string, subject: string) => sql`
  update operator_decisions set state = 'agreed', second_by = ${id}, second_at = now()
   where subject = ${subject} and state = 'waiting' and proposed_by = ${id}`

const propose = (
  by: DeskClient,
  { kind, subject, inputs }: Case,
  at: number,
  request_key: string = randomUUID(),
): Promise<Reply> =>
  by.post('/decisions', {
    kind,
    subject,
    input: inputs[at % inputs.length],
    reason: REASON,
    request_key,
  })

/** A row as code that forgot the second person would insert it. */
async function pretend(
  it: Case,
  { amount_cents = it.amount_cents, state }: { amount_cents?: number | null; state: string },
  { market: on, first: one }: Place = place,
): Promise<string> {
  const id = mintId('opd', on.now(), 0)
  await it.home
    .transaction((tx) =>
      tx
        .insertInto('operator_decisions')
        .values({
          id,
          kind: it.kind,
          subject: it.subject,
          amount_cents,
          input: JSON.stringify(it.inputs[0]),
          reason: REASON,
          state: state as 'agreed',
          proposed_by: one.id,
          proposed_at: on.now(),
          expires_at: new Date(on.now().getTime() + 3_600_000),
          request_key: id,
        })
        .execute(),
    )
    .catch((error: unknown) => {
      // Above a limit of 0, no decision begins as agreed.
      if (amount_cents !== null || !isTwoPersons(error)) throw error
    })
  return id
}

/** Whether more has taken effect than single operators may decide, beyond what two of them have agreed to. */
async function isAlone(it: Case, on: Marketplace): Promise<boolean> {
  const moved = await it.moved()
  if (moved === 0) return false
  const rows = await on.asOwner(
    `select coalesce(sum(amount_cents), 0)::int as cents, count(*)::int as count from operator_decisions
      where kind = $1 and subject = $2 and state in ('agreed', 'done') and second_by is not null
        and second_by <> proposed_by and ($3::timestamptz is null or second_at >= $3)`,
    [
      it.kind,
      it.subject,
      it.subject === 'own_funds' ? new Date(on.now().getTime() - 86_400_000) : null,
    ],
  )
  const { cents, count } = rows[0]!
  return it.amount_cents === null ? count === 0 : moved - cents > OVER_CENTS
}

async function assertNotAlone(it: Case, name: string): Promise<void> {
  const { market: on } = placeOf(name)
  if (await isAlone(it, on)) effects.push(`${name}: ${it.subject}`)
  // A waiting decision would block the next one about the same subject.
  await on.asOwner(
    `update operator_decisions set state = 'withdrawn', ended_at = $2 where subject = $1 and state = 'waiting'`,
    [it.subject, on.now()],
  )
}

const codeOf = (error: unknown) => error as { code?: string; constraint?: string; status?: number }
const constraint = (name: string) => (error: unknown) =>
  String(codeOf(error).constraint).startsWith(name)
function isTwoPersons(error: unknown): boolean {
  const { code, constraint: name } = codeOf(error)
  return code === '23514' && /two_persons|first_state/.test(String(name))
}
/** Its state has changed, so the operation itself refuses it. */
const isApiError = (error: unknown) => !/^\d/.test(String(codeOf(error).code))
