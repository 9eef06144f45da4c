import { ProgressBar } from 'react-aria-components/ProgressBar'

export function Progress({
  label,
  value,
  valueText,
}: {
  label: string
  value: number
  valueText?: string
}) {
  return (
    <ProgressBar
      aria-label={label}
      value={value}
      {...(valueText === undefined ? {} : { valueLabel: valueText })}
      className="h-2 w-full overflow-hidden rounded-full bg-raised"
    >
      <div
        className="h-full rounded-full bg-brand transition-[width]"
        style={{ width: `${value}%` }}
      />
    </ProgressBar>
  )
}
