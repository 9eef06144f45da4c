/** What the audit stores: its runs with their positions, proofs of statements, checksums, and breaks. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import type { Background } from '../kit/job.ts'
import type { Break, Carry, DaySum, Statement } from './audit-checks.ts'
import { COUNTED, type Owner, UNCHANGED } from './invariants.ts'

/** Rounds whose checksums are kept: the one that is compared with, and the one that runs. */
const ROUNDS_KEPT = 2

export interface Increment {
  id: number
  sealed_xid: number
  /** When the increment before began. */
  previous_at: Date | null
}

/** Resumes an interrupted increment, or begins one where the last ended. The first one begins now. */
export function beginIncrement(
  { db }: Background,
  { startedAt, untilXid }: { startedAt: Date; untilXid: number },
): Promise<Increment> {
  return db.transaction(async (tx) => {
    const { rows } = await sql<Increment>`
      with last as (select sealed_xid, started_at from ledger_audits
                     where kind = 'increment' and ended_at is not null order by id desc limit 1),
      begun as (
        insert into ledger_audits (kind, started_at, sealed_xid)
          select 'increment', ${startedAt}, coalesce((select sealed_xid from last), ${untilXid})
        on conflict (kind) where ended_at is null do nothing
        returning id, sealed_xid)
      select id, sealed_xid, (select started_at from last) as previous_at from (
        select id, sealed_xid from begun
         union all
        select id, sealed_xid from ledger_audits where kind = 'increment' and ended_at is null) s limit 1`.execute(
      tx,
    )
    return rows[0]!
  })
}

export async function saveSeal(
  { db }: Background,
  id: number,
  { sealedXid, rows, breaks }: { sealedXid: number; rows: number; breaks: number },
): Promise<void> {
  await db.transaction((tx) =>
    sql`update ledger_audits set sealed_xid = ${sealedXid}, rows_done = rows_done + ${rows}, breaks = ${breaks}
         where id = ${id}`.execute(tx),
  )
}

export async function endRun({ db, clock }: Background, id: number): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable('ledger_audits')
      .set({ ended_at: clock.now() })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute(),
  )
}

export interface Round {
  id: number
  started_at: Date
  /** Its checksums cover the lines of the transactions before this one. */
  sealed_xid: number
  /** The same of the round before, 0 if there was none. */
  before_xid: number
  before_id: number | null
  pass: string
  position: string
  carry: Carry | null
  rows_done: number
  rows_total: number
  ended_at: Date | null
}

const COMPLETE = sql`kind = 'round' and ended_at is not null
  and exists (select 1 from ledger_checksums c where c.audit_id = b.id)`

export async function openRound(reader: Reader): Promise<Round | undefined> {
  const { rows } = await sql<Round>`
    select r.id, r.started_at, r.sealed_xid, r.pass, r.position, r.carry, r.rows_done, r.rows_total, r.ended_at,
           b.id as before_id, coalesce(b.sealed_xid, 0) as before_xid
      from ledger_audits r left join lateral (
        select b.id, b.sealed_xid from ledger_audits b where ${COMPLETE} and b.id < r.id order by b.id desc limit 1
      ) b on true
     where r.kind = 'round' and r.ended_at is null`.execute(reader)
  return rows[0]
}

/**
 * The oldest transaction that is still running. All before it have ended: their lines are visible to the next
 * statement, or will never exist.
 */
export async function oldestRunning(reader: Reader): Promise<number> {
  const { rows } = await sql<{ xid: number }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xid`.execute(reader)
  return rows[0]!.xid
}

export async function beginRound(background: Background, sealedXid: number): Promise<Round> {
  const { db, clock } = background
  // Each line is read by its key, and once on each statement that it is on.
  await sql`
    insert into ledger_audits (kind, started_at, sealed_xid, pass, position, rows_total)
    select 'round', ${clock.now()}, ${sealedXid}, 'tasks', '',
           coalesce((select sum(statement_no) from ledger_agents), 0)
         + coalesce((select sum(statement_no) from ledger_workers), 0)
         + (select coalesce(sum(greatest(reltuples, 0)), 0)::bigint from pg_class where oid = any(array(
             -- The list of the processor is not in every schema.
             select to_regclass(name) from unnest(array[
               'transfers', 'deposits', 'refunds', 'payouts', 'ledger_transits', 'balance_transactions']) name)))
    on conflict (kind) where ended_at is null do nothing`.execute(db.reader)
  return (await openRound(db.reader))!
}

/** Forgets the open round with its part of the checksums, to begin another. */
export async function abandonRound({ db }: Background): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      delete from ledger_audits where kind = 'round' and ended_at is null returning id`.execute(tx)
    const ids = rows.map(({ id }) => id)
    await sql`delete from ledger_checksums where audit_id = any(${ids}::bigint[])`.execute(tx)
  })
}

/** Stores the position behind a slice together with its checksums, unless another process was faster. */
export async function saveSlice(
  { db, clock }: Background,
  round: Round,
  slice: {
    pass: string
    position: string
    carry: Carry | null
    rows: number
    tookMs: number
    breaks: number
    days: DaySum[]
    isComplete: boolean
  },
): Promise<Round> {
  const endedAt = slice.isComplete ? clock.now() : null
  const carry = slice.carry === null ? null : JSON.stringify(slice.carry)
  await db.transaction(async (tx) => {
    const { rows } = await sql`
      update ledger_audits
         set pass = ${slice.pass}, position = ${slice.position}, carry = ${carry}::json,
             rows_done = rows_done + ${slice.rows}, busy_ms = busy_ms + ${Math.round(slice.tookMs)},
             breaks = breaks + ${slice.breaks}, ended_at = ${endedAt}
       where id = ${round.id} and ended_at is null and pass = ${round.pass} and position = ${round.position}
         and rows_done = ${round.rows_done}
      returning id`.execute(tx)
    if (rows.length === 0) throw new Error('another process is auditing the ledger')
    if (slice.days.length > 0)
      await sql`
        insert into ledger_checksums as c (audit_id, day, lines, checksum, lines_before, checksum_before)
          select ${round.id}, d.day, d.lines, d.checksum, d.lines_before, d.checksum_before
            from json_to_recordset(${JSON.stringify(slice.days)}::json) d(day date, lines bigint, checksum numeric,
                   lines_before bigint, checksum_before numeric)
        on conflict (audit_id, day) do update
           set lines = c.lines + excluded.lines, checksum = c.checksum + excluded.checksum,
               lines_before = c.lines_before + excluded.lines_before,
               checksum_before = c.checksum_before + excluded.checksum_before`.execute(tx)
  })
  return {
    ...round,
    pass: slice.pass,
    position: slice.position,
    carry: slice.carry,
    rows_done: round.rows_done + slice.rows,
    ended_at: endedAt,
  }
}

/** Compares each day's lines with what the round before found. A day that changed keeps the checksum it should have. */
export async function compareDays(background: Background, round: Round): Promise<void> {
  const { db } = background
  if (round.before_id !== null) {
    const { rows } = await sql<{ day: string; is_right: boolean }>`
      select coalesce(b.day, r.day)::text as day,
             coalesce(b.lines, 0) = coalesce(r.lines_before, 0)
               and coalesce(b.checksum, 0) = coalesce(r.checksum_before, 0) as is_right
        from (select * from ledger_checksums where audit_id = ${round.before_id}) b
        full join (select * from ledger_checksums where audit_id = ${round.id}) r on r.day = b.day
       where b.day is not null or r.lines_before > 0`.execute(db.reader)
    const changed = rows.filter(({ is_right }) => !is_right).map(({ day }) => day)
    await recordBreaks(
      background,
      changed.map((day) => ({ invariant: UNCHANGED, subject: day })),
    )
    if (changed.length > 0)
      await sql`
        insert into ledger_checksums as c (audit_id, day, lines, checksum, lines_before, checksum_before)
          select ${round.id}, b.day, b.lines, b.checksum, 0, 0 from ledger_checksums b
           where b.audit_id = ${round.before_id} and b.day = any(${changed}::date[])
        on conflict (audit_id, day) do update
           set lines = excluded.lines + c.lines - c.lines_before,
               checksum = excluded.checksum + c.checksum - c.checksum_before`.execute(db.reader)
    for (const open of await openBreaks(db.reader))
      if (open.invariant === UNCHANGED && !changed.includes(open.subject))
        await closeBreak(background, open)
  }
  await sql`
    delete from ledger_checksums where audit_id not in (
      select id from ledger_audits where kind = 'round' order by id desc limit ${ROUNDS_KEPT})
       and audit_id is distinct from ${round.before_id}`.execute(db.reader)
}

/** Accepts a day's lines as they are now: the next round compares with nothing. False if no such break is open. */
export async function acceptDay(background: Background, day: string): Promise<boolean> {
  let isAccepted = false
  for (const db of background.db.shards.all)
    if (await acceptDayOfShard({ ...background, db }, day)) isAccepted = true
  return isAccepted
}

async function acceptDayOfShard(background: Background, day: string): Promise<boolean> {
  const open = (await openBreaks(background.db.reader)).find(
    ({ invariant, subject }) => invariant === UNCHANGED && subject === day,
  )
  if (open === undefined) return false
  await sql`
    delete from ledger_checksums where day = ${day}::date`.execute(background.db.reader)
  await closeBreak(background, open)
  return true
}

export interface OpenBreak extends Break {
  found_at: Date
}

export const openBreaks = (reader: Reader): Promise<OpenBreak[]> =>
  reader
    .selectFrom('ledger_breaks')
    .select(['invariant', 'subject', 'found_at'])
    .where('ended_at', 'is', null)
    .orderBy('found_at')
    .orderBy('subject')
    .execute()

export async function recordBreaks({ db, clock, log }: Background, breaks: Break[]): Promise<void> {
  if (breaks.length === 0) return
  const now = clock.now()
  await db.transaction((tx) =>
    sql`
      insert into ledger_breaks (invariant, subject, found_at, seen_at)
        select distinct invariant, subject, ${now}::timestamptz, ${now}::timestamptz
          from json_to_recordset(${JSON.stringify(breaks)}::json) b(invariant text, subject text)
      on conflict (invariant, subject) where ended_at is null do update set seen_at = excluded.seen_at`.execute(
      tx,
    ),
  )
  for (const { invariant, subject } of breaks)
    log.error({ invariant, subject }, 'a ledger invariant is broken')
}

export async function closeBreak(
  { db, clock, log }: Background,
  { invariant, subject }: Break,
): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable('ledger_breaks')
      .set({ ended_at: clock.now() })
      .where('invariant', '=', invariant)
      .where('subject', '=', subject)
      .where('ended_at', 'is', null)
      .execute(),
  )
  log.warn({ invariant, subject }, 'a ledger invariant holds again')
}

/** A complete round has seen every subject: a break that it did not find is over. */
export async function closeUnseenBreaks(background: Background, round: Round): Promise<void> {
  const unseen = await background.db.reader
    .selectFrom('ledger_breaks')
    .select(['invariant', 'subject'])
    .where('ended_at', 'is', null)
    .where('seen_at', '<', round.started_at)
    .where('invariant', 'not in', [UNCHANGED, COUNTED])
    .execute()
  for (const one of unseen) await closeBreak(background, one)
}

/**
 * Stores how far each statement is proven. A broken statement loses its proof, so that it is checked from its first
 * line until it is right. A round proves only what has no proof: the others have theirs from the increments.
 */
export async function storeProofs(
  { db, clock }: Background,
  reader: Reader,
  statement: Statement,
  { owners, breaks, isRound }: { owners: Owner[]; breaks: Break[]; isRound: boolean },
): Promise<void> {
  const broken = new Set(breaks.map(({ subject }) => subject))
  const ids = owners.map(({ owner_id }) => owner_id)
  const known = new Map(
    ids.length === 0
      ? []
      : (
          await sql<{ owner_id: string; statement_no: number }>`
            select owner_id, statement_no from ledger_proofs where owner_id = any(${ids}::text[])`.execute(
            db.reader,
          )
        ).rows.map(({ owner_id, statement_no }) => [owner_id, statement_no] as const),
  )
  const proven = owners
    .filter(({ owner_id, row_mode }) => !broken.has(owner_id) && row_mode !== null)
    .map((owner) => ({ ...owner, from_no: known.get(owner.owner_id) ?? null }))
    .filter(({ statement_no, from_no }) =>
      from_no === null ? true : !isRound && statement_no > from_no,
    )
  const totals = statement.name === 'agents' ? await totalsOf(reader, proven) : []
  await db.transaction(async (tx) => {
    if (broken.size > 0) {
      await sql`delete from ledger_totals where agent_id = any(${[...broken]}::text[])`.execute(tx)
      await sql`delete from ledger_proofs where owner_id = any(${[...broken]}::text[])`.execute(tx)
    }
    if (proven.length === 0) return
    await sql`
      with proven as materialized (
        select o.*, ${clock.now()}::timestamptz as proven_at
          from json_to_recordset(${JSON.stringify(proven)}::json) o(owner_id text, row_mode agent_mode, from_no bigint,
                 statement_no bigint, balance_cents bigint, own_cents bigint, owed_cents bigint,
                 free_tasks_used bigint)
      ), updated as (
        update ledger_proofs p
           set statement_no = o.statement_no, balance_cents = o.balance_cents, own_cents = o.own_cents,
               owed_cents = o.owed_cents, free_tasks_used = o.free_tasks_used, proven_at = o.proven_at
          from proven o
         -- Another process may have been faster: its totals count already.
         where p.owner_id = o.owner_id and p.statement_no = o.from_no
        returning p.owner_id
      ), added as (
        insert into ledger_proofs (owner_id, mode, statement_no, balance_cents, own_cents, owed_cents,
                                   free_tasks_used, proven_at)
          select owner_id, row_mode, statement_no, balance_cents, own_cents, owed_cents, free_tasks_used, proven_at
            from proven where from_no is null
        on conflict (owner_id) do nothing
        returning owner_id
      ), stored as (
        select owner_id from updated union all select owner_id from added)
      insert into ledger_totals as t (agent_id, kind, credit, cents, lines)
        select n.agent_id, n.kind, n.credit, n.cents, n.lines
          from json_to_recordset(${JSON.stringify(totals)}::json) n(agent_id text, kind text, credit text,
                 cents bigint, lines bigint)
         where n.agent_id in (select owner_id from stored)
      on conflict (agent_id, kind, credit) do update
         set cents = t.cents + excluded.cents, lines = t.lines + excluded.lines`.execute(tx)
  })
}

interface Total {
  agent_id: string
  kind: string
  credit: string
  cents: number
  lines: number
}

/** The lines between each agent's old and new proof, by kind and credited account. */
async function totalsOf(
  reader: Reader,
  proven: (Pick<Owner, 'owner_id' | 'statement_no'> & { from_no: number | null })[],
): Promise<Total[]> {
  const asked = proven.map(({ owner_id, statement_no, from_no }) => ({
    owner_id,
    from_no: from_no ?? 0,
    until_no: statement_no,
  }))
  if (asked.length === 0) return []
  const { rows } = await sql<Total>`
    select o.owner_id as agent_id, f.kind, f.credit, sum(f.amount_cents)::bigint as cents, count(*) as lines
      from json_to_recordset(${JSON.stringify(asked)}::json) o(owner_id text, from_no bigint, until_no bigint)
     cross join lateral (
       select kind, credit, amount_cents from transfers f
        where f.agent_id = o.owner_id and f.agent_statement_no > o.from_no and f.agent_statement_no <= o.until_no
       offset 0) f
     group by 1, 2, 3`.execute(reader)
  return rows
}

/** Owners whose balances are not what is proven: touched since, or edited. */
export async function differingOwners(reader: Reader, name: Statement['name']): Promise<string[]> {
  const { rows } =
    name === 'agents'
      ? await sql<{ id: string }>`
          select p.owner_id as id from ledger_proofs p left join ledger_agents b on b.agent_id = p.owner_id
           where starts_with(p.owner_id, 'agent_')
             and (p.statement_no, p.own_cents, p.owed_cents, p.free_tasks_used, p.mode) is distinct from
                 (b.statement_no, b.wallet_cents, b.receivable_cents,
                  (b.free_tasks_granted - b.free_tasks_remaining)::bigint, b.mode)
             and (b.agent_id is not null or p.mode = 'live')`.execute(reader)
      : await sql<{ id: string }>`
          select p.owner_id as id from ledger_proofs p left join ledger_workers b on b.worker_id = p.owner_id
           where starts_with(p.owner_id, 'worker_')
             and (p.statement_no, p.own_cents, p.owed_cents, p.mode) is distinct from
                 (b.statement_no, b.payable_cents, b.receivable_cents, b.mode)
             and (b.worker_id is not null or p.mode = 'live' and p.statement_no > 0)`.execute(
          reader,
        )
  return rows.map(({ id }) => id)
}

/** Erased test agents and deleted workers without movements leave their proofs behind. */
export async function forgetErased({ db }: Background): Promise<void> {
  await sql`
    delete from ledger_proofs p where (p.mode = 'test' or p.statement_no = 0)
       and not exists (select 1 from ledger_agents b where b.agent_id = p.owner_id)
       and not exists (select 1 from ledger_workers b where b.worker_id = p.owner_id)`.execute(
    db.reader,
  )
  await sql`
    delete from ledger_totals t where not exists (select 1 from ledger_proofs p where p.owner_id = t.agent_id)
  `.execute(db.reader)
}
