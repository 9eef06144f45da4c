/** The check of tenants' statements: planted queries are caught, and bound ones are not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { endpoint } from '../../src/kit/endpoint.ts'
import { marketplace } from '../harness.ts'
import { EXCEPTIONS } from './exceptions.ts'
import { type Explained, idsIn, judge } from './plan.ts'
import { takeFindings } from './recorder.ts'
import { report } from './report.ts'
import { SHARED_TABLES, tenantTables } from './tables.ts'

const params = z.object({ id: z.string() })
const planted = {
  auth: 'agent',
  scope: 'read',
  access: { object: 'public' },
  summary: 'Planted',
  params,
  errors: [],
} as const
const success = { status: 200, body: z.object({ count: z.number() }) } as const

const reads = (path: string, statement: (id: string, agentId: string) => ReturnType<typeof sql>) =>
  endpoint({
    ...planted,
    method: 'GET',
    path: `/planted/${path}/:id`,
    success,
    async handler({ db, agent, params: { id } }) {
      const { rows } = await statement(id, agent.id).execute(db)
      return { count: rows.length }
    },
  })

const writes = (path: string, isChecked: boolean) =>
  endpoint({
    ...planted,
    method: 'POST',
    path: `/planted/${path}/:id`,
    success,
    async handler({ tx, agent, params: { id } }) {
      if (isChecked)
        await sql`select id from tasks where id = ${id} and agent_id = ${agent.id} for update`.execute(
          tx,
        )
      const { rows } = await sql`select id from assignments where task_id = ${id}`.execute(tx)
      return { count: rows.length }
    },
  })

const market = await marketplace({
  moreEndpoints: [
    reads('task-by-id', (id) => sql`select id from tasks where id = ${id}`),
    reads(
      'own-task',
      (id, agentId) => sql`select id from tasks where id = ${id} and agent_id = ${agentId}`,
    ),
    reads('tasks-of-agent', (id) => sql`select id from tasks where agent_id = ${id}`),
    reads(
      'feed-joined',
      (id, agentId) => sql`
        select o.task_id from tasks t join open_tasks o on o.task_id = t.id
         where t.id = ${id} and t.agent_id = ${agentId}`,
    ),
    writes('parts-unchecked', false),
    writes('parts-checked', true),
  ],
})
const agent = await market.agent({ balanceCents: 10_000 })
const stranger = await market.agent()
const task = await market.taskIn(agent, 'in_progress')

async function unboundIn(method: 'get' | 'post', path: string, id: string = task.id) {
  const { status, text } = await agent[method](`/planted/${path}/${id}`)
  assert.equal(status, 200, text)
  return report(takeFindings(`${method.toUpperCase()} /planted/${path}/:id`), EXCEPTIONS).unbound
}

describe('a planted endpoint', () => {
  test('that reads a task by its id only is reported with its statement', async () => {
    const unbound = await unboundIn('get', 'task-by-id')

    assert.equal(unbound.length, 1)
    assert.match(unbound[0]!, /^GET \/planted\/task-by-id\/:id: tasks is bound to no tenant/)
    assert.match(unbound[0]!, /select id from tasks where id = \$1/)
  })

  test('that also names the owner is not reported', async () => {
    assert.deepEqual(await unboundIn('get', 'own-task'), [])
  })

  test('that joins the feed with tasks is reported', async () => {
    const unbound = await unboundIn('get', 'feed-joined')

    assert.equal(unbound.length, 1)
    assert.match(unbound[0]!, /: the feed is joined with tenants’ tables/)
  })

  test('that reads the tasks of another agent is reported, but not for its own', async () => {
    const unbound = await unboundIn('get', 'tasks-of-agent', stranger.id)
    const own = await unboundIn('get', 'tasks-of-agent', agent.id)

    assert.equal(unbound.length, 1)
    assert.deepEqual(own, [])
  })

  test('that reads the parts of a task is reported unless the transaction has checked the task', async () => {
    const unchecked = await unboundIn('post', 'parts-unchecked')
    const checked = await unboundIn('post', 'parts-checked')

    assert.equal(unchecked.length, 1)
    assert.deepEqual(checked, [])
  })
})

const shortOf = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/_[0-9a-z]{26}/g, '_…')

describe('a statement', () => {
  const A = agent.id
  const isBound: [text: string, isBound: boolean][] = [
    [`select 1 from tasks where agent_id = '${A}'`, true],
    [`select 1 from tasks`, false],
    [`select count(*) from tasks where status = 'pending'`, false],
    [`select 1 from tasks where agent_id <> '${A}'`, false],
    [`select 1 from tasks where agent_id = '${A}' or status = 'pending'`, false],
    [`select 1 from tasks where agent_id = any('{${A}}') and status = 'pending'`, true],
    [`update tasks set title = 'x' where id = '${task.id}'`, false],
    [`update tasks set title = 'x' where id = '${task.id}' and agent_id = '${A}'`, true],
    [`delete from alerts`, false],
    // Joins carry the binding; an outer or anti join does not carry it to the side that it preserves.
    [`select 1 from proofs p join tasks t on t.id = p.task_id where t.agent_id = '${A}'`, true],
    [
      `select 1 from proofs p join tasks t on t.mode::text = p.text where t.agent_id = '${A}'`,
      false,
    ],
    [`select 1 from tasks t left join proofs p on p.task_id = t.id and p.agent_id = '${A}'`, false],
    [
      `select 1 from tasks t left join proofs p on p.task_id = t.id where t.agent_id = '${A}'`,
      true,
    ],
    [
      `select 1 from tasks t where not exists
         (select 1 from proofs p where p.task_id = t.id and p.agent_id = '${A}')`,
      false,
    ],
    [
      `select 1 from tasks t where exists
         (select 1 from proofs p where p.task_id = t.id and p.agent_id = '${A}')`,
      true,
    ],
    [
      `select 1 from proofs p join tasks t on t.id = p.task_id
        where p.agent_id = '${A}' and p.task_id = '${task.id}'`,
      true,
    ],
    // Subqueries, CTEs and sets of parameters.
    [
      `select (select count(*) from proofs p where p.task_id = t.id) from tasks t where agent_id = '${A}'`,
      true,
    ],
    [`select (select count(*) from proofs) from tasks t where agent_id = '${A}'`, false],
    [
      `with own as materialized (select id from tasks where agent_id = '${A}')
       select 1 from proofs p join own on own.id = p.task_id`,
      true,
    ],
    [
      `with all_tasks as materialized (select id from tasks)
       select 1 from proofs p join all_tasks on all_tasks.id = p.task_id`,
      false,
    ],
    [
      `select 1 from proofs where task_id = (select id from tasks where agent_id = '${A}' limit 1)`,
      true,
    ],
    [`select 1 from unnest('{${A}}'::text[]) u(id) join tasks t on t.agent_id = u.id`, true],
    [`select 1 from unnest('{${task.id}}'::text[]) u(id) join tasks t on t.id = u.id`, false],
    // Views with several branches: a condition on the view holds for each branch, one inside a branch only there.
    [`select 1 from worker_tasks where agent_id = '${A}'`, true],
    [`select 1 from worker_tasks where status = 'pending'`, false],
    [
      `select 1 from worker_assignments a join worker_tasks t on t.id = a.task_id
        where a.agent_id = '${A}'`,
      true,
    ],
    [
      `select 1 from worker_assignments a join worker_tasks t on t.status::text = a.status::text
        where a.agent_id = '${A}'`,
      false,
    ],
    [
      `select 1 from (select id from tasks where agent_id = '${A}' union all select id from away_tasks) t`,
      false,
    ],
    [`select 1 from events where agent_id = '${A}'`, true],
    [`select 1 from events where type = 'task.completed'`, false],
  ]

  for (const [text, expected] of isBound)
    test(`${expected ? 'is' : 'is not'} bound: ${shortOf(text)}`, async () => {
      const [row] = await market.asOwner(`explain (verbose, format json) ${text}`)
      const [{ Plan }] = row!['QUERY PLAN'] as [{ Plan: Explained['Plan'] }]
      const parts = await market.asOwner(
        'select inhrelid::regclass::text as part, inhparent::regclass::text as of from pg_inherits',
      )

      const verdicts = judge(
        { 'Query Text': text, Plan },
        {
          columns: new Map(),
          partitions: new Map(parts.map(({ part, of }) => [part as string, of as string])),
          isOwn: ({ ids }) => ids.every((id) => id === A),
          isChecked: ({ ids }) => ids.length > 0 && ids.every((id) => id === A),
        },
      )

      assert.equal(
        verdicts.length > 0 && verdicts.every(({ by }) => by !== undefined),
        expected,
        JSON.stringify({ verdicts, Plan }, undefined, 1),
      )
    })

  test('has its ids found anywhere', () => {
    assert.deepEqual(idsIn(`'{${A},${task.id}}'::text[]`), [A, task.id])
    assert.deepEqual(idsIn('task_id = agent_x'), [])
  })
})

describe('the list of tables', () => {
  test('has every table of the schema, and only columns that exist', async () => {
    const rows = await market.asOwner(
      `select c.relname as name, array_agg(a.attname::text) as columns
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        group by 1`,
    )
    const columns = new Map(rows.map((row) => [row.name as string, row.columns as string[]]))

    const listed = [...tenantTables.keys(), ...Object.keys(SHARED_TABLES)]
    assert.deepEqual([...listed].sort(), [...columns.keys()].sort())
    for (const { name, owners, ids, secrets } of tenantTables.values())
      for (const column of [...owners, ...ids, ...secrets])
        assert.ok(columns.get(name)!.includes(column), `${name}.${column}`)
  })

  test('shares no table with an owner, except with a reason', async () => {
    const rows = await market.asOwner(
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name in ('agent_id', 'worker_id')`,
    )

    const shared = rows.map(({ name }) => name as string).filter((name) => name in SHARED_TABLES)
    assert.deepEqual(shared.sort(), [
      'open_agents',
      'open_tasks',
      'outbox',
      'photo_hashes',
      'promo_workers',
    ])
  })
})

describe('an exception', () => {
  test('that no statement needs is reported as stale', () => {
    const stale = { where: 'tasks/get.ts', tables: ['tasks'], reason: 'None' }

    assert.deepEqual(report([], [stale]).stale, [stale])
  })

  test('covers only its own file and table', () => {
    const finding = {
      operation: 'sweep x',
      where: ['tasks/expire.ts'],
      table: 'tasks',
      by: undefined,
      statement: 'select',
    }
    const cover = (where: string, table: string) =>
      report([finding], [{ where, tables: [table], reason: 'Sweep' }]).unbound.length === 0

    assert.ok(cover('tasks/expire.ts', 'tasks'))
    assert.ok(!cover('tasks/get.ts', 'tasks'))
    assert.ok(!cover('tasks/expire.ts', 'proofs'))
  })
})
