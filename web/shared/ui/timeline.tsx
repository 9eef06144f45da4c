import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

export interface Step {
  id: string
  title: ReactNode
  /** When it happened, as text. */
  at?: ReactNode
  children?: ReactNode
  state: 'done' | 'now' | 'next'
}

/** Past, current and future steps: a tick, a full dot, an empty ring. */
export function Timeline({ label, steps }: { label: string; steps: Step[] }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map(({ id, title, at, children, state }, index) => (
        <li
          key={id}
          aria-current={state === 'now' ? 'step' : undefined}
          className="flex gap-3 [&:last-child_.line]:hidden"
        >
          <span aria-hidden className="flex flex-col items-center">
            <Dot state={state} />
            <span
              className={`line w-0.5 flex-1 ${steps[index + 1]?.state === 'next' ? 'bg-border' : 'bg-brand'}`}
            />
          </span>
          <div className="flex min-w-0 flex-1 flex-col gap-1 pb-5">
            <span className={state === 'next' ? 'text-muted' : 'font-semibold'}>{title}</span>
            {at !== undefined && <span className="text-sm text-muted">{at}</span>}
            {children}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Dot({ state }: { state: Step['state'] }) {
  const base = 'flex size-6 shrink-0 items-center justify-center rounded-full border-2'
  if (state === 'done')
    return (
      <span className={`${base} border-brand bg-brand text-on-brand`}>
        <Check size={14} strokeWidth={3} />
      </span>
    )
  if (state === 'next') return <span className={`${base} border-control`} />
  return (
    <span className={`${base} border-brand`}>
      <span className="size-2.5 rounded-full bg-brand" />
    </span>
  )
}
