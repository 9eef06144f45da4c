/** Every table and column says what it holds and when it ends; jobs, settings and indexes agree with that. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { checkDataRules, parsePersonal, readDataRules } from '../../../scripts/data-rules.ts'
import { jobs, sweeps } from '../../src/jobs.ts'
import { marketplace } from '../harness.ts'

const market = await marketplace()
const SERVER = path.join(import.meta.dirname, '../..')

describe('the rules for data', () => {
  test('exist for every table, and for every column that can hold personal data', async () => {
    assert.deepEqual(checkDataRules(await readDataRules(market.url)), [])
  })

  test('a new column or table without a rule is reported, and so is a comment that is not one', async () => {
    await market.asOwner(`
      create table diaries (id bigint, worker_id text, lines text[]);
      comment on column diaries.worker_id is 'not personal';
      alter table workers
        add column phone text, add column home point, add column last_seen_at timestamptz, add column shoe_size integer,
        add column hat text;
      comment on column workers.hat is 'personal: worker; maybe; row; export: yes'`)

    const problems = checkDataRules(await readDataRules(market.url))

    await market.asOwner(`
      drop table diaries;
      alter table workers
        drop column phone, drop column home, drop column last_seen_at, drop column shoe_size, drop column hat`)
    assert.deepEqual(
      problems.map((problem) => problem.split(' ')[0]),
      [
        'diaries:',
        'diaries.lines',
        'workers.phone',
        'workers.home',
        'workers.last_seen_at',
        'workers.hat',
      ],
    )
  })

  test('name jobs, functions and files that exist', async () => {
    const { tables, columns } = await readDataRules(market.url)
    const known = new Set([...jobs, ...sweeps].map(({ name }) => name))
    const named = [
      ...tables.flatMap(({ comment }) => / by: (.*)$/.exec(comment!)?.[1]!.split(', ') ?? []),
      ...columns.flatMap(({ comment }) => /, by ([a-z.-]+);/.exec(comment ?? '')?.[1] ?? []),
    ]

    const unknown = named.filter(
      (name) =>
        !known.has(name) &&
        !existsSync(path.join(SERVER, 'functions', `${name}.sql`)) &&
        !existsSync(path.join(SERVER, 'src', name)),
    )

    assert(named.length > 20)
    assert.deepEqual(unknown, [])
  })

  test('name settings that exist', async () => {
    const { columns } = await readDataRules(market.url)
    const settings = columns.flatMap(
      ({ comment }) => /([A-Z_]+) days after/.exec(comment ?? '')?.[1] ?? [],
    )

    assert(settings.length > 0)
    assert.deepEqual(
      settings.filter((name) => !(name in market.server.config)),
      [],
    )
  })

  test('count from a column with an index, so that the oldest row is found without a scan', async () => {
    const counted = await market.asOwner(`
      select c.relname || '.' || m[1] as name, exists (
               select 1 from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
                where i.indrelid = c.oid and a.attname = m[1]
                  and (i.indpred is null or pg_get_expr(i.indpred, c.oid) = '(' || m[1] || ' IS NOT NULL)')
             ) as is_indexed
        from pg_class c, regexp_match(obj_description(c.oid, 'pg_class'), '^rows: [0-9]+ days after ([a-z_]+);') m
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and m is not null`)

    assert(counted.length > 10)
    assert.deepEqual(
      counted.filter(({ is_indexed }) => !is_indexed).map(({ name }) => name),
      [],
    )
  })
})

describe('a rule', () => {
  test('has whose data it is, what erasure does, how long it is kept, and whether it is exported', () => {
    assert.deepEqual(
      parsePersonal('personal: worker; keep: the agent paid for it; task texts; export: yes'),
      {
        whose: 'worker',
        erasure: 'keep',
        keptFor: 'the agent paid for it',
        retention: 'task texts',
        isExported: true,
      },
    )
    for (const comment of [
      null,
      'not personal',
      'personal: worker; keep; row; export: yes',
      'personal: worker; erase; row; export: no',
      'personal: nobody; erase; row; export: yes',
      'personal: worker; erase; a while; export: yes',
    ])
      assert.equal(parsePersonal(comment), undefined, String(comment))
  })
})
