import { useMutation } from '@tanstack/react-query'
import { FlaskConical, TimerOff } from 'lucide-react'
import { Redirect } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { ActionError } from '../query-states.tsx'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'

/**
 * Lets a developer play a worker of their own test agent. The token is in the URL fragment, which isn't sent to
 * servers.
 */
export function Play() {
  const text = useText()
  const { worker, play } = useSession()
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  const begin = useMutation({ mutationFn: () => play(token ?? '') })

  if (begin.isSuccess) return <Redirect to="/" replace />
  if (token === null || (begin.error instanceof Refusal && begin.error.status === 401))
    return <Over />
  return (
    <Page title={text('play.title')} isTitleHidden>
      <Empty
        icon={<FlaskConical aria-hidden />}
        title={text('play.title')}
        actions={
          <>
            {worker && <Banner tone="warn">{text('play.replaces', { name: worker.name })}</Banner>}
            <ActionError error={begin.error} />
            <Button isPending={begin.isPending} onPress={() => begin.mutate()}>
              {text(worker ? 'play.replace' : 'play.begin')}
            </Button>
          </>
        }
      >
        {text('play.body')}
      </Empty>
    </Page>
  )
}

function Over() {
  const text = useText()
  return (
    <Page title={text('play.overTitle')} isTitleHidden>
      <Empty icon={<TimerOff aria-hidden />} title={text('play.overTitle')}>
        {text('play.overBody')}
      </Empty>
    </Page>
  )
}
