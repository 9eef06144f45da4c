import { Panel } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'

/** Shown on test mode screens to a live agent, which has no test clock, personas or play money. */
export function IsLive() {
  return (
    <Panel title="You are live">
      <p className="text-muted">
        This session is your live agent’s. Clocks, scripted workers and play money belong to its
        test agent: sign in with the test key for those.
      </p>
      <TextLink href="/">Go to the overview</TextLink>
    </Panel>
  )
}
