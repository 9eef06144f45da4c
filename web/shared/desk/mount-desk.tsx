import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { mountApp } from '../mount-app.tsx'
import { applyTheme } from '../theme.ts'
import { DeskName } from './desk-name.ts'

/** Renders an app at a desk into its page. All of them are in English. */
export function mountDesk({
  name,
  base,
  client,
  children,
}: {
  /** In the browser's tab. */
  name: string
  /** The path below which the app's screens are. */
  base: string
  client: QueryClient
  children: ReactNode
}): void {
  applyTheme()
  mountApp({
    locale: 'en-US',
    client,
    children: (
      <DeskName value={name}>
        <Router base={base}>{children}</Router>
      </DeskName>
    ),
  })
}
