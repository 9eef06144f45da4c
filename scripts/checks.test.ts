/**
 * A check that finds nothing may be broken, so each one is run on a tree with one planted violation and must report it.
 * The tree without the violation passes all checks.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { checkImports } from './imports.ts'
import { checkMigrations } from './lint-migrations.ts'
import { checkReleased } from './lint-released.ts'
import { checkSql } from './lint-sql.ts'
import { readReleased, RELEASED_FILE } from './released.ts'
import { checkTidy } from './tidy.ts'

type Files = Record<string, string>

const REPOSITORY = path.join(import.meta.dirname, '..')
const COPIED = [
  '.gitignore',
  '.oxlintrc.json',
  '.squawk.toml',
  'biome.json',
  'knip.json',
  'tsconfig.json',
  'scripts/check.ts',
  'scripts/debian-tree.ts',
  'scripts/imports.ts',
  'scripts/lint-migrations.ts',
  'scripts/lint-released.ts',
  'scripts/lint-sql.ts',
  'scripts/released.ts',
  'scripts/tidy.ts',
]

const MIGRATION = `-- Tasks.
-- lock: none (new table)
-- backfill: none

create table tasks (
  id text primary key,
  budget_cents bigint not null
);
create index tasks_by_budget on tasks (budget_cents);
`

const OPERATION = `/**
 * Approve a task.
 *
 *   called by   the agent that owns it
 *   moves       proof_submitted → completed
 *   money       escrow → the worker
 *   event       task.completed
 */
import { endpoint } from '../kit/endpoint.ts'

export const approve = endpoint({ path: '/tasks/:id/approve' })
`

/** A miniature repository that breaks no rule. */
const CLEAN: Files = {
  'package.json': manifest({ name: 'legwork', type: 'module', workspaces: ['server'] }),
  'server/package.json': manifest({
    name: '@legwork/server',
    type: 'module',
    dependencies: { zod: '4.6.7' },
  }),
  'docs/dependencies.md': '| package | what for |\n|---|---|\n| `zod` | schemas |\n',
  'server/migrations/0001_tasks.sql': MIGRATION,
  'server/functions/create_tasks.sql':
    "insert into tasks values ('a', 1); update outbox a set id = 0; select ledger_post();\n",
  'server/src/main.ts': `import { config } from './config.ts'
import { approve } from './tasks/approve.ts'

console.log(config.port, approve)
`,
  'server/src/config.ts': "export const config = { port: Number(process.env['PORT']) }\n",
  'server/src/kit/endpoint.ts': `import { z } from 'zod'

/** A route as data. */
export function endpoint(route: { path: string }) {
  return { ...route, path: z.string().parse(route.path) }
}
`,
  'server/src/tasks/approve.ts': OPERATION,
  'server/src/tasks/approve.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approve } from './approve.ts'

test('is a route', () => assert.equal(approve.path, '/tasks/:id/approve'))
`,
}

const trees: string[] = []
after(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true })
})

function manifest(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

function plant(violation: Files): string {
  const root = mkdtempSync(path.join(tmpdir(), 'legwork-checks-'))
  trees.push(root)
  for (const [file, text] of Object.entries({ ...CLEAN, ...violation })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  mkdirSync(path.join(root, 'scripts'), { recursive: true })
  for (const file of COPIED) copyFileSync(path.join(REPOSITORY, file), path.join(root, file))
  symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(root, 'node_modules'))
  return root
}

/** A function whose body begins on its third line. */
const plantFunction = (body: string): Files => ({
  'server/functions/x.sql': `create or replace function x() returns void\nlanguage plpgsql as $$\n${body}\n$$;\n`,
})

/** Runs `npm run check -- <names>` as a user would. */
async function check(root: string, names: string[], env = process.env) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  const child = execFile(
    process.execPath,
    [path.join(root, 'scripts/check.ts'), ...names],
    { env },
    (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
  )
  return promise
}

describe('npm run check', { concurrency: 2 }, () => {
  test('passes a clean tree', async () => {
    const names = ['format', 'lint', 'types', 'imports', 'tidy', 'dead-code', 'migrations']

    const { code, output } = await check(plant({}), names)

    assert.equal(code, 0, output)
    for (const name of names) assert.match(output, new RegExp(`^${name} +ok +[\\d.]+ s$`, 'm'))
  })

  test('continues after a failure, prints what failed, and fails', async () => {
    const root = plant({ 'server/src/billing/pay.ts': 'export const pay = 1\n' })

    const { code, output } = await check(root, ['imports', 'migrations', 'tidy'])

    assert.equal(code, 1)
    assert.match(output, /^imports +FAILED/m)
    assert.match(output, /^tidy +ok/m)
    assert.match(output, /^migrations +ok/m)
    assert.match(output, /billing\/ is not in the table/)
  })

  test('refuses the name of an unknown check', async () => {
    const { code, output } = await check(plant({}), ['import'])

    assert.equal(code, 2)
    assert.match(output, /unknown check: import\. Available: lint, types/)
  })

  test('ends with the counts of the test runner', async () => {
    const root = plant({
      'scripts/test.ts': "console.log('✔ a\\nℹ tests 2\\nℹ pass 2\\nℹ fail 0')\n",
    })

    const { code, output } = await check(root, ['tests', 'imports'])

    assert.equal(code, 0, output)
    assert.match(output, /tests +ok.*\n\n2 checks in .*; all ok\nℹ tests 2\nℹ pass 2\nℹ fail 0\n$/)
  })

  test('fails when no test was run', async () => {
    const root = plant({ 'scripts/test.ts': "console.log('ℹ tests 0\\nℹ pass 0\\nℹ fail 0')\n" })

    const { code, output } = await check(root, ['tests'])

    assert.equal(code, 1)
    assert.match(output, /no test was run/)
  })

  test('says how to install a missing program', async () => {
    const root = plant({ 'scripts/test.ts': "console.log('ℹ tests 1')\n" })
    mkdirSync(path.join(root, 'bin'))
    symlinkSync(process.execPath, path.join(root, 'bin/node'))

    const { code, output } = await check(root, ['tests'], { PATH: path.join(root, 'bin') })

    assert.equal(code, 1)
    assert.match(output, /redis-server is not installed: apt-get install -y redis-server/)
  })

  const planted: {
    check: string
    what: string
    file: string
    text: string
    more?: Files
    found: RegExp
  }[] = [
    {
      check: 'format',
      what: 'a semicolon',
      file: 'server/src/config.ts',
      text: 'export const config = { port: 1 };\n',
      found: /server\/src\/config\.ts format/,
    },
    {
      check: 'lint',
      what: 'a forgotten await',
      file: 'server/src/main.ts',
      text: 'async function post() {}\npost()\n',
      found: /no-floating-promises/,
    },
    {
      check: 'lint',
      what: 'a promise where a boolean is expected',
      file: 'server/src/main.ts',
      text: 'const isPaid = async () => false\nif (isPaid()) console.log(1)\n',
      found: /no-misused-promises/,
    },
    {
      check: 'lint',
      what: 'an await of a value that is not a promise',
      file: 'server/src/main.ts',
      text: 'console.log(await 1)\n',
      found: /await-thenable/,
    },
    {
      check: 'lint',
      what: 'an any',
      file: 'server/src/main.ts',
      text: 'export const answer: any = 1\n',
      found: /no-explicit-any/,
    },
    {
      check: 'lint',
      what: 'an environment variable that config.ts does not declare',
      file: 'server/src/kit/log.ts',
      text: "export const level = process.env['LEVEL']\n",
      found: /no-process-env/,
    },
    {
      check: 'lint',
      what: 'a function of more than 100 lines',
      file: 'server/src/main.ts',
      text: `export function long() {\n${'  console.log(1)\n'.repeat(99)}}\n`,
      found: /max-lines-per-function[^]*`long` has too many lines \(101\)/,
    },
    {
      check: 'types',
      what: 'a wrong type',
      file: 'server/src/config.ts',
      text: "export const port: number = '1'\n",
      found: /server\/src\/config\.ts\(1,14\): error TS2322/,
    },
    {
      check: 'dead-code',
      what: 'a file that nothing imports',
      file: 'server/src/kit/forgotten.ts',
      text: 'export const forgotten = 1\n',
      found: /Unused files[^]*server\/src\/kit\/forgotten\.ts/,
    },
    {
      check: 'dead-code',
      what: 'an export that nothing imports',
      file: 'server/src/config.ts',
      text: 'export const config = { port: 1 }\nexport const forgotten = 1\n',
      found: /Unused exports[^]*forgotten/,
    },
    {
      check: 'test-only',
      what: 'an export that only tests import',
      file: 'server/src/config.ts',
      text: 'export const config = { port: 1 }\nexport const forTests = 1\n',
      more: {
        'server/src/config.test.ts':
          "import { forTests } from './config.ts'\n\nconsole.log(forTests)\n",
      },
      found: /Unused exports[^]*forTests/,
    },
    {
      check: 'dead-code',
      what: 'a dependency that nothing imports',
      file: 'server/package.json',
      text: manifest({ name: '@legwork/server', dependencies: { zod: '4.6.7', pino: '10.4.0' } }),
      found: /Unused dependencies[^]*pino/,
    },
  ]
  for (const { check: name, what, file, text, more = {}, found } of planted)
    test(`${name} catches ${what}`, async () => {
      const { code, output } = await check(plant({ [file]: text, ...more }), [name])

      assert.equal(code, 1, output)
      assert.match(output, found)
    })
})

describe('imports', () => {
  const caught: { what: string; file: string; text: string; found: RegExp }[] = [
    {
      what: 'a folder that imports one above it',
      file: 'server/src/kit/x.ts',
      text: "import {\n  post,\n} from '../ledger/journal.ts'\n",
      found: /^server\/src\/kit\/x\.ts:1: kit\/ may not import ledger\/$/,
    },
    {
      what: 'an export from a folder above',
      file: 'server/src/kit/x.ts',
      text: "export * from '../ledger/journal.ts'\n",
      found: /kit\/ may not import ledger\//,
    },
    {
      what: 'a dynamic import of a folder above',
      file: 'server/src/kit/x.ts',
      text: "\nconst ledger = await import('../ledger/journal.ts')\n",
      found: /x\.ts:2: kit\/ may not import ledger\//,
    },
    {
      what: 'a type import of a folder above',
      file: 'server/src/ledger/x.ts',
      text: "import type { Task } from '../tasks/view.ts'\n",
      found: /ledger\/ may not import tasks\//,
    },
    {
      what: 'a folder that is not in the table',
      file: 'server/src/billing/x.ts',
      text: 'export {}\n',
      found: /the folder billing\/ is not in the table/,
    },
    {
      what: 'a root file that is not in the table',
      file: 'server/src/x.ts',
      text: 'export {}\n',
      found: /x\.ts is not in the table of root files/,
    },
    {
      what: 'a folder that imports a root file',
      file: 'server/src/http/x.ts',
      text: "import { endpoints } from '../endpoints.ts'\n",
      found: /http\/ may not import endpoints\.ts/,
    },
    {
      what: 'a folder that imports from outside of server/src',
      file: 'server/src/http/x.ts',
      text: "import { marketplace } from '../../test/harness.ts'\n",
      found: /the server may not import \.\.\/test\/harness\.ts/,
    },
    {
      what: 'a server that starts the sandbox processor itself',
      file: 'server/src/start.ts',
      text: "import { startSandbox } from '../../sandbox/src/server.ts'\n",
      found: /the server may not import .*sandbox\/src\/server\.ts/,
    },
    {
      what: 'a server that imports the sandbox by its name',
      file: 'server/src/start.ts',
      text: "import { startSandbox } from '@legwork/sandbox'\n",
      found: /the server may not import @legwork\/sandbox/,
    },
    {
      what: 'a folder that reads the configuration itself',
      file: 'server/src/http/x.ts',
      text: "import type { A } from './a.ts'\nimport { type Config, config } from '../config.ts'\n",
      found: /x\.ts:2: only main\.ts imports config\.ts/,
    },
    {
      what: 'a package outside of its folder',
      file: 'server/src/tasks/x.ts',
      text: "import type { FastifyRequest } from 'fastify'\n",
      found: /only http\/ import fastify/,
    },
    {
      what: 'a package outside of its file',
      file: 'server/src/kit/x.ts',
      text: "import pg from 'pg'\n",
      found: /only kit\/db\.ts and migrate\.ts and shards\/move-place\.ts import pg/,
    },
    {
      what: 'a part of a package',
      file: 'server/src/agents/x.ts',
      text: "import { parsePhoneNumber } from 'libphonenumber-js/max'\n",
      found: /only kit\/phone-number\.ts import libphonenumber-js/,
    },
    {
      what: 'a write to the table of another folder',
      file: 'server/src/tasks/x.ts',
      text: "await tx\n  .updateTable(\n    'agents as a')\n",
      found: /only agents\/ writes to agents/,
    },
    {
      what: 'a raw insert into the table of another folder',
      file: 'server/src/tasks/x.ts',
      text: 'await sql`INSERT INTO public."transfers" values (1)`.execute(tx)\n',
      found: /only ledger\/ writes to transfers/,
    },
    {
      what: 'a raw update of the table of another folder',
      file: 'server/src/wallet/x.ts',
      text: 'await sql`with a as (select 1) update only ledger_agents as b\n set wallet_cents = 1`\n',
      found: /only ledger\/ writes to ledger_agents/,
    },
    {
      what: 'a raw delete from the table of another folder',
      file: 'server/src/main.ts',
      text: 'await sql`delete from outbox`\n',
      found: /only webhooks\/ writes to outbox/,
    },
    {
      what: "a read of agents' rows that misses those of other shards",
      file: 'server/src/workers/x.ts',
      text: "await db.selectFrom('assignments as a').select('id')\n",
      found: /read worker_assignments, not assignments/,
    },
    {
      what: "a raw read of agents' rows that misses those of other shards",
      file: 'server/src/feed/seeker.ts',
      text: 'const WORKER = `select 1 from workers w join tasks t on true`\n',
      found: /read worker_tasks, not tasks/,
    },
    {
      what: 'a write to a table without an owner',
      file: 'server/src/tasks/x.ts',
      text: "await tx.insertInto('quarks').values({})\n",
      found: /the table quarks has no owner/,
    },
    {
      what: 'a write to a dynamic table name',
      file: 'server/src/tasks/x.ts',
      text: 'await tx.deleteFrom(table)\n',
      found: /name the written table as a plain string/,
    },
    {
      what: 'a raw write to a dynamic table name',
      file: 'server/src/tasks/x.ts',
      text: 'await sql`update $' + '{table} set a = 1`\n',
      found: /name the written table as a plain string/,
    },
    {
      what: 'a function that writes a table of another folder',
      file: 'server/functions/ledger_post.sql',
      text: '-- Posts.\nupdate tasks set escrow_cents = 0;\n',
      found: /^server\/functions\/ledger_post\.sql:2: only tasks\/ writes to tasks$/,
    },
    {
      what: 'a function whose exception does not reach the ledger',
      file: 'server/functions/create_tasks.sql',
      text: 'insert into outbox values (1); insert into transfers values (1);\n',
      found: /only ledger\/ writes to transfers/,
    },
    {
      what: 'a function without an owner in its name',
      file: 'server/functions/do_it.sql',
      text: 'select 1;\n',
      found: /the name of a function names the folder that owns it/,
    },
    {
      what: 'a migration that creates a table without an owner',
      file: 'server/migrations/0002_quarks.sql',
      text: 'create table tasks_1 partition of tasks default;\ncreate table quarks (id text);\n',
      found: /0002_quarks\.sql:2: the table quarks has no owner/,
    },
    {
      what: 'a workspace that imports the server',
      file: 'load/create.test.ts',
      text: "import { cents } from '../server/src/kit/money.ts'\n",
      found: /load\/ may not import the server/,
    },
    {
      what: 'a workspace that imports the server as a package',
      file: 'sdk/src/client.ts',
      text: "import { cents } from '@legwork/server'\n",
      found: /sdk\/ may not import the server/,
    },
    {
      what: 'a published package that imports another workspace',
      file: 'sdk/src/client.ts',
      text: "import { run } from '@legwork/cli'\n",
      found: /sdk\/ may not import @legwork\/cli/,
    },
    {
      what: 'a published package that imports a file outside of the package',
      file: 'cli/src/main.ts',
      text: "import { run } from '../test/run.ts'\n",
      found: /cli\/ may not import cli\/test\/run.ts; it is not in the package/,
    },
    {
      what: 'a server folder other than http/ that imports the MCP tools',
      file: 'server/src/tasks/x.ts',
      text: "import { openMcp } from '@legwork/mcp'\n",
      found: /the server may not import @legwork\/mcp/,
    },
    {
      what: 'a shared component that imports the API',
      file: 'web/shared/ui/card.tsx',
      text: "import { api } from '../api/client.ts'\nimport { Tag } from './tag.tsx'\n",
      found: /web\/shared\/ui\/ may not import \.\.\/api\/client\.ts/,
    },
    {
      what: 'texts that import the API',
      file: 'web/worker/text/use-text.tsx',
      text: "import { api } from '../api.ts'\nimport { moneyIn } from './figures.ts'\n",
      found: /web\/worker\/text\/ may not import \.\.\/api\.ts/,
    },
    ...[
      { file: 'web/worker/find/find.tsx', target: '../../console/queries.ts' },
      { file: 'web/worker/find/find.tsx', target: '../../shared/desk/figures.ts' },
      { file: 'web/worker/phone/outbox.ts', target: '../../shared/ui/card.tsx' },
      { file: 'web/console/tasks/task.tsx', target: '../../worker/api.ts' },
      { file: 'web/shared/session.ts', target: '../worker/session.tsx' },
      { file: 'web/shared/desk/shell.tsx', target: '../../console/session.tsx' },
      { file: 'web/shared/query-client.ts', target: './desk/figures.ts' },
      { file: 'web/docs/layout.ts', target: '../console/samples.ts' },
    ].map(({ file, target }) => ({
      what: `${file} that imports ${target}`,
      file,
      text: `import { x } from '${target}'\n`,
      found: new RegExp(`may not import ${RegExp.escape(target)}$`),
    })),
    {
      what: 'a folder of web/ that is not in the table',
      file: 'web/games/main.ts',
      text: "import { openClient } from '../shared/api/client.ts'\n",
      found: /^web\/games\/main\.ts:1: the folder web\/games\/ is not in the table of folders$/,
    },
    {
      what: 'an operator command that renders its data itself',
      file: 'server/src/ops/money.ts',
      text: "import { renderMoney } from './render/money.ts'\n",
      found: /money\.ts:1: only ops\/commands\.ts imports ops\/render\/; return data/,
    },
    {
      what: 'a file that imports itself',
      file: 'sdk/src/errors.ts',
      text: "import type { Task } from './errors.ts'\n",
      found: /^sdk\/src\/errors\.ts: imports itself: sdk\/src\/errors\.ts → sdk\/src\/errors\.ts$/,
    },
  ]
  test('catches import cycles in web/, even of types', () => {
    const root = plant({
      'web/worker/one.ts': "import { two } from './find/two.ts'\n",
      'web/worker/find/two.ts': "import { three } from './three.tsx'\n",
      'web/worker/find/three.tsx': "import type { One } from '../one.ts'\n",
    })

    assert.deepEqual(checkImports(root), [
      'web/worker/find/three.tsx: imports itself: web/worker/find/three.tsx → web/worker/one.ts → ' +
        'web/worker/find/two.ts → web/worker/find/three.tsx',
    ])
  })

  for (const { what, file, text, found } of caught)
    test(`catches ${what}`, () => {
      const problems = checkImports(plant({ [file]: text }))

      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0]!, found)
    })

  test('catches import cycles through a third file, even of types', () => {
    const root = plant({
      'server/src/tasks/view.ts': "import { move } from './moves.ts'\n",
      'server/src/tasks/moves.ts': "export { read } from './queries.ts'\n",
      'server/src/tasks/queries.ts': "import type { View } from './view.ts'\n",
    })

    assert.deepEqual(checkImports(root), [
      'server/src/tasks/moves.ts: imports itself: ' +
        ['moves', 'queries', 'view', 'moves']
          .map((name) => `server/src/tasks/${name}.ts`)
          .join(' → '),
    ])
  })

  test('ignores comments and other false matches', () => {
    const root = plant({
      'server/src/tasks/queries.ts': `/* import { x } from '../http/x.ts' */
// insert into agents
import type { Config } from '../config.ts'
await sql\`select 1 from agents where id = 1 for update\`
await sql\`select 1 from agents a for no key update of a skip locked\`
await sql\`insert into tasks values (1) on conflict (id) do update set title = 'https://a/b'\`
await sql\`delete from graphile_worker.agents\`
await tx.insertInto('tasks').values({}).onConflict((c) => c.column('id').doUpdateSet({}))
throw new Error('Nobody may delete from the past')
`,
      'server/src/kit/db.ts': "import pg from 'pg'\n",
      'server/src/kit/db.test.ts':
        "import '../http/server.ts'\nimport 'ioredis'\ntx.insertInto('agents')\n",
    })

    assert.deepEqual(checkImports(root), [])
  })
})

describe('tidy', () => {
  const unfinished = 'TO' + 'DO'
  const caught: { what: string; files: Files; found: RegExp }[] = [
    ...['called by', 'moves', 'money', 'event'].map((word) => ({
      what: `an operation without "${word}" in its header`,
      files: {
        'server/src/tasks/approve.ts': OPERATION.replace(new RegExp(` \\*   ${word}.*\n`), ''),
      },
      found: new RegExp(`approve\\.ts:1: the header of an operation has a line "${word} `),
    })),
    {
      what: 'a line of the header that says nothing',
      files: { 'server/src/tasks/approve.ts': OPERATION.replace('escrow → the worker', '') },
      found: /has a line "money /,
    },
    {
      what: 'a job without a test',
      files: {
        'server/src/tasks/expire.ts': OPERATION.replace('= endpoint(', '= job('),
      },
      found: /an operation has server\/src\/tasks\/expire\.test\.ts/,
    },
    {
      what: 'a sweep without a test',
      files: {
        'server/src/tasks/release.ts': OPERATION.replace('= endpoint(', '= sweep('),
      },
      found: /an operation has server\/src\/tasks\/release\.test\.ts/,
    },
    {
      what: 'a line to the console',
      files: { 'server/src/kit/x.ts': "\nconsole.log('here')\n" },
      found: /kit\/x\.ts:2: use the log/,
    },
    ...[
      'select * from tasks where id = $1',
      'select t.*, w.name from tasks t join workers w on true',
      'select w.name, t.* from tasks t join workers w on true',
      'select distinct *\n from tasks',
      'update tasks set version = 1 returning *',
    ].map((text) => ({
      what: `whole rows in a prepared statement: ${text.replace('\n', '')}`,
      files: {
        'server/src/tasks/x.ts': `const READ = \`${text}\`\nexport const rows = await db.call('read', READ, [])\n`,
      },
      found: /tasks\/x\.ts:1: a prepared statement names its columns/,
    })),
    {
      what: 'a function that returns rows of a table',
      files: { 'server/functions/x.sql': 'create function x() returns setof tasks\n' },
      found: /x\.sql:1: returns rows of a table/,
    },
    {
      what: 'unfinished work without an issue',
      files: { 'server/functions/x.sql': `-- ${unfinished}: later\n` },
      found: /x\.sql:1: do it now/,
    },
    {
      what: 'a focused test',
      files: { 'server/src/kit/x.test.ts': 'test.on' + "ly('a')\n" },
      found: /a focused test hides all others/,
    },
    {
      what: 'a skipped test',
      files: { 'server/test/x.test.ts': 'describe.sk' + "ip('a')\n" },
      found: /a skipped test proves nothing/,
    },
    ...[
      ['web/worker/text/en/join.json', '  "a": "This page goes on by itself",\n'],
      ['web/worker/text/en/join.json', '  "a": "This link is over",\n'],
      ['web/console/tasks/x.tsx', 'const a = <p>Say where to send it</p>\n'],
      ['server/src/email/texts/en.ts', "const a = 'Look into your mail'\n"],
    ].map(([file, line]) => ({
      what: `a phrase that no screen may have: ${line!.trim()}`,
      files: { [file!]: line! },
      found: /is not how we word screens and emails/,
    })),
    {
      what: 'a hook that would be called for the tests of all files',
      files: { 'server/test/x.test.ts': '\nafterEach(() => {})\n' },
      found: /x\.test\.ts:2: is called for the tests of all files/,
    },
    ...['utils', 'task-helpers', 'common', 'manager', 'service', 'index'].map((name) => ({
      what: `a file named ${name}`,
      files: { [`server/src/tasks/${name}.ts`]: 'export {}\n' },
      found: /name the file after what is in it/,
    })),
    {
      what: 'a folder named utils',
      files: { 'web/shared/utils/money.ts': 'export {}\n' },
      found: /name the file after what is in it/,
    },
    ...[
      'const a = JSON.stringify(task).slice(0, -1)',
      'const a = `{"task":$ {text}}`',
      'const a = `{"events":[$ {all.join()}],$ {rest}`',
      'const a = `,"warnings":$ {JSON.stringify(warnings)}`',
      'const a = \'{"a":\' + JSON.stringify(b)',
      'const a = body.split(/(?<="balance_cents":)0/)',
      'const a = JSON.parse(`{$ {fields}}`)',
    ].map((line) => ({
      what: `JSON as text: ${line}`,
      files: { 'server/src/tasks/x.ts': `${line.replaceAll('$ {', '$' + '{')}\n` },
      found: /x\.ts:1: builds or cuts JSON as text/,
    })),
    ...[`return format('"cap":"%s"', r.cap);`, `return head || '"funding":' || funding;`].map(
      (line) => ({
        what: `JSON as text in SQL: ${line}`,
        files: { 'server/functions/tasks_x.sql': `${line}\n` },
        found: /tasks_x\.sql:1: builds JSON as text/,
      }),
    ),
    {
      what: 'a question to the wall clock',
      files: { 'server/src/tasks/x.ts': 'export const at = Date.now()\n' },
      found: /asks the wall clock/,
    },
    {
      what: 'a date made from the wall clock',
      files: { 'server/src/tasks/x.ts': 'export const at = new Date()\n' },
      found: /asks the wall clock/,
    },
    {
      what: 'a long function without a reason',
      files: {
        'web/console/x.tsx': `\n// oxlint-disable-next-line eslint/${'max-lines-per-' + 'function'}\n`,
      },
      found: /x\.tsx:2: say after ` -- ` why the function is better whole, or split it/,
    },
    {
      what: 'a long line',
      files: { 'server/src/kit/x.ts': `// ${'x'.repeat(118)}\n` },
      found: /is longer than 120 columns/,
    },
    {
      what: 'a migration that does not say what it locks',
      files: { 'server/migrations/0001_tasks.sql': MIGRATION.replace('-- lock:', '-- locks') },
      found: /the header of a migration has a line "-- lock: …"/,
    },
    {
      what: 'a migration that does not say what it fills in',
      files: { 'server/migrations/0001_tasks.sql': MIGRATION.replace('-- backfill: none', '--') },
      found: /the header of a migration has a line "-- backfill: …"/,
    },
    {
      what: 'a dependency that nobody has explained',
      files: { 'docs/dependencies.md': 'We use `zod`.\n' },
      found: /server\/package\.json: zod has no row in docs\/dependencies\.md/,
    },
    {
      what: 'a path of one machine',
      files: { 'docs/run.md': `Go to ${['', 'home', 'ann', 'legwork'].join('/')}.\n` },
      found: /docs\/run\.md:1: names a path of one machine/,
    },
    {
      what: "a registry's host",
      files: { 'README.md': `https://registry.${'npm' + 'js'}.org\n` },
      found: /names a package registry/,
    },
    {
      what: 'a lockfile that names where a package came from',
      files: { 'package-lock.json': '{\n  "resolved": ' + '"https://mirror.example/zod.tgz"\n}\n' },
      found: /package-lock\.json:2: names a package registry/,
    },
  ]
  for (const { what, files, found } of caught)
    test(`catches ${what}`, () => {
      const problems = checkTidy(plant(files))

      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0]!, found)
    })

  test('catches import cycles within tasks/, even of types', () => {
    const root = plant({
      'server/src/tasks/view.ts': "import { move } from './moves.ts'\n",
      'server/src/tasks/moves.ts': "export { read } from './queries.ts'\n",
      'server/src/tasks/queries.ts': "import type { View } from './view.ts'\n",
    })

    assert.deepEqual(checkImports(root), [
      'server/src/tasks/moves.ts: imports itself: ' +
        ['moves', 'queries', 'view', 'moves']
          .map((name) => `server/src/tasks/${name}.ts`)
          .join(' → '),
    ])
  })

  test('ignores usage examples, numbered to-dos and paths of URLs', () => {
    const root = plant({
      'server/src/kit/job.ts': '/** Used so: export const a = job({ … }) */\n',
      'server/src/kit/x.ts': `// ${unfinished}(#123): an issue is open.\n`,
      'server/src/kit/y.ts':
        '// oxlint-disable-next-line eslint/max-lines-per-function -- a flat table\n',
      'docs/worker.md': 'GET /worker/feed, https://legwork.example/home/, ./root/\n',
    })

    assert.deepEqual(checkTidy(root), [])
  })
})

describe('migrations', { concurrency: 2 }, () => {
  const caught: { what: string; files: Files; found: RegExp }[] = [
    {
      what: 'a lock that blocks the server',
      files: { 'server/migrations/0002_x.sql': 'create index tasks_x on tasks (id);\n' },
      found: /^server\/migrations\/0002_x\.sql:1: require-concurrent-index-creation/,
    },
    {
      what: 'a column dropped under a running server',
      files: { 'server/migrations/0002_x.sql': '-- x\nalter table tasks drop column id;\n' },
      found: /0002_x\.sql:2: ban-drop-column/,
    },
    {
      what: 'invalid SQL',
      files: { 'server/migrations/0002_x.sql': 'create tabel x;\n' },
      found: /syntax-error/,
    },
    {
      what: 'a money column of type integer',
      files: { 'server/migrations/0001_x.sql': 'create table x (\n  fee_cents  integer);\n' },
      found: /0001_x\.sql:2: fee_cents must be bigint/,
    },
    {
      what: 'a duplicate number',
      files: { 'server/migrations/0001_x.sql': 'select 1;\n' },
      found: /0001_x\.sql: the number is taken by 0001_tasks\.sql/,
    },
    {
      what: 'a gap in the numbers',
      files: { 'server/migrations/0003_x.sql': 'select 1;\n' },
      found: /0003_x\.sql: follows 1, so 2 is missing/,
    },
    {
      what: 'an invalid file name',
      files: { 'server/migrations/2-Tasks.sql': 'select 1;\n' },
      found: /2-Tasks\.sql: is not named NNNN_snake_case\.sql/,
    },
    {
      what: 'an update from elements of an array',
      files: plantFunction(
        'update tasks t\n set id = a_id[array_position(p_ids, t.id)] where true;',
      ),
      found: /^server\/functions\/x\.sql:3: sets a column to an element of an array/,
    },
    {
      what: 'an upsert from elements of an array, in a migration',
      files: {
        'server/migrations/0002_x.sql':
          "insert into tasks select 'a' on conflict (id) do update set id = (array['b'])[1];\n",
      },
      found: /0002_x\.sql:1: sets a column to an element of an array/,
    },
    {
      what: 'a query that is assigned to an element of an array',
      files: plantFunction('a_id[b[i]] := (\n  select t.id from tasks t);'),
      found: /x\.sql:3: assigns a query to an element of an array/,
    },
    {
      what: 'a subquery in the values of an insert',
      files: plantFunction('insert into tasks (id) values ((select max(t.id) from tasks t));'),
      found: /x\.sql:3: has a subquery in its values/,
    },
    {
      what: 'a variable after `on conflict` of an insert from a query',
      files: plantFunction(
        'with a as (insert into tasks as t (id) select p_id\n  on conflict (id) do update set n = p_n) select 1;',
      ),
      found: /x\.sql:3: uses a variable after `on conflict`/,
    },
    {
      what: 'a generic plan that is forced outside of the header of a function',
      files: plantFunction("perform set_config('plan_cache_mode', 'force_generic_plan', true);"),
      found: /x\.sql:3: force generic plans in the header of a function/,
    },
    {
      what: 'a generic plan that is forced in a migration',
      files: {
        'server/migrations/0002_x.sql':
          'alter function x() set plan_cache_mode = force_generic_plan;\n',
      },
      found: /0002_x\.sql:1: force generic plans in the header of a function/,
    },
    {
      what: 'a table without a key',
      files: {
        'server/schema.sql':
          'create table a (\n  id text not null,\n  constraint a_pkey primary key (id)\n);\n\n' +
          'create table b (\n  id text not null\n) partition by range (id);\n',
      },
      found: /^server\/schema\.sql:6: b has no primary key/,
    },
  ]
  for (const { what, files, found } of caught)
    test(`catches ${what}`, async () => {
      const problems = await checkMigrations(plant(files))

      assert.match(problems.join('\n'), new RegExp(found, 'm'))
    })

  test('accepts a statement with an exemption', async () => {
    const root = plant({
      'server/migrations/0002_x.sql':
        '-- squawk-ignore require-concurrent-index-creation\ncreate index tasks_x on tasks (id);\n',
    })

    assert.deepEqual(await checkMigrations(root), [])
  })
})

describe('SQL', () => {
  test('may use what every kind of server runs', () => {
    const root = plant(
      plantFunction(`declare
  v_ids text[] := array(select t.id from tasks t);
begin
  update tasks t set n = n.n, ids = array[n.id] from unnest(a_id, a_n) n(id, n) where t.id = a_id[1];
  select t.n into v_n from tasks t; a_n[i] := v_n; a_n[i] := f(v_ids[1]);
  insert into tasks (id) values (p_id) on conflict (id) do update set n = p_n;
  insert into tasks as t (id, n) select p_id, p_n on conflict (id) do update set n = t.n + excluded.n returning p_id;
  perform 1 from tasks for update;`),
    )

    assert.deepEqual(checkSql(root), [])
  })
})

describe('migrations since a release', { concurrency: 2 }, () => {
  const RELEASE: Files = {
    'server/migrations/0001_tasks.sql': MIGRATION.replace(
      'id text',
      'id text, title text, old text',
    ),
    'server/functions/show_task.sql': `-- Shows a task.
create or replace function show_task(p_id text, p_at timestamptz) returns table (title text)
language sql as $$ select title from tasks $$;
`,
    'server/src/tasks/show.ts': "export const SHOW = 'select title from show_task($1, $2)'\n",
  }
  const migration = (sql: string) => ({
    'server/migrations/0002_x.sql': `-- squawk-ignore-file\n${sql}\n`,
  })
  const changed = (signature: string) => ({
    'server/functions/show_task.sql': RELEASE['server/functions/show_task.sql']!.replace(
      'show_task(p_id text, p_at timestamptz) returns table (title text)',
      signature,
    ),
  })
  const caught: { what: string; files: Files; found: RegExp }[] = [
    {
      what: 'a dropped column that the release reads',
      files: migration('alter table tasks\n  drop column title;'),
      found: /0002_x\.sql:3: drops title, which 1\.2\.3 uses in server\/functions\/show_task\.sql/,
    },
    {
      what: 'a renamed column',
      files: migration('alter table tasks rename column title to name;'),
      found: /0002_x\.sql:2: renames title/,
    },
    {
      what: 'a column of another type',
      files: migration('alter table tasks alter column title type integer;'),
      found: /changes the type of title/,
    },
    {
      what: 'a column that becomes required',
      files: migration('alter table tasks alter title set not null;'),
      found: /requires title/,
    },
    {
      what: 'a renamed function',
      files: migration('alter function show_task rename to show_one;'),
      found: /renames show_task/,
    },
    {
      what: 'a dropped function',
      files: migration('drop function show_task(text, timestamptz);'),
      found: /drops show_task/,
    },
    {
      what: 'a revoked privilege',
      files: migration('revoke select on tasks from legwork_app;'),
      found: /revokes a privilege on tasks/,
    },
    {
      what: 'a function with as many parameters of other types',
      files: changed('show_task(p_id text, p_at integer) returns table (title text)'),
      found: /show_task\.sql: show_task has as many parameters/,
    },
    {
      what: 'a function with another result',
      files: changed('show_task(p_id text, p_at timestamptz) returns table (name text)'),
      found: /show_task has another result/,
    },
    {
      what: 'a change to a released migration',
      files: { 'server/migrations/0001_tasks.sql': `${MIGRATION}-- Harmless.\n` },
      found: /^server\/migrations\/0001_tasks\.sql: differs from 1\.2\.3/,
    },
  ]
  for (const { what, files, found } of caught)
    test(`catches ${what}`, () => {
      const problems = checkReleased(release(files))

      assert.match(problems.join('\n'), new RegExp(found, 'm'))
    })

  test('accepts a drop of what no code of the release uses, and overloads with other numbers of parameters', () => {
    const root = release({
      ...migration(
        'alter table tasks drop column old;\ndrop function show_task(text, newer_type);',
      ),
      ...changed('show_task(p_id text) returns table (name text)'),
    })

    assert.deepEqual(checkReleased(root), [])
  })

  test('refuses a drop that it can’t compare, because a shallow clone lacks the release', () => {
    const root = release(migration('alter table tasks drop column old;'))
    writeFileSync(
      path.join(root, RELEASED_FILE),
      JSON.stringify({ ...readReleased(root)!, commit: '0'.repeat(40) }),
    )

    assert.match(checkReleased(root).join('\n'), /drops old; the clone lacks 1\.2\.3/)
  })

  test('compare with a release in this repository', () => {
    assert.ok(readReleased(REPOSITORY))
  })

  /** A repository with a release, and changes since. */
  function release(changes: Files): string {
    const root = plant(RELEASE)
    const run = (...args: string[]) =>
      execFileSync('git', [
        '-C',
        root,
        '-c',
        'user.name=A',
        '-c',
        'user.email=a@example.com',
        ...args,
      ])
    run('init', '--quiet')
    run('add', 'server')
    run('commit', '--quiet', '--message', 'Release')
    const commit = run('rev-parse', 'HEAD').toString().trim()
    const released = { version: '1.2.3', commit, last_migration: '0001_tasks.sql' }
    const files = { ...changes, [RELEASED_FILE]: JSON.stringify(released) }
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(root, file), text)
    return root
  }
})
