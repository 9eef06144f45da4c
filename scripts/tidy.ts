/**
 * House rules that no linter knows: a table of what no line may contain, then what a file, an operation, a migration
 * and a dependency must come with.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { filesUnder, withoutComments } from './imports.ts'

const CODE = /\.(?:[cm]?[jt]s|[jt]sx|sql|css|sh|ya?ml)$|^\.ci\//
const SERVER_CODE = /^server\/src\/.*\.ts$/
const OWN_CODE =
  /^(?:(?:server|sandbox|cli|mcp|adapters)\/src|scripts|sdk\/src\/(?!types|error-)|web(?!\/operators\/types)).*\.ts$/
const SCREENS = new RegExp(
  String.raw`^(?:web/(?:worker/text/en/|(?:console|operators|docs)/.*\.tsx$)` +
    String.raw`|server/src/email/(?:texts/en|agent-templates)\.ts$)`,
)
const TEST = /\.test\.tsx?$/

/** Letters in brackets keep this file from violating its own rules. */
const LINE_RULES: { files: RegExp; except?: string; line: RegExp; problem: string }[] = [
  {
    files: /./,
    line: /(?<![\w.}/~-])\/(?:work|root|home)\//,
    problem: 'names a path of one machine; it exists on no other',
  },
  {
    files: /./,
    line: /registry\.(?:npm[j]s|yarn[p]kg)|"resolved": "https?:|^registry ?=/,
    problem: 'names a package registry; each machine chooses its own',
  },
  {
    files: CODE,
    line: /\b(?:FIXM[E]|XX[X]|HAC[K])\b|\bTOD[O]\b(?!\(#\d+\))/,
    problem: 'do it now, or open an issue and write TODO(#123)',
  },
  {
    files: TEST,
    line: /\b(?:test|describe|suite|it)\.onl[y]\b|\bonl[y]: ?true\b/,
    problem: 'a focused test hides all others',
  },
  {
    files: TEST,
    line: /\.ski[p]\(|\bski[p]: ?(?:true\b|['"`])/,
    problem: 'a skipped test proves nothing; repair it or remove it',
  },
  {
    files: TEST,
    line: /^(?:before|after)Each\(/,
    problem: 'is called for the tests of all files; use server/test/hooks.ts',
  },
  {
    files: SERVER_CODE,
    except: 'server/src/main.ts',
    line: /\bconsole\.(?:log|info|warn|error|debug|trace|dir|table|group|time|count|assert)\b/,
    problem: 'use the log of kit/log.ts, which knows the request and what must not be written',
  },
  {
    files: /^server\/src\/(?!.*\.test\.ts$).*\.ts$/,
    except: 'server/src/kit/clock.ts',
    line: /\bDate\.now\(|\bnew Date\(\)/,
    problem: 'asks the wall clock, which can be stepped; take `now`, or use performance.now()',
  },
  {
    files: /^server\/src\/(?!.*\.test\.ts$).*\.ts$/,
    line: new RegExp(
      [
        // JSON that is cut: JSON.stringify(…).slice(…), a body that is split at a field.
        String.raw`JSON\.stringify\(.*\)\.(?:slice|sub|replace|split|concat|trim|at)`,
        String.raw`\.(?:split|replace|replaceAll)\(.*\\?"\w*\\?":`,
        // JSON that is built: a field name, brace or comma next to a value, in a template or a sum.
        String.raw`[{,]\s*"\w*"?:?\s*\[?\$\{|"\s*:\s*"?\$\{|\}"?\s*,\s*"\w+":`,
        String.raw`JSON\.stringify\(.*\)\s*\+|\+\s*JSON\.stringify\(`,
        'JSON\\.parse\\(\\s*`',
      ].join('|'),
    ),
    problem: 'builds or cuts JSON as text; build the value, then JSON.stringify it',
  },
  {
    files: SCREENS,
    line: /\b(?:by itself|goes on|is over|stands? here|so it was decided|say where|look into your mail)\b/i,
    problem:
      'is not how we word screens and emails; say what happens, in the words of the trade (CONTRIBUTING.md, Words)',
  },
  {
    files: /^server\/functions\/.*\.sql$/,
    line: /'[^']*"\w+"\s*:|"\s*:\s*%/,
    problem: 'builds JSON as text; return columns, or use json_build_object',
  },
  {
    files: /^server\/(?:functions|migrations)\/.*\.sql$/,
    line: /\breturns\s+setof\b/i,
    problem:
      'returns rows of a table, and running processes break when a column is added; use returns table (…)',
  },
  {
    files: CODE,
    line: /lint-disable\S* .*max-lines-per-functio[n](?!.* -- \S)/,
    problem: 'say after ` -- ` why the function is better whole, or split it',
  },
  { files: OWN_CODE, line: /^.{121}/u, problem: 'is longer than 120 columns' },
]

/** Names that don't describe the content, so that anything ends up there. */
const EMPTY_NAME =
  /(?:^|[/-])(?:utils?|helpers?|common|manager|service)(?:\.test)?\.[jt]sx?$|(?:^|\/)index\.[jt]sx?$/
const EMPTY_FOLDER = /(?:^|\/)(?:utils?|helpers?|common|managers?|services?)\//

const OPERATION = /=\s*(?:endpoint|job|sweep)\s*\(\s*\{/
const OPERATION_HEADER = ['called by', 'moves', 'money', 'event']
const MIGRATION = /^server\/migrations\/.*\.sql$/
const MIGRATION_HEADER = ['lock', 'backfill']
const DEPENDENCIES = 'docs/dependencies.md'

/** A file with a statement that the database prepares under a name, through `Db.call`. */
const PREPARES = /\.call\s*[<(]/
/** All columns of a table. The columns of a function are fixed: another result needs another name. */
const WHOLE_ROW =
  /\b(?:select|returning)\s+(?:distinct\s+)?\*(?!\s+from\s+\w+\()|[\s,(]\w+\.\*(?=[\s,]|\))/gi
/** Makes `select * from <function>(…)` for every function. */
const CALLS_FUNCTIONS = 'server/src/kit/call.ts'

export function checkTidy(root: string): string[] {
  return [...textFiles(root).flatMap((file) => checkFile(root, file)), ...checkDependencies(root)]
}

function checkFile(root: string, file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  if (text.includes('\0')) return [] // An image or another binary file.

  const problems = checkLines(file, text)
  if (EMPTY_NAME.test(file) || (CODE.test(file) && EMPTY_FOLDER.test(file)))
    problems.push(`${file}: name the file after what is in it`)

  if (SERVER_CODE.test(file) && !TEST.test(file) && OPERATION.test(withoutComments(text))) {
    const header = /^\/\*\*[^]*?\*\//.exec(text)?.[0] ?? ''
    for (const word of OPERATION_HEADER)
      if (!new RegExp(`^ \\* +${word}s? +\\S`, 'm').test(header))
        problems.push(`${file}:1: the header of an operation has a line "${word}  …"`)
    const test = file.replace(/\.ts$/, '.test.ts')
    if (!existsSync(path.join(root, test))) problems.push(`${file}:1: an operation has ${test}`)
  }

  if (SERVER_CODE.test(file) && !TEST.test(file) && file !== CALLS_FUNCTIONS)
    problems.push(...checkPrepared(file, withoutComments(text)))

  if (MIGRATION.test(file)) {
    const header = /^(?:--.*\n)*/.exec(text)![0]
    for (const word of MIGRATION_HEADER)
      if (!new RegExp(`^-- ${word}: *\\S`, 'm').test(header))
        problems.push(`${file}:1: the header of a migration has a line "-- ${word}: …"`)
  }
  return problems
}

/** A prepared statement that reads whole rows fails in every running process once a column is added. */
function checkPrepared(file: string, code: string): string[] {
  if (!PREPARES.test(code)) return []
  return [...code.matchAll(WHOLE_ROW)].map(({ index }) => {
    const line = code.slice(0, index).split('\n').length
    return `${file}:${line}: a prepared statement names its columns: with \`*\` it breaks when one is added`
  })
}

function checkLines(file: string, text: string): string[] {
  const rules = LINE_RULES.filter((rule) => rule.files.test(file) && rule.except !== file)
  return text
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter((rule) => rule.line.test(line))
        .map((rule) => `${file}:${index + 1}: ${rule.problem}`),
    )
}

/** Every added package must be documented: what it is for, and which alternatives were considered. */
function checkDependencies(root: string): string[] {
  const workspaces = readManifest(root, '.').workspaces ?? []
  const table = existsSync(path.join(root, DEPENDENCIES))
    ? readFileSync(path.join(root, DEPENDENCIES), 'utf8')
    : ''
  const rows = table.split('\n').filter((line) => line.startsWith('|'))
  return ['.', ...workspaces].flatMap((workspace) => {
    const manifest = readManifest(root, workspace)
    const names = Object.keys({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    })
    return names
      .filter((name) => !name.startsWith('@legwork/'))
      .filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))
      .map(
        (name) =>
          `${path.posix.join(workspace, 'package.json')}: ${name} has no row in ${DEPENDENCIES}`,
      )
  })
}

interface Manifest {
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

function readManifest(root: string, workspace: string): Manifest {
  const file = path.join(root, workspace, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}

/** Files that git tracks or would add. A tree without git (as in the test of this script) is read completely. */
function textFiles(root: string): string[] {
  const files = existsSync(path.join(root, '.git'))
    ? execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
        cwd: root,
        encoding: 'utf8',
      }).split('\0')
    : filesUnder(root, '.', /./)
  // A file that was deleted but not yet committed is still in git's list.
  return files
    .filter((file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())
    .sort()
}

if (import.meta.main) {
  const problems = checkTidy(path.join(import.meta.dirname, '..'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
