/** Every screen and its address. Screens on the way to the first tasks are bundled; all others load on demand. */
import type { ComponentType } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { ScreenBoundary } from '../shared/screen-boundary.tsx'
import { Skeleton } from '../shared/ui/states.tsx'
import { LoadError } from './query-states.tsx'
import { Shell } from './shell.tsx'
import { NotFound } from './not-found.tsx'
import { useSendLanguage } from './send-language.ts'
import { useSession } from './session.tsx'
import { useText } from './text/use-text.tsx'
import { Find } from './find/find.tsx'

/** Public screens. */
const OPEN: Record<string, ComponentType> = {
  '/hello': lazyScreen(() => import('./join/landing.tsx'), 'Landing'),
  '/join': lazyScreen(() => import('./join/join.tsx'), 'Join'),
  '/check-mail': lazyScreen(() => import('./join/check-mail.tsx'), 'CheckMail'),
  '/verify': lazyScreen(() => import('./join/verify.tsx'), 'Verify'),
  '/login': lazyScreen(() => import('./join/login.tsx'), 'Login'),
  '/forgot': lazyScreen(() => import('./join/forgot.tsx'), 'Forgot'),
  '/reset': lazyScreen(() => import('./join/reset.tsx'), 'Reset'),
  '/objection': lazyScreen(() => import('./join/objection.tsx'), 'Objection'),
  '/play': lazyScreen(() => import('./join/play.tsx'), 'Play'),
  '/u/:id': lazyScreen(() => import('./me/public-profile.tsx'), 'PublicProfile'),
  '/payouts/return': lazyScreen(() => import('./money/payout-return.tsx'), 'PayoutReturn'),
  '/payouts/refresh': lazyScreen(() => import('./money/payout-refresh.tsx'), 'PayoutRefresh'),
}

/** Screens for logged-in workers. */
const OWN: Record<string, ComponentType> = {
  '/': Find,
  '/map': lazyScreen(() => import('./find/map.tsx'), 'FindOnMap'),
  '/setup': lazyScreen(() => import('./join/setup.tsx'), 'Setup'),
  '/practice': lazyScreen(() => import('./active/practice.tsx'), 'Practice'),
  '/task/:id': lazyScreen(() => import('./find/task.tsx'), 'Task'),
  '/active': lazyScreen(() => import('./active/active.tsx'), 'Active'),
  '/active/:id': lazyScreen(() => import('./active/work.tsx'), 'Work'),
  '/active/:id/problem': lazyScreen(() => import('./active/problem.tsx'), 'Problem'),
  '/earnings': lazyScreen(() => import('./money/earnings.tsx'), 'Earnings'),
  '/earnings/:id': lazyScreen(() => import('./money/receipt.tsx'), 'Receipt'),
  '/payout': lazyScreen(() => import('./money/payout.tsx'), 'Payout'),
  '/inbox': lazyScreen(() => import('./me/inbox.tsx'), 'Inbox'),
  '/inbox/:id': lazyScreen(() => import('./me/dispute.tsx'), 'Dispute'),
  '/me': lazyScreen(() => import('./me/me.tsx'), 'Me'),
  '/me/profile': lazyScreen(() => import('./me/profile.tsx'), 'Profile'),
  '/me/trust': lazyScreen(() => import('./me/trust.tsx'), 'Trust'),
  '/me/notify': lazyScreen(() => import('./me/notify.tsx'), 'Notify'),
  '/board': lazyScreen(() => import('./me/board.tsx'), 'Board'),
}

export function App() {
  const text = useText()
  const [here] = useLocation()
  useSendLanguage()
  return (
    <Shell>
      <ScreenBoundary
        place={here}
        loading={<Skeleton label={text('shell.loading')} />}
        renderFailure={(failure) => (
          <main id="content" tabIndex={-1} className="flex-1 outline-none">
            <h1 className="sr-only">Legwork</h1>
            <LoadError {...failure} />
          </main>
        )}
      >
        <Switch>
          {Object.entries(OPEN).map(([path, Screen]) => (
            <Route key={path} path={path} component={Screen} />
          ))}
          {Object.entries(OWN).map(([path, Screen]) => (
            <Route key={path} path={path}>
              <ForMembers screen={Screen} />
            </Route>
          ))}
          <Route component={NotFound} />
        </Switch>
      </ScreenBoundary>
    </Shell>
  )
}

/** Strangers see the landing page; workers whose session ended log in and come back to where they were. */
function ForMembers({ screen: Screen }: { screen: ComponentType }) {
  const text = useText()
  const { worker, waiting, hasEnded, error, askAgain } = useSession()
  const here = location.pathname + location.search
  // Wait until the session is known: the screen's requests would only be refused.
  if (worker === undefined && error !== null) return <LoadError error={error} onRetry={askAgain} />
  if (worker === undefined) return <Skeleton label={text('shell.loading')} />
  if (waiting !== null) return <Redirect to="/check-mail" replace />
  if (worker === null && (hasEnded || location.pathname !== '/'))
    return <Redirect to={`/login?next=${encodeURIComponent(here)}`} replace />
  if (worker === null) return <Redirect to="/hello" replace />
  return <Screen />
}
