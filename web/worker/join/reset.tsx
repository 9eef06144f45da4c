import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { api } from '../api.ts'
import { problemOf } from '../problems.ts'
import { type Text, useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { LinkOver } from './link-over.tsx'
import { PasswordField } from './password-field.tsx'
import { LENGTH_MIN } from './strength.ts'

/** The target of the password reset link. */
export function Reset() {
  const text = useText()
  const client = useQueryClient()
  const [search] = useSearchParams()
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<string>()
  const change = useMutation({
    mutationFn: () =>
      api.post('/worker/password/reset', {
        body: { token: search.get('token') ?? '', password },
      }),
    // A reset ends every session, including this one.
    onSuccess: () => client.invalidateQueries(),
  })

  if (change.isSuccess)
    return (
      <Page title={text('reset.doneTitle')} isTitleHidden>
        <Empty
          icon={<KeyRound aria-hidden />}
          title={text('reset.doneTitle')}
          actions={<ButtonLink href="/login">{text('reset.logIn')}</ButtonLink>}
        >
          {text('reset.doneBody')}
        </Empty>
      </Page>
    )
  if (isOver(change.error)) return <LinkOver purpose="reset" />
  const problem = missing ?? (change.error ? wordsFor(change.error, text) : undefined)
  return (
    <Page title={text('reset.title')}>
      <p className="text-muted">{text('reset.body')}</p>
      <Form
        problems={{ problem }}
        onSubmit={() => {
          const isLong = Array.from(password).length >= LENGTH_MIN
          setMissing(isLong ? undefined : text('password.short', { least: LENGTH_MIN }))
          if (isLong) change.mutate()
        }}
      >
        <PasswordField
          label={text('reset.password')}
          isNew
          value={password}
          onChange={(typed) => {
            setPassword(typed)
            setMissing(undefined)
            if (change.error) change.reset()
          }}
          problem={problem}
        />
        <Button type="submit" isWide isPending={change.isPending}>
          {text('reset.submit')}
        </Button>
      </Form>
    </Page>
  )
}

const isOver = (error: unknown) =>
  error instanceof Refusal && (error.code === 'invalid_mail_link' || 'token' in error.fields)

const wordsFor = (error: unknown, text: Text) =>
  error instanceof Refusal && 'password' in error.fields
    ? text('password.guessable')
    : problemOf(error, text)
