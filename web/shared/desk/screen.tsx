import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useDocumentTitle } from './desk-name.ts'

/** On the first screen, leave the focus where the browser put it. */
let isFirst = true

/** A screen: a heading, an optional back link, and actions beside the heading. */
export function Screen({
  title,
  name = title,
  lead,
  back,
  actions,
  isWide = false,
  children,
}: {
  title: string
  /** Document title, if the heading alone is ambiguous. */
  name?: string
  /** One sentence about the screen's purpose. */
  lead?: ReactNode
  back?: { href: string; label: string }
  actions?: ReactNode
  /** For several columns. */
  isWide?: boolean
  children: ReactNode
}) {
  const main = useRef<HTMLElement>(null)
  useDocumentTitle(name)
  useEffect(() => {
    if (!isFirst) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    isFirst = false
  }, [])
  return (
    <main
      ref={main}
      id="content"
      tabIndex={-1}
      className={`mx-auto flex w-full min-w-0 flex-1 flex-col gap-4 px-4 py-5 outline-none wide:px-8 ${isWide ? 'max-w-400' : 'max-w-280'}`}
    >
      {back !== undefined && (
        <Link
          href={back.href}
          className="-ms-1 inline-flex min-h-7 items-center gap-1 self-start text-sm font-medium text-muted hover:text-text"
        >
          <ChevronLeft size={16} aria-hidden />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 className="text-xl font-semibold" dir="auto">
            {title}
          </h1>
          {lead !== undefined && <p className="max-w-[68ch] text-muted">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </main>
  )
}

/** A section with its own heading. `isFlush` removes the padding, as for a table. */
export function Panel({
  title,
  actions,
  isFlush = false,
  children,
}: {
  title?: ReactNode
  actions?: ReactNode
  isFlush?: boolean
  children: ReactNode
}) {
  return (
    <section
      className={`flex min-w-0 flex-col gap-3 rounded-card border border-border bg-surface ${isFlush ? 'pt-3' : 'p-4'}`}
    >
      {title !== undefined && (
        <div
          className={`flex flex-wrap items-center justify-between gap-2 ${isFlush ? 'px-4' : ''}`}
        >
          <h2 className="text-title font-semibold">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

/** A list of names and values. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-2 wide:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
