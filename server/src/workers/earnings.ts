/** Totals of a worker's earnings, from ledger lines. Pure rules. */
import type { Span } from './periods.ts'

/** A ledger line that paid the worker. */
export interface Earning {
  at: Date
  net_cents: number
  commission_cents: number
  task_id: string
  type: string
  /** From accepting to submitting; null if the task was not submitted. */
  worked_ms: number | null
}

/** Pay for submitted work that is waiting for a verdict. */
export interface Pending {
  at: Date
  pay_cents: number
}

/** Totals of earnings and pending pay, by task type and by step of the span. */
export function addUp(earnings: readonly Earning[], pending: readonly Pending[], span: Span) {
  const byStep = Map.groupBy(earnings, ({ at }) => stepOf(at, span))
  const waiting = Map.groupBy(pending, ({ at }) => stepOf(at, span))
  return {
    ...totalsOf(earnings),
    pending_cents: sum(pending.map(({ pay_cents }) => pay_cents)),
    ...paceOf(earnings),
    by_type: [...Map.groupBy(earnings, ({ type }) => type)]
      .map(([type, of]) => {
        const { tasks, net_cents } = totalsOf(of)
        return { type, tasks, net_cents }
      })
      .sort((a, b) => b.net_cents - a.net_cents || (a.type < b.type ? -1 : 1)),
    series: span.steps.map(({ start, label }, i) => ({
      start: start.toISOString(),
      label,
      ...totalsOf(byStep.get(i) ?? []),
      pending_cents: sum((waiting.get(i) ?? []).map(({ pay_cents }) => pay_cents)),
    })),
  }
}

function totalsOf(earnings: readonly Earning[]) {
  const net_cents = sum(earnings.map((earning) => earning.net_cents))
  const commission_cents = sum(earnings.map((earning) => earning.commission_cents))
  return {
    gross_cents: net_cents + commission_cents,
    commission_cents,
    net_cents,
    tasks: new Set(earnings.map(({ task_id }) => task_id)).size,
  }
}

/** Based on tasks with a known duration. A tip adds to its task's pay, but not to its time. */
function paceOf(earnings: readonly Earning[]) {
  const timed = [...Map.groupBy(earnings, ({ task_id }) => task_id).values()].filter((lines) =>
    lines.some(({ worked_ms }) => worked_ms !== null),
  )
  const workedMs = sum(timed.map((lines) => Math.max(...lines.map((line) => line.worked_ms ?? 0))))
  const netCents = sum(timed.flat().map(({ net_cents }) => net_cents))
  return {
    worked_minutes: Math.round(workedMs / 60_000),
    effective_hourly_cents: workedMs === 0 ? null : Math.round((netCents * 3_600_000) / workedMs),
  }
}

/** The index of the step that contains a moment; -1 outside of the span. */
function stepOf(at: Date, { steps, end }: Span): number {
  return at >= end ? -1 : steps.findLastIndex(({ start }) => start <= at)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
