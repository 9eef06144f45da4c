/**
 * Reads the catalog of a migrated database and renders it three times: server/schema.sql for people,
 * server/src/kit/schema.ts, the table types for Kysely, and server/src/kit/functions.ts, the typed calls of SQL
 * functions. `npm run generate` writes them.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'

interface Column {
  name: string
  type: string
  /** The type name without its length; for an array, the type of its elements. */
  base: string
  is_array: boolean
  labels: string[] | null
  collation: string | null
  not_null: boolean
  default: string | null
  identity: '' | 'a' | 'd'
  generated: '' | 's' | 'v'
  /** The rule for personal data: server/migrations/README.md. */
  comment: string | null
}

interface Table {
  name: string
  /** How long the table keeps its rows. */
  comment: string | null
  is_unlogged: boolean
  options: string[] | null
  partition_key: string | null
  columns: Column[]
  constraints: { name: string; type: string; definition: string; columns: string[] }[]
  indexes: string[]
  policies: { name: string; using: string }[] | null
  triggers: string[]
  grants: { privilege: string; columns: string[] | null }[]
}

interface View {
  name: string
  options: string[] | null
  definition: string
  columns: Column[]
  grants: Table['grants']
}

interface Routine {
  name: string
  signature: string
  result: string
  language: string
  is_definer: boolean
  is_granted: boolean
  is_trigger: boolean
  /** `i` is an argument, `t` a column of the result. */
  parameters: (Typed & { name: string; mode: 'i' | 't' })[]
  returned: Typed
}

/** A value's type: of an argument, a field or a result. */
interface Typed {
  base: string
  is_array: boolean
  is_composite: boolean
  labels: string[] | null
}

interface RowType {
  name: string
  fields: (Typed & { name: string; type: string })[]
}

const ROOT = path.join(import.meta.dirname, '..')
const TYPES_FILE = 'server/src/kit/schema.ts'
const APPLICATION = 'legwork_app'
const PRIVILEGES = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
const LITERALS = "'(?:[^']|'')*'(?:, '(?:[^']|'')*')*"
const IN_ARRAY = new RegExp(
  `(\\w+)(?:::text)? = any \\(array\\[(${LITERALS})\\](?:::text\\[\\])?\\)`,
  'g',
)
const ONE_OF = new RegExp(
  `^check \\((?:\\w+ is null or \\(?)?\\w+ (?:in \\(|= )(${LITERALS})\\)*(?: not valid)?$`,
)
/** The order in which constraints are printed. */
const CONSTRAINTS = ['p', 'u', 'f', 'x', 'c']

export async function renderSchema(
  url: string,
): Promise<{ sql: string; ts: string; functions: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<Table>(TABLES)
    const { rows: views } = await client.query<View>(VIEWS)
    const { rows: routines } = await client.query<Routine>(ROUTINES)
    const { rows: enums } = await client.query<Enum>(ENUMS)
    const { rows: rowTypes } = await client.query<RowType>(ROW_TYPES)
    return {
      sql: renderSql(enums, rowTypes, tables, views, routines),
      ts: format(renderTypes([...tables, ...views.map(asTable)])),
      functions: format(renderFunctions(rowTypes, routines)),
    }
  } finally {
    await client.end()
  }
}

interface Enum {
  name: string
  labels: string
}

const ENUMS = `
  select t.typname as name, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) as labels
    from pg_enum e join pg_type t on t.oid = e.enumtypid
   where t.typnamespace = 'public'::regnamespace group by t.typname order by t.typname`

/** The columns of the relation `c`; the expression says whether the column `a` is never null. */
const columnsOf = (notNull: string) => `
  (select json_agg(json_build_object(
            'name', a.attname,
            'type', format_type(a.atttypid, a.atttypmod),
            'base', base.typname,
            'is_array', t.typelem <> 0 and t.typlen = -1,
            'labels', (select json_agg(e.enumlabel order by e.enumsortorder)
                         from pg_enum e where e.enumtypid = base.oid),
            'collation', (select l.collname from pg_collation l
                           where l.oid = a.attcollation and a.attcollation <> t.typcollation),
            'not_null', ${notNull},
            'default', pg_get_expr(d.adbin, d.adrelid),
            'identity', a.attidentity,
            'generated', a.attgenerated,
            'comment', col_description(c.oid, a.attnum)) order by a.attnum)
     from pg_attribute a
     join pg_type t on t.oid = a.atttypid
     join pg_type element on element.oid = case when t.typelem <> 0 and t.typlen = -1
                                                then t.typelem else t.oid end
     join pg_type base on base.oid = case when element.typtype = 'd'
                                          then element.typbasetype else element.oid end
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`

/** The application's rights on the relation `c`. */
const GRANTS = `
  (select coalesce(json_agg(json_build_object('privilege', lower(p.privilege), 'columns', p.columns)), '[]')
     from (select r.privilege_type as privilege, null::json as columns
             from aclexplode(c.relacl) r where r.grantee = to_regrole($$${APPLICATION}$$)
           union all
           select r.privilege_type, json_agg(a.attname order by a.attnum)
             from pg_attribute a, aclexplode(a.attacl) r
            where a.attrelid = c.oid and r.grantee = to_regrole($$${APPLICATION}$$)
            group by r.privilege_type) p)`

// Excludes partitions, which come and go daily, and the migration runner's own tables.
const TABLES = `
  select c.relname as name,
         obj_description(c.oid, 'pg_class') as comment,
         c.relpersistence = 'u' as is_unlogged,
         c.reloptions as options,
         pg_get_partkeydef(c.oid) as partition_key,
         ${columnsOf('a.attnotnull')} as columns,
         (select coalesce(json_agg(json_build_object(
                   'name', k.conname,
                   'type', k.contype,
                   'definition', pg_get_constraintdef(k.oid, true),
                   'columns', (select json_agg(a.attname) from pg_attribute a
                                where a.attrelid = c.oid and a.attnum = any (k.conkey))) order by k.conname), '[]')
            from pg_constraint k where k.conrelid = c.oid and k.contype not in ('n', 't')) as constraints,
         (select coalesce(json_agg(pg_get_indexdef(i.indexrelid) order by n.relname), '[]')
            from pg_index i join pg_class n on n.oid = i.indexrelid
           where i.indrelid = c.oid
             and not exists (select from pg_constraint k
                              where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))) as indexes,
         (select json_agg(json_build_object('name', o.polname, 'using', pg_get_expr(o.polqual, c.oid))
                          order by o.polname)
            from pg_policy o where o.polrelid = c.oid and c.relrowsecurity) as policies,
         (select coalesce(json_agg(pg_get_triggerdef(g.oid, true) order by g.tgname), '[]')
            from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as triggers,
         ${GRANTS} as grants
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname <> 'migrations'
   order by c.relname collate "C"`

/** A view's column is never null if no column of the same name in the view's tables can be. */
const NEVER_NULL = `
  coalesce((select bool_and(s.attnotnull)
              from pg_rewrite r
              join pg_depend p on p.classid = 'pg_rewrite'::regclass and p.objid = r.oid
               and p.refclassid = 'pg_class'::regclass
              join pg_attribute s on s.attrelid = p.refobjid and s.attnum = p.refobjsubid
             where r.ev_class = c.oid and p.refobjid <> c.oid and s.attname = a.attname), false)`

const VIEWS = `
  select c.relname as name,
         c.reloptions as options,
         pg_get_viewdef(c.oid, true) as definition,
         ${columnsOf(NEVER_NULL)} as columns,
         ${GRANTS} as grants
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
   order by c.relname collate "C"`

/** The type with the oid `of`, as a `Typed`. */
const typed = (of: string) => `
  (select json_build_object('base', base.typname, 'is_array', t.typelem <> 0 and t.typlen = -1,
            'is_composite', base.typtype = 'c',
            'labels', (select json_agg(e.enumlabel order by e.enumsortorder)
                         from pg_enum e where e.enumtypid = base.oid))
     from pg_type t
     join pg_type base on base.oid = case when t.typelem <> 0 and t.typlen = -1 then t.typelem else t.oid end
    where t.oid = ${of})`

const ROW_TYPES = `
  select c.relname as name,
         (select json_agg(${typed('a.atttypid')}::jsonb || jsonb_build_object(
                   'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as fields
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'c'
   order by c.relname collate "C"`

const ROUTINES = `
  select p.proname as name,
         pg_get_function_arguments(p.oid) as signature,
         pg_get_function_result(p.oid) as result,
         l.lanname as language,
         p.prosecdef as is_definer,
         coalesce(has_function_privilege(to_regrole($$${APPLICATION}$$), p.oid, 'execute'), false) as is_granted,
         p.prorettype = 'trigger'::regtype as is_trigger,
         (select coalesce(json_agg(${typed('u.type')}::jsonb
                   || jsonb_build_object('name', u.name, 'mode', coalesce(u.mode, 'i')) order by u.n), '[]')
            from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
                 with ordinality u(type, name, mode, n)) as parameters,
         ${typed('p.prorettype')} as returned
    from pg_proc p join pg_language l on l.oid = p.prolang
   where p.pronamespace = 'public'::regnamespace
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
   order by p.proname collate "C", 2`

function renderSql(
  enums: Enum[],
  rowTypes: RowType[],
  tables: Table[],
  views: View[],
  routines: Routine[],
): string {
  return [
    `-- The database after all migrations, to be read. Made by \`npm run generate\`; changes are lost.\n` +
      `-- Left out: partitions, the table of migrations, the schema graphile_worker.\n`,
    ...enums.map(({ name, labels }) => `create type ${name} as enum (${labels});\n`),
    ...rowTypes.map(({ name, fields }) => {
      const lines = fields.map((field) => `  ${field.name} ${readable(field.type)}`)
      return `create type ${name} as (\n${lines.join(',\n')}\n);\n`
    }),
    ...tables.map(renderTable),
    ...views.map(renderView),
    '-- Functions\n',
    ...routines.map(renderRoutine),
  ].join('\n')
}

function renderTable(table: Table): string {
  const width = Math.max(...table.columns.map((column) => column.name.length))
  const constraints = table.constraints.toSorted(
    (a, b) => CONSTRAINTS.indexOf(a.type) - CONSTRAINTS.indexOf(b.type),
  )
  const lines = [
    ...table.columns.map((column) => ({
      text: `  ${column.name.padEnd(width)} ${renderColumn(column)}`,
      note: column.comment?.startsWith('personal: ') ? ` -- ${column.comment}` : '',
    })),
    ...constraints.map(({ name, definition }) => ({
      text: `  constraint ${name} ${readable(definition)}`,
      note: '',
    })),
  ].map(({ text, note }, i, all) => `${text}${i < all.length - 1 ? ',' : ''}${note}`)
  const options = table.options?.length ? ` with (${table.options.join(', ')})` : ''
  const partition = table.partition_key ? ` partition by ${readable(table.partition_key)}` : ''
  const create = `create ${table.is_unlogged ? 'unlogged ' : ''}table`
  const statements = [
    `${create} ${table.name} (\n${lines.join('\n')}\n)${options}${partition}`,
    ...table.indexes.map(readable),
    ...renderPolicies(table),
    ...table.triggers.map(readable),
    ...renderGrants(table),
  ]
  const rows = table.comment === null ? '' : `-- ${table.comment}\n`
  return `${rows}${statements.map((statement) => `${statement};\n`).join('')}`
}

function renderView(view: View): string {
  const options = view.options?.length ? ` with (${view.options.join(', ')})` : ''
  const body = readable(view.definition.trim().replace(/;$/, ''))
    .replaceAll(' union all ', '\n  union all\n  ')
    .replaceAll(' from ', '\n    from ')
  return [`create view ${view.name}${options} as\n  ${body}`, ...renderGrants(view)]
    .map((statement) => `${statement};\n`)
    .join('')
}

/** For the types: a view has the columns of a table, and nothing else that they depend on. */
const asTable = ({ name, columns, grants }: View): Table => ({
  name,
  comment: null,
  is_unlogged: false,
  options: null,
  partition_key: null,
  columns,
  constraints: [],
  indexes: [],
  policies: null,
  triggers: [],
  grants,
})

function renderColumn(column: Column): string {
  const parts = [readable(column.type)]
  if (column.collation) parts.push(`collate "${column.collation}"`)
  if (column.not_null) parts.push('not null')
  if (column.identity) {
    parts.push(`generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`)
  } else if (column.default !== null && column.generated) {
    const kind = column.generated === 's' ? 'stored' : 'virtual'
    parts.push(`generated always as (${readable(column.default)}) ${kind}`)
  } else if (column.default !== null) {
    parts.push(`default ${readable(column.default)}`)
  }
  return parts.join(' ')
}

/** Row-level security policies; all of them apply to the application's role. */
function renderPolicies({ name, policies }: Table): string[] {
  if (policies === null) return []
  return [
    `alter table ${name} enable row level security`,
    ...policies.map(
      (policy) =>
        `create policy ${policy.name} on ${name} to ${APPLICATION}\n  using ${readable(policy.using)}`,
    ),
  ]
}

function renderGrants(table: Pick<Table, 'name' | 'grants'>): string[] {
  const grants = table.grants
    .toSorted((a, b) => PRIVILEGES.indexOf(a.privilege) - PRIVILEGES.indexOf(b.privilege))
    .map(({ privilege, columns }) => (columns ? `${privilege} (${columns.join(', ')})` : privilege))
  return grants.length > 0 ? [`grant ${grants.join(', ')} on ${table.name} to ${APPLICATION}`] : []
}

function renderRoutine(routine: Routine): string {
  const { name, signature, result, language } = routine
  const rights = routine.is_definer ? ' security definer' : ''
  const grant = routine.is_granted ? `; ${APPLICATION} may call it` : ''
  return (
    `-- ${sourceOf(name)}${grant}\n` +
    `create function ${name}(${onLines(readable(signature))})\n` +
    `  returns ${readable(result)} language ${language}${rights};\n`
  )
}

function onLines(signature: string): string {
  if (signature.length < 80) return signature
  return `\n  ${signature.replaceAll(', ', ',\n  ')}\n`
}

/** The newest file that defines the function. A template names the functions that it generates as `"name": "…"`. */
function sourceOf(name: string): string {
  const made = new RegExp(`\\bfunction\\s+(public\\.)?"?${name}"?\\s*\\(|"name": "${name}"`, 'i')
  for (const folder of ['server/functions', 'server/migrations']) {
    const files = readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith('.sql'))
    const file = files
      .sort()
      .findLast((entry) => made.test(readFileSync(path.join(ROOT, folder, entry), 'utf8')))
    if (file) return `${folder}/${file}`
  }
  return 'made by a migration'
}

/** Lowercases keywords: outside of quotes, only PostgreSQL's own keywords are printed in capitals. */
function readable(sql: string): string {
  return sql
    .split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/)
    .map((part, index) => (index % 2 === 0 ? part.toLowerCase() : part))
    .join('')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\( (?=case )/g, '(')
    .replace(/\btimestamp with time zone\b/g, 'timestamptz')
    .replace(/('(?:[^']|'')*')::(?:text|character varying)\b(?!\[)/g, '$1')
    .replace(IN_ARRAY, '$1 in ($2)')
    .replace(/^(create (?:unique )?index \S+ on) only /, '$1 ')
    .replace(/ on public\./, ' on ')
    .replace(/ using btree /, ' ')
}

function renderTypes(tables: Table[]): string {
  const interfaces = tables.map((table) => {
    const fields = table.columns.map((column) => `${column.name}: ${typeOf(column, table)}`)
    return `export interface ${interfaceOf(table.name)} {\n${fields.join('\n')}\n}\n`
  })
  const members = tables.map((table) => `${table.name}: ${interfaceOf(table.name)}`)
  const body = [`export interface Schema {\n${members.join('\n')}\n}\n`, ...interfaces].join('\n')
  const used = ['ColumnType', 'Generated', 'GeneratedAlways'].filter((name) =>
    body.includes(`${name}<`),
  )
  return [
    `/** Types of tables and views. Made by \`npm run generate\` from the migrated database; changes are lost. */`,
    used.length > 0 ? `import type { ${used.join(', ')} } from 'kysely'\n` : '',
    body,
  ].join('\n')
}

const capitalized = (name: string): string =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const interfaceOf = (table: string): string => `${capitalized(table)}Table`

/** Functions that only other SQL functions call, or statements of the application's own. */
const HELPERS =
  /^(?:open_tasks_|feed_(?:newest|best_paid|nearest)$|tasks_report_inbox$|webhooks_claim_lanes$)/

/** Arguments and result columns that can be null, by function. PostgreSQL does not know this; all others are set. */
const NULLABLE: Record<string, string[]> = {
  create_tasks: [
    'balance_cents',
    'free_tasks_remaining',
    'cap',
    'limit_cents',
    'spent_cents',
    'status',
    'answer',
  ],
  feed_cards: ['title', 'area', 'lat', 'lng', 'median_review_s'],
  idempotency_find: ['status', 'answer'],
  ledger_post: ['balance_cents'],
  move_tasks: ['cap', 'limit_cents', 'spent_cents', 'status', 'answer'],
  tasks_reputations: ['median_review_s'],
  webhooks_claim_lanes_of: ['p_mode', 'webhook_url'],
  webhooks_find_due: [
    'webhook_url',
    'webhook_secret_old',
    'webhook_secret_old_until',
    'url',
    'task_id',
    'sequence',
  ],
}

function renderFunctions(rowTypes: RowType[], routines: Routine[]): string {
  const called = routines.filter(
    ({ name, is_granted, is_trigger }) => is_granted && !is_trigger && !HELPERS.test(name),
  )
  const used = rowTypes.filter(({ name }) =>
    called.some(({ parameters }) => parameters.some(({ base }) => base === name)),
  )
  const interfaces = used.map(({ name, fields }) => {
    const lines = fields.map((field) => `${field.name}: ${orMissing(argumentType(field))}`)
    return `export interface ${capitalized(name)} {\n${lines.join('\n')}\n}\n`
  })
  return [
    '/** Typed calls of the SQL functions. Made by `npm run generate` from the migrated database; changes are lost. */',
    '',
    ...interfaces,
    `export interface Functions {\n${called.map(signatureOf).join('\n')}\n}\n`,
    'interface Call {',
    "/** The arguments; a list of rows has the name of the rows' type. */",
    'args: Record<string, string | null>',
    "result: 'rows' | 'value'",
    '}',
    '',
    'export const CALLS: { [Name in keyof Functions]: Call } = {',
    called.map(callOf).join('\n'),
    '}',
    '',
  ].join('\n')
}

const orMissing = (type: string) => (type === 'unknown' ? type : `${type} | null | undefined`)

const argumentsOf = ({ parameters }: Routine) => parameters.filter(({ mode }) => mode === 'i')
const resultColumnsOf = ({ parameters }: Routine) => parameters.filter(({ mode }) => mode === 't')

function signatureOf(routine: Routine): string {
  const { name, returned } = routine
  const orNull = (of: string) => (NULLABLE[name]?.includes(of) ? ' | null' : '')
  const args = argumentsOf(routine).map(
    (one) => `${one.name}: ${argumentType(one)}${orNull(one.name)}`,
  )
  const columns = resultColumnsOf(routine).map(
    (one) => `${one.name}: ${resultType(one)}${orNull(one.name)}`,
  )
  const value = () => (returned.base === 'void' ? 'unknown' : resultType(returned))
  const row = columns.length > 0 ? columns.join('; ') : `value: ${value()}`
  return `${name}: { args: { ${args.join('; ')} }; row: { ${row} } }`
}

function callOf(routine: Routine): string {
  const args = argumentsOf(routine).map(
    ({ name, base, is_composite }) => `${name}: ${is_composite ? quote(base) : null}`,
  )
  const result = resultColumnsOf(routine).length > 0 ? 'rows' : 'value'
  return `${routine.name}: { args: { ${args.join(', ')} }, result: '${result}' },`
}

function argumentType(value: Typed): string {
  if (value.is_composite)
    return value.is_array ? `readonly ${capitalized(value.base)}[]` : capitalized(value.base)
  const one = value.labels ? value.labels.map(quote).join(' | ') : scalarOf(value.base).read
  return value.is_array ? `readonly ${one.includes(' | ') ? `(${one})` : one}[]` : one
}

function resultType(value: Typed): string {
  const one = value.labels ? value.labels.map(quote).join(' | ') : scalarOf(value.base).read
  return value.is_array ? `${one.includes(' | ') ? `(${one})` : one}[]` : one
}

function typeOf(column: Column, table: Table): string {
  const isOptional = column.default !== null || column.identity === 'd'
  const isAlways = column.identity === 'a' || column.generated !== ''
  const orNull = column.not_null ? '' : ' | null'
  const { read, write } = valueOf(column, table)
  const selected = read === 'unknown' ? read : read + orNull

  if (isAlways) return `GeneratedAlways<${selected}>`
  if (write === undefined) return isOptional ? `Generated<${selected}>` : selected
  const written = write + orNull
  return `ColumnType<${selected}, ${written}${isOptional ? ' | undefined' : ''}, ${written}>`
}

/** The type when reading, and the type when writing if it differs. */
function valueOf(column: Column, table: Table): { read: string; write?: string } {
  const literals = column.labels ?? allowedBy(table, column)
  const value = literals ? { read: literals.map(quote).join(' | ') } : scalarOf(column.base)
  if (!column.is_array) return value
  const element = value.read.includes(' | ') ? `(${value.read})` : value.read
  return { read: `${element}[]` }
}

// The types that the parsers of kit/db.ts and pg return: bigint as a safe number, date as text.
function scalarOf(base: string): { read: string; write?: string } {
  switch (base) {
    case 'int2':
    case 'int4':
    case 'int8':
    case 'float4':
    case 'float8':
      return { read: 'number' }
    case 'bool':
      return { read: 'boolean' }
    case 'timestamptz':
    case 'timestamp':
      return { read: 'Date', write: 'Date | string' }
    case 'json':
      return { read: 'unknown', write: 'string' }
    case 'jsonb':
      return { read: 'unknown' }
    case 'bytea':
      return { read: 'Buffer' }
    case 'bpchar':
    case 'char':
    case 'citext':
    case 'date':
    case 'inet':
    case 'numeric':
    case 'text':
    case 'time':
    case 'tsvector':
    case 'uuid':
    case 'varchar':
      return { read: 'string' }
    default:
      throw new Error(`scripts/schema.ts knows no type for ${base}`)
  }
}

/** The values that `check (column in ('a', 'b'))` allows. */
function allowedBy(table: Table, column: Column): string[] | undefined {
  for (const { type, columns, definition } of table.constraints) {
    if (type !== 'c' || columns.length !== 1 || columns[0] !== column.name) continue
    const literals = ONE_OF.exec(readable(definition))?.[1]?.match(/'(?:[^']|'')*'/g)
    if (literals) return literals.map((text) => text.slice(1, -1).replaceAll("''", "'"))
  }
  return undefined
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}

function format(source: string): string {
  return execFileSync(
    path.join(ROOT, 'node_modules/.bin/biome'),
    ['format', `--stdin-file-path=${TYPES_FILE}`],
    { cwd: ROOT, input: source, encoding: 'utf8', env: withNode() },
  )
}

/** biome's launcher looks up node in PATH, where it may be old or missing if this wasn't started by npm. */
function withNode(): NodeJS.ProcessEnv {
  const bin = path.dirname(process.execPath)
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
}
