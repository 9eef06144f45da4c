/** Reads the states of a database from its catalogs: values of enums and checks, columns, tables. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { RULINGS } from '../../src/tasks/dispute-view.ts'
import { LINES, type Line, PROPERTIES } from './states.ts'

type Query = (text: string) => Promise<Record<string, unknown>[]>

/** A column with such a name means that something is in a state, or until when. */
const STATE_NAME =
  /(^|_)(status|state|hold|held|until|due|paused|disabled|restricted|blocked|locked|waiting|pending|suspended|expires|check|look|next|available|push|rehearse|deadline|reported|failing|verdict|ruling|outcome|closed|decided|decides|matched|appealed)(_at|_by|_try_at|_on|_since|$|_)/

/** Each as `table.column=value`, `table.column` or `table`. */
export async function readSchema(query: Query): Promise<Set<string>> {
  const found = new Set<string>()
  for (const row of await query(TABLES)) found.add(row.table as string)
  for (const { table, column, type, values } of await query(COLUMNS)) {
    const name = `${String(table)}.${String(column)}`
    if (column === 'mode') continue
    if (values !== null) for (const value of values as string[]) found.add(`${name}=${value}`)
    else if (type === 'bool' || STATE_NAME.test(String(column))) found.add(name)
  }
  for (const { table, definition } of await query(CHECKS))
    for (const [column, values] of listsIn(String(definition)))
      for (const value of values) {
        found.add(`${String(table)}.${column}=${value}`)
        // Its values have their own lines; the column has one only where null is a state.
        if (!NULL_IS_A_STATE.has(`${String(table)}.${column}`))
          found.delete(`${String(table)}.${column}`)
      }
  return found
}

const NULL_IS_A_STATE = new Set([
  'appeals.ruling',
  'task_reports.verdict',
  'processor_attempts.outcome',
  'operator_actions.outcome',
])

/** Partitions count as their parent table. Copies for workers of other shards have the states of their originals. */
const TABLES = `
  select relname as table from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     and relname <> 'migrations' and not starts_with(relname, 'away_')`

const COLUMNS = `
  select c.relname as table, a.attname as column, t.typname as type,
         case when t.typtype = 'e' then
           array(select enumlabel::text from pg_enum where enumtypid = t.oid order by enumsortorder) end as values
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> 'migrations' and not starts_with(c.relname, 'away_') and a.attnum > 0 and not a.attisdropped`

const CHECKS = `
  select c.relname as table, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
   where k.contype = 'c' and c.relnamespace = 'public'::regnamespace and not c.relispartition`

/** `status = ANY (ARRAY['a'::text, 'b'::text])`: the column and its values. */
function listsIn(definition: string): [string, string[]][] {
  const whole = /^CHECK \(\((\w+) = ANY \(ARRAY\[([^\]]*)\]\)\)\)/.exec(definition)
  if (whole === null) return []
  return [[whole[1]!, [...whole[2]!.matchAll(/'([^']*)'/g)].map((match) => match[1]!)]]
}

export const accountedFor = (lines: readonly Line[]) => new Set(lines.flatMap(({ at }) => at))

/** A table is covered when it is named, or one of its columns is. */
export function missingLines(names: readonly string[], lines: readonly Line[] = LINES): string[] {
  const known = accountedFor(lines)
  const isProperty = (name: string) => name in PROPERTIES || name.split('=')[0]! in PROPERTIES
  return names.filter((name) => {
    if (known.has(name) || isProperty(name)) return false
    const isTable = /^\w+$/.test(name)
    return !isTable || ![...known].some((key) => key.startsWith(`${name}.`))
  })
}

/** The folders whose operations set a task's status. */
const MOVERS = ['tasks', 'disputes', 'moderation']

/** The values of `tasks.status_reason`, read from the code that sets them. */
export function readStatusReasons(): string[] {
  const reasons = new Set<string>()
  for (const file of MOVERS.flatMap(sourcesOf))
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (!/\breason:|status_reason:|CONFLICT =/.test(line)) continue
      for (const [, reason] of line.matchAll(/'([a-z]+(?:_[a-z]+)+|reported)'/g))
        reasons.add(reason!)
      if (/`dispute_\$\{ruling\}`/.test(line))
        for (const ruling of ['withdrawn', ...RULINGS]) reasons.add(`dispute_${ruling}`)
    }
  return [...reasons]
}

function sourcesOf(folder: string): string[] {
  const inServer = path.join(import.meta.dirname, '../../src', folder)
  return readdirSync(inServer)
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => path.join(inServer, name))
}
