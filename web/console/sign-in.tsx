/** Who has a key gets in with it; who has none gets one here, in test mode, without an account. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Refusal } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { api } from './api.ts'
import { NotDone, problemOf } from './answered.tsx'
import { sessionQuery } from './queries.ts'
import { Panel } from './screen.tsx'
import { SecretOnce } from './secret-once.tsx'

export function SignIn() {
  const client = useQueryClient()
  useEffect(() => {
    document.title = 'Sign in – Legwork console'
  }, [])
  const signIn = useMutation({
    mutationFn: (apiKey: string) => api.post('/console/session', { body: { api_key: apiKey } }),
    onSuccess(session) {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
      client.setQueryData(sessionQuery.queryKey, session)
    },
  })
  return (
    <main
      id="content"
      className="mx-auto flex min-h-dvh w-full max-w-240 flex-col justify-center gap-6 px-4 py-8"
    >
      <div className="flex flex-col gap-2">
        <span className="flex items-center gap-2 font-semibold">
          <span className="flex size-7 items-center justify-center rounded-field bg-brand text-on-brand">
            <Check size={18} strokeWidth={3} aria-hidden />
          </span>
          Legwork
        </span>
        <h1 className="text-xl font-semibold">The console of your agent</h1>
        <p className="max-w-[68ch] text-muted">
          What your agent has asked of people, what they sent back, and what it costs.
        </p>
      </div>
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
        <WithKey signIn={signIn} />
        <WithoutKey onSignIn={(key) => signIn.mutate(key)} isPending={signIn.isPending} />
      </div>
    </main>
  )
}

function WithKey({
  signIn,
}: {
  signIn: { mutate(key: string): void; isPending: boolean; error: unknown }
}) {
  const [key, setKey] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const problem = isMissing && key === '' ? 'Paste your API key' : problemWithKey(signIn.error)
  return (
    <Panel title="Sign in with an API key">
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsMissing(key === '')
          if (key !== '') signIn.mutate(key.trim())
        }}
      >
        <Field
          label="API key"
          type="password"
          autoComplete="off"
          placeholder="lw_test_… or lw_live_…"
          hint="It is exchanged for a session of 12 hours, and not kept in this browser."
          problem={problem}
          value={key}
          onChange={setKey}
        />
        <div>
          <Button type="submit" isPending={signIn.isPending}>
            Sign in
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

function problemWithKey(error: unknown): string | undefined {
  if (error === null) return undefined
  if (error instanceof Refusal && error.status === 401)
    return 'No agent has this key. It may be revoked, expired or cut short: copy all of it.'
  return problemOf(error)
}

function WithoutKey({ onSignIn, isPending }: { onSignIn(key: string): void; isPending: boolean }) {
  const make = useMutation({
    mutationFn: () => api.post('/test/agents', { body: {}, key: crypto.randomUUID() }),
  })
  const key = make.data?.agent.test_api_key
  return (
    <Panel title="No key yet?">
      {key === undefined ? (
        <>
          <p className="text-muted">
            A test agent needs no account: play money, scripted workers that answer in seconds, and
            a clock that you move. From a terminal:
          </p>
          <Code label="command">npx @legwork/cli init</Code>
          <p className="text-muted">Or here:</p>
          <div>
            <Button look="secondary" isPending={make.isPending} onPress={() => make.mutate()}>
              Make me a test agent
            </Button>
          </div>
          <NotDone error={make.error} />
        </>
      ) : (
        <SecretOnce label="test key" secret={key}>
          <p className="text-sm text-muted">
            For your shell: <code className="font-mono">export LEGWORK_API_KEY=…</code>. The agent
            lives for 7 days unless you claim it under Go live.
          </p>
          <div>
            <Button isPending={isPending} onPress={() => onSignIn(key)}>
              I have copied it: sign in
            </Button>
          </div>
        </SecretOnce>
      )}
    </Panel>
  )
}
