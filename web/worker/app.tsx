/** Every screen and its address. What is on the way to the first tasks comes at once, everything else when asked for. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { Boundary } from './boundary.tsx'
import { Skeleton } from './ui/states.tsx'
import { Failed } from './failed.tsx'
import { Shell } from './shell.tsx'
import { NotFound } from './not-found.tsx'
import { useSession } from './session.tsx'
import { useText } from './text/use-text.tsx'
import { Find } from './worker/find/find.tsx'

const screen = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))

/** For whoever comes along. */
const OPEN: Record<string, ComponentType> = {
  '/hello': screen(() => import('./worker/join/landing.tsx'), 'Landing'),
  '/join': screen(() => import('./worker/join/join.tsx'), 'Join'),
  '/check-mail': screen(() => import('./worker/join/check-mail.tsx'), 'CheckMail'),
  '/verify': screen(() => import('./worker/join/verify.tsx'), 'Verify'),
  '/login': screen(() => import('./worker/join/login.tsx'), 'Login'),
  '/forgot': screen(() => import('./worker/join/forgot.tsx'), 'Forgot'),
  '/reset': screen(() => import('./worker/join/reset.tsx'), 'Reset'),
  '/play': screen(() => import('./worker/join/play.tsx'), 'Play'),
  '/u/:id': screen(() => import('./worker/me/public-profile.tsx'), 'PublicProfile'),
  '/payouts/return': screen(() => import('./worker/money/payout-return.tsx'), 'PayoutReturn'),
  '/payouts/refresh': screen(() => import('./worker/money/payout-refresh.tsx'), 'PayoutRefresh'),
}

/** For who has joined. */
const OWN: Record<string, ComponentType> = {
  '/': Find,
  '/map': screen(() => import('./worker/find/map.tsx'), 'FindOnMap'),
  '/setup': screen(() => import('./worker/join/setup.tsx'), 'Setup'),
  '/practice': screen(() => import('./worker/active/practice.tsx'), 'Practice'),
  '/task/:id': screen(() => import('./worker/find/task.tsx'), 'Task'),
  '/active': screen(() => import('./worker/active/active.tsx'), 'Active'),
  '/active/:id': screen(() => import('./worker/active/work.tsx'), 'Work'),
  '/active/:id/problem': screen(() => import('./worker/active/problem.tsx'), 'Problem'),
  '/earnings': screen(() => import('./worker/money/earnings.tsx'), 'Earnings'),
  '/earnings/:id': screen(() => import('./worker/money/receipt.tsx'), 'Receipt'),
  '/payout': screen(() => import('./worker/money/payout.tsx'), 'Payout'),
  '/inbox': screen(() => import('./worker/me/inbox.tsx'), 'Inbox'),
  '/inbox/:id': screen(() => import('./worker/me/dispute.tsx'), 'Dispute'),
  '/me': screen(() => import('./worker/me/me.tsx'), 'Me'),
  '/me/profile': screen(() => import('./worker/me/profile.tsx'), 'Profile'),
  '/me/trust': screen(() => import('./worker/me/trust.tsx'), 'Trust'),
  '/me/notify': screen(() => import('./worker/me/notify.tsx'), 'Notify'),
  '/board': screen(() => import('./worker/me/board.tsx'), 'Board'),
}

export function App() {
  const text = useText()
  const [here] = useLocation()
  return (
    <Shell>
      <Boundary place={here}>
        <Suspense fallback={<Skeleton label={text('shell.loading')} />}>
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
        </Suspense>
      </Boundary>
    </Shell>
  )
}

/** Strangers see the landing page; whoever was logged out logs in and comes back to where they were. */
function ForMembers({ screen: Screen }: { screen: ComponentType }) {
  const text = useText()
  const { worker, waiting, hasEnded, error, askAgain } = useSession()
  const here = location.pathname + location.search
  // Before it is known who is here, a screen would only be refused what it asks for.
  if (worker === undefined && error !== null) return <Failed error={error} onRetry={askAgain} />
  if (worker === undefined) return <Skeleton label={text('shell.loading')} />
  if (waiting !== null) return <Redirect to="/check-mail" replace />
  if (worker === null && (hasEnded || here !== '/'))
    return <Redirect to={`/login?next=${encodeURIComponent(here)}`} replace />
  if (worker === null) return <Redirect to="/hello" replace />
  return <Screen />
}
