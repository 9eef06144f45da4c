import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { schemasOf } from '../kit/layout.ts'
import { openRenderer, renderFunctions } from './render-sql.ts'

const schemas = new Map(schemasOf(16).map((schema) => [schema.name, schema]))
const [types, global, feed, shard] = ['public', 'global', 'feed', 's03'].map((name) =>
  schemas.get(name),
)

function migrationFor(schema: typeof shard, ...texts: string[]): string {
  return openRenderer(texts).migration(texts.at(-1)!, schema!)
}

describe('a migration with several schemas', () => {
  test('creates a table only where it lives', () => {
    const text = 'create table tasks (id text); create index tasks_new on tasks (id);'
    assert.equal(migrationFor(shard, text), text.replace('; ', ';\n') + '\n')
    for (const other of [types, global, feed]) assert.equal(migrationFor(other, text), '')
  })

  test('creates types once', () => {
    const text = "create type colour as enum ('red');"
    assert.equal(migrationFor(types, text), `${text}\n`)
    assert.equal(migrationFor(shard, text), '')
  })

  test('grants to the role of the schema, and only on tables that are there', () => {
    const text = 'grant select, insert on tasks, agent_emails,\n  workers to legwork_app;'
    assert.equal(
      migrationFor(shard, text),
      'grant select, insert on tasks, workers to legwork_app_s03;\n',
    )
    assert.equal(
      migrationFor(global, text),
      'grant select, insert on agent_emails to legwork_app_global;\n',
    )
    assert.equal(migrationFor(feed, text), '')
  })

  test('drops an index where the table lives that an earlier migration made it for', () => {
    const texts = ['create index old on open_tasks (id);', 'drop index old;']
    assert.equal(migrationFor(feed, ...texts), 'drop index old;\n')
    assert.equal(migrationFor(shard, ...texts), '')
  })

  test('creates a trigger that looks at a global table only there', () => {
    const text =
      'create trigger platform_switches_doors before update on platform_switches for each row execute function f();'
    assert.equal(migrationFor(global, text), `${text}\n`)
    assert.equal(migrationFor(shard, text), '')
  })

  test('fails on a table that has no home', () => {
    assert.throws(() => migrationFor(shard, 'create table novelty (id text);'), /table novelty/)
  })

  test('fails on a statement of an unknown kind', () => {
    assert.throws(
      () => migrationFor(shard, 'vacuum;'),
      /no schema is known for the statement: vacuum/,
    )
  })
})

describe('a function with several schemas', () => {
  test('lives where its tables are, and finds them there', () => {
    const text =
      'create function f() returns void security definer set search_path = public, pg_temp as $$ delete from tasks $$;'
    assert.match(renderFunctions(text, shard!)!, /set search_path = s03, public, pg_temp/)
    assert.equal(renderFunctions(text, global!), undefined)
  })

  test('may not use tables of two homes', () => {
    const text = 'create function f() returns void as $$ select from tasks, open_tasks $$;'
    assert.throws(() => renderFunctions(text, shard!), /tables of shard and feed/)
  })

  test('may do one thing to the feed from every shard, if it says so', () => {
    const text =
      '-- home: feed, for shards\n' +
      'create function f() set search_path = public, pg_temp as $$ delete from open_tasks $$;'
    assert.match(renderFunctions(text, shard!)!, /set search_path = feed, public, pg_temp/)
  })

  test('knows the range of its schema', () => {
    const text = 'create function f() as $$ select 5 between 0 and 4095 $$;'
    assert.match(renderFunctions(text, shard!)!, /between 768 and 1023/)
  })
})
