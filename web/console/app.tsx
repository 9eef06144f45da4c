/** Every screen of the console and its address below /console. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { ButtonLink } from '../ui/button.tsx'
import { Empty, Skeleton } from '../ui/states.tsx'
import { Failed } from './answered.tsx'
import { Screen } from './screen.tsx'
import { SignedIn } from './session.tsx'
import { Shell } from './shell.tsx'

const screen = <Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }))

const SCREENS: Record<string, ComponentType> = {
  '/': screen(() => import('./overview/overview.tsx'), 'Overview'),
  '/waiting': screen(() => import('./tasks/waiting.tsx'), 'Waiting'),
  '/tasks': screen(() => import('./tasks/tasks.tsx'), 'Tasks'),
  '/tasks/new': screen(() => import('./tasks/new-task.tsx'), 'NewTask'),
  '/tasks/:id': screen(() => import('./tasks/task.tsx'), 'Task'),
  '/wallet': screen(() => import('./wallet/wallet.tsx'), 'Wallet'),
  '/webhooks': screen(() => import('./webhooks/webhooks.tsx'), 'Webhooks'),
  '/events': screen(() => import('./webhooks/events.tsx'), 'Events'),
  '/keys': screen(() => import('./keys/keys.tsx'), 'Keys'),
  '/requests': screen(() => import('./requests/requests.tsx'), 'Requests'),
  '/requests/:id': screen(() => import('./requests/request.tsx'), 'Request'),
  '/test': screen(() => import('./test-mode/test-mode.tsx'), 'TestMode'),
  '/go-live': screen(() => import('./test-mode/go-live.tsx'), 'GoLive'),
  '/settings': screen(() => import('./settings/settings.tsx'), 'Settings'),
}

export function App() {
  const [here] = useLocation()
  return (
    <SignedIn>
      <Shell>
        <Boundary place={here}>
          <Suspense
            fallback={
              <div className="p-8">
                <Skeleton label="Loading" />
              </div>
            }
          >
            <Switch>
              {Object.entries(SCREENS).map(([path, Shown]) => (
                // By its address: another task is another screen.
                <Route key={path} path={path}>
                  <Shown key={here} />
                </Route>
              ))}
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </Boundary>
      </Shell>
    </SignedIn>
  )
}

function NotFound() {
  return (
    <Screen title="No such page">
      <Empty title="Nothing is here" actions={<ButtonLink href="/">Go to the overview</ButtonLink>}>
        The address may be old, or mistyped.
      </Empty>
    </Screen>
  )
}

/** A screen that could not be drawn or fetched: the rest stays, and it can be tried again. */
class Boundary extends Component<{ place: string; children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidUpdate(before: { place: string }) {
    if (before.place !== this.props.place && this.state.error !== undefined)
      this.setState({ error: undefined })
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <Screen title="This screen has failed">
        <Failed error={this.state.error} onRetry={() => location.reload()} />
      </Screen>
    )
  }
}
