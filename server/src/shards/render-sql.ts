/**
 * Writes migrations and functions for one of several schemas: keeps the statements whose tables live there, and
 * replaces the names of the schema and of the role. With one schema, files are applied as they are.
 */
import { APP_ROLE, type Home, type HomeSchema, MAIN } from '../kit/layout.ts'
import { TABLE_HOMES, TRIGGER_HOMES } from './homes.ts'
import { splitStatements } from './split-sql.ts'

const TABLE = String.raw`(?:if (?:not )?exists )?(?:only )?(?<table>[a-z0-9_]+)`
/** What a statement is about: the first pattern that matches. */
const ABOUT_TABLE = [
  new RegExp(`^create table [a-z0-9_]+ partition of ${TABLE}`),
  new RegExp(`^(?:create|alter|drop) (?:table|view) ${TABLE}`),
  new RegExp(`^create (?:unique )?index (?:if not exists )?[a-z0-9_]+ on ${TABLE}`),
  new RegExp(`^(?:create|alter|drop) policy [a-z0-9_]+ on ${TABLE}`),
  new RegExp(String.raw`^create (?:constraint )?trigger .*? on ${TABLE}`),
  new RegExp(`^comment on (?:table|column|view) ${TABLE}`),
  new RegExp(`^(?:insert into|update|delete from) ${TABLE}`),
]
const TRIGGER = /^create (?:constraint )?trigger (?<trigger>[a-z0-9_]+) /
const TYPE = /^(?:create|alter|drop|comment on) (?:type|domain) /
const FUNCTION =
  /^(?:create (?:or replace )?function|drop function|grant execute on|revoke execute on) /
const ROLE = new RegExp(`^(?:grant usage on schema public|grant ${APP_ROLE}) to `)
const INDEX =
  /^create (?:unique )?index (?:if not exists )?(?<index>[a-z0-9_]+) on (?<table>[a-z0-9_]+)/
const DROP_INDEX = /^(?:drop|alter) index (?:if exists )?(?<index>[a-z0-9_]+)/
const GRANT =
  /^grant (?<rights>.+?) on (?<tables>[a-z0-9_]+(?:, [a-z0-9_]+)*) to (?<role>[a-z0-9_]+)$/

/** The statements of all migrations so far: an index is dropped by its name alone, so its table must be known. */
export function openRenderer(migrations: readonly string[]) {
  const tableOfIndex = new Map<string, string>()
  for (const text of migrations)
    for (const statement of splitStatements(text)) {
      const { index, table } = INDEX.exec(oneLine(statement))?.groups ?? {}
      if (index && table) tableOfIndex.set(index, table)
    }

  function tableOf(statement: string): string | undefined {
    const index = DROP_INDEX.exec(statement)?.groups?.index
    if (index) return tableOfIndex.get(index)
    for (const pattern of ABOUT_TABLE) {
      const table = pattern.exec(statement)?.groups?.table
      if (table) return table
    }
    return undefined
  }

  /** The part of a statement for this schema, or undefined. */
  function part(text: string, schema: HomeSchema): string | undefined {
    const statement = oneLine(text)
    const { rights, tables, role } = GRANT.exec(statement)?.groups ?? {}
    if (tables) {
      const kept = tables.split(', ').filter((table) => isAt(table, schema))
      return kept.length > 0 ? `grant ${rights} on ${kept.join(', ')} to ${role}` : undefined
    }
    if (TYPE.test(statement)) return schema.homes.includes('types') ? text : undefined
    if (ROLE.test(statement)) return text
    if (statement.startsWith('do ')) {
      const homes = homesNamed(statement)
      return homes.length === 0 || schema.homes.some((home) => homes.includes(home))
        ? text
        : undefined
    }
    if (FUNCTION.test(statement)) return isOnlyTypes(schema) ? undefined : text
    const guard = TRIGGER_HOMES[TRIGGER.exec(statement)?.groups?.trigger ?? '']
    if (guard !== undefined && !schema.homes.includes(guard)) return undefined
    const table = tableOf(statement)
    if (table === undefined)
      throw new Error(`no schema is known for the statement: ${statement.slice(0, 100)}`)
    return isAt(table, schema) ? text : undefined
  }

  return {
    migration: (text: string, schema: HomeSchema): string =>
      splitStatements(text)
        .map((statement) => part(statement, schema))
        .filter((statement) => statement !== undefined)
        .map((statement) => `${renamed(statement, schema)};\n`)
        .join(''),
  }
}

/**
 * The functions of a file, or undefined if they don't belong into this schema. They live where the tables that they
 * name are; without tables, in every schema. A header says otherwise:
 *
 *   -- home: shard, global          in both
 *   -- home: several shards         in shards, if there is more than one
 *   -- home: feed, for shards       in every shard of the same database, where it may do this one thing to the feed;
 *                                  also with `global`
 *   -- home: shards outside of main in shards of other databases than that of the feed and the global schema
 */
export function renderFunctions(text: string, schema: HomeSchema): string | undefined {
  if (isOnlyTypes(schema)) return undefined
  const isShard = schema.range !== undefined
  const declared = /^-- home: (?<homes>[a-z, ]+)$/m.exec(text)?.groups?.homes?.split(', ')
  const isMain = schema.database === MAIN
  if (declared?.includes('for shards') && isShard)
    return isMain ? renamed(text, schema, declared[0]) : undefined
  const homes = declared ?? homesOfFunctions(text)
  if (declared === undefined && homes.length > 1)
    throw new Error(`functions use tables of ${homes.join(' and ')}`)
  const isHere =
    homes.length === 0 ||
    schema.homes.some((home) => homes.includes(home)) ||
    (isShard && homes.includes('several shards')) ||
    (isShard && !isMain && homes.includes('shards outside of main'))
  return isHere ? renamed(text, schema) : undefined
}

/** Whether functions are needed only where there is more than one shard. */
export const isForSeveral = (text: string): boolean =>
  /^-- home: (?:several shards|shards outside of main)$/m.test(text)

export const homesOfFunctions = (text: string): Home[] =>
  homesNamed(text.replaceAll(/--.*$/gm, '').replaceAll(/'(?:[^']|'')*'/g, ''))

/** The homes of all tables that a text names. */
function homesNamed(text: string): Home[] {
  const homes = (text.match(/\b[a-z0-9_]+\b/g) ?? []).flatMap((word) => {
    const home = TABLE_HOMES[word]
    return home === undefined || home === 'both' ? [] : [home]
  })
  return [...new Set(homes)]
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

const isOnlyTypes = ({ homes }: HomeSchema) => homes.every((home) => home === 'types')

function isAt(table: string, { homes }: HomeSchema): boolean {
  const home = TABLE_HOMES[table]
  if (home === undefined) throw new Error(`no schema is known for the table ${table}`)
  return home === 'both'
    ? homes.includes('shard') || homes.includes('global')
    : homes.includes(home)
}

const renamed = (text: string, { name, role, range = [0, 0] }: HomeSchema, path = name): string =>
  text
    .replaceAll('between 0 and 4095', `between ${range[0]} and ${range[1]}`)
    .replaceAll(new RegExp(String.raw`\b${APP_ROLE}\b`, 'g'), role)
    .replaceAll('set search_path = public, pg_temp', `set search_path = ${path}, public, pg_temp`)
    .replaceAll('on schema public', `on schema ${name}`)
