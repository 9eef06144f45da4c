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
import { withRest } from './text/rest.ts'
import { useText } from './text/use-text.tsx'
import { Find } from './find/find.tsx'

const screen: typeof lazyScreen = (load, name) => lazyScreen(() => withRest(load()), name)

/** Public screens. */
const OPEN: Record<string, ComponentType> = {
  '/hello': screen(() => import('./join/landing.tsx'), 'Landing'),
  '/join': screen(() => import('./join/join.tsx'), 'Join'),
  '/check-mail': screen(() => import('./join/check-mail.tsx'), 'CheckMail'),
  '/verify': screen(() => import('./join/verify.tsx'), 'Verify'),
  '/login': screen(() => import('./join/login.tsx'), 'Login'),
  '/forgot': screen(() => import('./join/forgot.tsx'), 'Forgot'),
  '/reset': screen(() => import('./join/reset.tsx'), 'Reset'),
  '/email-confirm': screen(() => import('./me/email-link.tsx'), 'EmailConfirm'),
  '/email-undo': screen(() => import('./me/email-link.tsx'), 'EmailUndo'),
  '/objection': screen(() => import('./join/objection.tsx'), 'Objection'),
  '/play': screen(() => import('./join/play.tsx'), 'Play'),
  '/u/:id': screen(() => import('./me/public-profile.tsx'), 'PublicProfile'),
  '/payouts/return': screen(() => import('./money/payout-return.tsx'), 'PayoutReturn'),
  '/payouts/refresh': screen(() => import('./money/payout-refresh.tsx'), 'PayoutRefresh'),
}

/** Screens for logged-in workers. */
const OWN: Record<string, ComponentType> = {
  '/': Find,
  '/map': screen(() => import('./find/map.tsx'), 'FindOnMap'),
  '/setup': screen(() => import('./join/setup.tsx'), 'Setup'),
  '/practice': screen(() => import('./active/practice.tsx'), 'Practice'),
  '/task/:id': screen(() => import('./find/task.tsx'), 'Task'),
  '/active': screen(() => import('./active/active.tsx'), 'Active'),
  '/active/:id': screen(() => import('./active/work.tsx'), 'Work'),
  '/active/:id/problem': screen(() => import('./active/problem.tsx'), 'Problem'),
  '/earnings': screen(() => import('./money/earnings.tsx'), 'Earnings'),
  '/earnings/:id': screen(() => import('./money/receipt.tsx'), 'Receipt'),
  '/payout': screen(() => import('./money/payout.tsx'), 'Payout'),
  '/inbox': screen(() => import('./me/inbox.tsx'), 'Inbox'),
  '/inbox/:id': screen(() => import('./me/dispute.tsx'), 'Dispute'),
  '/me': screen(() => import('./me/me.tsx'), 'Me'),
  '/me/profile': screen(() => import('./me/profile.tsx'), 'Profile'),
  '/me/trust': screen(() => import('./me/trust.tsx'), 'Trust'),
  '/me/notify': screen(() => import('./me/notify.tsx'), 'Notify'),
  '/me/account': screen(() => import('./me/account.tsx'), 'Account'),
  '/me/email': screen(() => import('./me/account-email.tsx'), 'AccountEmail'),
  '/me/password': screen(() => import('./me/account-password.tsx'), 'AccountPassword'),
  '/me/devices': screen(() => import('./me/account-devices.tsx'), 'AccountDevices'),
  '/me/data': screen(() => import('./me/account-data.tsx'), 'AccountData'),
  '/me/close': screen(() => import('./me/account-close.tsx'), 'AccountClose'),
  '/me/help': screen(() => import('./help/help.tsx'), 'Help'),
  '/me/questions': screen(() => import('./help/questions.tsx'), 'Questions'),
  '/me/questions/new': screen(() => import('./help/ask.tsx'), 'Ask'),
  '/me/questions/:id': screen(() => import('./help/question.tsx'), 'Question'),
  '/board': screen(() => import('./me/board.tsx'), 'Board'),
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
