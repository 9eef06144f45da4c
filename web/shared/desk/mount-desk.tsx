import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { mountApp } from '../mount-app.tsx'
import { applyTheme } from '../theme.ts'
import { DeskName } from './desk-name.ts'

/** Mounts a desktop app. All of them are in English. */
export function mountDesk({
  name,
  base,
  client,
  children,
}: {
  /** For the browser tab. */
  name: string
  /** The path prefix of the app's screens. */
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
