/**
 * Compares the findings of a test run with the exceptions: which statements are bound to no tenant, and which
 * exceptions are stale.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { EXCEPTIONS, type Exception } from './exceptions.ts'
import type { Verdict } from './plan.ts'

/** Stands for the table of a statement that joins the feed with tenants' tables. */
export const FEED = 'the feed'

export interface Finding {
  /** `GET /tasks/:id`, `job ledger.audit`, or the outermost file where neither runs. */
  operation: string
  /** Files under server/src on the way to the statement, innermost first, and the SQL function if one runs it. */
  where: string[]
  table: string
  by: Verdict['by']
  statement: string
}

interface Report {
  statements: number
  operations: number
  excepted: number
  /** One paragraph for each statement that reads or writes a tenant's table without being bound. */
  unbound: string[]
  /** Exceptions that no statement of the run needed. */
  stale: Exception[]
}

export function readFindings(folder: string): Finding[] {
  return globSync('*.json', { cwd: folder }).flatMap(
    (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Finding[],
  )
}

export function covers(
  { where: place, tables }: Exception,
  { operation, where, table }: Pick<Finding, 'operation' | 'where' | 'table'>,
): boolean {
  if (tables !== 'all' && !tables.includes(table)) return false
  if (place.endsWith('*'))
    return [operation, ...where].some((one) => one.startsWith(place.slice(0, -1)))
  return operation === place || where.includes(place)
}

export function report(
  findings: readonly Finding[],
  exceptions: readonly Exception[] = EXCEPTIONS,
): Report {
  const open = findings.filter(({ by }) => by === undefined)
  const isExcepted = (finding: Finding) => exceptions.some((one) => covers(one, finding))
  const unbound = open.filter((finding) => !isExcepted(finding))
  return {
    statements: new Set(findings.map(({ statement }) => statement)).size,
    operations: new Set(findings.map(({ operation }) => operation)).size,
    excepted: new Set(open.filter(isExcepted).map(({ statement }) => statement)).size,
    unbound: [...new Set(unbound.map(paragraphOf))].sort(),
    stale: exceptions.flatMap((one) => {
      const isNeeded = (tables: Exception['tables']) =>
        open.some((finding) => covers({ ...one, tables }, finding))
      if (one.tables === 'all') return isNeeded('all') ? [] : [one]
      const unused = one.tables.filter((table) => !isNeeded([table]))
      return unused.length > 0 ? [{ ...one, tables: unused }] : []
    }),
  }
}

const paragraphOf = ({ operation, where, table, statement }: Finding): string =>
  `${operation}: ${table} is ${table === FEED ? 'joined with tenants’ tables' : 'bound to no tenant'}\n  in ${where.join(' < ')}\n  ${statement}`
