/**
 * Checks that functions and migrations use only SQL that plain PostgreSQL and Citus run alike, and that every table has
 * a primary key, by which logical replication finds the rows to change. server/migrations/README.md has the reasons.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const FUNCTIONS = 'server/functions'
const MIGRATIONS = 'server/migrations'
const SCHEMA = 'server/schema.sql'

const WORD = /[a-z_]\w*|[();]|\$\w*\$/gi
/** `a[i]`, but neither the type `text[]` nor the constructor `array[…]`. */
const ELEMENT = /(?<!\barray)\[(?!\s*\])/i
/** Parameters, variables of PL/pgSQL by their prefixes, and elements of arrays. */
const VARIABLE = new RegExp(`\\b[pv]_\\w+|\\$\\d|${ELEMENT.source}`, 'i')

interface Place {
  index: number
  problem: string
}

export function checkSql(root: string): string[] {
  return [
    ...[FUNCTIONS, MIGRATIONS].flatMap((folder) =>
      sqlFilesIn(root, folder).flatMap((file) => {
        const text = withoutComments(readFileSync(path.join(root, file), 'utf8'))
        const plain = withoutStrings(text)
        return [
          ...updatesFromArrays(plain),
          ...elementsFromQueries(plain),
          ...inserts(plain),
          ...forcedPlans(text, folder),
        ].map(({ index, problem }) => `${file}:${lineOf(text, index)}: ${problem}`)
      }),
    ),
    ...tablesWithoutKey(root),
  ]
}

function updatesFromArrays(plain: string): Place[] {
  return [...plain.matchAll(/\bupdate\b/gi)].flatMap(({ index }) => {
    const set = clause(plain, index, { from: /^set$/i, to: /^(?:from|where|returning)$/i })
    return ELEMENT.test(set)
      ? [{ index, problem: 'sets a column to an element of an array: update … from unnest(…)' }]
      : []
  })
}

function elementsFromQueries(plain: string): Place[] {
  return [...plain.matchAll(/[^[\s]\s*\]\s*:=([^;]*);/g)].flatMap(({ index, 1: value }) =>
    /\bselect\b/i.test(value!)
      ? [{ index, problem: 'assigns a query to an element of an array: select … into a variable' }]
      : [],
  )
}

function inserts(plain: string): Place[] {
  return [...plain.matchAll(/\binsert\s+into\b/gi)].flatMap(({ index }) => {
    const values = clause(plain, index, { from: /^values$/i, to: /^(?:on|returning)$/i })
    if (/\bselect\b/i.test(values))
      return [{ index, problem: 'has a subquery in its values: insert … select' }]
    const conflict = clause(plain, index, { from: /^conflict$/i, to: /^returning$/i })
    return values === '' && VARIABLE.test(conflict)
      ? [{ index, problem: 'uses a variable after `on conflict`: select it, and use `excluded`' }]
      : []
  })
}

/** The runner removes the setting from functions where FORCE_GENERIC_PLANS is off. It knows no other place of it. */
function forcedPlans(text: string, folder: string): Place[] {
  const elsewhere =
    /\bset_config\s*\(\s*'plan_cache_mode'|\bset\s+(?:local|session)\s+plan_cache_mode/gi
  const forced = folder === MIGRATIONS ? /\bplan_cache_mode\b/gi : elsewhere
  const problem = 'force generic plans in the header of a function of server/functions only'
  return [...text.matchAll(forced)].map(({ index }) => ({ index, problem }))
}

/** schema.sql is generated from the catalog, so a key that a later migration added or dropped counts. */
function tablesWithoutKey(root: string): string[] {
  const file = path.join(root, SCHEMA)
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^create (?:unlogged )?table (\w+) \(\n[^;]*?^\)/gm)].flatMap((table) =>
    /\bprimary key\b/.test(table[0])
      ? []
      : [`${SCHEMA}:${lineOf(text, table.index)}: ${table[1]} has no primary key`],
  )
}

/**
 * The part of the statement at `start` from the first word `from` to the next word `to`, both outside of parentheses;
 * empty if there is none. A statement ends at its semicolon, at the parenthesis around it, or with the function's body.
 */
function clause(plain: string, start: number, { from, to }: { from: RegExp; to: RegExp }): string {
  let depth = 0
  let begin: number | undefined
  for (const { 0: word, index } of plain.slice(start).matchAll(WORD)) {
    if (word === '(') depth += 1
    else if (word === ')') depth -= 1
    const isEnd = depth < 0 || word === ';' || word.startsWith('$')
    if (begin !== undefined && (isEnd || (depth === 0 && to.test(word))))
      return plain.slice(begin, start + index)
    if (isEnd) return ''
    if (begin === undefined && depth === 0 && from.test(word)) begin = start + index
  }
  return begin === undefined ? '' : plain.slice(begin)
}

function sqlFilesIn(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return []
  return readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => `${folder}/${file}`)
}

// Comments and strings become spaces, so line numbers stay the same.
const withoutComments = (text: string) => text.replaceAll(/--[^\n]*/g, blank)
const withoutStrings = (text: string) => text.replaceAll(/'(?:[^']|'')*'/g, blank)
const blank = (found: string) => found.replaceAll(/[^\n]/g, ' ')

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length
