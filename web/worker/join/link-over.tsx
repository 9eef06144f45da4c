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

/** A link that was used, is too old, or was cut off on its way: another one is a press away. */
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

/** The answer is the same whoever has the address, or nobody: so are our words. */
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
  const said = problem ?? (ask.error ? problemOf(ask.error, text) : undefined)
  return (
    <Form
      problems={{ said }}
      onSubmit={() => {
        const isGood = looksLikeEmail(email)
        setProblem(isGood ? undefined : text('join.emailWrong'))
        if (isGood) ask.mutate()
      }}
    >
      <EmailField value={email} onChange={setEmail} problem={said} />
      <Button type="submit" isWide isPending={ask.isPending}>
        {text('over.send')}
      </Button>
    </Form>
  )
}
