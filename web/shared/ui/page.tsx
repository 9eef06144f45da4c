import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'

/**
 * A screen: a heading, an optional back link and an optional action bar at the bottom. The document title follows the
 * heading. The heading gets the focus after navigation, so that screen readers announce the new screen.
 */
export function Page({
  title,
  name = title,
  back,
  backLabel,
  actions,
  footer,
  isTitleHidden = false,
  children,
}: {
  title: string
  /** Document title, if the heading alone is ambiguous. */
  name?: string
  back?: string
  backLabel?: string
  /** Beside the heading. */
  actions?: ReactNode
  /** Sticky bar at the bottom. */
  footer?: ReactNode
  isTitleHidden?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${name} – Legwork`
  }, [name])
  return (
    <>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-160 flex-1 flex-col gap-4 px-4 pt-3 pb-6 outline-none"
      >
        {back !== undefined && (
          <Link
            href={back}
            className="-ms-2 inline-flex min-h-11 items-center gap-1 self-start rounded-field px-2 text-sm font-medium text-muted"
          >
            <ChevronLeft size={20} aria-hidden className="rtl:-scale-x-100" />
            {backLabel}
          </Link>
        )}
        <div
          className={
            isTitleHidden ? 'sr-only' : 'flex flex-wrap items-center justify-between gap-3'
          }
        >
          <h1 className="text-xl font-bold" dir="auto">
            {title}
          </h1>
          {actions}
        </div>
        {children}
      </main>
      {footer !== undefined && (
        <footer className="sticky bottom-0 z-10 border-t border-border bg-surface px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
          <div className="mx-auto flex w-full max-w-160 flex-col gap-2">{footer}</div>
        </footer>
      )}
    </>
  )
}

/** Footer layout: the primary action fills the width, secondary ones come before it. */
export function WayOn({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-2">
      {beside}
      <div className="flex flex-1 flex-col">{children}</div>
    </div>
  )
}
