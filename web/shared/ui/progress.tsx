import { ProgressBar } from 'react-aria-components/ProgressBar'

export function Progress({ label, value }: { label: string; value: number }) {
  return (
    <ProgressBar
      aria-label={label}
      value={value}
      className="h-2 w-full overflow-hidden rounded-full bg-raised"
    >
      <div
        className="h-full rounded-full bg-brand transition-[width]"
        style={{ width: `${value}%` }}
      />
    </ProgressBar>
  )
}
