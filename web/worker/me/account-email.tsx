import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { type Answer, api } from '../api.ts'
import { EmailField } from '../join/email-field.tsx'
import { PasswordField } from '../join/password-field.tsx'
import { problemOf } from '../problems.ts'
import { ActionError, QueryResult } from '../query-states.tsx'
import { type Text, useText } from '../text/use-text.tsx'

type Email = Answer<'/worker/email'>

const emailQuery = queryOptions({
  queryKey: ['email'],
  queryFn: ({ signal }) => api.get('/worker/email', { signal }),
})

export function AccountEmail() {
  const text = useText()
  const query = useQuery(emailQuery)
  return (
    <Page title={text('account.changeEmail')} back="/me/account" backLabel={text('account.title')}>
      <QueryResult query={query}>
        {({ email, change }) => (
          <>
            <Card>
              <span className="text-sm text-muted">{text('account.emailNow')}</span>
              <span className="wrap-anywhere rtl:text-right" dir="auto">
                {email}
              </span>
            </Card>
            {change ? <Pending change={change} /> : <ChangeForm />}
          </>
        )}
      </QueryResult>
    </Page>
  )
}

function Pending({ change }: { change: NonNullable<Email['change']> }) {
  const text = useText()
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.delete('/worker/email'),
    onSuccess: () => client.invalidateQueries({ queryKey: emailQuery.queryKey }),
  })
  return (
    <>
      <Banner
        tone="good"
        icon={<MailCheck size={20} aria-hidden />}
        title={text('account.emailSent')}
      >
        {text('account.emailSentBody', {
          email: change.new_email,
          time: text.date(change.expires_at),
        })}
      </Banner>
      <ActionError error={cancel.error} />
      <Button look="secondary" isWide isPending={cancel.isPending} onPress={() => cancel.mutate()}>
        {text('account.emailCancel')}
      </Button>
    </>
  )
}

function ChangeForm() {
  const text = useText()
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      api.post('/worker/email', { body: { email: email.trim(), current_password: password } }),
    onSuccess: ({ change: pending }) =>
      client.setQueryData(emailQuery.queryKey, (known) => known && { ...known, change: pending }),
  })
  const edit = (set: (typed: string) => void) => (typed: string) => {
    set(typed)
    if (change.error) change.reset()
  }
  const problems = problemsOf(change.error, text)
  return (
    <>
      <p className="text-muted">{text('account.emailBody')}</p>
      <Form problems={problems} onSubmit={() => change.mutate()}>
        <EmailField
          label={text('account.newEmail')}
          value={email}
          onChange={edit(setEmail)}
          problem={problems.email}
        />
        <PasswordField
          label={text('account.currentPassword')}
          value={password}
          onChange={edit(setPassword)}
          problem={problems.password}
        />
        <Button
          type="submit"
          isWide
          isDisabled={email.trim() === '' || password === ''}
          isPending={change.isPending}
        >
          {text('account.emailSubmit')}
        </Button>
      </Form>
    </>
  )
}

function problemsOf(error: unknown, text: Text): { email?: string; password?: string } {
  if (error === null) return {}
  if (error instanceof Refusal && error.code === 'wrong_password')
    return { password: text('account.wrongPassword') }
  const isField = error instanceof Refusal && 'email' in error.fields
  return {
    email: isField
      ? text('account.emailRefused')
      : problemOf(error, text, { too_many_email_changes: 'account.emailTooOften' }),
  }
}
