import { Panel } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'

/** What a screen of test mode is to who has gone live: nothing there is for real money. */
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
