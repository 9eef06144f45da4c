import { ActionError } from '../query-states.tsx'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { PROBLEMS, useConnect } from './connect.ts'

/** The processor redirects here if its link has expired or was already used. */
export function PayoutRefresh() {
  const text = useText()
  const { worker } = useSession()
  const connect = useConnect()
  return (
    <Page title={text('refresh.title')}>
      <p>{text(worker ? 'refresh.what' : 'refresh.stranger')}</p>
      <ActionError error={connect.error} words={PROBLEMS} />
      {worker ? (
        <Button isWide isPending={connect.isPending} onPress={() => connect.mutate({})}>
          {text('refresh.again')}
        </Button>
      ) : (
        worker === null && (
          <ButtonLink href={`/login?next=${encodeURIComponent('/payout')}`}>
            {text('shell.logIn')}
          </ButtonLink>
        )
      )}
      <ButtonLink look="secondary" href="/payout">
        {text('payout.toPayout')}
      </ButtonLink>
    </Page>
  )
}
