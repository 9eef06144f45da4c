/**
 * Random money histories, each posted to PostgreSQL alongside an independent model. After every step the ledger must
 * match the model, and refuse what the model refuses.
 */
import { AssertionError } from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { call } from '../../src/kit/call.ts'
import type { Db, Reader, Tx } from '../../src/kit/db.ts'
import { NotEnoughMoney, postEntry } from '../../src/ledger/journal.ts'
import type { Entry } from '../../src/ledger/movements.ts'
import {
  ACTIONS,
  type Agent,
  type Attempt,
  type Movement,
  type Rules,
  type Step,
  type Task,
  type Worker,
  World,
} from './model.ts'

/** Number of steps per transaction. */
const BATCH = 25

/** Without bias: fast-check's own would make most histories short. */
export const steps: fc.Arbitrary<Step[]> = fc.noBias(
  fc.array(
    fc.tuple(
      fc.oneof(
        ...Object.entries(ACTIONS).map(([name, [weight]]) => ({
          weight,
          arbitrary: fc.constant(name),
        })),
      ),
      fc.nat(1_000_000),
      fc.nat(1_000_000),
      fc.nat(1_000_000),
    ),
    { minLength: 1, maxLength: 250, size: 'max' },
  ),
)

export interface Counts {
  steps: number
  worlds: number
  posted: Map<Movement, number>
  replayed: number
  mismatch: number
  insufficient: number
  raised: number
}

export const noCounts = (): Counts => ({
  steps: 0,
  worlds: 0,
  posted: new Map(),
  replayed: 0,
  mismatch: 0,
  insufficient: 0,
  raised: 0,
})

/** The ledger did not do what the model says. */
class Violation extends Error {}

interface Play {
  rules: Rules
  /** The shard of the world; no two concurrent worlds may share one. */
  shard: number
  /** Whether its agents and tasks have rows, so the audit covers those, too. */
  hasRows: boolean
  counts: Counts
}

/**
 * Runs a history in a new world. Returns the violation, or nothing. A step that has nothing to work on (approve without
 * a task) is skipped and not counted.
 */
export async function play(
  db: Db,
  history: Step[],
  { rules, shard, hasRows, counts }: Play,
): Promise<string | undefined> {
  const world = new World({ shard, hasRows })
  const accounts: Accounts = new Map()
  counts.worlds += 1
  await openWorld(db, world)
  try {
    for (let i = 0; i < history.length; i += BATCH)
      await db.transaction(async (tx) => {
        for (const step of history.slice(i, i + BATCH)) {
          const next = world.next(step)
          if (next === undefined) continue
          world.at = new Date(world.at.getTime() + 1)
          counts.steps += 1
          await take(tx, world, next, { rules, counts })
          const touched = touchedBy(world, next)
          compare(world, touched, await readMoney(tx, world, { touched, from: world.at, accounts }))
        }
      })
    await compareAll(db.reader, world)
    return undefined
  } catch (error) {
    if (error instanceof Violation) return error.message
    throw error
  }
}

async function take(
  tx: Tx,
  world: World,
  next: Attempt,
  { rules, counts }: Pick<Play, 'rules' | 'counts'>,
): Promise<void> {
  const balance = ownBalance(world, next)
  const expected = world.decide(next)
  if (expected instanceof RegExp) await sql`savepoint step`.execute(tx)
  const actual = await post(tx, rules, next, { now: world.at, balance })

  const isExpected = expected instanceof RegExp ? expected.test(actual) : expected === actual
  if (!isExpected)
    throw new Violation(
      `${next.movement}: ${actual} instead of ${String(expected)} ${JSON.stringify(next.of)}`,
    )
  if (expected instanceof RegExp) {
    await sql`rollback to savepoint step`.execute(tx)
    counts.raised += 1
  } else if (expected === 'posted') {
    counts.posted.set(next.movement, (counts.posted.get(next.movement) ?? 0) + 1)
    if (world.hasRows && next.row) await writeRow(tx, world, next.row)
  } else counts[expected] += 1
}

/** The ledger's result; for an error, its text. */
async function post(
  tx: Tx,
  rules: Rules,
  { movement, of }: Attempt,
  { now, balance }: { now: Date; balance: number | undefined },
): Promise<string> {
  try {
    const entry = (rules[movement] as unknown as (of: Attempt['of']) => Entry)(of)
    return await postEntry(tx, entry, { now })
  } catch (error) {
    if (error instanceof NotEnoughMoney)
      return balance === undefined || error.balanceCents === balance
        ? 'insufficient'
        : `insufficient with ${error.balanceCents} in place of ${balance}`
    if (error instanceof AssertionError && /was posted before/.test(error.message))
      return 'mismatch'
    return `refused by the database (${(error as Error).message})`
  }
}

/** The balance that a refusal must report to the agent, where it reports one. */
function ownBalance(world: World, { movement, of }: Attempt): number | undefined {
  if (!['escrowLock', 'tip', 'refundRequested'].includes(movement)) return undefined
  const agents = world.books.flatMap((book) => book.agents)
  const agent = agents.find(({ id }) => id === of.agentId)
  return agent && agent.wallet - agent.debt
}

// Comparing.

interface Touched {
  agents: Agent[]
  workers: Worker[]
  tasks: Task[]
  transits: { id: string; held: number }[]
}

const everything = ({ books }: World): Touched => ({
  agents: books.flatMap(({ agents }) => agents),
  workers: books.flatMap(({ workers }) => workers),
  tasks: books.flatMap(({ tasks }) => tasks),
  transits: books.flatMap(({ payouts, refunds }) => [...payouts, ...refunds]),
})

/** The part of the model that a request affects. */
function touchedBy(world: World, { of }: Attempt): Touched {
  const names = new Set(
    Object.values(of)
      .flat()
      .flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : [one])),
  )
  const { agents, workers, tasks, transits } = everything(world)
  return {
    agents: agents.filter(({ id }) => names.has(id)),
    workers: workers.filter(({ id }) => names.has(id)),
    tasks: tasks.filter(({ id }) => names.has(id)),
    transits: transits.filter(({ id }) => names.has(id)),
  }
}

/** `live asset:processor_balance` → cents, debits positive. */
type Accounts = Map<string, number>

interface Money {
  /** The id of an owner → what it has, as text. */
  owners: Map<string, string>
  accounts: Accounts
}

/** Reads the balances of what was touched, and adds everything posted since `from` to `accounts`. */
async function readMoney(
  reader: Reader,
  { shard }: World,
  { touched, from, accounts }: { touched: Touched; from: Date; accounts: Accounts },
): Promise<Money> {
  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  const { agents, workers, tasks, transits } = touched
  const { rows } = await sql<{ what: string; words: string | null; cents: number | null }>`
    select what, words, cents from test_money(
      ${shard}, ${from}, ${ids(agents)}, ${ids(workers)}, ${ids(tasks)}, ${ids(transits)})`.execute(
    reader,
  )
  const owners = new Map<string, string>()
  for (const { what, words, cents } of rows)
    if (words !== null) owners.set(what, words)
    else accounts.set(what, (accounts.get(what) ?? 0) + (cents ?? 0))
  return { owners, accounts }
}

function compare(world: World, touched: Touched, { owners, accounts }: Money): void {
  const check = <T extends string | number>(what: string, actual: T | undefined, expected: T) => {
    if (actual !== expected) throw new Violation(`${what}: ${actual} instead of ${expected}`)
  }
  for (const { id, wallet, debt, freeTasks } of touched.agents)
    check(id, owners.get(id), `wallet ${wallet}, debt ${debt}, free tasks ${freeTasks}`)
  for (const { id, payable } of touched.workers)
    check(id, owners.get(id), `payable ${payable}, debt 0`)
  for (const { id, held } of touched.tasks) check(id, owners.get(id), `escrow ${held}`)
  for (const { id, held } of touched.transits) check(id, owners.get(id), `in transit ${held}`)

  let total = 0
  for (const book of world.books)
    for (const [account, cents] of book.balances())
      check(`${book.mode} ${account}`, accounts.get(`${book.mode} ${account}`) ?? 0, cents)
  for (const cents of accounts.values()) total += cents
  check('the trial balance', total, 0)
}

/** Compares the whole world, and checks that each statement adds up, line by line, to its final balance. */
async function compareAll(reader: Reader, world: World): Promise<void> {
  const touched = everything(world)
  const { agents, workers } = touched
  compare(
    world,
    touched,
    await readMoney(reader, world, { touched, from: world.from, accounts: new Map() }),
  )

  const { rows } = await sql<{ key: string }>`
    select key from test_statement_breaks(
      ${agents.map(({ id }) => id)}, ${agents.map(({ wallet, debt }) => wallet - debt)},
      ${workers.map(({ id }) => id)}, ${workers.map(({ payable }) => payable)}) key`.execute(reader)
  if (rows[0]) throw new Violation(`statement: the balance after ${rows[0].key} is wrong`)
}

// Rows that the server writes besides the ledger.

async function openWorld(db: Db, world: World): Promise<void> {
  const owners = world.books.flatMap(({ mode, agents, workers }) => [
    ...agents.map(({ id, freeTasks }) => ({ id, mode, freeTasks })),
    ...workers.map(({ id }) => ({ id, mode, freeTasks: 0 })),
  ])
  await db.transaction(async (tx) => {
    await sql`
      select ledger_open(id, mode, free_tasks)
        from unnest(${owners.map(({ id }) => id)}::text[],
                    ${owners.map(({ mode }) => mode)}::agent_mode[],
                    ${owners.map(({ freeTasks }) => freeTasks)}::integer[]) o(id, mode, free_tasks)`.execute(
      tx,
    )
    if (world.hasRows)
      for (const { mode, agents } of world.books)
        await tx
          .insertInto('agents')
          .values(
            agents.map(({ id }) => ({
              id,
              mode,
              twin_id: 'none',
              name: 'Agent',
              email: `${id}@example.com`,
              webhook_secret: 'whsec_test',
              created_at: world.at,
            })),
          )
          .execute()
  })
}

const changeFreeTasks = (tx: Tx, agentId: string, change: number) =>
  call(tx, 'ledger_free_tasks', { p_agents: [agentId], p_changes: [change] })

async function writeRow(
  tx: Tx,
  { at }: World,
  { book, task, status }: NonNullable<Attempt['row']>,
): Promise<void> {
  const { id, agent, locked, funding, end } = task
  if (status !== undefined) {
    const comesBack = status === 'expired' || (status === 'cancelled' && end !== 'compensated')
    if (funding === 'free' && comesBack) await changeFreeTasks(tx, agent.id, 1)
    await tx
      .updateTable('tasks')
      .set({ status, escrow_cents: 0, updated_at: at, ended_at: at })
      .where('id', '=', id)
      .execute()
    return
  }
  if (funding === 'free') await changeFreeTasks(tx, agent.id, -1)
  // Only create_tasks may insert one, and it would lock the budget itself.
  await sql`set local role none`.execute(tx)
  await tx
    .insertInto('tasks')
    .values({
      id,
      agent_id: agent.id,
      mode: book.mode,
      type: 'custom',
      description: 'A task',
      budget_cents: locked,
      budget_basis: 'total',
      locked_cents: locked,
      escrow_cents: locked,
      funding,
      urgency: 'standard',
      proof_required: 'text',
      consensus_count: 1,
      deadline: at,
      auto_approve_after: 0,
      min_worker_level: 0,
      skills: [],
      context: '{}',
      created_at: at,
      updated_at: at,
    })
    .execute()
  await sql`set local role legwork_app`.execute(tx)
}

/**
 * Functions in the test's own database that read the money after every step: planned once, with an index that the
 * product does not need.
 */
const READING = `
  create index test_posted on transfers (shard, created_at);

  create function test_money(p_shard integer, p_from timestamptz, p_agents text[], p_workers text[], p_tasks text[],
                             p_transits text[])
  returns table (what text, words text, cents bigint) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
  begin
    return query
      select b.agent_id, 'wallet ' || b.wallet_cents || ', debt ' || b.receivable_cents || ', free tasks ' ||
             b.free_tasks_remaining, null::bigint
        from ledger_agents b where b.agent_id = any(p_agents)
      union all
      select b.worker_id, 'payable ' || b.payable_cents || ', debt ' || b.receivable_cents, null
        from ledger_workers b where b.worker_id = any(p_workers)
      union all
      select t.id, 'escrow ' || (
          select coalesce(sum(case f.credit when 'liab:escrow' then f.amount_cents else -f.amount_cents end), 0)
            from transfers f where f.key >= 'task:' || t.id || ':' and f.key < 'task:' || t.id || ';'
             and 'liab:escrow' in (f.debit, f.credit)), null
        from unnest(p_tasks) t(id)
      union all
      select b.ref_id, 'in transit ' || b.in_transit_cents, null
        from ledger_transits b where b.ref_id = any(p_transits)
      union all
      select f.mode || ' ' || side.account, null, side.cents
        from transfers f
       cross join lateral (values (f.debit, f.amount_cents), (f.credit, -f.amount_cents)) side(account, cents)
       where f.shard = p_shard and f.created_at >= p_from;
  end $$;

  create function test_statement_breaks(p_agents text[], p_balances bigint[], p_workers text[], p_payables bigint[])
  returns setof text language sql as $$
    with agent_line as (
      select f.key, f.agent_id, f.agent_balance_cents as after,
             f.agent_balance_cents - lag(f.agent_balance_cents, 1, 0::bigint) over mine as moved,
             case when f.credit in ('liab:agent_wallet', 'asset:agent_receivable') then f.amount_cents
                  when f.debit in ('liab:agent_wallet', 'asset:agent_receivable') then -f.amount_cents
                  else 0 end as cents,
             row_number() over (partition by f.agent_id order by f.id desc) as from_end
        from transfers f where f.agent_id = any(p_agents) and f.agent_balance_cents is not null
      window mine as (partition by f.agent_id order by f.id)
    ), worker_line as (
      select f.key, f.worker_id, f.worker_balance_cents as after,
             f.worker_balance_cents - lag(f.worker_balance_cents, 1, 0::bigint) over mine as moved,
             case f.credit when 'liab:worker_payable' then f.amount_cents else -f.amount_cents end as cents,
             row_number() over (partition by f.worker_id order by f.id desc) as from_end
        from transfers f where f.worker_id = any(p_workers) and f.worker_balance_cents is not null
      window mine as (partition by f.worker_id order by f.id)
    )
    select key from agent_line
     where moved <> cents or from_end = 1 and after <> p_balances[array_position(p_agents, agent_id)]
    union all
    select key from worker_line
     where moved <> cents or from_end = 1 and after <> p_payables[array_position(p_workers, worker_id)]
  $$`

/** Prepares a fresh database; `functions` replace the product's own. */
export async function prepare(url: string, functions?: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    await owner.query(READING)
    // These are about the ledger, not about who must agree.
    await owner.query('update two_person_limits set over_cents = null')
    if (functions !== undefined) await owner.query(functions)
  } finally {
    await owner.end()
  }
}
