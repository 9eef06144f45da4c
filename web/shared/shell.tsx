import type { ReactNode } from 'react'

/** The frame around the screens and the navigation of an app, with a link that skips to the screen. */
export function AppShell({ skipLabel, children }: { skipLabel: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col wide:flex-row">
      <a
        href="#content"
        className="skip sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-field focus:bg-surface focus:p-3"
      >
        {skipLabel}
      </a>
      {children}
    </div>
  )
}
