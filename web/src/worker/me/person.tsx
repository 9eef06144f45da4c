/** Who somebody is at a glance: a letter, a name, a line. */
import type { ReactNode } from 'react'

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

/** A number with what it is, as one of a few beside each other. */
export function Figure({ value, children }: { value: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col rounded-field bg-raised p-3">
      <span className="text-lg font-bold">{value}</span>
      <span className="text-sm text-muted">{children}</span>
    </div>
  )
}
