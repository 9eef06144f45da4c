/** Lost keys: request a link by email, then use it to get new keys. */
import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Refusal } from '../shared/api/client.ts'
import { Button } from '../shared/ui/button.tsx'
import { Banner } from '../shared/ui/card.tsx'
import { Code } from '../shared/ui/code.tsx'
import { Field } from '../shared/ui/field.tsx'
import { Form } from '../shared/ui/form.tsx'
import { ActionError, problemOf } from '../shared/desk/query-states.tsx'
import { api } from './api.ts'
import { Front } from '../shared/desk/front.tsx'
import { Panel } from '../shared/desk/screen.tsx'
import { SecretOnce } from './secret-once.tsx'
import { TextLink } from '../shared/desk/text-link.tsx'
import { useAction } from '../shared/desk/use-action.ts'
import { useLinkToken } from '../shared/desk/use-link-token.ts'

export function Recover() {
  const token = useLinkToken()
  const [isAskingAgain, setIsAskingAgain] = useState(false)
  return token === undefined || isAskingAgain ? (
    <AskForLink />
  ) : (
    <ReplaceKeys token={token} onAskAgain={() => setIsAskingAgain(true)} />
  )
}

function AskForLink() {
  const [email, setEmail] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const ask = useAction({
    run: (body: { email: string }, key) => api.post('/agents/recover', { body, key }),
    changes: [],
  })
  const problem =
    isMissing && email === '' ? 'Enter your email address' : problemWithEmail(ask.error)
  return (
    <Front
      isNarrow
      title="Lost your key"
      heading="Lost your API key?"
      intro="We’ll email you a link to get a new one. Your current keys keep working until you use the link."
    >
      <Panel>
        {ask.isSuccess ? (
          <Banner tone="good" icon={<MailCheck size={18} aria-hidden />} title="Check your email">
            If that address belongs to an agent, we’ve sent a link. It works once, for an hour. If
            nothing arrives, check your spam folder and the address.
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
              hint="The address your agent was registered with."
              problem={problem}
              value={email}
              onChange={setEmail}
            />
            <div>
              <Button type="submit" isPending={ask.isPending}>
                Email me a link
              </Button>
            </div>
          </Form>
        )}
        <TextLink href="/">Back to login</TextLink>
      </Panel>
    </Front>
  )
}

function problemWithEmail(error: unknown): string | undefined {
  if (error === null) return undefined
  if (error instanceof Refusal && 'email' in error.fields) return 'Enter a valid email address'
  return problemOf(error)
}

function ReplaceKeys({ token, onAskAgain }: { token: string; onAskAgain(): void }) {
  const replace = useAction({
    run: (body: { token: string }, key) => api.post('/agents/recover/confirm', { body, key }),
    changes: [],
  })
  if (replace.data !== undefined) return <NewKeys {...replace.data} />
  const isOver = replace.error instanceof Refusal && replace.error.status === 400
  return (
    <Front isNarrow title="New API key" heading="Get a new API key">
      <Panel>
        {isOver ? (
          <>
            <Banner tone="bad" isAlert title="This link has expired">
              It was already used, is more than an hour old, or was replaced by a newer link.
            </Banner>
            <div>
              <Button onPress={onAskAgain}>Get a new link</Button>
            </div>
          </>
        ) : (
          <>
            <p>
              You get a new live key and a new test key. All current keys of your agent stop working
              immediately, and all console sessions are logged out.
            </p>
            <p className="text-muted">Your wallet, tasks and webhook settings don’t change.</p>
            <ActionError error={replace.error} />
            <div>
              <Button isPending={replace.isPending} onPress={() => replace.mutate({ token })}>
                Replace my keys
              </Button>
            </div>
          </>
        )}
      </Panel>
    </Front>
  )
}

function NewKeys({
  agent,
  keys_ended,
}: {
  agent: { id: string; name: string; api_key: string; test_api_key: string }
  keys_ended: number
}) {
  const logIn = useMutation({
    mutationFn: () => api.post('/console/session', { body: { api_key: agent.api_key } }),
    onSuccess: () => location.assign('/console'),
  })
  return (
    <Front
      isNarrow
      title="New API keys"
      heading="Your new API keys"
      intro={`For ${agent.name}. ${keys_ended === 1 ? '1 old key has' : `${keys_ended} old keys have`} stopped working.`}
    >
      <Panel>
        <SecretOnce label="live key" secret={agent.api_key}>
          <Code label="test key">{agent.test_api_key}</Code>
        </SecretOnce>
        <p className="text-sm text-muted">
          If someone else may have had an old key, check your webhook address and rotate the webhook
          secret after you log in.
        </p>
        <ActionError error={logIn.error} />
        <div>
          <Button isPending={logIn.isPending} onPress={() => logIn.mutate()}>
            I’ve copied both. Log in
          </Button>
        </div>
      </Panel>
    </Front>
  )
}
