import { useMutation, useQuery } from '@tanstack/react-query'
import { MailCheck, MailOpen } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { api } from '../api.ts'
import { ActionError } from '../query-states.tsx'
import { sessionQuery } from '../queries.ts'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Skeleton } from '../../shared/ui/states.tsx'
import { useNow } from '../../shared/use-now.ts'
import { mailAppOf } from './addresses.ts'
import { TEXT_LINK } from './join.tsx'

const POLL_MS = 3000
const PATIENCE_S = 30

/** Polls until the link has been opened, on any device, then continues automatically. */
export function CheckMail() {
  const text = useText()
  const { worker, waiting } = useSession()
  useQuery({ ...sessionQuery, refetchInterval: POLL_MS, refetchIntervalInBackground: true })
  if (worker) return <Redirect to="/setup" replace />
  if (worker === undefined)
    return (
      <Page title={text('mail.title')}>
        <Skeleton label={text('shell.loading')} rows={1} />
      </Page>
    )
  if (waiting === null) return <Redirect to="/login" replace />
  return <Waiting email={waiting.email} />
}

function Waiting({ email }: { email: string }) {
  const text = useText()
  const [sentAt, setSentAt] = useState(() => Date.now())
  const waitedS = Math.floor(Math.max(0, useNow(1000) - sentAt) / 1000)
  const leftS = Math.max(0, PATIENCE_S - waitedS)
  const resend = useMutation({
    mutationFn: () => api.post('/worker/verify/resend', { body: { email } }),
    onSuccess: () => setSentAt(Date.now()),
  })
  const mailApp = mailAppOf(navigator.userAgent)
  return (
    <Page title={text('mail.title')} isTitleHidden>
      <div className="flex flex-1 flex-col items-center justify-center gap-4 py-8 text-center">
        <span className="flex size-20 items-center justify-center rounded-full bg-brand-soft text-on-brand-soft">
          <MailOpen size={36} aria-hidden />
        </span>
        <p aria-hidden className="text-xl font-bold">
          {text('mail.title')}
        </p>
        <p className="max-w-90">
          {text.rich('mail.sentTo', { email, b: (parts) => <strong dir="auto">{parts}</strong> })}
        </p>
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <span className="size-2 animate-pulse rounded-full bg-brand" />
          {text('mail.waiting')}
        </p>
        <div className="flex w-full max-w-90 flex-col gap-2">
          {mailApp !== undefined && (
            <ButtonLink href={mailApp} isWide>
              {text('mail.open')}
            </ButtonLink>
          )}
          <Button
            look="secondary"
            isWide
            isDisabled={leftS > 0}
            isPending={resend.isPending}
            onPress={() => resend.mutate()}
          >
            {leftS > 0 ? text('mail.againIn', { seconds: leftS }) : text('mail.again')}
          </Button>
          {resend.isSuccess && (
            <Banner tone="good" icon={<MailCheck size={20} aria-hidden />}>
              {text('mail.sentAgain')}
            </Banner>
          )}
          <ActionError error={resend.error} />
        </div>
        <p className="text-sm text-muted">{text('mail.spam')}</p>
        <Link href="/join" className={TEXT_LINK}>
          {text('mail.change')}
        </Link>
      </div>
    </Page>
  )
}
