/** The screens of a desktop app, each loaded when first shown. */
import type { ComponentType, ReactNode } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { ScreenBoundary } from '../screen-boundary.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Empty, Skeleton } from '../ui/states.tsx'
import { LoadError } from './query-states.tsx'
import { Screen } from './screen.tsx'

/** Screens by path. A new address remounts the screen, even if the same component renders both. */
export function DeskScreens({ screens }: { screens: Record<string, ComponentType> }) {
  const [here] = useLocation()
  return (
    <DeskBoundary
      loading={
        <div className="p-8">
          <Skeleton label="Loading" />
        </div>
      }
    >
      <Switch>
        {Object.entries(screens).map(([path, Shown]) => (
          <Route key={path} path={path}>
            <Shown key={here} />
          </Route>
        ))}
        <Route component={NotFound} />
      </Switch>
    </DeskBoundary>
  )
}

/** Error boundary around lazy screens: a failed one leaves the rest of the app usable. */
export function DeskBoundary({
  loading = <Skeleton label="Loading" />,
  children,
}: {
  loading?: ReactNode
  children: ReactNode
}) {
  const [here] = useLocation()
  return (
    <ScreenBoundary
      place={here}
      loading={loading}
      renderFailure={(failure) => (
        <Screen title="Something went wrong">
          <LoadError {...failure} />
        </Screen>
      )}
    >
      {children}
    </ScreenBoundary>
  )
}

function NotFound() {
  return (
    <Screen title="Page not found">
      <Empty
        title="This page doesn’t exist"
        actions={<ButtonLink href="/">Go to the overview</ButtonLink>}
      >
        The link may be old or mistyped.
      </Empty>
    </Screen>
  )
}
