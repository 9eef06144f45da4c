import type { ReactNode } from 'react'

export function Card({ children, isQuiet = false }: { children: ReactNode; isQuiet?: boolean }) {
  return (
    <section
      className={`flex flex-col gap-3 rounded-card p-4 ${isQuiet ? 'bg-raised' : 'bg-surface shadow-card'}`}
    >
      {children}
    </section>
  )
}

/** A short fact with an icon. */
export function Tag({
  icon,
  children,
  tone = 'plain',
}: {
  icon?: ReactNode
  children: ReactNode
  tone?: 'plain' | 'warn' | 'good' | 'bad' | 'info'
}) {
  return (
    <span
      className={`inline-flex min-h-7 items-center gap-1.5 rounded-full px-2.5 text-sm ${TONES[tone]}`}
    >
      {icon}
      <span>{children}</span>
    </span>
  )
}

const TONES = {
  plain: 'bg-raised text-muted',
  warn: 'bg-warn-soft text-warn',
  good: 'bg-brand-soft text-on-brand-soft',
  bad: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
}

/** A highlighted message. Screen readers announce `isAlert` at once. */
export function Banner({
  icon,
  tone = 'info',
  title,
  children,
  action,
  isAlert = false,
}: {
  icon?: ReactNode
  tone?: keyof typeof TONES
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  isAlert?: boolean
}) {
  return (
    <div
      role={isAlert ? 'alert' : 'status'}
      className={`flex items-start gap-3 rounded-field p-3 text-sm ${TONES[tone]}`}
    >
      {icon !== undefined && <span className="mt-0.5 shrink-0">{icon}</span>}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {title !== undefined && <strong className="text-base">{title}</strong>}
        {children !== undefined && <div>{children}</div>}
        {action}
      </div>
    </div>
  )
}
