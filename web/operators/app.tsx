/** Every screen of the desk and its address below /desk. */
import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { DeskBoundary, DeskScreens } from '../shared/desk/screens.tsx'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { SignedIn } from './session.tsx'
import { Shell } from './shell.tsx'

const SCREENS: Record<string, ComponentType> = {
  '/': lazyScreen(() => import('./queues/queues.tsx'), 'Queues'),
  '/queues/:name': lazyScreen(() => import('./queues/queue.tsx'), 'Queue'),
  '/case/:id': lazyScreen(() => import('./case/case.tsx'), 'Case'),
  '/search': lazyScreen(() => import('./search/search.tsx'), 'Search'),
  '/decisions': lazyScreen(() => import('./decide/decisions.tsx'), 'Decisions'),
  '/decisions/:id': lazyScreen(() => import('./decide/decision.tsx'), 'Decision'),
  '/boards': lazyScreen(() => import('./boards/board.tsx'), 'Board'),
  '/boards/:name': lazyScreen(() => import('./boards/board.tsx'), 'Board'),
  '/boards/:name/:figure': lazyScreen(() => import('./boards/board-rows.tsx'), 'BoardRows'),
  '/switches': lazyScreen(() => import('./boards/switches.tsx'), 'Switches'),
  '/limits': lazyScreen(() => import('./limits/limits.tsx'), 'Limits'),
  '/team': lazyScreen(() => import('./who/team.tsx'), 'Team'),
  '/team/:id': lazyScreen(() => import('./who/operator.tsx'), 'OperatorPage'),
  '/audit': lazyScreen(() => import('./who/audit.tsx'), 'AuditLog'),
  '/account': lazyScreen(() => import('./who/account.tsx'), 'Account'),
}

/** Screens that work without a session. */
const OPEN_SCREENS: Record<string, ComponentType> = {
  '/sign-in': lazyScreen(() => import('./who/sign-in.tsx'), 'SignInScreen'),
  '/join': lazyScreen(() => import('./who/join.tsx'), 'Join'),
}

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
