import { NotDone } from '../../failed.tsx'
import { useSession } from '../../session.tsx'
import { useText } from '../../text/use-text.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { PROBLEMS, useConnect } from './connect.ts'

/** The processor sends who opens a link of its a second time, or too late, here. */
export function PayoutRefresh() {
  const text = useText()
  const { worker } = useSession()
  const connect = useConnect()
  return (
    <Page title={text('refresh.title')}>
      <p>{text(worker ? 'refresh.what' : 'refresh.stranger')}</p>
      <NotDone error={connect.error} words={PROBLEMS} />
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
