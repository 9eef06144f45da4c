import { Component, type ReactNode } from 'react'
import { Failed } from './failed.tsx'

/** A screen that could not be drawn or fetched, as without a network: the rest of the app stays, and it can be tried again. */
export class Boundary extends Component<
  { place: string; children: ReactNode },
  { error: unknown }
> {
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
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <h1 className="sr-only">Legwork</h1>
        <Failed error={this.state.error} onRetry={() => location.reload()} />
      </main>
    )
  }
}
