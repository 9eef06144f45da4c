/**
 * Checks migrations and functions against the last release, whose processes run beside the next one during a
 * deployment, and alone after a rollback: nothing that its code uses may be dropped, renamed or retyped, its functions
 * keep their parameters and results, and its migrations do not change. `npm run test:upgrade` proves the same by
 * running both.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { git, hasCommit, readReleased, type Released } from './released.ts'

const MIGRATIONS = 'server/migrations'
const FUNCTIONS = 'server/functions'
/** Lists every column, so it says nothing about what the code uses. */
const GENERATED = ['server/src/kit/schema.ts', 'server/src/kit/functions.ts']

/** Statements that take something away. The first group is what they take it from. */
const REMOVALS: { what: string; pattern: RegExp }[] = [
  {
    what: 'drops',
    pattern: /\bdrop\s+(?:table|view|type|sequence|column|attribute)\s+(?:if\s+exists\s+)?(\w+)/gi,
  },
  { what: 'drops', pattern: /\bdrop\s+function\s+(?:if\s+exists\s+)?(\w+)\s*(\([^)]*\))?/gi },
  { what: 'renames', pattern: /\brename\s+(?:column|attribute|value)\s+'?(\w+)/gi },
  {
    what: 'renames',
    pattern: /\balter\s+(?:table|view|type|sequence)\s+(?:if\s+exists\s+)?(\w+)\s+rename\s+to\b/gi,
  },
  { what: 'renames', pattern: /\balter\s+function\s+(\w+)\s*(\([^)]*\))?\s*rename\b/gi },
  {
    what: 'changes the type of',
    pattern: /\balter\s+(?:column|attribute)\s+(\w+)\s+(?:set\s+data\s+)?type\b/gi,
  },
  { what: 'requires', pattern: /\balter\s+(?:column\s+)?(\w+)\s+set\s+not\s+null\b/gi },
  {
    what: 'revokes a privilege on',
    pattern: /\brevoke\b[^;]*?\bon\s+(?:table\s+|function\s+)?(\w+)[^;]*?\bfrom\s+legwork_app\b/gi,
  },
]

interface Signature {
  name: string
  parameters: string[]
  result: string
}

export function checkReleased(root: string): string[] {
  const released = readReleased(root)
  if (released === undefined) return []
  const canCompare = hasCommit(root, released.commit)
  return [
    ...newMigrations(root, released).flatMap((file) => checkRemovals(root, file, released)),
    ...(canCompare ? checkUnchanged(root, released) : []),
    ...(canCompare ? checkFunctions(root, released) : []),
  ]
}

const newMigrations = (root: string, { last_migration }: Released) =>
  readdirSync(path.join(root, MIGRATIONS))
    .filter((name) => name.endsWith('.sql') && name > last_migration)
    .sort()

function checkRemovals(root: string, file: string, released: Released): string[] {
  // Comments keep their length, so that the numbers of lines stay right.
  const text = withoutComments(readFileSync(path.join(root, MIGRATIONS, file), 'utf8'))
  return REMOVALS.flatMap(({ what, pattern }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const place = `${MIGRATIONS}/${file}:${text.slice(0, match.index).split('\n').length}`
      const [, name, parameters = ''] = match
      if (!hasCommit(root, released.commit))
        return [`${place}: ${what} ${name}; the clone lacks ${released.version} to compare with`]
      // A function with a parameter of a type that the release does not know is newer than the release.
      const words = [...parameters.matchAll(/[a-z_]\w*/gi)].map(([word]) => word)
      if (words.some((word) => !isIn(root, released, word, ['server']))) return []
      const user = userOf(root, released, name!)
      if (user === undefined) return []
      return [`${place}: ${what} ${name}, which ${released.version} uses in ${user}`]
    }),
  )
}

const isIn = (root: string, { commit }: Released, word: string, places: string[]) =>
  git(root, 'grep', '-qwF', word, commit, '--', ...places) !== undefined

/** The first file of the release that uses the name. */
function userOf(root: string, { commit }: Released, name: string): string | undefined {
  const places = ['server/src', FUNCTIONS, ':!*.test.ts', ...GENERATED.map((file) => `:!${file}`)]
  const found = git(root, 'grep', '-lwF', name, commit, '--', ...places)
  return found
    ?.toString()
    .split('\n')[0]!
    .slice(commit.length + 1)
}

/** The runner compares checksums and would refuse to start on every database of the release. */
function checkUnchanged(root: string, { version, commit, last_migration }: Released): string[] {
  const lines = git(root, 'ls-tree', commit, `${MIGRATIONS}/`)?.toString().trim().split('\n') ?? []
  const files = lines
    .map((line) => line.split(/\s/))
    .map(([, , hash, file]) => ({ hash: hash!, file: file! }))
    .filter(({ file }) => file.endsWith('.sql'))
  const last = path.basename(files.at(-1)?.file ?? '')
  return [
    ...(last === last_migration
      ? []
      : [`${MIGRATIONS}/released.json: the last migration of ${version} is ${last}`]),
    ...files
      .filter(({ hash, file }) => hash !== blobHash(path.join(root, file)))
      .map(({ file }) => `${file}: differs from ${version}: write a new migration instead`),
  ]
}

function blobHash(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  const content = readFileSync(file)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** A database keeps the functions of the release; those of the next one are created beside them, or replace them. */
function checkFunctions(root: string, { version, commit }: Released): string[] {
  const text = git(root, 'grep', '-hE', '', commit, '--', FUNCTIONS)?.toString() ?? ''
  const before = new Map(signaturesIn(text).map((signature) => [signature.name, signature]))
  const files = readdirSync(path.join(root, FUNCTIONS)).filter((file) => file.endsWith('.sql'))
  return files.flatMap((file) =>
    signaturesIn(readFileSync(path.join(root, FUNCTIONS, file), 'utf8')).flatMap((after) => {
      const old = before.get(after.name)
      if (old === undefined || old.parameters.length !== after.parameters.length) return []
      const place = `${FUNCTIONS}/${file}: ${after.name}`
      if (old.parameters.join() !== after.parameters.join())
        return [
          `${place} has as many parameters as in ${version}, but others: calls without types ` +
            'would be ambiguous. Give it a new name',
        ]
      return old.result === after.result
        ? []
        : [`${place} has another result than in ${version}. Give it a new name`]
    }),
  )
}

function signaturesIn(text: string): Signature[] {
  const plain = withoutComments(text).replace(/\s+/g, ' ')
  const pattern =
    /create or replace function (\w+) ?\((.*?)\) returns (.*?) (?:language|set|as|stable|immutable|security)\b/gi
  return [...plain.matchAll(pattern)].map(([, name, parameters, result]) => ({
    name: name!,
    parameters: parameters!
      .split(',')
      .map((parameter) => parameter.trim())
      .filter((parameter) => parameter !== ''),
    result: result!,
  }))
}

const withoutComments = (text: string) =>
  text.replaceAll(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
