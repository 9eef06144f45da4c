/** The targets of the links about a change of the email. They ask first, since mail scanners open every link. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, MailCheck, MailX, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { api } from '../api.ts'
import { ActionError } from '../query-states.tsx'
import { useText } from '../text/use-text.tsx'

export function EmailConfirm() {
  const text = useText()
  return (
    <EmailLink
      post={(token) => api.post('/worker/email/confirm', { body: { token } })}
      icon={<MailCheck aria-hidden />}
      title={text('account.confirmTitle')}
      body={text('account.confirmBody')}
      button={text('account.confirm')}
      done={(email) => ({
        icon: <CircleCheck aria-hidden />,
        title: text('account.confirmDone'),
        body: text('account.confirmDoneBody', { email }),
      })}
    />
  )
}

export function EmailUndo() {
  const text = useText()
  return (
    <EmailLink
      post={(token) => api.post('/worker/email/undo', { body: { token } })}
      icon={<ShieldCheck aria-hidden />}
      title={text('account.undoTitle')}
      body={text('account.undoBody')}
      button={text('account.undo')}
      done={(email) => ({
        icon: <ShieldCheck aria-hidden />,
        title: text('account.undoDone'),
        body: text('account.undoDoneBody', { email }),
      })}
    />
  )
}

function EmailLink({
  post,
  icon,
  title,
  body,
  button,
  done,
}: {
  post(token: string): Promise<{ email: string }>
  icon: ReactNode
  title: string
  body: string
  button: string
  done(email: string): { icon: ReactNode; title: string; body: string }
}) {
  const text = useText()
  const client = useQueryClient()
  const [search] = useSearchParams()
  const follow = useMutation({
    mutationFn: () => post(search.get('token') ?? ''),
    onSuccess: () => client.invalidateQueries(),
  })
  const after = follow.data && done(follow.data.email)
  if (after)
    return (
      <Page title={after.title} isTitleHidden>
        <Empty
          icon={after.icon}
          title={after.title}
          actions={<ButtonLink href="/">{text('account.toApp')}</ButtonLink>}
        >
          {after.body}
        </Empty>
      </Page>
    )
  if (follow.error instanceof Refusal && follow.error.status === 400)
    return (
      <Page title={text('account.linkOver')} isTitleHidden>
        <Empty
          icon={<MailX aria-hidden />}
          title={text('account.linkOver')}
          actions={<ButtonLink href="/me/email">{text('account.changeEmail')}</ButtonLink>}
        >
          {text('account.linkOverBody')}
        </Empty>
      </Page>
    )
  return (
    <Page title={title} isTitleHidden>
      <Empty
        icon={icon}
        title={title}
        actions={
          <>
            <ActionError error={follow.error} />
            <Button isPending={follow.isPending} onPress={() => follow.mutate()}>
              {button}
            </Button>
          </>
        }
      >
        {body}
      </Empty>
    </Page>
  )
}
