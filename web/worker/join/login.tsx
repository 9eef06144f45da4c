import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect, useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { problemOf } from '../problems.ts'
import { useSession } from '../session.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { looksLikeEmail, wayWithin } from './addresses.ts'
import { EmailField } from './email-field.tsx'
import { TEXT_LINK } from './join.tsx'
import { PasswordField } from './password-field.tsx'

export function Login() {
  const text = useText()
  const [search] = useSearchParams()
  const { worker, waiting, hasEnded, logIn } = useSession()
  const [email, setEmail] = useState(worker?.email ?? waiting?.email ?? '')
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState<Problems>({})
  const enter = useMutation({ mutationFn: () => logIn({ email, password }) })

  // Redirect only once the session is known; a members' screen would send them back here otherwise.
  if (enter.isSuccess && worker) return <Redirect to={wayWithin(search.get('next'))} replace />
  if (enter.isSuccess && waiting) return <Redirect to="/check-mail" />
  const putRight = () => {
    setMissing({})
    if (enter.error) enter.reset()
  }
  const problems = enter.error ? problemsOf(enter.error, text) : missing
  return (
    <Page title={text('login.title')} back="/hello" backLabel={text('shell.back')}>
      {hasEnded && (
        <Banner tone="info" icon={<LogIn size={20} aria-hidden />}>
          {text('shell.sessionEnded')}
        </Banner>
      )}
      <Form
        problems={problems}
        onSubmit={() => {
          const found = {
            ...(looksLikeEmail(email) ? {} : { email: text('join.emailWrong') }),
            ...(password === '' ? { password: text('login.passwordMissing') } : {}),
          }
          setMissing(found)
          enter.reset()
          if (Object.keys(found).length === 0) enter.mutate()
        }}
      >
        <EmailField
          isLogin
          value={email}
          onChange={(typed) => {
            setEmail(typed)
            putRight()
          }}
          problem={problems.email}
        />
        <PasswordField
          label={text('join.password')}
          value={password}
          onChange={(typed) => {
            setPassword(typed)
            putRight()
          }}
          problem={problems.password}
        />
        {problems.other !== undefined && (
          <Banner tone="bad" isAlert>
            {problems.other}
            <ShutOut error={enter.error} />
          </Banner>
        )}
        <Button type="submit" isWide isPending={enter.isPending}>
          {text('login.submit')}
        </Button>
      </Form>
      <div className="flex flex-col items-center">
        <Link href="/forgot" className={TEXT_LINK}>
          {text('login.forgot')}
        </Link>
        <p className="flex flex-wrap items-center justify-center gap-x-2">
          {text('login.isNew')}
          <Link href="/join" className={TEXT_LINK}>
            {text('login.join')}
          </Link>
        </p>
      </div>
    </Page>
  )
}

/** Why the account is suspended or closed, until when, and how to object. */
function ShutOut({ error }: { error: unknown }) {
  const text = useText()
  if (!(error instanceof Refusal)) return null
  const { reason, until, objection_url: url } = error.extra
  return (
    <>
      {typeof reason === 'string' && (
        <p>
          <span className="font-semibold">{text('login.reason')}</span> <bdi>{reason}</bdi>
        </p>
      )}
      {typeof until === 'string' && (
        <p>{text('objection.until', { when: text.date(until, { dateStyle: 'long' }) })}</p>
      )}
      {typeof url === 'string' && (
        <Link href={wayWithin(new URL(url).pathname + new URL(url).search)} className={TEXT_LINK}>
          {text('objection.object')}
        </Link>
      )}
    </>
  )
}

interface Problems {
  email?: string
  password?: string
  other?: string
}

function problemsOf(error: unknown, text: Text): Problems {
  return error instanceof Refusal && error.code === 'invalid_password'
    ? { password: problemOf(error, text) }
    : { other: problemOf(error, text) }
}
