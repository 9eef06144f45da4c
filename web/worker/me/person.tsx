/** A person's initial, name and one line of text. */
import type { ReactNode } from 'react'
import { useText } from '../text/use-text.tsx'

export function Person({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden
        className="flex size-14 shrink-0 items-center justify-center rounded-full bg-brand text-xl font-bold text-on-brand"
      >
        {(Array.from(name.trim())[0] ?? '').toLocaleUpperCase()}
      </span>
      <div className="flex min-w-0 flex-col">
        <strong className="truncate text-lg rtl:text-right" dir="auto">
          {name}
        </strong>
        {children}
      </div>
    </div>
  )
}

/** Level, trust and completed tasks. */
export function Figures({ level, trust, done }: { level: number; trust: number; done: number }) {
  const text = useText()
  return (
    <div className="flex flex-wrap gap-2">
      <Figure value={level}>{text('me.level')}</Figure>
      <Figure value={trust}>{text('me.trustOf')}</Figure>
      <Figure value={text.number(done)}>{text('me.done')}</Figure>
    </div>
  )
}

function Figure({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col rounded-field bg-raised p-3">
      <span className="text-lg font-bold">{value}</span>
      <span className="text-sm text-muted">{children}</span>
    </div>
  )
}
