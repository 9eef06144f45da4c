/** Every screen of the console and its address below /console. */
import type { ComponentType } from 'react'
import { useLocation } from 'wouter'
import { DeskBoundary, DeskScreens } from '../shared/desk/screens.tsx'
import { lazyScreen } from '../shared/lazy-screen.ts'
import { SignedIn } from './session.tsx'
import { Shell } from './shell.tsx'

const SCREENS: Record<string, ComponentType> = {
  '/': lazyScreen(() => import('./overview/overview.tsx'), 'Overview'),
  '/waiting': lazyScreen(() => import('./tasks/waiting.tsx'), 'Waiting'),
  '/tasks': lazyScreen(() => import('./tasks/tasks.tsx'), 'Tasks'),
  '/tasks/new': lazyScreen(() => import('./tasks/new-task.tsx'), 'NewTask'),
  '/tasks/:id': lazyScreen(() => import('./tasks/task.tsx'), 'Task'),
  '/wallet': lazyScreen(() => import('./wallet/wallet.tsx'), 'Wallet'),
  '/webhooks': lazyScreen(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
  '/events': lazyScreen(() => import('./webhooks/events.tsx'), 'Events'),
  '/connect': lazyScreen(() => import('./connect/connect.tsx'), 'Connect'),
  '/keys': lazyScreen(() => import('./keys/keys.tsx'), 'Keys'),
  '/requests': lazyScreen(() => import('./requests/requests.tsx'), 'Requests'),
  '/requests/:id': lazyScreen(() => import('./requests/request.tsx'), 'Request'),
  '/questions': lazyScreen(() => import('./support/questions.tsx'), 'Questions'),
  '/questions/new': lazyScreen(() => import('./support/ask.tsx'), 'Ask'),
  '/questions/:id': lazyScreen(() => import('./support/question.tsx'), 'Question'),
  '/test': lazyScreen(() => import('./test-mode/test-mode.tsx'), 'TestMode'),
  '/go-live': lazyScreen(() => import('./test-mode/go-live.tsx'), 'GoLive'),
  '/people': lazyScreen(() => import('./people/people.tsx'), 'People'),
  '/activity': lazyScreen(() => import('./people/activity.tsx'), 'Activity'),
  '/settings': lazyScreen(() => import('./settings/settings.tsx'), 'Settings'),
}

/** Pages that emailed links open: they work without a session. */
const OPEN_SCREENS: Record<string, ComponentType> = {
  '/recover': lazyScreen(() => import('./recover.tsx'), 'Recover'),
  '/enter': lazyScreen(() => import('./enter.tsx'), 'Enter'),
  '/verify': lazyScreen(() => import('./verify.tsx'), 'Verify'),
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
