/** Checks the docs against the code: links, paths, and every table that repeats what the code declares. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { endpoints } from '../server/src/endpoints.ts'
import { ACCOUNTS } from '../server/src/ledger/accounts.ts'
import { INVARIANTS } from '../server/test/ledger/invariants.ts'
import { KINDS } from '../server/src/ledger/movements.ts'
import { TRANSACTION_TYPES } from '../server/src/ledger/statement.ts'
import { COMMANDS } from '../server/src/ops/commands.ts'
import { hasRight, type Right, RIGHTS, ROLES } from '../server/src/kit/rights.ts'
import { SWITCHES } from '../server/src/kit/switches.ts'
import { filesUnder } from './imports.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const exists = (file: string) => existsSync(path.join(ROOT, file))

const TOP = readdirSync(ROOT, { withFileTypes: true })
const documents = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.md'],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\0')
  .filter((file) => file !== '' && exists(file))

const withoutFences = (text: string) => text.replaceAll(/^```[^]*?^```/gm, '')
const backticked = (text: string) =>
  [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!)

/** Generates heading anchors as GitHub does. */
const anchorsOf = (text: string) =>
  [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Returns the part of a document from a heading to the next one of the same level. */
function section(text: string, heading: string): string {
  const level = /^#+/.exec(heading)![0]
  const start = text.indexOf(`\n${heading}\n`)
  assert(start >= 0, `there is no ${heading}`)
  const rest = text.slice(start + heading.length + 2)
  const end = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'))
  return end === -1 ? rest : rest.slice(0, end)
}

/** Returns the rows of a section's tables as cells, without headings. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line, i, lines) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(lines[i + 1] ?? ''))
    .filter((line) => !/^\|[-| ]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

const unticked = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)

describe('the documents', () => {
  test('have no broken links', () => {
    const broken = documents.flatMap((file) =>
      [...withoutFences(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map((match) => match[1]!)
        .filter((link) => !/^[a-z]+:/.test(link))
        // Links of a text that the server shows are addresses there; front-page.test.ts opens them.
        .filter((link) => !(file.startsWith('server/legal/') && link.startsWith('/')))
        .filter((link) => {
          const [target = '', anchor] = link.split('#')
          const to = target === '' ? file : path.posix.join(path.posix.dirname(file), target)
          if (!exists(to)) return true
          return anchor !== undefined && !anchorsOf(read(to)).includes(anchor)
        })
        .map((link) => `${file}: ${link}`),
    )

    assert.deepEqual(broken, [])
  })

  test('name no file or folder that does not exist', () => {
    // Generated folders don't exist in every checkout.
    const made = read('.gitignore').split('\n')
    const folders = TOP.filter(
      (entry) => entry.isDirectory() && !made.includes(`${entry.name}/`),
    ).map(({ name }) => name)
    const isPath = (text: string) =>
      /^[\w.-]+(?:\/[\w.-]+)+\/?$/.test(text) && folders.includes(text.split('/')[0]!)
    const absent = documents.flatMap((file) =>
      backticked(read(file))
        .filter((text) => isPath(text) && !exists(text))
        .map((text) => `${file}: ${text}`),
    )

    assert.deepEqual(absent, [])
  })
})

describe('README.md', () => {
  test('has 120 lines at most', () => {
    assert(read('README.md').split('\n').length <= 121)
  })
})

describe('CONTRIBUTING.md', () => {
  test('lists every npm script', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const listed = rowsOf(section(read('CONTRIBUTING.md'), '## Commands')).map(
      ([command]) => /^npm (?:run )?([\w:]+)$/.exec(unticked(command!)[0]!)![1]!,
    )

    assert.deepEqual(listed.sort(), Object.keys(scripts).sort())
  })
})

describe('ARCHITECTURE.md', () => {
  test('has 350 lines at most', () => {
    assert(read('ARCHITECTURE.md').split('\n').length <= 351)
  })

  for (const [operation, linesMax] of [
    ['approve a task', 900],
    ['create a task', 800],
  ] as const)
    test(`lists five files of at most ${linesMax} lines in which to read: ${operation}`, () => {
      const rows = rowsOf(section(read('ARCHITECTURE.md'), '## Two operations, from route to SQL'))
      const files = rows.find(([name]) => name === operation)![1]!.match(/[\w/.-]+\.(?:ts|sql)/g)!
      const lines = files.map((file) => read(file).trimEnd().split('\n').length)

      assert.equal(files.length, 5)
      assert(lines.reduce((sum, count) => sum + count) <= linesMax, `${lines.join(' + ')} lines`)
    })

  test('has a folder for each subject: tasks/ has fewer than 50 sources', () => {
    const sources = globSync('server/src/tasks/**/*.ts', { cwd: ROOT }).filter(
      (file) => !file.endsWith('.test.ts'),
    )
    assert(sources.length < 50, `${sources.length} sources`)
  })

  test('maps every top-level folder', () => {
    const map = section(read('ARCHITECTURE.md'), '## Map')
    const made = read('.gitignore').split('\n')
    const missing = TOP.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !made.includes(`${name}/`) && !new RegExp(`\`${name}[\`/]`).test(map))

    assert.deepEqual(missing, [])
  })

  test('has the table of imports', () => {
    const table = /FOLDERS[^{]*\{([^}]*)\}/.exec(read('scripts/imports.ts'))![1]!
    const allowed = [...table.matchAll(/'?([\w-]+)'?: \[([^\]]*)\]/g)].map((match) => [
      match[1]!,
      [...match[2]!.matchAll(/'([\w-]+)'/g)].map((name) => name[1]!),
    ])
    const rows = rowsOf(section(read('ARCHITECTURE.md'), '## Folders')).map(([folder, imports]) => [
      unticked(folder!)[0]!,
      unticked(imports!),
    ])

    assert.deepEqual(rows, allowed)
  })
})

describe('docs/api.md', () => {
  test('has every error that the code declares, and no others', () => {
    const declared = filesUnder(ROOT, 'server/src', /(?<!\.test)\.ts$/)
      .flatMap((file) => [...read(file).matchAll(/defineError\(\s*(\d+),\s*'(\w+)'/g)])
      .map((match) => `${match[1]} ${match[2]}`)
    const listed = rowsOf(section(read('docs/api.md'), '## Errors')).map(
      ([status, code]) => `${status} ${unticked(code!)[0]}`,
    )

    assert.deepEqual(listed.sort(), declared.sort())
  })
})

describe('docs/interface.md', () => {
  const text = read('docs/interface.md')

  test('mentions every endpoint', () => {
    const silent = endpoints
      .filter(({ isInternal }) => !isInternal)
      .map(({ method, path: route }) => ({ method, route }))
      .filter(
        ({ method, route }) =>
          !text.includes(`**${method} ${route}**`) && !text.includes(`| \`${route}\` |`),
      )

    assert.deepEqual(silent, [])
  })

  test('names every transaction type', () => {
    const named = new Set(backticked(section(text, '### 2.4 Wallet and transactions')))

    assert.deepEqual(
      TRANSACTION_TYPES.filter((type) => !named.has(type)),
      [],
    )
  })
})

describe('docs/ledger.md', () => {
  const text = read('docs/ledger.md')

  test('has every account, with its owner and its normal side', () => {
    const owners: Record<string, string[]> = { ref: ['payout', 'refund'] }
    const wrong = rowsOf(section(text, '## Chart of accounts')).filter(
      ([code, owner, side, guard]) => {
        const account = ACCOUNTS[unticked(code!)[0] as keyof typeof ACCOUNTS]
        return (
          account === undefined ||
          !(owners[account.owner] ?? [account.owner]).includes(owner!) ||
          account.normal !== side ||
          (account.guard === 'none' ? '–' : account.guard) !== guard
        )
      },
    )
    const listed = rowsOf(section(text, '## Chart of accounts')).map(
      ([code]) => unticked(code!)[0]!,
    )

    assert.deepEqual(wrong, [])
    assert.deepEqual(listed.sort(), Object.keys(ACCOUNTS).sort())
  })

  test('has every audit invariant, in the words of the code', () => {
    const listed = [...section(text, '## Invariants').matchAll(/^\d+\. (.+)\.$/gm)].map((match) =>
      match[1]!.toLowerCase(),
    )

    assert.deepEqual(
      listed,
      INVARIANTS.map((invariant) => invariant.toLowerCase()),
    )
  })

  test('has every movement', () => {
    const listed = rowsOf(section(text, '## Movements'))
      .map(([kind]) => unticked(kind!)[0])
      .filter((kind) => kind !== undefined)

    assert.deepEqual(listed.sort(), [...KINDS].sort())
  })
})

describe('docs/money.md', () => {
  const text = read('docs/money.md')

  test('has every operator command with its usage', () => {
    const listed = rowsOf(section(text, '## Commands for operators').replaceAll('\\|', '¦')).map(
      ([command]) => unticked(command!)[0]!.replaceAll('¦', '|'),
    )

    assert.deepEqual(
      listed,
      COMMANDS.map(({ name, takes }) => `ops ${name} ${takes}`.trim()),
    )
  })

  test('mentions every status of a deposit, a payout and a payout account', () => {
    const schema = read('server/schema.sql')
    const statuses = ['deposit_status', 'payout_status', 'payout_account_status'].flatMap(
      (type) => {
        const [, values] = new RegExp(
          `create type [\\w.]*\\b${type} as enum \\(([^)]*)\\)`,
          'i',
        ).exec(schema)!
        return [...values!.matchAll(/'([\w-]+)'/g)].map((match) => match[1]!)
      },
    )

    assert(statuses.length > 20)
    assert.deepEqual(
      statuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(text)),
      [],
    )
  })

  test('says what each switch stops, together with docs/operators-boards.md', () => {
    const others = section(read('docs/operators-boards.md'), '## Switches')
    const listed = [...rowsOf(section(text, '### Switches')), ...rowsOf(others)].flatMap(([name]) =>
      unticked(name!),
    )

    assert.deepEqual(listed.sort(), [...SWITCHES].sort())
  })
})

describe('docs/operators.md', () => {
  test('has every right, and which roles have it', () => {
    const listed = rowsOf(section(read('docs/operators.md'), '## Roles'))

    assert.deepEqual(
      listed,
      Object.entries(RIGHTS).map(([right, does]) => [
        `\`${right}\`: ${does}`,
        ...ROLES.map((role) => (hasRight(role, right as Right) ? '✓' : '')),
      ]),
    )
  })
})

describe('docs/logging.md', () => {
  const metrics = [...read('server/src/kit/metrics.ts').matchAll(/'(legwork_\w{4,})'/g)].map(
    (match) => match[1]!,
  )

  test('has every metric', () => {
    const listed = rowsOf(section(read('docs/logging.md'), '## Metrics')).map(
      ([name]) => unticked(name!)[0]!,
    )

    assert.deepEqual(listed.sort(), metrics.sort())
  })

  test('has every log message', () => {
    const written = filesUnder(ROOT, 'server/src', /(?<!\.test)\.ts$/).flatMap((file) =>
      [...read(file).matchAll(/\blog\.(?:info|warn|error|fatal)\(\s*(?:\{[^}]*\},\s*)?'([^']+)'/g)]
        .map((match) => match[1]!)
        .map((message) => ({ file, message })),
    )
    const listed = new Set(
      rowsOf(section(read('docs/logging.md'), '## Messages')).flatMap(([, cell]) =>
        unticked(cell!),
      ),
    )

    assert.deepEqual(
      written.filter(({ message }) => !listed.has(message)),
      [],
    )
  })
})

describe('docs/runbooks', () => {
  const HEADINGS = [
    'What you see',
    'What it means',
    'What users feel',
    'What to do',
    'How to confirm that it is resolved',
  ]
  const runbooks = filesUnder(ROOT, 'docs/runbooks', /\.md$/)

  test('have the same five headings', () => {
    for (const file of runbooks) {
      const headings = [...read(file).matchAll(/^## (.+)$/gm)].map((match) => match[1])
      assert.deepEqual(headings, HEADINGS, file)
    }
  })

  test('refer only to metrics that exist', () => {
    const source = read('server/src/kit/metrics.ts')
    const drill = read('deploy/pgbackrest/drill.ts')
    const isOfDrill = (name: string) =>
      name.startsWith('legwork_restore_drill_') &&
      drill.includes(`'${name.replace('legwork_restore_drill_', '')}'`)
    const unknown = [...runbooks, 'docs/ledger.md']
      .flatMap((file) => [...read(file).matchAll(/`(legwork_[a-z_]+)/g)].map((match) => match[1]!))
      .filter((name) => name !== 'legwork_app' && !isOfDrill(name))
      .filter((name) => !source.includes(`'${name.replace(/_(?:count|sum|bucket)$/, '')}'`))

    assert.deepEqual(unknown, [])
  })
})
