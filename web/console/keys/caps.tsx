import { Field } from '../../shared/ui/field.tsx'
import { centsOf } from '../../shared/desk/cents.ts'

export const CAPS = [
  { name: 'task_max_cents', label: 'Per task, in dollars' },
  { name: 'day_max_cents', label: 'Per day, in dollars' },
  { name: 'month_max_cents', label: 'Per month, in dollars' },
  { name: 'budget_cents', label: 'In total, in dollars' },
] as const
export type CapName = (typeof CAPS)[number]['name']
export type Dollars = Record<CapName, string>

export const NO_CAPS: Dollars = {
  task_max_cents: '',
  day_max_cents: '',
  month_max_cents: '',
  budget_cents: '',
}

/** Each limit in cents: null if empty, undefined if the input isn't a valid amount. */
export const capsOf = (dollars: Dollars): Record<CapName, number | null | undefined> =>
  Object.fromEntries(
    CAPS.map(({ name }) => [name, dollars[name].trim() === '' ? null : centsOf(dollars[name])]),
  ) as Record<CapName, number | null | undefined>

export function CapFields({
  dollars,
  problems,
  onChange,
}: {
  dollars: Dollars
  problems: Record<string, string>
  onChange(dollars: Dollars): void
}) {
  const caps = capsOf(dollars)
  return (
    <fieldset className="grid grid-cols-1 gap-3 min-[30rem]:grid-cols-2">
      <legend className="pb-2 font-semibold">Spending limits</legend>
      {CAPS.map(({ name, label }) => (
        <Field
          key={name}
          label={label}
          inputMode="decimal"
          placeholder="no limit"
          value={dollars[name]}
          onChange={(text) => onChange({ ...dollars, [name]: text })}
          problem={
            caps[name] === undefined
              ? 'Enter an amount such as 25.00'
              : (problems[name] ?? undefined)
          }
        />
      ))}
    </fieldset>
  )
}
