import { Check } from 'lucide-react'
import { useId } from 'react'
import { useText } from './text/use-text.tsx'

/** Asks for the confirmation that the worker is an adult, with the terms. */
export function AdultCheck({
  isChecked,
  onChange,
  problem,
}: {
  isChecked: boolean
  onChange(isChecked: boolean): void
  problem: string | undefined
}) {
  const text = useText()
  const problemId = useId()
  return (
    <div className="flex flex-col gap-1">
      <label className="flex min-h-control items-center gap-3 py-1">
        <span className="relative flex size-7 shrink-0 items-center justify-center">
          <input
            type="checkbox"
            name="adult"
            required
            checked={isChecked}
            onChange={({ target }) => onChange(target.checked)}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : problemId}
            className="peer absolute inset-0 appearance-none rounded-md border-2 border-control checked:border-brand checked:bg-brand aria-invalid:border-danger"
          />
          <Check
            size={20}
            aria-hidden
            className="pointer-events-none relative hidden text-on-brand peer-checked:block"
          />
        </span>
        <span className="min-w-0 flex-1">{text('adult.confirm')}</span>
      </label>
      {problem !== undefined && (
        <p id={problemId} className="text-sm font-semibold text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
