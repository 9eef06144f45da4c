import { Label } from 'react-aria-components/Label'
import { Meter as AriaMeter } from 'react-aria-components/Meter'
import type { ReactNode } from 'react'

/** A value out of 100 as a number, a word and a bar, with marks at thresholds. */
export function Meter({
  label,
  value,
  valueText,
  word,
  marks = [],
}: {
  label: string
  value: number
  valueText: string
  /** What the value means. */
  word: ReactNode
  marks?: number[]
}) {
  return (
    <AriaMeter value={value} valueLabel={valueText} className="flex flex-col gap-2">
      <Label className="text-sm text-muted">{label}</Label>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-money leading-none font-bold">{valueText}</span>
        <span className="font-semibold text-brand">{word}</span>
      </div>
      <div className="relative h-3 overflow-hidden rounded-full border border-control bg-raised">
        <div className="h-full bg-brand" style={{ width: `${value}%` }} />
        {marks.map((mark) => (
          <span
            key={mark}
            className={`absolute inset-y-0 w-0.5 ${mark < value ? 'bg-on-brand' : 'bg-control'}`}
            style={{ insetInlineStart: `${mark}%` }}
          />
        ))}
      </div>
    </AriaMeter>
  )
}
