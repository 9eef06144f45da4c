/**
 * The audit's passes over the ledger, each in an order of its own: tasks by id, other movements by key, rows by id,
 * statements by owner. A pass checks a range of subjects, or a list of them; everything it reads for that is found by
 * an index, so a slice costs what it contains, however large the ledger is.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Reader } from '../kit/db.ts'
import { type Everywhere, readShards } from '../kit/everywhere.ts'
import { type HomeSchema, schemasOf } from '../kit/layout.ts'
import {
  CLEARED,
  DEPOSITS_WITHOUT_ROW,
  OF_AGENTS,
  OF_DEPOSITS,
  OF_LINES,
  OF_MATCHES,
  OF_PAYOUTS,
  OF_REFUNDS,
  OF_TASKS,
  OF_TRANSITS,
  OF_WORKERS,
  type Owner,
  TRANSITS_WITHOUT_ROW,
} from './invariants.ts'
import { readMatches } from './audit-matches.ts'

export interface Break {
  invariant: string
  subject: string
}

/** Subjects after `after`, up to and including `until`; null is the end. Or a list of them. */
export type Scope = { after: string; until: string | null } | { ids: string[] }

export const EVERYTHING: Scope = { after: '', until: null }

/** At most this many subjects of one invariant are reported by one check. */
const FOUND_MAX = 100

/** A day's live lines. `before`: only those that the round before had sealed. */
export interface DaySum {
  day: string
  lines: number
  checksum: string
  lines_before: number
  checksum_before: string
}

/** Where an audit reads. With one schema, all of these are one connection that has time for long statements. */
export interface Books extends Everywhere {
  /** The shard that is audited. */
  reader: Reader
}

/** Where the audit of a shard reads that has a connection of its own. */
export const booksOf = ({ shards }: Pick<Db, 'shards'>, reader: Reader): Books =>
  shards.all.length === 1
    ? { reader, shards: [reader], global: reader }
    : { reader, shards: shards.readers, global: shards.global.reader }

interface AnySource {
  name: string
  /** The last subject of the next slice of `size`, or undefined if the rest is smaller. */
  next(books: Books, after: string, size: number): Promise<string | undefined>
}

/** A pass over rows of one shard. */
interface RowSource extends AnySource {
  /** Rows of the pass within the scope: the common table expressions that its invariants read. */
  scoped(scope: Scope, from: Tables): RawBuilder<unknown>
  invariants: readonly Record<string, string>[]
  hasLines?: true
}

/** A pass that compares rows of several places. */
interface MatchSource extends AnySource {
  find(books: Books, scope: Scope): Promise<Break[]>
}

export type Source = RowSource | MatchSource

type Tables = Record<
  'transfers' | 'ledger_transits' | 'tasks' | 'disputes' | 'deposits' | 'payouts',
  RawBuilder<unknown>
>

/** A common table expression does not see itself: within its definition, its name means the table. */
const ALL_TABLES: Tables = {
  transfers: sql`transfers`,
  ledger_transits: sql`ledger_transits`,
  tasks: sql`tasks`,
  disputes: sql`disputes`,
  deposits: sql`deposits`,
  payouts: sql`payouts`,
}

/** Defined before the rows of the slice take the names of the tables. */
const WHOLE = sql`
  all_tasks as not materialized (select id, mode, agent_id from tasks),
  all_assignments as not materialized (select id, task_id, net_cents, reason from assignments),`

/** The ledger rows of a closed test agent are deleted in batches and don't add up meanwhile. */
const ERASED = sql`
  erased as materialized (select id from agents where mode = 'test' and status = 'closed'),
  erased_workers as materialized (select w.id from workers w join erased e on e.id = w.agent_id),`
const WITHOUT_ERASED: Tables = {
  transfers: sql`(
    select * from transfers f
     where f.mode = 'live' or not exists (select 1 from erased e where e.id = f.agent_id)
       and not exists (select 1 from erased_workers w where w.id = f.worker_id))`,
  ledger_transits: sql`(
    select * from ledger_transits b
     where b.mode = 'live' or not exists (
       select 1 from payouts p join erased_workers w on w.id = p.worker_id where p.id = b.ref_id))`,
  tasks: sql`(select * from tasks t where not exists (select 1 from erased e where e.id = t.agent_id))`,
  disputes: sql`(
    select * from disputes d where not exists (select 1 from erased e where e.id = d.agent_id))`,
  deposits: sql`(
    select * from deposits d where not exists (select 1 from erased e where e.id = d.agent_id))`,
  payouts: sql`(
    select * from payouts p where not exists (select 1 from erased_workers w where w.id = p.worker_id))`,
}

const within = (column: string, scope: Scope): RawBuilder<boolean> => {
  const name = sql.ref(column)
  if ('ids' in scope) return sql`${name} = any(${scope.ids}::text[])`
  return scope.until === null
    ? sql`${name} > ${scope.after}`
    : sql`${name} > ${scope.after} and ${name} <= ${scope.until}`
}

/** The lines of tasks: keys from `task:<id>:` to before `task:<id>;`. */
function linesOfTasks(scope: Scope, { transfers }: Tables): RawBuilder<unknown> {
  const columns = sql`f.*, split_part(f.key, ':', 2) as task`
  if ('ids' in scope)
    return sql`
      select ${columns} from unnest(${scope.ids}::text[]) s(id) cross join lateral (
        select * from ${transfers} f
         where f.key >= 'task:' || s.id || ':' and f.key < 'task:' || s.id || ';' offset 0) f`
  const from = scope.after === '' ? 'task:' : `task:${scope.after};`
  const before = scope.until === null ? 'task;' : `task:${scope.until};`
  return sql`select ${columns} from ${transfers} f where f.key >= ${from} and f.key < ${before}`
}

const TASKS: RowSource = {
  name: 'tasks',
  scoped: (scope, from) => sql`
    transfers as materialized (${linesOfTasks(scope, from)}),
    tasks as materialized (
      select t.id, t.agent_id, t.mode, t.status, t.locked_cents, t.escrow_cents, t.funding, t.commission_basis_points,
             t.ended_at from ${from.tasks} t where ${within('t.id', scope)}),
    disputes as not materialized (select * from ${from.disputes} d where ${within('d.task_id', scope)}),
    assignments as not materialized (select * from assignments a where ${within('a.task_id', scope)})`,
  next: ({ reader }, after, size) => nextOf(reader, sql`tasks where id > ${after}`, 'id', size),
  invariants: [OF_LINES, OF_TASKS],
  hasLines: true,
}

/** Movements that are not of tasks, in the keys before or after those of tasks. */
const movements = (name: string, bound: RawBuilder<boolean>): RowSource => ({
  name,
  scoped: (scope, from) => sql`
    transfers as materialized (select * from ${from.transfers} f where ${within('f.key', scope)} and ${bound})`,
  next: ({ reader }, after, size) =>
    nextOf(reader, sql`transfers f where key > ${after} and ${bound}`, 'key', size),
  invariants: [OF_LINES, DEPOSITS_WITHOUT_ROW, TRANSITS_WITHOUT_ROW],
  hasLines: true,
})
export const MOVEMENTS = movements('movements', sql`f.key < 'task:'`)
export const OTHER_MOVEMENTS = movements('other movements', sql`f.key >= 'task;'`)

/** Rows by id; their lines are looked up by key. */
const rows = (
  table: keyof Tables | 'refunds',
  key: string,
  ...invariants: Record<string, string>[]
): RowSource => ({
  name: table,
  scoped: (scope, from) => sql`
    transfers as not materialized (select * from ${from.transfers} f),
    ${sql.ref(table)} as not materialized (
      select * from ${table in from ? from[table as keyof Tables] : sql.ref(table)} r
       where ${within(`r.${key}`, scope)})`,
  next: ({ reader }, after, size) =>
    nextOf(reader, sql`${sql.ref(table)} where ${sql.ref(key)} > ${after}`, key, size),
  invariants,
})

/** The list is global, and its lines are in all shards, so the audit of only one shard makes this pass. */
const MATCHES: MatchSource = {
  name: 'balance_transactions',
  next: ({ global }, after, size) =>
    nextOf(global, sql`balance_transactions where id > ${after}`, 'id', size),
  async find(books, scope) {
    const matches = await readMatches(books, (column) => within(column, scope))
    return Object.entries(OF_MATCHES).flatMap(([invariant, isBroken]) =>
      matches
        .filter(isBroken)
        .slice(0, FOUND_MAX)
        .map(({ id }) => ({ invariant, subject: id })),
    )
  },
}

/** In the order of a round. */
const SOURCES: readonly Source[] = [
  TASKS,
  MOVEMENTS,
  OTHER_MOVEMENTS,
  rows('deposits', 'id', OF_DEPOSITS),
  rows('refunds', 'id', OF_REFUNDS),
  rows('payouts', 'id', OF_PAYOUTS),
  rows('ledger_transits', 'ref_id', OF_TRANSITS),
  MATCHES,
]

/** The passes over a shard. */
export const sourcesOf = (schema: HomeSchema): readonly Source[] =>
  auditsList(schema) ? SOURCES : SOURCES.filter((source) => source !== MATCHES)

/** Whether the audit of this shard is the one that checks the processor's list: the first one. */
export const auditsList = ({ range }: Pick<HomeSchema, 'range'>): boolean => range?.[0] === 0

async function nextOf(
  reader: Reader,
  from: RawBuilder<unknown>,
  key: string,
  size: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    select ${sql.ref(key)} as key from ${from} order by ${sql.ref(key)} offset ${size - 1} limit 1`.execute(
    reader,
  )
  return rows[0]?.key
}

interface Checked {
  breaks: Break[]
  days: DaySum[]
}

interface Seals {
  sealedXid: number
  before: number
}

/** Checks one slice in one statement, so in one snapshot. With seals, it also sums the live lines by day. */
export async function checkRows(
  books: Books,
  source: Source,
  scope: Scope,
  seals?: Seals,
): Promise<Checked> {
  if ('find' in source) return { breaks: await source.find(books, scope), days: [] }
  const { reader, shards } = books
  const { breaks, days, cleared } = await runChecks(reader, source, scope, seals)
  const uncleared = await findUncleared(shards, cleared)
  if (breaks.length === 0) return { breaks: uncleared, days }
  // Violations are rare, so only they pay for the exclusion of the books that are being erased.
  const certain = await runChecks(reader, source, scope, undefined, true)
  return { breaks: [...certain.breaks, ...uncleared], days }
}

/**
 * Of these movements, those whose clearing is not 0 over all shards. In one database, a movement that is visible in one
 * shard is in every later snapshot of the others. In two databases, money may be on its way (crossings): it is looked
 * for, and then whether it has arrived in the meantime.
 */
async function findUncleared(shards: readonly Reader[], keys: string[]): Promise<Break[]> {
  const open = await openClearings(shards, keys)
  if (open.length === 0) return []
  const sent = new Set((await readShards(shards, (shard) => sentFrom(shard, open))).flat())
  const missing = open.filter((key) => !sent.has(key))
  return (await openClearings(shards, missing))
    .slice(0, FOUND_MAX)
    .map((subject) => ({ invariant: CLEARED, subject }))
}

async function openClearings(shards: readonly Reader[], keys: string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const sums = new Map<string, number>()
  const parts = await readShards(shards, async (shard) => {
    const { rows } = await sql<{ key: string; cents: number }>`
      select f.key,
             sum(case f.credit when 'liab:clearing' then f.amount_cents else -f.amount_cents end)::bigint as cents
        from transfers f where f.key = any(${keys}::text[]) and 'liab:clearing' in (f.debit, f.credit)
       group by f.key`.execute(shard)
    return rows
  })
  for (const { key, cents } of parts.flat()) sums.set(key, (sums.get(key) ?? 0) + cents)
  return [...sums].filter(([, cents]) => cents !== 0).map(([key]) => key)
}

/** The movements that wait to be applied in another database. */
async function sentFrom(shard: Reader, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select l ->> 'key' as key from crossings c cross join lateral jsonb_array_elements(c.arguments -> 'lines') l
     where c.call = 'workers_receive_moves' and l ->> 'key' = any(${keys}::text[])`.execute(shard)
  return rows.map(({ key }) => key)
}

async function runChecks(
  reader: Reader,
  source: RowSource,
  scope: Scope,
  seals?: Seals,
  isWithoutErased = false,
): Promise<Checked & { cleared: string[] }> {
  const tables = isWithoutErased ? WITHOUT_ERASED : ALL_TABLES
  const checks = source.invariants.flatMap(Object.entries).map(
    ([invariant, query]) => sql`
      select ${invariant} as invariant, found.subject, null::bigint as lines, null::numeric as checksum,
             null::bigint as lines_before, null::numeric as checksum_before
        from (select * from (${sql.raw(query)}) violations(subject) limit ${FOUND_MAX}) found`,
  )
  const sums =
    seals && source.hasLines
      ? [
          sql`
      select null, (created_at at time zone 'UTC')::date::text, count(*), sum(hash),
             count(*) filter (where coalesce(posted_xid, 0) < ${seals.before}),
             coalesce(sum(hash) filter (where coalesce(posted_xid, 0) < ${seals.before}), 0)
        from (select f.created_at, f.posted_xid, hashtextextended(concat_ws('|', f.key, f.line, f.id, f.kind, f.debit,
                     f.credit, f.amount_cents, f.shard, f.agent_id, 'w', f.worker_id, 't', f.task_id, 'r', f.ref_id,
                     f.agent_statement_no, f.agent_balance_cents, 'n', f.worker_statement_no, f.worker_balance_cents,
                     f.request_hash, extract(epoch from f.created_at)), 0) as hash
                from transfers f where f.mode = 'live' and coalesce(f.posted_xid, 0) < ${seals.sealedXid}) s
       group by 2`,
        ]
      : []
  // Not in the test book: only the shard of a test agent knows that its lines are being deleted.
  const cleared = source.hasLines
    ? [
        sql`
      select distinct ${CLEARED}, f.key, null::bigint, null::numeric, null::bigint, null::numeric
        from transfers f where f.mode = 'live' and 'liab:clearing' in (f.debit, f.credit)`,
      ]
    : []
  type Row = Omit<DaySum, 'day'> & { invariant: string | null; subject: string }
  const { rows } = await sql<Row>`
    with ${WHOLE} ${isWithoutErased ? ERASED : sql``} ${source.scoped(scope, tables)}
    ${sql.join([...checks, ...sums, ...cleared], sql` union all `)}`.execute(reader)
  return {
    breaks: rows.flatMap(({ invariant, subject }) =>
      invariant === null || invariant === CLEARED ? [] : [{ invariant, subject: subject ?? '?' }],
    ),
    cleared: rows.flatMap(({ invariant, subject }) => (invariant === CLEARED ? [subject] : [])),
    days: rows.flatMap(({ invariant, subject: day, ...sum }) =>
      invariant === null ? [{ day, ...sum }] : [],
    ),
  }
}

/** One kind of statement. Its effects are what a line adds to the balance, to what is owned, and to what is owed. */
export interface Statement {
  name: 'agents' | 'workers'
  owner: 'agent_id' | 'worker_id'
  no: 'agent_statement_no' | 'worker_statement_no'
  lines: RawBuilder<unknown>
  balances: RawBuilder<unknown>
  erased: RawBuilder<unknown>
  invariants: Record<string, (owner: Owner) => boolean>
}

const effect = (account: string, grows: 'credit' | 'debit') => {
  const shrinks = grows === 'credit' ? 'debit' : 'credit'
  return sql`case ${account} when f.${sql.ref(grows)} then f.amount_cents when f.${sql.ref(shrinks)}
    then -f.amount_cents else 0 end`
}

export const AGENTS: Statement = {
  name: 'agents',
  owner: 'agent_id',
  no: 'agent_statement_no',
  lines: sql`f.agent_id as owner_id, f.agent_statement_no as no, f.agent_balance_cents as after, f.mode,
    ${effect('liab:agent_wallet', 'credit')} as own, ${effect('asset:agent_receivable', 'debit')} as owed,
    ${effect('liab:agent_wallet', 'credit')} - ${effect('asset:agent_receivable', 'debit')} as effect,
    case f.kind when 'free_task_lock' then (select count(*) from tasks t
                  where t.id = f.task_id and t.funding = 'free')
                -- A free task that was disputed stays used.
                when 'free_task_return' then -(select count(*) from tasks t
                  where t.id = f.task_id and t.funding = 'free' and t.status in ('expired', 'cancelled'))
                else 0 end as free`,
  balances: sql`(select agent_id as owner_id, mode, statement_no, wallet_cents as own_cents,
    receivable_cents as owed_cents, free_tasks_granted - free_tasks_remaining as free_tasks_used from ledger_agents)`,
  erased: sql`select id from agents where mode = 'test' and status = 'closed'`,
  invariants: OF_AGENTS,
}

export const WORKERS: Statement = {
  name: 'workers',
  owner: 'worker_id',
  no: 'worker_statement_no',
  lines: sql`f.worker_id as owner_id, f.worker_statement_no as no, f.worker_balance_cents as after, f.mode,
    ${effect('liab:worker_payable', 'credit')} as own, ${effect('asset:worker_receivable', 'debit')} as owed,
    ${effect('liab:worker_payable', 'credit')} as effect, 0 as free`,
  balances: sql`(select worker_id as owner_id, mode, statement_no, payable_cents as own_cents,
    receivable_cents as owed_cents, 0 as free_tasks_used from ledger_workers)`,
  erased: sql`select w.id from workers w join agents a on a.id = w.agent_id
    where a.mode = 'test' and a.status = 'closed'`,
  invariants: OF_WORKERS,
}

/** The running sums of an owner whose statement goes on in the next slice. */
export type Carry = Pick<
  Owner,
  | 'owner_id'
  | 'mode'
  | 'statement_no'
  | 'balance_cents'
  | 'own_cents'
  | 'owed_cents'
  | 'free_tasks_used'
  | 'is_gapped'
>

/** A line of a statement. */
export interface Place {
  owner_id: string
  no: number
}

/** The last line of the next slice of `size` lines, or undefined if the rest is smaller. */
export async function nextPlace(
  reader: Reader,
  { owner, no }: Statement,
  after: Place,
  size: number,
): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select ${sql.ref(owner)} as owner_id, ${sql.ref(no)} as no from transfers
     where ${sql.ref(no)} is not null and (${sql.ref(owner)}, ${sql.ref(no)}) > (${after.owner_id}, ${after.no}::bigint)
     order by 1, 2 offset ${size - 1} limit 1`.execute(reader)
  return rows[0]
}

/** Sums the statements after `after` up to `until`, from nothing, or from what the slice before carries over. */
export function sumRange(
  reader: Reader,
  statement: Statement,
  { after, until, carry }: { after: string; until: Place | undefined; carry: Carry | undefined },
): Promise<Owner[]> {
  const { owner, no, lines, balances } = statement
  const place = sql`(f.${sql.ref(owner)}, f.${sql.ref(no)})`
  return sumUp(reader, {
    starts: sql`select * from json_to_recordset(${JSON.stringify(carry ? [carry] : [])}::json) as s(owner_id text,
      mode agent_mode, statement_no bigint, balance_cents bigint, own_cents bigint, owed_cents bigint,
      free_tasks_used bigint, is_gapped boolean)`,
    lines: sql`
      select ${lines} from transfers f
       where f.${sql.ref(no)} is not null
         and ${carry ? sql`${place} > (${after}, ${carry.statement_no}::bigint)` : sql`f.${sql.ref(owner)} > ${after}`}
         and ${until ? sql`${place} <= (${until.owner_id}, ${until.no}::bigint)` : sql`true`}`,
    balances: sql`
      select * from ${balances} b where ${carry ? sql`b.owner_id >= ${after}` : sql`b.owner_id > ${after}`}
         and ${until ? sql`b.owner_id <= ${until.owner_id}` : sql`true`}`,
  })
}

/** Sums the statements of these owners, from their proofs on. */
export function sumSinceProof(
  reader: Reader,
  { owner, no, lines, balances }: Statement,
  ids: string[],
): Promise<Owner[]> {
  return sumUp(reader, {
    starts: sql`
      select owner_id, mode, statement_no, balance_cents, own_cents, owed_cents, free_tasks_used, false as is_gapped
        from ledger_proofs where owner_id = any(${ids}::text[])`,
    lines: sql`
      select f.* from unnest(${ids}::text[]) o(id) left join ledger_proofs p on p.owner_id = o.id
       cross join lateral (
         select ${lines} from transfers f
          where f.${sql.ref(no)} > coalesce(p.statement_no, 0) and f.${sql.ref(owner)} = o.id offset 0) f`,
    balances: sql`select * from ${balances} b where b.owner_id = any(${ids}::text[])`,
  })
}

async function sumUp(
  reader: Reader,
  { starts, lines, balances }: Record<'starts' | 'lines' | 'balances', RawBuilder<unknown>>,
): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    with starts as (${starts}), lines as (${lines}), balances as (${balances}),
    chained as (
      select l.*, lag(l.after) over own as before, row_number() over own as n
        from lines l window own as (partition by l.owner_id order by l.no)),
    sums as (
      select c.owner_id, max(c.no) as no, sum(c.own) as own, sum(c.owed) as owed, sum(c.effect) as effect,
             sum(c.free) as free, min(c.mode) as min_mode, max(c.mode) as max_mode,
             bool_or(c.no <> coalesce(s.statement_no, 0) + c.n
                     or c.after is distinct from coalesce(c.before, s.balance_cents, 0) + c.effect) as is_gapped
        from chained c left join starts s using (owner_id) group by c.owner_id)
    select coalesce(l.owner_id, s.owner_id, b.owner_id) as owner_id,
           coalesce(l.no, s.statement_no, 0) as statement_no,
           (coalesce(s.balance_cents, 0) + coalesce(l.effect, 0))::bigint as balance_cents,
           (coalesce(s.own_cents, 0) + coalesce(l.own, 0))::bigint as own_cents,
           (coalesce(s.owed_cents, 0) + coalesce(l.owed, 0))::bigint as owed_cents,
           (coalesce(s.free_tasks_used, 0) + coalesce(l.free, 0))::bigint as free_tasks_used,
           coalesce(l.is_gapped, false) or coalesce(s.is_gapped, false) as is_gapped,
           coalesce(l.no, s.statement_no, 0) > 0 as has_lines,
           case when l.min_mode = l.max_mode or l.min_mode is null then
             case when l.min_mode is distinct from s.mode and l.min_mode is not null and s.mode is not null
                  then null else coalesce(l.min_mode, s.mode, b.mode) end end as mode,
           b.mode as row_mode, b.statement_no as row_no, b.own_cents as row_own_cents,
           b.owed_cents as row_owed_cents, b.free_tasks_used::bigint as row_free_tasks_used
      from (sums l full join starts s on s.owner_id = l.owner_id)
      full join balances b on b.owner_id = coalesce(l.owner_id, s.owner_id)`.execute(reader)
  return rows
}

/** The violations of these owners, except of books that are being erased. */
export async function judgeOwners(
  reader: Reader,
  { invariants, erased }: Statement,
  owners: Owner[],
): Promise<Break[]> {
  const breaks = owners.flatMap((owner) =>
    Object.entries(invariants)
      .filter(([, isBroken]) => isBroken(owner))
      .map(([invariant]) => ({ invariant, subject: owner.owner_id })),
  )
  if (breaks.length === 0) return []
  const subjects = breaks.map(({ subject }) => subject)
  const { rows } = await sql<{ id: string }>`
    select id from (${erased}) e(id) where id = any(${subjects}::text[])`.execute(reader)
  const gone = new Set(rows.map(({ id }) => id))
  return breaks.filter(({ subject }) => !gone.has(subject))
}

/**
 * Checks all that there is in a schema, from nothing, and stores nothing. For tests and small ledgers. By default the
 * schema is the only one.
 */
export async function auditLedger(
  reader: Reader,
  {
    schema = schemasOf(1)[0]!,
    shards = [reader],
    global = reader,
  }: { schema?: HomeSchema | undefined } & Partial<Everywhere> = {},
): Promise<Break[]> {
  const breaks: Break[] = []
  for (const source of sourcesOf(schema))
    breaks.push(...(await checkRows({ reader, shards, global }, source, EVERYTHING)).breaks)
  for (const statement of [AGENTS, WORKERS]) {
    const range = { after: '', until: undefined, carry: undefined }
    const owners = await sumRange(reader, statement, range)
    breaks.push(...(await judgeOwners(reader, statement, owners)))
  }
  return breaks
}
