/**
 * Checks the plan of one statement: which scans of tenants' tables are bound to a tenant, and by what.
 *
 * PostgreSQL's plan serves as the parser. It names every relation that is read or written, including those behind
 * views, subqueries and statements of functions, with the conditions that apply to it.
 */
import assert from 'node:assert/strict'
import { FEED_TABLES, type Table, tableOf } from './tables.ts'

interface PlanNode {
  'Node Type': string
  'Parent Relationship'?: string
  'Subplan Name'?: string
  'Join Type'?: string
  'Relation Name'?: string
  'CTE Name'?: string
  Alias?: string
  Operation?: string
  Output?: string[]
  Plans?: PlanNode[]
  [field: string]: unknown
}

export interface Explained {
  'Query Text': string
  Plan: PlanNode
}

/** How one relation of a statement is bound. */
export interface Verdict {
  table: string
  /** `owner`: by its owner's id. `checked`: by an id whose owner was checked. `join`: by a bound relation. */
  by: 'owner' | 'checked' | 'join' | 'secret' | undefined
  /** The ids in the conditions of this relation, or the columns of an inserted row. */
  ids: string[]
}

export interface Known {
  /** The columns of each table, in order. */
  columns: ReadonlyMap<string, readonly string[]>
  /** From the name of a partition to that of its table. */
  partitions: ReadonlyMap<string, string>
  /** Whether a value identifies the calling tenant: its own id, or one checked earlier in the transaction. */
  isOwn(value: Value): boolean
  /** Whether the owner of the object with this id was checked earlier in the transaction. */
  isChecked(value: Value): boolean
  /** Values of `$1`, `$2`… of a prepared statement; none for statements of functions. */
  values?: readonly unknown[]
}

/** A constant of a condition: the ids in it, and its text, which distinguishes the variables of a function. */
export interface Value {
  text: string
  ids: string[]
}

const ID =
  /\b(?:agent|worker|task|asg|proof|upl|dsp|apl|po|rfd|wd|wdn|txn|evt|dlv|key|ntc|psh|req)_[0-9a-hjkmnp-tv-z]{26}\b/g
export const idsIn = (text: string): string[] => [...new Set(text.match(ID) ?? [])]

type Side = { ref: { alias: string; column: string } } | { value: Value } | { refs: string[] }

interface Condition {
  left: Side
  right: Side
  /** `>=` instead of `=`, for a column that starts with the owner's id. */
  isRange: boolean
}

/** An `OR`: at least one of these lists of conditions holds. */
interface Choice {
  branches: (Condition | Choice)[][]
}

interface Relation {
  alias: string
  /** Undefined if it is not a table: functions, lists of values, subqueries, CTEs. */
  table: Table | undefined
  name: string
  node: PlanNode
  /** From the root to the node. */
  path: PlanNode[]
  /** Relations inside a subquery or CTE: it is bound if they are. */
  inside: PlanNode | undefined
  /** The arguments of a function or the rows of a list of values. */
  source: Value | undefined
}

const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'One-Time Filter',
  'TID Cond',
]

/** The tables that a query plan reads and writes, with the conditions on each. */
interface Contents {
  relations: Relation[]
  conditions: (Condition | Choice)[]
  ctes: Map<string, PlanNode>
  inserts: { node: PlanNode; table: Table }[]
}

/** A plan whose relations are being judged. */
interface Case extends Contents {
  known: Known
  ofTenants: Relation[]
  /** The verdicts so far: one for each relation that is known to be bound. */
  verdicts: Map<Relation, Verdict>
}

/** A verdict for each tenant table in the plan. */
export function judge({ Plan: root }: Explained, known: Known): Verdict[] {
  const contents = readPlan(root, known)
  const ofTenants = contents.relations.filter((relation) => relation.table !== undefined)
  const verdicts = new Map<Relation, Verdict>()
  const judged: Case = { ...contents, known, ofTenants, verdicts }

  for (let isNew = true; isNew; ) {
    isNew = false
    for (const relation of ofTenants) {
      if (verdicts.has(relation)) continue
      const by = bindingOf(judged, relation)
      if (by === undefined) continue
      verdicts.set(relation, { table: relation.table!.name, by, ids: idsOf(judged, relation) })
      isNew = true
    }
  }

  return [
    ...ofTenants.map(
      (relation) =>
        verdicts.get(relation) ?? {
          table: relation.table!.name,
          by: undefined,
          ids: idsOf(judged, relation),
        },
    ),
    ...contents.inserts.map(({ node, table }) => judgeInsert(node, table, known)),
  ]
}

/** Whether the statement touches a table of the feed together with a tenant's table. */
export function joinsFeed({ Plan: root }: Explained, known: Pick<Known, 'partitions'>): boolean {
  const names = new Set<string>()
  const walk = (node: PlanNode): void => {
    const name = node['Relation Name']
    if (name !== undefined) names.add(known.partitions.get(name) ?? name)
    node.Plans?.forEach(walk)
  }
  walk(root)
  const all = [...names]
  return (
    all.some((name) => FEED_TABLES.includes(name)) &&
    all.some((name) => tableOf(name) !== undefined)
  )
}

function readPlan(root: PlanNode, known: Known): Contents {
  const unions = unionsIn(root)
  const relations: Relation[] = []
  const conditions: (Condition | Choice)[] = []
  const ctes = new Map<string, PlanNode>()
  const inserts: Contents['inserts'] = []

  function walk(node: PlanNode, above: PlanNode[]): void {
    const path = [...above, node]
    const name = node['Subplan Name']
    if (name?.startsWith('CTE ')) ctes.set(name.slice('CTE '.length), node)
    for (const field of CONDITIONS) {
      const text = node[field]
      if (typeof text !== 'string') continue
      for (const form of [text, ...formsOf(text, unions, path)])
        conditions.push(...conditionsOf(form, known.values))
    }
    if (name !== undefined && !name.startsWith('CTE '))
      // The result of `(select …)` inside an expression, shown as `(InitPlan 1).col1`.
      relations.push({
        alias: `(${name})`,
        table: undefined,
        name,
        node,
        path,
        inside: node,
        source: undefined,
      })
    if (node['Node Type'] === 'ModifyTable') {
      const table = tableNamed(node['Relation Name'], known)
      if (node.Operation === 'Insert' && table) inserts.push({ node, table })
    } else if (node.Alias !== undefined) relations.push(relationOf(node, path, known))
    for (const child of node.Plans ?? []) walk(child, path)
  }

  walk(root, [])
  return { relations, conditions, ctes, inserts }
}

/** Branches of which the plan reads one after the other, such as those of a view with `union all`. */
interface Union {
  node: PlanNode
  /** For each branch but the first: the first branch's columns, and its own in the same places. */
  columns: Map<string, string>[]
}

function unionsIn(node: PlanNode): Union[] {
  const found = (node.Plans ?? []).flatMap(unionsIn)
  if (!/^(?:Merge )?Append$/.test(node['Node Type'])) return found
  const [first, ...others] = (node.Plans ?? []).map(({ Output = [] }) => Output)
  const columns = others.map(
    (other) =>
      new Map(
        (first ?? []).flatMap((name, i) => {
          const own = other[i]
          return own !== undefined && REF.test(name) && REF.test(own) ? [[name, own]] : []
        }),
      ),
  )
  return [...found, { node, columns }]
}

/** A condition outside of a union names columns of the first branch only, but holds for those of every branch. */
function formsOf(text: string, unions: Union[], path: PlanNode[]): string[] {
  return unions
    .filter(({ node }) => !path.includes(node))
    .flatMap(({ columns }) => columns)
    .map((own) =>
      text.replaceAll(/\b[a-z_][a-z0-9_]*\.[a-z_][a-z0-9_]*\b/g, (name) => own.get(name) ?? name),
    )
    .filter((form) => form !== text)
}

function relationOf(node: PlanNode, path: PlanNode[], known: Known): Relation {
  const name = node['Relation Name'] ?? node['CTE Name'] ?? node['Node Type']
  const isQuery = ['Subquery Scan', 'CTE Scan', 'WorkTable Scan'].includes(node['Node Type'])
  const given = node['Function Call'] ?? node['Table Function Call'] ?? (isQuery ? undefined : '')
  return {
    alias: node.Alias!,
    table: tableNamed(node['Relation Name'], known),
    name,
    node,
    path,
    inside: isQuery ? node : undefined,
    source:
      node['Relation Name'] === undefined && typeof given === 'string'
        ? valueOf(given, known.values)
        : undefined,
  }
}

function bindingOf(
  judged: Case,
  relation: Relation,
  among: (Condition | Choice)[] = judged.conditions,
): Verdict['by'] {
  const { known, relations } = judged
  const table = relation.table!
  for (const { column, other, isRange } of conditionsOn(relation, among)) {
    const isPrefix = table.prefixes.includes(column)
    if (isRange && !isPrefix) continue
    const isOwner = isPrefix || table.owners.includes(column)
    const isId = isOwner || table.ids.includes(column)
    if (table.secrets.includes(column) && !('refs' in other)) return 'secret'
    if (!isId) continue
    if ('value' in other) {
      if (isOwner && known.isOwn(other.value)) return 'owner'
      if (known.isChecked(other.value)) return 'checked'
      if (isSharedValue(judged, relation, other.value)) return 'join'
      continue
    }
    const aliases = 'ref' in other ? [other.ref.alias] : other.refs
    for (const source of relations.filter(({ alias }) => aliases.includes(alias))) {
      if (source === relation || !reaches(source, relation)) continue
      const given = givenTo(judged, source)
      if (given) {
        if (isOwner && known.isOwn(given)) return 'owner'
        if (known.isChecked(given)) return 'checked'
      } else if (isBound(judged, source)) return 'join'
    }
  }
  for (const condition of among) {
    if (!('branches' in condition)) continue
    const bindings = condition.branches.map((branch) => bindingOf(judged, relation, branch))
    if (bindings.every((by) => by !== undefined)) return bindings[0]
  }
  return undefined
}

/** Conditions on a column of this relation, with the other side. */
function* conditionsOn(
  { alias }: Relation,
  among: (Condition | Choice)[],
): Generator<{ column: string; other: Side; isRange: boolean }> {
  // A partition has the alias `t_1` where its table is `t`.
  const names = new Set([alias, alias.replace(/_\d+$/, '')])
  for (const condition of among) {
    if ('branches' in condition) continue
    const { left, right, isRange } = condition
    if ('ref' in left && names.has(left.ref.alias))
      yield { column: left.ref.column, other: right, isRange }
    if ('ref' in right && names.has(right.ref.alias) && !isRange)
      yield { column: right.ref.column, other: left, isRange }
  }
}

/** The planner turns `t.id = p.task_id and p.task_id = 'x'` into two conditions on 'x'. */
function isSharedValue(
  { ofTenants, verdicts, conditions }: Case,
  relation: Relation,
  { text }: Value,
): boolean {
  return ofTenants.some(
    (source) =>
      verdicts.has(source) &&
      reaches(source, relation) &&
      [...conditionsOn(source, conditions)].some(
        ({ column, other }) =>
          source.table!.ids.includes(column) && 'value' in other && other.value.text === text,
      ),
  )
}

/** The part of the plan that computes a subquery or CTE. */
function bodyOf({ ctes }: Contents, { node, inside }: Relation): PlanNode | undefined {
  return node['Node Type'] === 'CTE Scan' ? ctes.get(node['CTE Name'] ?? '') : inside
}

function isBound(judged: Case, relation: Relation): boolean {
  const { ofTenants, verdicts } = judged
  if (relation.table) return verdicts.has(relation)
  const body = bodyOf(judged, relation)
  if (!body) return false
  const within = ofTenants.filter(({ path }) => path.includes(body))
  return within.length > 0 && within.every((one) => verdicts.has(one))
}

/** The arguments of a function, a list of values, or a subquery over only these. */
function givenTo(contents: Contents, relation: Relation): Value | undefined {
  const body = bodyOf(contents, relation)
  if (relation.source || !body) return relation.source
  const within = contents.relations.filter((one) => one !== relation && one.path.includes(body))
  if (within.length === 0 || within.some((one) => !one.source)) return undefined
  return {
    text: within.map((one) => one.source!.text).join(),
    ids: within.flatMap((one) => one.source!.ids),
  }
}

function idsOf(contents: Contents, relation: Relation): string[] {
  return [...conditionsOn(relation, contents.conditions)].flatMap(({ other }) => {
    if ('value' in other) return [other.value.text, ...other.value.ids]
    const aliases = 'ref' in other ? [other.ref.alias] : other.refs
    return contents.relations
      .filter(({ alias }) => aliases.includes(alias))
      .map((source) => givenTo(contents, source))
      .flatMap((given) => (given ? [given.text, ...given.ids] : []))
  })
}

/** An inserted row names its owner, or the object it belongs to was checked. */
function judgeInsert(node: PlanNode, table: Table, known: Known): Verdict {
  const rows = node.Plans?.find((child) => child['Parent Relationship'] === 'Outer')
  const output = rows?.Output ?? []
  const columns = known.columns.get(table.name) ?? []
  const at = (column: string) => output[columns.indexOf(column)]
  const sides = (names: readonly string[]) =>
    names
      .map(at)
      .filter((text) => text !== undefined)
      .map((text) => sideOf(text, known.values))
  const fits = (side: Side, isFit: (value: Value) => boolean) =>
    !('value' in side) || isFit(side.value)
  const ids = sides(columns).flatMap((side) => ('value' in side ? side.value.ids : []))
  // A new agent or worker owns its own row.
  const isOwnRow = (value: Value) =>
    known.isOwn(value) || (table.owners.includes('id') && value.ids.length > 0)
  if (table.owners.length > 0)
    return {
      table: table.name,
      by: sides(table.owners).some((side) => fits(side, isOwnRow)) ? 'owner' : undefined,
      ids,
    }
  const isFit = sides(table.ids.filter((id) => id !== 'id')).some((side) =>
    fits(side, known.isChecked),
  )
  return { table: table.name, by: isFit ? 'checked' : undefined, ids }
}

/**
 * Whether a binding of `from` also limits `to`. An inner join carries it both ways. An outer or anti join keeps
 * unmatched rows of one side, so it only carries the binding to the other side.
 */
function reaches(from: Relation, to: Relation): boolean {
  let depth = 0
  while (from.path[depth] === to.path[depth] && from.path[depth] !== undefined) depth += 1
  const [join, source, target] = [from.path[depth - 1], from.path[depth], to.path[depth]]
  if (join === undefined) return false
  // One is the other's ancestor: a subquery and something inside it.
  if (source === undefined || target === undefined) return true
  const isSub = (node: PlanNode) =>
    node['Parent Relationship'] === 'SubPlan' || node['Parent Relationship'] === 'InitPlan'
  // A subquery in an expression limits the rows around it only through its result, which is a separate relation.
  if (isSub(target)) return true
  if (isSub(source))
    return from.inside === source || source['Subplan Name']?.startsWith('CTE ') === true
  const isOuter = source['Parent Relationship'] === 'Outer'
  switch (join['Join Type']) {
    case undefined:
    case 'Inner':
    case 'Semi':
    case 'Right Semi':
      return true
    case 'Left':
    case 'Anti':
      return isOuter
    case 'Right':
    case 'Right Anti':
      return !isOuter
    default:
      return false
  }
}

function tableNamed(name: string | undefined, { partitions }: Known): Table | undefined {
  return name === undefined ? undefined : tableOf(partitions.get(name) ?? name)
}

/** The equalities that must all hold for a condition to hold. */
function conditionsOf(text: string, values?: readonly unknown[]): (Condition | Choice)[] {
  return splitTop(unwrap(text), ' AND ').flatMap((part) => {
    const conjunct = unwrap(part)
    if (conjunct !== part && splitTop(conjunct, ' AND ').length > 1)
      return conditionsOf(conjunct, values)
    const choices = splitTop(conjunct, ' OR ')
    if (choices.length > 1)
      return [{ branches: choices.map((choice) => conditionsOf(choice, values)) }]
    // `(ANY (t.id = (hashed SubPlan 1).col1))`
    const inner = /^ANY \((.*)\)$/s.exec(conjunct)?.[1] ?? conjunct
    for (const operator of [' = ', ' >= ']) {
      const sides = splitTop(inner, operator)
      if (sides.length !== 2) continue
      const [left, right] = sides.map((side) => sideOf(side, values))
      return [{ left: left!, right: right!, isRange: operator === ' >= ' }]
    }
    return []
  })
}

const REF = /^"?([a-z_][a-z0-9_]*|\*SELECT\* \d+|[A-Z_a-z0-9* ]+)"?\."?([a-z_][a-z0-9_]*)"?$/

function sideOf(written: string, values?: readonly unknown[]): Side {
  let text = written.trim()
  for (;;) {
    const bare = unwrap(withoutCast(/^ANY (\(.*\))$/s.exec(text)?.[1] ?? text))
    if (bare === text) break
    text = bare
  }
  const result = /^\((?:hashed )?((?:Init|Sub)Plan \d+)\)\.col\d+$/.exec(text)
  if (result) return { refs: [`(${result[1]})`] }
  const ref = text.startsWith("'") ? null : REF.exec(text)
  if (ref) return { ref: { alias: ref[1]!, column: ref[2]! } }
  const bare = text.replaceAll(/'(?:[^']|'')*'/g, "''")
  const refs = [...bare.matchAll(/\b([a-z_][a-z0-9_]*)\.[a-z_][a-z0-9_]*\b/g)].map(
    ([, alias]) => alias!,
  )
  const plans = [...bare.matchAll(/\((?:hashed )?((?:Init|Sub)Plan \d+)\)/g)].map(
    ([, name]) => `(${name})`,
  )
  if (refs.length + plans.length > 0) return { refs: [...refs, ...plans] }
  return { value: valueOf(text, values) }
}

function valueOf(text: string, values: readonly unknown[] = []): Value {
  const given = [...text.matchAll(/\$(\d+)/g)].map(
    ([, n]) => JSON.stringify(values[Number(n) - 1]) ?? '',
  )
  return { text, ids: [...new Set([text, ...given].flatMap(idsIn))] }
}

const withoutCast = (text: string) => text.replace(/::[a-z_ ]+(?:\(\d+\))?(?:\[\])?$/, '')

/** Removes the parentheses that enclose the whole text. */
function unwrap(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')')) return trimmed
  const end = closing(trimmed, 0)
  return end === trimmed.length - 1 ? unwrap(trimmed.slice(1, -1)) : trimmed
}

function closing(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i += 1) {
    const letter = text[i]
    if (letter === "'" || letter === '"') i = text.indexOf(letter, i + 1)
    else if (letter === '(') depth += 1
    else if (letter === ')' && --depth === 0) return i
    if (i === -1) break
  }
  assert.fail(`parentheses do not match: ${text}`)
}

/** Splits outside of parentheses and quotes. */
function splitTop(text: string, by: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i]
    if (letter === "'" || letter === '"') {
      i = text.indexOf(letter, i + 1)
      if (i === -1) break
    } else if (letter === '(') i = closing(text, i)
    else if (text.startsWith(by, i)) {
      parts.push(text.slice(from, i))
      from = i + by.length
      i = from - 1
    }
  }
  return [...parts, text.slice(from)]
}
