/** Log in with an API key or an emailed link, or create a key in test mode without an account. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Refusal } from '../shared/api/client.ts'
import { forgetUserData } from '../shared/session.ts'
import { Button } from '../shared/ui/button.tsx'
import { Banner } from '../shared/ui/card.tsx'
import { Code } from '../shared/ui/code.tsx'
import { Field } from '../shared/ui/field.tsx'
import { Form } from '../shared/ui/form.tsx'
import { api } from './api.ts'
import { ActionError, problemOf } from '../shared/desk/query-states.tsx'
import { Front } from '../shared/desk/front.tsx'
import { sessionQuery } from './queries.ts'
import { Panel } from '../shared/desk/screen.tsx'
import { SecretOnce } from './secret-once.tsx'
import { TextLink } from '../shared/desk/text-link.tsx'
import { useAction } from '../shared/desk/use-action.ts'

/** Pages of the server, outside of the console. */
const OUTSIDE = [
  ['/about', 'About Legwork'],
  ['/help', 'Help'],
  ['/contact', 'Contact'],
  ['/legal/terms', 'Terms'],
  ['/legal/privacy', 'Privacy'],
  ['/legal/imprint', 'Imprint'],
] as const

export function LogIn() {
  const client = useQueryClient()
  const logIn = useMutation({
    mutationFn: (apiKey: string) => api.post('/console/session', { body: { api_key: apiKey } }),
    onSuccess(session) {
      forgetUserData(client)
      client.setQueryData(sessionQuery.queryKey, session)
    },
  })
  return (
    <Front
      title="Log in"
      heading="Agent console"
      intro="See what your agent asked people to do, what they sent back and what it costs."
    >
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <WithKey logIn={logIn} />
          <WithEmail />
        </div>
        <WithoutKey onLogIn={(key) => logIn.mutate(key)} isPending={logIn.isPending} />
      </div>
      <nav aria-label="Legal and help" className="flex flex-wrap gap-x-4 text-sm">
        {OUTSIDE.map(([href, name]) => (
          <a key={href} href={href} className="inline-flex min-h-11 items-center text-muted">
            {name}
          </a>
        ))}
      </nav>
    </Front>
  )
}

function WithKey({
  logIn,
}: {
  logIn: { mutate(key: string): void; isPending: boolean; error: unknown }
}) {
  const [key, setKey] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const problem = isMissing && key === '' ? 'Enter your API key' : problemWithKey(logIn.error)
  return (
    <Panel title="Log in with an API key">
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsMissing(key === '')
          if (key !== '') logIn.mutate(key.trim())
        }}
      >
        <Field
          label="API key"
          type="password"
          autoComplete="off"
          placeholder="lw_test_… or lw_live_…"
          hint="We exchange it for a 12-hour session. It isn’t stored in this browser."
          problem={problem}
          value={key}
          onChange={setKey}
        />
        <div>
          <Button type="submit" isPending={logIn.isPending}>
            Log in
          </Button>
        </div>
      </Form>
      <TextLink href="/recover">Lost your key?</TextLink>
    </Panel>
  )
}

function WithEmail() {
  const [email, setEmail] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const ask = useAction({
    run: (body: { email: string }, key) => api.post('/console/people/log-in-links', { body, key }),
    changes: [],
  })
  const problem =
    isMissing && email === ''
      ? 'Enter your email address'
      : ask.error instanceof Refusal && 'email' in ask.error.fields
        ? 'Enter a valid email address'
        : ask.error === null
          ? undefined
          : problemOf(ask.error)
  return (
    <Panel title="Log in with your email">
      {ask.isSuccess ? (
        <Banner tone="good" icon={<MailCheck size={18} aria-hidden />} title="Check your email">
          If someone with that address has access, we’ve sent a link. It works once, for 15 minutes.
        </Banner>
      ) : (
        <Form
          problems={{ problem }}
          onSubmit={() => {
            setIsMissing(email === '')
            if (email !== '') ask.mutate({ email: email.trim() })
          }}
        >
          <Field
            label="Email address"
            type="email"
            autoComplete="email"
            hint="The agent’s own confirmed email, or the one you were invited with."
            problem={problem}
            value={email}
            onChange={setEmail}
          />
          <div>
            <Button type="submit" look="secondary" isPending={ask.isPending}>
              Email me a link
            </Button>
          </div>
        </Form>
      )}
    </Panel>
  )
}

function problemWithKey(error: unknown): string | undefined {
  if (error === null) return undefined
  if (error instanceof Refusal && error.status === 401)
    return 'Invalid API key. It may be revoked, expired or incomplete. Copy the whole key.'
  return problemOf(error)
}

function WithoutKey({ onLogIn, isPending }: { onLogIn(key: string): void; isPending: boolean }) {
  const make = useMutation({
    mutationFn: () => api.post('/test/agents', { body: {}, key: crypto.randomUUID() }),
  })
  const key = make.data?.agent.test_api_key
  return (
    <Panel title="No key yet?">
      {key === undefined ? (
        <>
          <p className="text-muted">
            Create a test agent without an account. You get play money, scripted workers that answer
            in seconds and a clock you can advance. In a terminal:
          </p>
          <Code label="command">npx @legwork/cli init</Code>
          <p className="text-muted">Or here:</p>
          <div>
            <Button look="secondary" isPending={make.isPending} onPress={() => make.mutate()}>
              Create a test agent
            </Button>
          </div>
          <ActionError error={make.error} />
        </>
      ) : (
        <SecretOnce label="test key" secret={key}>
          <p className="text-sm text-muted">
            For your shell: <code className="font-mono">export LEGWORK_API_KEY=…</code>. The agent
            is deleted after 7 days unless you claim it under Go live.
          </p>
          <div>
            <Button isPending={isPending} onPress={() => onLogIn(key)}>
              I’ve copied it. Log in
            </Button>
          </div>
        </SecretOnce>
      )}
    </Panel>
  )
}
