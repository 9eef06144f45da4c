import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { api } from '../api.ts'
import { ActionError } from '../query-states.tsx'
import { sessionQuery } from '../queries.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { LinkOver } from './link-over.tsx'

/** The target of the verification link. It asks for confirmation, since mail scanners open every link. */
export function Verify() {
  const text = useText()
  const client = useQueryClient()
  const [search] = useSearchParams()
  const { worker, waiting } = useSession()
  const [confirmed, setConfirmed] = useState<string>()
  const confirm = useMutation({
    mutationFn: () => api.post('/worker/verify', { body: { token: search.get('token') ?? '' } }),
    async onSuccess({ worker: { id } }) {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey })
      setConfirmed(id)
    },
  })

  // The email may be opened on another device than the one they registered on.
  if (confirmed !== undefined && confirmed === worker?.id) return <Redirect to="/setup" replace />
  if (confirmed !== undefined) return <Confirmed />
  if (confirm.error instanceof Refusal && confirm.error.status === 400)
    return <LinkOver purpose="verify" email={waiting?.email} />
  return (
    <Page title={text('verify.title')} isTitleHidden>
      <Empty
        icon={<MailCheck aria-hidden />}
        title={text('verify.title')}
        actions={
          <>
            <ActionError error={confirm.error} />
            <Button isPending={confirm.isPending} onPress={() => confirm.mutate()}>
              {text('verify.confirm')}
            </Button>
          </>
        }
      >
        {text('verify.body')}
      </Empty>
    </Page>
  )
}

function Confirmed() {
  const text = useText()
  return (
    <Page title={text('verify.doneTitle')} isTitleHidden>
      <Empty
        icon={<CircleCheck aria-hidden />}
        title={text('verify.doneTitle')}
        actions={<ButtonLink href="/login">{text('verify.logIn')}</ButtonLink>}
      >
        {text('verify.doneBody')}
      </Empty>
    </Page>
  )
}
