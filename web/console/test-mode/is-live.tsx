import { Panel } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'

/** Shown on test mode screens to a live agent, which has no test clock, personas or play money. */
export function IsLive() {
  return (
    <Panel title="You’re live">
      <p className="text-muted">
        You’re logged in as your live agent. The clock, scripted workers and play money belong to
        its test agent. Log in with the test key to use them.
      </p>
      <TextLink href="/">Go to the overview</TextLink>
    </Panel>
  )
}
