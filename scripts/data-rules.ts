/**
 * Reads the rules for personal data and for retention from the comments of a migrated database, reports what lacks one,
 * and renders docs/retention.md. server/migrations/README.md has the grammar.
 */
import pg from 'pg'

export const WHOSE = ['worker', 'agent', 'operator', 'third person'] as const

export interface PersonalRule {
  whose: (typeof WHOSE)[number]
  erasure: 'erase' | 'replace' | 'keep'
  /** Why it is kept when the person's account is erased. */
  keptFor?: string
  retention: string
  isExported: boolean
}

export interface ColumnRule {
  table: string
  column: string
  /** The type name; for an array, with `[]`. */
  type: string
  comment: string | null
}

export interface TableRule {
  table: string
  comment: string | null
}

export interface DataRules {
  tables: TableRule[]
  columns: ColumnRule[]
}

/**
 * Types that can hold a person's words, address, picture or place. A column of one of them, or of an array of them,
 * needs a rule. Other numbers, enums, booleans and times follow their row, except times at which a person did
 * something.
 */
const NEEDS_RULE = new RegExp(
  '^(?:text|character|citext|json|jsonb|xml|bytea|inet|cidr|macaddr|tsvector|hstore|' +
    'point|line|lseg|box|path|polygon|circle|geography|geometry|double precision|real)\\b',
)
const TIME_OF_A_PERSON = /(?:^|_)(?:seen|used|read|visited|login)_at$/

const ROWS =
  /^rows: (?:kept: (?<kept>[^;]+)|(?<until>until [^;]+|[0-9]+ days after (?<from>[a-z_]+)); by: (?<by>[^;]+))$/
const PERSONAL = new RegExp(
  `^personal: (?<whose>${WHOSE.join('|')}); ` +
    '(?<erasure>erase|replace|keep: (?<reason>[^;]+)); ' +
    '(?<retention>row|task texts|(?:[0-9]+|[A-Z_]+) days after [a-z_]+, by [a-z.-]+); ' +
    'export: (?<exported>yes|no: [^;]+)$',
)

export async function readDataRules(url: string): Promise<DataRules> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<TableRule>(TABLES)
    const { rows: columns } = await client.query<ColumnRule>(COLUMNS)
    return { tables, columns }
  } finally {
    await client.end()
  }
}

const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> 'migrations'`

const TABLES = `
  select c.relname as "table", obj_description(c.oid, 'pg_class') as comment
    from pg_class c where ${OURS} order by c.relname collate "C"`

const COLUMNS = `
  select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
         col_description(c.oid, a.attnum) as comment
    from pg_class c join pg_attribute a on a.attrelid = c.oid
   where ${OURS} and a.attnum > 0 and not a.attisdropped
   order by c.relname collate "C", a.attnum`

/** Undefined for `not personal` and for a column without a rule. */
export function parsePersonal(comment: string | null): PersonalRule | undefined {
  const found = PERSONAL.exec(comment ?? '')?.groups
  if (found === undefined) return undefined
  return {
    whose: found.whose as PersonalRule['whose'],
    erasure: found.reason === undefined ? (found.erasure as 'erase' | 'replace') : 'keep',
    ...(found.reason === undefined ? {} : { keptFor: found.reason }),
    retention: found.retention!,
    isExported: found.exported === 'yes',
  }
}

/** Lists the violations, one per line. */
export function checkDataRules({ tables, columns }: DataRules): string[] {
  return [
    ...tables
      .filter(({ comment }) => !ROWS.test(comment ?? ''))
      .map(({ table, comment }) => `${table}: ${problem(comment, 'rows: …')}`),
    ...columns
      .filter(({ comment, ...column }) => (comment === null ? needsRule(column) : !isRule(comment)))
      .map(
        ({ table, column, type, comment }) =>
          `${table}.${column} (${type}): ${problem(comment, 'personal: … or not personal')}`,
      ),
  ]
}

const problem = (comment: string | null, wanted: string) =>
  comment === null
    ? `has no rule; its migration must add the comment “${wanted}”`
    : `“${comment}” is not a rule; server/migrations/README.md has the grammar`

const isRule = (comment: string) => comment === 'not personal' || PERSONAL.test(comment)

const needsRule = ({ column, type }: Pick<ColumnRule, 'column' | 'type'>) =>
  NEEDS_RULE.test(type) || TIME_OF_A_PERSON.test(column)

export function renderRetention(rules: DataRules): string {
  const problems = checkDataRules(rules)
  if (problems.length > 0) throw new Error(`Rules for data:\n${problems.join('\n')}`)
  const tables = rules.tables.map(({ table, comment }) => {
    const { kept, until, by } = ROWS.exec(comment!)!.groups!
    const end = kept === undefined ? `${until}` : `no end: ${kept}`
    return `| \`${table}\` | ${end} | ${by === undefined ? '' : code(by)} |`
  })
  const personal = rules.columns.flatMap(({ table, column, comment }) => {
    const rule = parsePersonal(comment)
    if (rule === undefined) return []
    const { whose, erasure, keptFor, retention, isExported } = rule
    const erased = erasure === 'keep' ? `kept: ${keptFor}` : `${erasure}d`
    const cells = [`\`${table}.${column}\``, whose, erased, retention, isExported ? 'yes' : 'no']
    return `| ${cells.join(' | ')} |`
  })
  return `# Retention

Generated by \`npm run generate\` from the comments on the tables and columns of the database
([grammar](../server/migrations/README.md#personal-data)). [privacy.md](privacy.md) explains the rules and how a
person's data is erased. \`server/test/personal-data\` tests them.

## Rows

How long a table keeps its rows, and what deletes them.

| table | rows are kept | deleted by |
|---|---|---|
${tables.join('\n')}

## Personal data

*At erasure* is what happens when the account of that person is closed or erased. *Kept* is how long the value is kept
otherwise: \`row\` is as long as the row, \`task texts\` is \`TASK_TEXT_KEEP_DAYS\` after the task has ended
(\`runner.forget-texts\`).

| column | whose | at erasure | kept | in the export |
|---|---|---|---|---|
${personal.join('\n')}
`
}

const code = (names: string) =>
  names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ')
