import { Label } from 'react-aria-components/Label'
import { Meter as AriaMeter } from 'react-aria-components/Meter'
import type { ReactNode } from 'react'

/** The color of the bar and the word follows the meaning, with an icon, since color alone isn't clear to everyone. */
const TONES = {
  good: { word: 'text-brand', bar: 'bg-brand' },
  warn: { word: 'text-warn', bar: 'bg-warn' },
  bad: { word: 'text-danger', bar: 'bg-danger' },
}

/** A value out of 100 as a number, a word and a bar, with marks at thresholds. */
export function Meter({
  label,
  value,
  valueText,
  word,
  icon,
  tone,
  marks = [],
}: {
  label: string
  value: number
  valueText: string
  /** What the value means. */
  word: ReactNode
  icon: ReactNode
  tone: keyof typeof TONES
  marks?: number[]
}) {
  const look = TONES[tone]
  return (
    <AriaMeter value={value} valueLabel={valueText} className="flex flex-col gap-2">
      <Label className="text-sm text-muted">{label}</Label>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-money leading-none font-bold">{valueText}</span>
        <span className={`inline-flex items-center gap-1.5 font-semibold ${look.word}`}>
          {icon}
          {word}
        </span>
      </div>
      <div className="relative h-3 overflow-hidden rounded-full border border-control bg-raised">
        <div className={`h-full ${look.bar}`} style={{ width: `${value}%` }} />
        {marks.map((mark) => (
          <span
            key={mark}
            className={`absolute inset-y-0 w-0.5 ${mark < value ? 'bg-surface' : 'bg-control'}`}
            style={{ insetInlineStart: `${mark}%` }}
          />
        ))}
      </div>
    </AriaMeter>
  )
}
