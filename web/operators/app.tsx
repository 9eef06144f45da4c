/** Every screen of the desk and its address below /desk. */
import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { DeskBoundary, DeskScreens } from '../shared/desk/screens.tsx'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { SignedIn } from './session.tsx'
import { Shell } from './shell.tsx'

const SCREENS: Record<string, ComponentType> = {
  '/': lazyScreen(() => import('./queues/queues.tsx'), 'Queues'),
}

/** Screens that work without a session. */
const OPEN_SCREENS: Record<string, ComponentType> = {}

export function App() {
  const [here] = useLocation()
  const Shown = OPEN_SCREENS[here]
  if (Shown !== undefined)
    return (
      <DeskBoundary>
        <Shown />
      </DeskBoundary>
    )
  return (
    <SignedIn>
      <Shell>
        <DeskScreens screens={SCREENS} />
      </Shell>
    </SignedIn>
  )
}
