/** Error boundary and loading state for an app's screens: a failed screen leaves the rest of the app usable. */
import { Component, type ReactNode, Suspense } from 'react'

interface Failure {
  error: unknown
  /** Reloads the page, since the browser caches a failed module import and would not fetch it again. */
  onRetry(): void
}

interface Props {
  /** The current address. Navigating elsewhere clears the error. */
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
