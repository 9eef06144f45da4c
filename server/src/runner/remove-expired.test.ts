import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { showOpsGauges } from '../ops/gauges.ts'
import { TABLE_HOMES } from '../shards/homes.ts'
import { removeExpired } from './remove-expired.ts'

const DAY = 86_400_000
const market = await marketplace()
const { shards } = market.server.db
const run = () => market.runJob(removeExpired)
const daysAgo = (days: number) => new Date(market.now().getTime() - days * DAY)
/** The table in the schema of one shard, or in the global one. */
function placeOf(table: string): string {
  const { schema } = TABLE_HOMES[table] === 'global' ? shards.global : shards.of(7)
  return `${schema.name}.${table}`
}
const count = async (table: string) =>
  (await market.asOwner(`select count(*)::integer as count from ${table}`))[0]!.count as number

/** Rows of each table that the job empties: how to insert one of a time, and how many days it is kept. */
const ROWS: Record<string, { days: number; insert: string }> = {
  agent_actions: {
    days: 400,
    insert: `insert into agent_actions (id, agent_id, person_id, operation, at)
             values ($2, 'agent_x', 'person_x', 'x', $1)`,
  },
  agent_people: {
    days: 400,
    insert: `insert into agent_people (id, agent_id, email, name, role, invited_at, left_at)
             values ($2, 'agent_x', $2, 'x', 'finance', $1, $1)`,
  },
  agent_person_links: {
    days: 30,
    insert: `insert into agent_person_links (id, email, created_at, expires_at)
             values ($2, 'a@example.com', $1::timestamptz - interval '1 day', $1)`,
  },
  agent_tokens: {
    days: 30,
    insert: `insert into agent_tokens (token_hash, agent_id, purpose, email, created_at, expires_at)
             values ($2, 'agent_x', 'verify', 'a@example.com', $1, $1)`,
  },
  audit_words: {
    days: 1825,
    insert: `insert into audit_words (words_hash, salt, words, created_at) values ($2, 'x', 'x', $1)`,
  },
  case_notes: {
    days: 730,
    insert: `insert into case_notes (id, subject, operator_id, text, created_at)
             values ($2, 'task_x', 'opr_x', 'x', $1)`,
  },
  console_sessions: {
    days: 0,
    insert: `insert into console_sessions (token_hash, key_hash, agent_id, created_at, last_used_at, expires_at)
             values ($2, 'x', 'agent_x', $1::timestamptz - interval '1 day', $1, $1)`,
  },
  crossings_applied: {
    days: 7,
    insert: 'insert into crossings_applied (source, id, applied_at) values ($2, 1, $1)',
  },
  do_not_contact: {
    days: 30,
    insert: `insert into do_not_contact (id, kind, target, state, created_at, ended_at)
             values ($2, 'phone', 'x', 'declined', $1, $1)`,
  },
  request_minutes: {
    days: 2,
    insert: `insert into request_minutes (minute, process_id, route_group, requests, refused, failed, slow)
             values ($1, $2, 'x', 1, 0, 0, 0)`,
  },
  objection_links: {
    days: 30,
    insert: `insert into objection_links (token_hash, decision_id, created_at, expires_at)
             values ($2, 'dec_x', $1::timestamptz - interval '1 day', $1)`,
  },
  oauth_clients: {
    days: 0,
    insert: `insert into oauth_clients (id, name, redirect_uris, created_at, expires_at)
             values ($2, 'x', array['https://app.example/'], $1::timestamptz - interval '1 day', $1)`,
  },
  oauth_grants: {
    days: 30,
    insert: `insert into oauth_grants (id, agent_id, key_id, client_id, client_name, redirect_uri, code_hash,
                                       code_challenge, code_expires_at, created_at, allowed_until, ends_at)
             values ($2, 'agent_x', $2, 'client_x', 'x', 'https://app.example/', $2, 'x',
                     $1, $1::timestamptz - interval '1 day', $1, $1)`,
  },
  operator_actions: {
    days: 730,
    insert: `insert into operator_actions (at, operator, command, words) values ($1, 'ada', 'task', array[$2])`,
  },
  operator_challenges: {
    days: 1,
    insert: `insert into operator_challenges (id_hash, purpose, challenge, expires_at)
             values ($2, 'sign_in', 'x', $1)`,
  },
  operator_links: {
    days: 30,
    insert: `insert into operator_links (token_hash, operator_id, purpose, created_by, created_at, expires_at)
             values ($2, 'opr_x', 'invitation', 'opr_x', $1, $1)`,
  },
  operator_sessions: {
    days: 30,
    insert: `insert into operator_sessions (token_hash, operator_id, how, device, created_at, seen_at, expires_at)
             values ($2, 'opr_x', 'passkey', 'x', $1, $1, $1)`,
  },
  processor_events: {
    days: 90,
    insert: `insert into processor_events (event_id, source, type, object_id, payload, status, created_at, received_at,
                                           handled_at)
             values ($2, 'account', 'x', 'x', '{}', 'handled', $1, $1, $1)`,
  },
  promo_workers: {
    days: 90,
    insert: `insert into promo_workers (day, worker_id, spent_cents) values ($1::timestamptz::date, $2, 1)`,
  },
  reconciliations: {
    days: 730,
    insert: `insert into reconciliations (at, processor_cents, mirrored_cents, ledger_cents, own_funds_cents,
                                          unexplained_new_cents, unexplained_hour_cents, unexplained_day_cents)
             select $1, 0, 0, 0, 0, 0, 0, 0 where $2::text is not null`,
  },
  rotated_keys: {
    days: 0,
    insert: `insert into rotated_keys (key_hash, key_id, expires_at) values ($2, 'key_x', $1)`,
  },
  target_uses: {
    days: 30,
    insert: `insert into target_uses (target, task_id, kind, reserved_at) values ($2, 'task_x', 'phone', $1)`,
  },
  test_usage: {
    days: 2,
    insert: `insert into test_usage (day, subject) values ($1::timestamptz::date, $2)`,
  },
  unsafe_exits: {
    days: 180,
    insert: `insert into unsafe_exits (assignment_id, worker_id, is_paid_at_once, created_at)
             values ($2, 'worker_x', true, $1)`,
  },
  worker_email_changes: {
    days: 90,
    insert: `insert into worker_email_changes (id, worker_id, old_email, new_email, created_at, expires_at, ended_at,
                                               ended_for)
             values ($2, 'worker_x', 'a@example.com', 'b@example.com', $1, $1, $1, 'expired')`,
  },
  worker_tokens: {
    days: 30,
    insert: `insert into worker_tokens (token_hash, worker_id, purpose, created_at, expires_at)
             values ($2, 'worker_x', 'verify', $1, $1)`,
  },
}

async function add(table: string, time: Date, word: string): Promise<void> {
  const insert = ROWS[table]!.insert.replace(`into ${table}`, `into ${placeOf(table)}`)
  await market.asOwner(insert, [time, word])
}

describe('runner.remove-expired', () => {
  test('the test covers every table whose comment names the job', async () => {
    const tables = await market.asOwner(
      `select distinct relname as name from pg_class
        where obj_description(oid, 'pg_class') like '%; by: runner.remove-expired' order by 1`,
    )

    assert.deepEqual(
      tables.map(({ name }) => name),
      Object.keys(ROWS).sort(),
    )
  })

  for (const [table, { days }] of Object.entries(ROWS))
    test(`deletes rows of ${table} after ${days} days, and none before`, async () => {
      await add(table, daysAgo(days + 2), 'old')
      await add(table, daysAgo(days - 2), 'young')
      const before = await count(table)

      await run()

      assert.equal(await count(table), before - 1)
      const [{ text } = { text: '' }] = await market.asOwner(
        `select string_agg(t::text, ' ') as text from ${table} t`,
      )
      assert.doesNotMatch(String(text), /\bold\b/)
      await market.asOwner(`delete from ${placeOf(table)}`)
    })

  test('deletes more rows than a batch, and runs again after it was interrupted', async () => {
    await market.asOwner(
      `insert into ${placeOf('rotated_keys')} (key_hash, key_id, expires_at)
       select 'h' || i, 'key_x', $1 from generate_series(1, 2500) i`,
      [daysAgo(1)],
    )
    const batch = await market.asOwner(
      `select * from ${placeOf('runner_remove_expired')}($1, 1000)`,
      [market.now()],
    )
    assert.equal(await count('rotated_keys'), 1500)
    assert(batch.some(({ relation, deleted }) => relation === 'rotated_keys' && deleted === 1000))

    await run()

    assert.equal(await count('rotated_keys'), 0)
  })
})

test('legwork_retention_overdue_seconds is the age of the oldest row beyond its end, and 0 after the job', async () => {
  const overdue = async (table: string) => {
    await showOpsGauges(market.background)
    const { values } = await market.background.metrics.retentionOverdue.get()
    return values.find(({ labels }) => labels.table === table)!.value
  }
  const tables = ['worker_tokens', 'console_sessions']
  const before = []
  for (const table of tables) {
    await add(table, daysAgo(ROWS[table]!.days + 5), 'old')
    before.push(await overdue(table))
  }

  await run()

  for (const seconds of before) assert(Math.abs(seconds - 5 * 86_400) < 60, String(before))
  for (const table of [
    ...tables,
    'events',
    'files',
    'proofs.location',
    'tasks.description',
    'notices',
  ])
    assert.equal(await overdue(table), 0, table)
})
