import { useMutation } from '@tanstack/react-query'
import { MailCheck, TimerOff } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { looksLikeEmail } from './addresses.ts'
import { EmailField } from './email-field.tsx'

const ROUTES = { verify: '/worker/verify/resend', reset: '/worker/password/forgot' } as const

/** An expired, used or truncated link, with a button to request another. */
export function LinkOver({
  purpose,
  email = '',
}: {
  purpose: keyof typeof ROUTES
  email?: string | undefined
}) {
  const text = useText()
  return (
    <Page title={text('over.title')} isTitleHidden>
      <Empty icon={<TimerOff aria-hidden />} title={text('over.title')}>
        {text(`over.${purpose}`)}
      </Empty>
      <AskForMail purpose={purpose} email={email} />
    </Page>
  )
}

/** The response is the same whether or not the address has an account, and so is our text. */
export function AskForMail({
  purpose,
  email: known,
}: {
  purpose: keyof typeof ROUTES
  email: string
}) {
  const text = useText()
  const [email, setEmail] = useState(known)
  const [problem, setProblem] = useState<string>()
  const ask = useMutation({
    mutationFn: () => api.post(ROUTES[purpose], { body: { email } }),
  })
  if (ask.isSuccess)
    return (
      <div role="status">
        <Empty
          icon={<MailCheck aria-hidden />}
          title={text('over.sentTitle')}
          actions={
            <>
              <ButtonLink href="/login">{text('over.toLogin')}</ButtonLink>
              <Button look="quiet" onPress={() => ask.reset()}>
                {text('over.otherAddress')}
              </Button>
            </>
          }
        >
          {text('over.sentBody', { email })}
        </Empty>
      </div>
    )
  const shownProblem = problem ?? (ask.error ? problemOf(ask.error, text) : undefined)
  return (
    <Form
      problems={{ shownProblem }}
      onSubmit={() => {
        const isGood = looksLikeEmail(email)
        setProblem(isGood ? undefined : text('join.emailWrong'))
        if (isGood) ask.mutate()
      }}
    >
      <EmailField value={email} onChange={setEmail} problem={shownProblem} />
      <Button type="submit" isWide isPending={ask.isPending}>
        {text('over.send')}
      </Button>
    </Form>
  )
}
