/**
 * The sections of a worker's export, each as a query of that worker's rows. A new table with a `worker_id` needs a
 * section here, or an entry in the list of the test beside it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Reader } from '../kit/db.ts'

export type Row = Record<string, unknown>

interface ObjectSection {
  name: string
  query(workerId: string): RawBuilder<Row>
}

interface ListSection {
  name: string
  /** Below every value of `position`, the column that orders the rows. It is not exported. */
  first: string | number
  query(workerId: string, page: { after: string | number; limit: number }): RawBuilder<Row>
  /** Adds to the rows of a page what another statement reads. */
  complete?(db: Db, workerId: string, rows: Row[]): Promise<Row[]>
}

const PAGE = 200

/** Reads a list page by page. */
export async function* readPage(db: Db, section: ListSection, workerId: string) {
  let after = section.first
  for (;;) {
    const { rows } = await section.query(workerId, { after, limit: PAGE }).execute(db.reader)
    const complete = (await section.complete?.(db, workerId, rows)) ?? rows
    for (const { position, ...row } of complete) {
      after = position as string | number
      yield row
    }
    if (rows.length < PAGE) return
  }
}

export const OBJECTS: readonly ObjectSection[] = [
  {
    name: 'account',
    query: (workerId) => sql`
      select w.id, w.mode, w.name, w.email, w.status, w.skills, w.languages, w.app_language, w.location, w.preferences,
             w.trust_good, w.trust_bad, w.trust_pending, w.approved_count, w.disputed_count, w.accuracy,
             w.registered_from, w.verified_at, w.identity_done_at, w.payouts_ready_at, w.closing_at, w.closes_at,
             w.adult_confirmed_at, w.terms_version, w.created_at, w.updated_at, l.payable_cents as balance_cents,
             l.receivable_cents as debt_cents
        from workers w join ledger_workers l on l.worker_id = w.id
       where w.id = ${workerId}`,
  },
  {
    name: 'payout_account',
    query: (workerId) => sql`
      select account_id, country, email, name, status, requirements_due, details_submitted, bank_last4, refreshed_at,
             created_at
        from payout_accounts where worker_id = ${workerId}`,
  },
  {
    name: 'alert',
    query: (workerId) => sql`
      select lat, lng, radius_km, types, min_pay_cents, created_at, updated_at
        from alerts where worker_id = ${workerId}`,
  },
  {
    name: 'check_in',
    query: (workerId) => sql`
      select task_id, at, contact, created_at, asked_at, missed_at
        from check_ins where worker_id = ${workerId}`,
  },
]

export const LISTS: readonly ListSection[] = [
  {
    name: 'assignments',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select a.id as position, a.id, a.task_id, t.type as task_type, t.title as task_title, g.name as agent_name,
             a.status, a.pay_cents, a.net_cents, a.accepted_at, a.expires_at, a.submitted_at, a.ended_at, a.outcome,
             a.reason, a.revision_note, a.revisions,
             (select coalesce(json_agg(json_build_object(
                       'id', d.id, 'reason', d.reason, 'category', d.category, 'criteria', d.criteria,
                       'status', d.status, 'decision_note', d.decision_note, 'created_at', d.created_at,
                       'resolved_at', d.resolved_at)
                     order by d.id), '[]')
                from worker_disputes d where d.task_id = a.task_id and a.id = any(d.assignment_ids)) as disputes,
             (select coalesce(json_agg(json_build_object(
                       'id', p.id, 'statement', p.statement, 'agent_answer', p.agent_answer, 'ruling', p.ruling,
                       'ruling_note', p.ruling_note, 'created_at', p.created_at, 'ruled_at', p.ruled_at)
                     order by p.id), '[]')
                from worker_appeals p where p.task_id = a.task_id and p.worker_id = a.worker_id) as appeals
        from worker_assignments a join worker_tasks t on t.id = a.task_id join worker_agents g on g.id = a.agent_id
       where a.worker_id = ${workerId} and a.id > ${after}
       order by a.id limit ${limit}`,
    complete: withProofs,
  },
  {
    name: 'statement',
    first: 0,
    query: (workerId, { after, limit }) => sql`
      select worker_statement_no as position, worker_statement_no as number, kind, amount_cents,
             case when credit = 'liab:worker_payable' then 'in' else 'out' end as direction,
             worker_balance_cents as balance_cents, task_id, ref_id, created_at
        from transfers
       where worker_id = ${workerId} and worker_statement_no > ${after}
       order by worker_statement_no limit ${limit}`,
  },
  {
    name: 'payouts',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select id as position, id, task_id, amount_cents, status, hold_reason, available_at, account_id, transfer_id,
             reversed_cents, failure_code, failure_message, previous_id, paid_at, created_at, updated_at
        from payouts where worker_id = ${workerId} and id > ${after} order by id limit ${limit}`,
  },
  {
    name: 'trust_events',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select key as position, cause, good, bad, weight, task_id, pending_since, is_appealed, created_at
        from trust_events where worker_id = ${workerId} and key > ${after} order by key limit ${limit}`,
  },
  {
    name: 'reports',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select task_id as position, task_id, kind, note, verdict, created_at, decided_at
        from worker_reports where worker_id = ${workerId} and task_id > ${after} order by task_id limit ${limit}`,
  },
  {
    name: 'decisions',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select id as position, kind, reason, task_ids, decided_at, ends_at, objection, objected_at, reply, reply_note,
             replied_at, ended_at, ended_for, end_note
        from worker_decisions where worker_id = ${workerId} and id > ${after} order by id limit ${limit}`,
  },
  {
    name: 'notices',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select id as position, kind, task_id, title, agent_name, amount_cents, tip_cents, distance_km, reason, until,
             created_at, read_at, mailed_at
        from notices where worker_id = ${workerId} and id > ${after} order by id limit ${limit}`,
  },
  {
    name: 'questions',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select q.id as position, q.id, q.subject, q.task_id, q.task_title, q.status, q.created_at, q.due_at, q.closed_at,
             (select coalesce(json_agg(json_build_object(
                       'author', m.author, 'text', m.text, 'created_at', m.created_at)
                     order by m.number), '[]')
                from question_messages m where m.question_id = q.id and m.worker_id = q.worker_id) as messages,
             (select coalesce(json_agg(json_build_object(
                       'id', p.id, 'message', p.message_number, 'content_type', p.content_type, 'bytes', p.bytes,
                       'width', p.width, 'height', p.height, 'created_at', p.created_at)
                     order by p.number), '[]')
                from question_photos p where p.question_id = q.id and p.worker_id = q.worker_id) as photos
        from questions q where q.worker_id = ${workerId} and q.id > ${after} order by q.id limit ${limit}`,
  },
  {
    name: 'sessions',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select id as position, browser, system, created_at, used_at, expires_at
        from worker_sessions where worker_id = ${workerId} and id > ${after} order by id limit ${limit}`,
  },
  {
    name: 'push_subscriptions',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select id as position, label, split_part(endpoint, '/', 3) as push_service, created_at
        from push_subscriptions where worker_id = ${workerId} and id > ${after} order by id limit ${limit}`,
  },
  {
    name: 'email_changes',
    first: '',
    query: (workerId, { after, limit }) => sql`
      select id as position, old_email, new_email, created_at, expires_at, confirmed_at, undo_until, ended_at, ended_for
        from worker_email_changes where worker_id = ${workerId} and id > ${after} order by id limit ${limit}`,
  },
]

/** Proofs and files are on the shards of their tasks, so statements apart read them. */
async function withProofs({ shards }: Db, workerId: string, assignments: Row[]): Promise<Row[]> {
  const ids = Map.groupBy(
    assignments.map(({ id }) => id as string),
    (id) => shards.at(id),
  )
  const found = new Map<string, Row>()
  for (const [shard, own] of ids)
    for (const { id, ...parts } of await readProofs(shard.reader, workerId, own))
      found.set(id, parts)
  return assignments.map(({ disputes, appeals, ...row }) => ({
    ...row,
    ...found.get(row.id as string),
    disputes,
    appeals,
  }))
}

async function readProofs(db: Reader, workerId: string, assignmentIds: string[]) {
  const { rows } = await sql<{ id: string; proofs: unknown; files: unknown }>`
    select a.id,
           (select coalesce(json_agg(json_build_object(
                     'id', p.id, 'text', p.text, 'answer', p.answer, 'outcome', p.outcome,
                     'location', p.location, 'area', p.area, 'files_removed_at', p.files_removed_at,
                     'captured_at', p.captured_at, 'checks', p.checks, 'submitted_at', p.submitted_at)
                   order by p.id), '[]')
              from proofs p where p.assignment_id = a.id and p.worker_id = ${workerId}) as proofs,
           (select coalesce(json_agg(json_build_object(
                     'id', f.id, 'proof_id', f.proof_id, 'kind', f.kind, 'status', f.status,
                     'content_type', f.content_type, 'bytes', f.bytes, 'width', f.width, 'height', f.height,
                     'evidence', f.evidence, 'checks', f.checks, 'created_at', f.created_at)
                   order by f.id), '[]')
              from files f where f.assignment_id = a.id and f.worker_id = ${workerId}) as files
      from unnest(${assignmentIds}::text[]) a(id)`.execute(db)
  return rows
}
