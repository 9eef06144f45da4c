import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { api } from '../api.ts'
import { PasswordField } from '../join/password-field.tsx'
import { LENGTH_MIN } from '../join/strength.ts'
import { problemOf } from '../problems.ts'
import { useSession } from '../session.tsx'
import { type Text, useText } from '../text/use-text.tsx'

export function AccountPassword() {
  const text = useText()
  const { worker } = useSession()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Problems>({})
  const change = useMutation({
    mutationFn: () =>
      api.post('/worker/password', { body: { current_password: current, password } }),
  })
  const edit = (set: (typed: string) => void) => (typed: string) => {
    set(typed)
    setMissing({})
    if (change.error) change.reset()
  }
  const back = { back: '/me/account', backLabel: text('account.title') }
  if (change.isSuccess)
    return (
      <Page title={text('account.passwordDone')} isTitleHidden {...back}>
        <Empty
          icon={<KeyRound aria-hidden />}
          title={text('account.passwordDone')}
          actions={<ButtonLink href="/me/account">{text('account.backToAccount')}</ButtonLink>}
        >
          {text('account.passwordDoneBody')}
        </Empty>
      </Page>
    )
  const problems = { ...problemsOf(change.error, text), ...missing }
  return (
    <Page title={text('account.password')} {...back}>
      <p className="text-muted">{text('account.passwordBody')}</p>
      <Form
        problems={problems}
        onSubmit={() => {
          const isShort = Array.from(password).length < LENGTH_MIN
          const found: Problems = {
            ...(current === '' ? { current: text('account.currentMissing') } : {}),
            ...(isShort ? { password: text('password.short', { least: LENGTH_MIN }) } : {}),
          }
          setMissing(found)
          if (Object.keys(found).length === 0) change.mutate()
        }}
      >
        <PasswordField
          label={text('account.currentPassword')}
          value={current}
          onChange={edit(setCurrent)}
          problem={problems.current}
        />
        <PasswordField
          label={text('account.newPassword')}
          isNew
          known={worker ? [worker.email, worker.name] : []}
          value={password}
          onChange={edit(setPassword)}
          problem={problems.password}
        />
        <Button type="submit" isWide isPending={change.isPending}>
          {text('account.passwordSave')}
        </Button>
      </Form>
      <Link href="/forgot" className="flex min-h-11 items-center font-semibold text-brand">
        {text('account.forgot')}
      </Link>
    </Page>
  )
}

interface Problems {
  current?: string
  password?: string
}

function problemsOf(error: unknown, text: Text): Problems {
  if (error === null) return {}
  if (error instanceof Refusal && error.code === 'wrong_password')
    return { current: text('account.wrongPassword') }
  return {
    password:
      error instanceof Refusal && 'password' in error.fields
        ? text('account.passwordRefused')
        : problemOf(error, text),
  }
}
