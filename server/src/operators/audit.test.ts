import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace, type Marketplace } from '../../test/harness.ts'
import type { Role } from '../kit/rights.ts'
import { appendAudit, hashOfWords } from './audit.ts'

const market = await marketplace({ roles: ['desk'] })
const admin = await signIn(market, 'admin')
const planted = await logOf(7)

/** A log of `rows` rows, some with words, in a marketplace of its own. */
async function logOf(rows: number) {
  const place = await marketplace({ roles: ['desk'] })
  const operator = await signIn(place, 'admin')
  await append(place, operator, rows)
  return { place, operator }
}

async function append(place: Marketplace, by: { id: string; role: Role }, rows: number) {
  for (let i = 1; i <= rows; i += 1)
    await place.server.db.shards.global.transaction((tx) =>
      appendAudit(
        tx,
        {
          operator: by,
          action: 'payout.release',
          subject: `po_${i}`,
          detail: { amount_cents: i * 100, why: 'line\nbreak' },
          words: i % 2 === 0 ? `Reason ${i}` : undefined,
        },
        { now: place.now() },
      ),
    )
}

/** A change that only the owner of the tables can make, with the triggers off. Returns how to undo it. */
async function plant(place: Marketplace, statement: string) {
  await place.asOwner('alter table audit_log disable trigger user')
  await place.asOwner('create table kept_log as select * from audit_log')
  await place.asOwner('create table kept_words as select * from audit_words')
  await place.asOwner(statement)
  return async () => {
    for (const [table, kept] of [
      ['audit_log', 'kept_log'],
      ['audit_words', 'kept_words'],
    ]) {
      await place.asOwner(`delete from ${table}`)
      await place.asOwner(`insert into ${table} select * from ${kept}`)
      await place.asOwner(`drop table ${kept}`)
    }
    await place.asOwner('alter table audit_log enable trigger user')
  }
}

describe('reading the audit log', () => {
  test('filters by subject, operator and action, and pages from the newest to the oldest', async () => {
    const { operator } = planted

    const { body: first } = await operator.get('/audit-log?limit=2&action=payout')
    const { body: second } = await operator.get(
      `/audit-log?limit=2&action=payout.release&cursor=${first.next_cursor}`,
    )
    const { body: one } = await operator.get('/audit-log?subject=po_3')
    const { body: nobody } = await operator.get('/audit-log?operator=opr_nobody')
    const { body: part } = await operator.get('/audit-log?action=pay')

    const subjects = (body: typeof first) =>
      body.rows.map(({ subject }: { subject: string }) => subject)
    assert.deepEqual(subjects(first), ['po_7', 'po_6'])
    assert.deepEqual(subjects(second), ['po_5', 'po_4'])
    assert.deepEqual(subjects(one), ['po_3'])
    assert.equal(one.rows[0].operator.name, operator.name)
    assert.deepEqual(one.rows[0].detail, { amount_cents: 300, why: 'line\nbreak' })
    assert.deepEqual(nobody.rows, [])
    assert.deepEqual(part.rows, [])
  })

  test('the export has every row with what is needed to check it elsewhere, and is logged itself', async () => {
    const { place, operator } = await logOf(3)

    const response = await fetch(`${place.desk}/desk/api/audit-log/export`, {
      headers: { cookie: operator.jar.cookie },
    })

    const rows = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; action: string; words: string | null })
    assert.match(response.headers.get('content-type')!, /ndjson/)
    assert.match(
      response.headers.get('content-disposition')!,
      /attachment; filename="audit-log-.*\.ndjson"/,
    )
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      [1, 2, 3, 4],
    )
    assert.equal(rows[1]!.words, 'Reason 2')
    assert.equal(rows[3]!.action, 'audit_log.export')
  })
})

describe('the chain of the audit log', () => {
  test('is whole after many operators wrote at once: numbered without gaps, each row chained', async () => {
    const [row] = await market.asOwner('select count(*)::int as rows from audit_log')
    const by = { id: admin.id, role: 'admin' } as const

    await Promise.all(Array.from({ length: 4 }, async () => append(market, by, 10)))

    const { body } = await admin.post('/audit-log/verify', {})
    assert.equal(body.first_wrong, null)
    assert.equal(body.rows, row!.rows + 40)
    assert.equal(body.head.seq, row!.rows + 40)
  })

  for (const { what, statement, seq, problem } of [
    {
      what: 'a changed amount',
      statement: `update audit_log set detail = replace(detail, '300', '900') where seq = 3`,
      seq: 3,
      problem: /was changed/,
    },
    {
      what: 'another operator',
      statement: `update audit_log set operator_id = 'opr_other' where seq = 5`,
      seq: 5,
      problem: /was changed/,
    },
    {
      what: 'another time',
      statement: `update audit_log set at = at - interval '1 microsecond' where seq = 2`,
      seq: 2,
      problem: /was changed/,
    },
    {
      what: 'a deleted row',
      statement: 'delete from audit_log where seq = 4',
      seq: 4,
      problem: /missing/,
    },
    {
      what: 'a deleted first row',
      statement: 'delete from audit_log where seq = 1',
      seq: 1,
      problem: /missing/,
    },
    {
      what: 'a deleted row whose number a later row got',
      statement: 'delete from audit_log where seq = 6; update audit_log set seq = 6 where seq = 7',
      seq: 6,
      problem: /not chained/,
    },
    {
      what: 'a changed row with a new hash',
      statement: `update audit_log set action = 'payout.hold',
                    hash = encode(sha256(convert_to(concat_ws(E'\\n', seq,
                      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), operator_id, role, 'payout.hold',
                      subject, detail, coalesce(words_hash, ''), previous), 'UTF8')), 'hex') where seq = 3`,
      seq: 4,
      problem: /not chained/,
    },
    {
      what: 'changed words',
      statement: `update audit_words set words = 'Another reason' where words = 'Reason 4'`,
      seq: 4,
      problem: /words .* were changed/,
    },
    {
      what: 'deleted words',
      statement: `delete from audit_words where words = 'Reason 6'`,
      seq: 6,
      problem: /words .* are missing/,
    },
  ])
    test(`names the row of ${what}`, async () => {
      const { place, operator } = planted
      const before = await operator.post('/audit-log/verify', {})
      const undo = await plant(place, statement)

      const { body } = await operator.post('/audit-log/verify', {})

      await undo()
      assert.equal(before.body.first_wrong, null)
      assert.equal(body.first_wrong.seq, seq)
      assert.match(body.first_wrong.problem, problem)
    })

  test('rows deleted at the end are found by a head that was noted before', async () => {
    const { place, operator } = planted
    const { body: noted } = await operator.post('/audit-log/verify', {})
    const undo = await plant(place, 'delete from audit_log where seq >= 4')

    const { body: unaided } = await operator.post('/audit-log/verify', {})
    const { body: aided } = await operator.post('/audit-log/verify', { head: noted.head })
    await place.asOwner('alter table audit_log enable trigger audit_log_chain')
    await append(place, { id: operator.id, role: 'admin' }, 4)
    const { body: refilled } = await operator.post('/audit-log/verify', { head: noted.head })
    await place.asOwner('alter table audit_log disable trigger user')
    await undo()

    assert.equal(unaided.first_wrong, null)
    assert.equal(aided.first_wrong.seq, 4)
    assert.equal(refilled.first_wrong.seq, 7)
  })

  test('stays whole when words are erased, and after five years without them', async () => {
    const { place, operator } = planted
    await place.asOwner(`update audit_words set words = null where words = 'Reason 2'`)
    const { body: erased } = await operator.post('/audit-log/verify', {})
    await place.asOwner('delete from audit_words')
    place.advance(1826 * 86_400_000)
    const later = await signIn(place, 'admin')
    const { body: old } = await later.post('/audit-log/verify', {})

    const { body } = await later.get('/audit-log?subject=po_2')

    assert.equal(erased.first_wrong, null)
    assert.equal(old.first_wrong, null)
    assert.equal(body.rows[0].words, null)
    assert.equal(body.rows[0].are_words_erased, true)
  })
})

describe('rights on the audit log', () => {
  test('the application’s role can append and erase words, and nothing else', async (t) => {
    await append(market, { id: admin.id, role: 'admin' }, 2)
    const client = new pg.Client({ connectionString: market.url })
    await client.connect()
    t.after(() => client.end())
    await client.query('set role legwork_app')
    const refusal = async (statement: string) => {
      const error = await client.query(statement).then(
        () => undefined,
        (thrown: { code: string }) => thrown.code,
      )
      return error
    }

    for (const statement of [
      `update audit_log set action = 'x'`,
      `update audit_log set at = now() where seq = 1`,
      'delete from audit_log where seq = 1',
      'truncate audit_log',
      'drop table audit_log',
      'alter table audit_log disable trigger user',
      'drop trigger audit_log_append_only on audit_log',
      `insert into audit_log (seq, at, operator_id, role, action, subject, detail, previous, hash)
         values (99, now(), 'a', 'admin', 'b', 'c', '{}', 'x', 'y')`,
      `update audit_words set salt = 'x'`,
      'delete from audit_words',
      'create or replace function chain_audit() returns trigger language plpgsql as $$ begin return new; end $$',
      'set session_replication_role = replica',
    ])
      assert.equal(await refusal(statement), '42501', statement)
    assert.equal((await admin.post('/audit-log/verify', {})).body.first_wrong, null)
  })

  test('the owner of the table can’t change a row by mistake', async () => {
    for (const statement of [
      `update audit_log set action = 'x'`,
      'delete from audit_log',
      'truncate audit_log',
    ])
      await assert.rejects(market.asOwner(statement), /append-only/)
  })

  test('the words of a row are bound to it by a salted hash', () => {
    assert.notEqual(hashOfWords('a', 'Fraud'), hashOfWords('b', 'Fraud'))
  })
})
