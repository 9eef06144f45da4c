/**
 * Audit the ledger: every night what is new, and every week all of it again.
 *
 *   called by   the clock, every night; an operator, `server ops audit`
 *   moves       nothing
 *   money       none; it only reads
 *   event       none; an open break raises the alarm `legwork_ledger_breaks` until a later check finds it right
 *
 * An **increment** checks the movements that were posted since the last one, every balance against its proof, and every
 * open break. A **round** checks everything from nothing, in slices; its position is stored after each of them.
 * docs/ledger.md explains why no line can be missed.
 *
 * Every shard is audited on its own: a line has both of its sides, and the statements that it is on, in one shard. What
 * only all shards have together is in docs/money.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { auditUrlOf } from '../kit/databases.ts'
import { z } from 'zod'
import type { Reader, Shards } from '../kit/db.ts'
import type { HomeSchema } from '../kit/layout.ts'
import { withPatientReader } from '../kit/patient-reader.ts'
import { type Background, job } from '../kit/job.ts'
import {
  AGENTS,
  auditsList,
  booksOf,
  type Break,
  type Carry,
  checkRows,
  judgeOwners,
  MOVEMENTS,
  nextPlace,
  OTHER_MOVEMENTS,
  type Scope,
  type Source,
  sourcesOf,
  type Statement,
  sumRange,
  sumSinceProof,
  WORKERS,
} from './audit-checks.ts'
import {
  abandonRound,
  beginIncrement,
  beginRound,
  closeBreak,
  closeUnseenBreaks,
  compareDays,
  differingOwners,
  endRun,
  forgetErased,
  oldestRunning,
  openBreaks,
  openRound,
  recordBreaks,
  type Round,
  saveSeal,
  saveSlice,
  storeProofs,
} from './audit-state.ts'
import { COUNTED, UNCHANGED } from './invariants.ts'
import { keepAccounts } from './account-sums.ts'
import { keepSum, SUMS_OF_SHARDS } from './sums.ts'

/** One statement of the audit reads one slice: seconds, even on a slow disk. */
const SLOWEST_MS = 600_000
/** Subjects of one slice: large enough to read ranges, small enough for memory. */
const SLICE = { tasks: 10_000, rows: 20_000, lines: 50_000 }
/** Transactions per step of an increment, so that a step's lists stay small after a long pause. */
const STEP_XIDS = 500_000
const LIST_MAX = 5_000
const ROUND_NIGHTS = 7
/** A ledger smaller than this is checked as a whole every night. */
const NIGHT_ROWS_MIN = 1_000_000
/**
 * After each slice, a round pauses this many times as long as the slice took. So at most one request in 25 runs beside
 * it, and the 95th percentile of response times stays where it was.
 */
const PAUSE = 24
/** The first work of a run needs no pauses: a small ledger is checked before anybody could notice. */
const UNPAUSED_MS = 1000
/** Matches may come days after their transaction. */
const MATCHES_DAYS = 14

export const audit = job({
  name: 'ledger.audit',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '17 3 * * *',

  async run(background) {
    await withReader(background, async (reader) => {
      await runIncrement(background, reader)
      await continueRound(background, reader, { pause: PAUSE })
    })
  },
})

interface AuditNow {
  isWhole: boolean
  /** Pauses as the nightly job does. */
  isGentle: boolean
}

/** Checks what is new, or everything, in every shard, now: for operators. */
export async function auditNow(background: Background, how: AuditNow): Promise<void> {
  for (const db of background.db.shards.all) await auditShard({ ...background, db }, how)
}

async function auditShard(background: Background, { isWhole, isGentle }: AuditNow): Promise<void> {
  await withReader(background, async (reader) => {
    await runIncrement(background, reader)
    if (!isWhole) return
    await abandonRound(background)
    await continueRound(background, reader, { pause: isGentle ? PAUSE : 0, isWhole })
  })
}

/** The audit reads on a connection of its own, on a standby if one is set; it writes only its own state. */
async function withReader(
  { config, db }: Background,
  work: (reader: Reader) => Promise<void>,
): Promise<void> {
  const url = auditUrlOf(config, db.schema)
  await withPatientReader(url, SLOWEST_MS, work, db.schema)
}

/** Reads in one snapshot, with memory for one slice, by indexes, and on one core. */
const look = <T>(reader: Reader, work: (tx: Reader) => Promise<T>): Promise<T> =>
  reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`
        select set_config('work_mem', '32MB', true), set_config('jit', 'off', true),
               set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)
      `.execute(tx)
      return work(tx)
    })

/** Checks what is new. */
export async function runIncrement(background: Background, reader: Reader): Promise<void> {
  const { clock, log } = background
  const startedAt = clock.now()
  const until = await oldestRunning(reader)
  const run = await beginIncrement(background, { startedAt, untilXid: until })
  let from = run.sealed_xid
  if (from > until) {
    // Transaction ids start again in a database that was restored from a logical dump.
    log.warn({ sealed_xid: from, until_xid: until }, 'the audit starts from the first transaction')
    from = 0
  }
  let breaks = 0
  let lines = 0
  const checked = new Set<string>()
  while (from < until) {
    const step = Math.min(from + STEP_XIDS, until)
    const touched = await look(reader, (tx) => touchedBetween(tx, from, step))
    lines += touched.lines
    for (const id of touched.lists.tasks ?? []) checked.add(id)
    breaks += await checkLists(background, reader, touched.lists)
    await saveSeal(background, run.id, { sealedXid: step, rows: touched.lines, breaks })
    from = step
  }
  const since = new Date((run.previous_at ?? startedAt).getTime() - 3_600_000)
  const { schema, shards } = background.db
  const hasList = auditsList(schema)
  const recent = await look(reader, async (tx) => ({
    ...(await createdSince(tx, since)),
    ...(hasList ? await listedSince(booksOf({ shards }, tx).global, since) : {}),
  }))
  const tasks = (recent.tasks ?? []).filter((id) => !checked.has(id))
  breaks += await checkLists(background, reader, { ...recent, tasks })
  for (const statement of [AGENTS, WORKERS])
    breaks += await checkOwners(background, reader, statement, {
      ids: await look(reader, (tx) => differingOwners(tx, statement.name)),
    })
  await forgetErased(background)
  for (const name of SUMS_OF_SHARDS) await keepSum(background.db.reader, name, { patient: reader })
  await keepAccounts(background.db.reader, { patient: reader })
  if (hasList)
    await keepSum(shards.global.reader, 'mirror', { patient: booksOf({ shards }, reader).global })
  await recheckBreaks(background, reader)
  await endRun(background, run.id)
  log.info({ lines, breaks, sealed_xid: from }, 'audited the new lines of the ledger')
}

/** Continues the open round, or begins one, until tonight's part is done. */
export async function continueRound(
  background: Background,
  reader: Reader,
  { pause, isWhole = false }: { pause: number; isWhole?: boolean },
): Promise<void> {
  const { log } = background
  let round: Round =
    (await openRound(background.db.reader)) ??
    (await beginRound(background, await oldestRunning(reader)))
  const stopAt = isWhole
    ? Infinity
    : round.rows_done + Math.max(Math.ceil(round.rows_total / ROUND_NIGHTS), NIGHT_ROWS_MIN)
  let workedMs = 0
  while (round.ended_at === null && round.rows_done < stopAt) {
    const startedMs = performance.now()
    round = await nextSlice(background, reader, round, startedMs)
    const tookMs = performance.now() - startedMs
    workedMs += tookMs
    log.debug(
      {
        pass: round.pass,
        rows_done: round.rows_done,
        rows_total: round.rows_total,
        took_ms: Math.round(tookMs),
      },
      'audited a slice of the ledger',
    )
    const isNoticeable = workedMs > UNPAUSED_MS
    if (pause > 0 && isNoticeable && round.ended_at === null) await sleep(tookMs * pause)
  }
  const { rows_done, rows_total, ended_at } = round
  log.info(
    { rows_done, rows_total, is_complete: ended_at !== null },
    ended_at === null ? 'the audit’s round continues tomorrow' : 'the audit’s round is complete',
  )
}

const passesOf = (schema: HomeSchema) => [
  ...sourcesOf(schema).map(({ name }) => name),
  AGENTS.name,
  WORKERS.name,
]

async function nextSlice(
  background: Background,
  reader: Reader,
  round: Round,
  startedMs: number,
): Promise<Round> {
  const { schema, shards } = background.db
  const source = sourcesOf(schema).find(({ name }) => name === round.pass)
  const statement = [AGENTS, WORKERS].find(({ name }) => name === round.pass)
  const passes = passesOf(schema)
  const following = passes[passes.indexOf(round.pass) + 1]
  const done = source
    ? await sliceOfRows({ reader, shards }, round, source)
    : await sliceOfStatements(background, reader, round, statement!)
  await recordBreaks(background, done.breaks)
  const isLast = done.position === null
  const isComplete = isLast && following === undefined
  if (isComplete) {
    await compareDays(background, round)
    await closeUnseenBreaks(background, round)
  }
  return saveSlice(background, round, {
    pass: isLast ? (following ?? round.pass) : round.pass,
    position: isLast ? '' : done.position!,
    carry: done.carry,
    rows: done.rows,
    tookMs: performance.now() - startedMs,
    breaks: done.breaks.length,
    days: done.days,
    isComplete,
  })
}

async function sliceOfRows(
  { reader, shards }: { reader: Reader; shards: Shards },
  round: Round,
  source: Source,
) {
  const size = source.name === 'tasks' ? SLICE.tasks : SLICE.rows
  return look(reader, async (tx) => {
    const books = booksOf({ shards }, tx)
    const until = (await source.next(books, round.position, size)) ?? null
    const scope: Scope = { after: round.position, until }
    const seals = { sealedXid: round.sealed_xid, before: round.before_xid }
    const { breaks, days } = await checkRows(books, source, scope, seals)
    const lines = days.reduce((sum, day) => sum + day.lines, 0)
    return {
      breaks,
      days,
      position: until,
      carry: null,
      rows: Math.max(lines, until === null ? 0 : size),
    }
  })
}

async function sliceOfStatements(
  background: Background,
  reader: Reader,
  round: Round,
  statement: Statement,
) {
  const carry = round.carry ?? undefined
  const { owners, breaks, until } = await look(reader, async (tx) => {
    const after = { owner_id: round.position, no: carry?.statement_no ?? Number.MAX_SAFE_INTEGER }
    const until = await nextPlace(tx, statement, after, SLICE.lines)
    const owners = await sumRange(tx, statement, { after: round.position, until, carry })
    // The statement of the last owner may go on.
    const whole = owners.filter(({ owner_id }) => owner_id !== until?.owner_id)
    return { owners, until, breaks: await judgeOwners(tx, statement, whole) }
  })
  const last = owners.find(({ owner_id }) => owner_id === until?.owner_id)
  await storeProofs(background, reader, statement, {
    owners: owners.filter((owner) => owner !== last),
    breaks,
    isRound: true,
  })
  return {
    breaks,
    days: [],
    position: until?.owner_id ?? null,
    carry: last === undefined ? null : carryOf(last),
    rows: until ? SLICE.lines : 0,
  }
}

const carryOf = ({
  owner_id,
  mode,
  statement_no,
  balance_cents,
  own_cents,
  owed_cents,
  free_tasks_used,
  is_gapped,
}: Carry): Carry => ({
  owner_id,
  mode,
  statement_no,
  balance_cents,
  own_cents,
  owed_cents,
  free_tasks_used,
  is_gapped,
})

/** Subjects to check, by pass. */
type Lists = Partial<Record<string, string[]>>

/** What the lines of these transactions touch. */
async function touchedBetween(
  reader: Reader,
  from: number,
  until: number,
): Promise<{ lines: number; lists: Lists }> {
  const { rows } = await sql<{ pass: string; ids: string[]; lines: number }>`
    with new_lines as materialized (
      select key, ref_id, agent_id, worker_id from transfers where posted_xid >= ${from} and posted_xid < ${until})
    select pass, array_agg(distinct id) as ids, (select count(*) from new_lines) as lines from (
      select 'tasks' as pass, split_part(key, ':', 2) as id from new_lines where starts_with(key, 'task:')
       union all
      select 'movements', key from new_lines where not starts_with(key, 'task:')
       union all
      select case split_part(key, ':', 1) when 'payout' then 'payouts' when 'refund' then 'refunds' else 'deposits' end,
             split_part(key, ':', 2)
        from new_lines where split_part(key, ':', 1) in ('payout', 'refund', 'deposit')
       union all
      select 'ledger_transits', ref_id from new_lines where split_part(key, ':', 1) in ('payout', 'refund')
       union all
      select 'agents', agent_id from new_lines
       union all
      select 'workers', worker_id from new_lines) s
     where id is not null group by pass`.execute(reader)
  return {
    lines: rows[0]?.lines ?? 0,
    lists: Object.fromEntries(rows.map(({ pass, ids }) => [pass, ids])),
  }
}

/** Rows created since, whether or not they have lines; ids sort by time. Also what is still on its way. */
async function createdSince(reader: Reader, since: Date): Promise<Lists> {
  const { rows } = await sql<{ pass: string; ids: string[] }>`
    select pass, array_agg(id) as ids from (
      select 'tasks' as pass, id from tasks where id > ${idsFrom('task', since)}
       union all select 'deposits', id from deposits where id > ${idsFrom('txn', since)}
       union all select 'refunds', id from refunds where id > ${idsFrom('rfd', since)}
       union all select 'payouts', id from payouts where id > ${idsFrom('po', since)}
       union all select 'refunds', id from refunds where status in ('requested', 'submitting', 'pending')
       union all select 'payouts', id from payouts
                  where status in ('held', 'awaiting_account', 'requested', 'submitting', 'awaiting_funds')
       union all select 'ledger_transits', ref_id from ledger_transits where in_transit_cents <> 0) s
     group by pass`.execute(reader)
  return Object.fromEntries(rows.map(({ pass, ids }) => [pass, ids]))
}

/** What the processor listed lately. */
async function listedSince(global: Reader, since: Date): Promise<Lists> {
  const listed = await global
    .selectFrom('balance_transactions')
    .select('id')
    .where('created_at', '>=', new Date(since.getTime() - MATCHES_DAYS * 86_400_000))
    .execute()
  return { balance_transactions: listed.map(({ id }) => id) }
}

/** Checks each list in parts, and returns the number of violations. */
async function checkLists(background: Background, reader: Reader, lists: Lists): Promise<number> {
  const { schema, shards } = background.db
  let found = 0
  for (const source of sourcesOf(schema))
    for (const ids of inParts(
      lists[source.name === OTHER_MOVEMENTS.name ? MOVEMENTS.name : source.name],
    )) {
      const { breaks } = await look(reader, (tx) =>
        checkRows(booksOf({ shards }, tx), source, { ids }),
      )
      await recordBreaks(background, breaks)
      found += breaks.length
    }
  for (const statement of [AGENTS, WORKERS])
    found += await checkOwners(background, reader, statement, { ids: lists[statement.name] ?? [] })
  return found
}

async function checkOwners(
  background: Background,
  reader: Reader,
  statement: Statement,
  { ids: all }: { ids: string[] },
): Promise<number> {
  let found = 0
  for (const ids of inParts(all)) {
    const { owners, breaks } = await look(reader, async (tx) => {
      const owners = await sumSinceProof(tx, statement, ids)
      return { owners, breaks: await judgeOwners(tx, statement, owners) }
    })
    await recordBreaks(background, breaks)
    await storeProofs(background, reader, statement, { owners, breaks, isRound: false })
    found += breaks.length
  }
  return found
}

function* inParts(ids: string[] = []): Generator<string[]> {
  for (let i = 0; i < ids.length; i += LIST_MAX) yield ids.slice(i, i + LIST_MAX)
}

/** Checks the subject of each open break again, and ends the break if it is right now. */
async function recheckBreaks(background: Background, reader: Reader): Promise<void> {
  for (const open of await openBreaks(background.db.reader)) {
    if (open.invariant === UNCHANGED || open.invariant === COUNTED) continue
    const lists = await look(reader, (tx) => listsOf(tx, background.db.schema, open.subject))
    const breaks = await checkSubject(background, reader, lists)
    if (breaks.some((one) => one.invariant === open.invariant && one.subject === open.subject))
      continue
    await closeBreak(background, open)
  }
}

async function checkSubject(
  { db: { schema, shards } }: Background,
  reader: Reader,
  lists: Lists,
): Promise<Break[]> {
  return look(reader, async (tx) => {
    const breaks: Break[] = []
    for (const source of sourcesOf(schema)) {
      const ids = lists[source.name === OTHER_MOVEMENTS.name ? MOVEMENTS.name : source.name] ?? []
      if (ids.length === 0) continue
      breaks.push(...(await checkRows(booksOf({ shards }, tx), source, { ids })).breaks)
    }
    for (const statement of [AGENTS, WORKERS]) {
      const ids = lists[statement.name] ?? []
      const owners = ids.length > 0 ? await sumSinceProof(tx, statement, ids) : []
      breaks.push(...(await judgeOwners(tx, statement, owners)))
    }
    return breaks
  })
}

/** Everything that a break's subject may be: a key, a task, a dispute, an owner, or a row. */
async function listsOf(reader: Reader, schema: HomeSchema, subject: string): Promise<Lists> {
  const { rows } = await sql<{ task_id: string | null; keys: string[] }>`
    select (select task_id from disputes where id = ${subject}) as task_id,
           array(select distinct key from transfers,
                        unnest(array['payout:', 'refund:', 'deposit:']) prefix
                  where key >= prefix || ${subject}::text || ':' and key < prefix || ${subject}::text || ';') as keys
  `.execute(reader)
  const { task_id: taskId, keys } = rows[0]!
  const ofKey = subject.startsWith('task:') ? subject.split(':')[1]! : subject
  return {
    tasks: [taskId ?? ofKey],
    movements: [subject, ...keys],
    ...Object.fromEntries(
      passesOf(schema)
        .slice(3)
        .map((pass) => [pass, [subject]]),
    ),
  }
}

/** The smallest id of its prefix at this time. */
function idsFrom(prefix: string, at: Date): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz'
  let rest = Math.max(0, at.getTime())
  let text = ''
  for (let i = 0; i < 10; i += 1) {
    text = digits[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return `${prefix}_${text}`
}
