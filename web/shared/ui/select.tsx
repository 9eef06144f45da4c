import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { INPUT } from './field.tsx'

/** A choice of one among many, with the platform's native list. */
export function Select<Value extends string>({
  label,
  hint,
  value,
  options,
  onChange,
}: {
  label: string
  hint?: string
  value: Value
  options: { value: Value; label: string }[]
  onChange(value: Value): void
}) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
          className={`${INPUT} appearance-none pe-10`}
          {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={20}
          aria-hidden
          className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-muted"
        />
      </div>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </span>
      )}
    </div>
  )
}
