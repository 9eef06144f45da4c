/** The place where an app shows its screens: one that loads, one that failed, and the rest of the app around it. */
import { Component, type ReactNode, Suspense } from 'react'

interface Failure {
  error: unknown
  /** Loads the page again: a script that is missing or broken can't be fetched a second time otherwise. */
  onRetry(): void
}

interface Props {
  /** The address. Another one leads away from a screen that failed. */
  place: string
  renderFailure(failure: Failure): ReactNode
  children: ReactNode
}

export function ScreenBoundary({ loading, children, ...rest }: Props & { loading: ReactNode }) {
  return (
    <ErrorBoundary {...rest}>
      <Suspense fallback={loading}>{children}</Suspense>
    </ErrorBoundary>
  )
}

class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidUpdate(before: Props) {
    if (before.place !== this.props.place && this.state.error !== undefined)
      this.setState({ error: undefined })
  }

  override render() {
    const { renderFailure, children } = this.props
    const { error } = this.state
    return error === undefined
      ? children
      : renderFailure({ error, onRetry: () => location.reload() })
  }
}
