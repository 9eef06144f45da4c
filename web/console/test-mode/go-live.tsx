/** Going live: the checklist and the live key. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { type Answer, api } from '../api.ts'
import { QueryResult, ActionError } from '../../shared/desk/query-states.tsx'
import { minute } from '../../shared/desk/figures.ts'
import { RequiresScope } from '../scopes.tsx'
import { meQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { useConsole } from '../session.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { IsLive } from './is-live.tsx'
import { forgetLiveKey, holdLiveKey, useLiveKey } from './live-key.ts'
import { checklistQuery } from './queries.ts'

export function GoLive() {
  const checklist = useQuery(checklistQuery)
  const me = useQuery(meQuery)
  const { agent: own, isTest } = useConsole()
  const liveKey = useLiveKey(own.id)
  const elsewhere = ELSEWHERE[isTest ? 'test' : 'live']
  return (
    <Screen title="Go live" lead="Five things to try before you go live.">
      <QueryResult query={checklist}>
        {({ items, can_go_live }) => (
          <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
            <Panel
              title={`${items.filter(({ is_done }) => is_done).length} of ${items.length} done`}
            >
              <ol className="flex flex-col gap-3">
                {items.map(({ id, is_done, says }) => (
                  <li key={id} className="flex items-start gap-3">
                    {is_done ? (
                      <CircleCheck size={20} aria-hidden className="text-brand" />
                    ) : (
                      <CircleDashed size={20} aria-hidden className="text-muted" />
                    )}
                    <span className="flex min-w-0 flex-col">
                      <span>
                        <span className="sr-only">{is_done ? 'Done: ' : 'To do: '}</span>
                        {is_done ? says : (elsewhere[id] ?? says)}
                      </span>
                      {!is_done && elsewhere[id] === undefined && (
                        <TextLink href={WAYS[id].href}>{WAYS[id].label}</TextLink>
                      )}
                    </span>
                  </li>
                ))}
              </ol>
            </Panel>
            <QueryResult query={me} rows={1}>
              {({ agent }) =>
                !isTest ? (
                  <IsLive />
                ) : liveKey !== undefined ? (
                  <Live liveKey={liveKey} />
                ) : agent.twin.exists ? (
                  <Panel title="Your live agent">
                    <p>
                      This test agent belongs to a live agent. The live key starts with{' '}
                      <code className="font-mono">lw_live_</code>. Log out, then log in with that
                      key.
                    </p>
                    <p className="text-muted">
                      Lost the live key? Log out and choose “Lost your key?” to get a new one by
                      email.
                    </p>
                    {!can_go_live && <p className="text-muted">Try the remaining steps first.</p>}
                  </Panel>
                ) : (
                  <RequiresScope scope="manage">
                    <Claim
                      name={agent.name}
                      canGo={can_go_live}
                      expiresAt={agent.expires_at}
                      onLive={(key) => holdLiveKey({ agentId: own.id, key })}
                    />
                  </RequiresScope>
                )
              }
            </QueryResult>
          </div>
        )}
      </QueryResult>
    </Screen>
  )
}

/**
 * Steps that only the other mode can complete: test mode has no real money, and nobody should dispute real work for
 * practice.
 */
const ELSEWHERE: Record<'test' | 'live', Record<string, string>> = {
  test: { funds: 'Add funds after you go live.' },
  live: { dispute: 'Dispute a proof once with your test key to see what happens.' },
}

const WAYS: Record<
  Answer<'/agents/me/checklist'>['items'][number]['id'],
  { href: string; label: string }
> = {
  funds: { href: '/wallet', label: 'Add funds' },
  webhook: { href: '/webhooks', label: 'Set a webhook URL and send a test event' },
  signature: { href: '/webhooks', label: 'Send a test event with a wrong signature' },
  cap: { href: '/keys', label: 'Create a key with a limit' },
  dispute: { href: '/tasks/new', label: 'Post a task and dispute its proof' },
}

/** Shows the live key until the person confirms that they saved it; it can't be shown again. */
function Live({ liveKey }: { liveKey: string }) {
  const logIn = useMutation({
    mutationFn: () => api.post('/console/session', { body: { api_key: liveKey } }),
    onSuccess() {
      forgetLiveKey()
      // A full page load, not the router, so that no screen keeps data of the test agent.
      location.assign('/console')
    },
  })
  return (
    <Panel title="You’re live">
      <SecretOnce label="live key" secret={liveKey}>
        <p className="text-muted">
          You can’t create it again with a test key. This test agent stays as it is for your tests.
        </p>
        <ActionError error={logIn.error} />
        <div className="flex flex-wrap gap-2">
          <Button isPending={logIn.isPending} onPress={() => logIn.mutate()}>
            I’ve saved it. Log in as the live agent
          </Button>
          <Button look="secondary" onPress={forgetLiveKey}>
            I’ve saved it. Stay here
          </Button>
        </div>
      </SecretOnce>
    </Panel>
  )
}

function Claim({
  name: before,
  canGo,
  expiresAt,
  onLive,
}: {
  name: string
  canGo: boolean
  expiresAt: string | null
  onLive(key: string): void
}) {
  const [name, setName] = useState(before)
  const [email, setEmail] = useState('')
  const action = useAction({
    run: (body: { name: string; email: string }, key) =>
      api.post('/agents/register', { body, key }),
    changes: ['me', 'checklist', 'keys', 'session'],
    onDone: ({ agent }) => onLive(agent.api_key),
  })
  const fields = action.error instanceof Refusal ? action.error.fields : {}
  return (
    <Panel title="Register to keep this agent">
      {expiresAt !== null && (
        <Banner tone="warn">
          This test agent is deleted on {minute(expiresAt)} unless you register.
        </Banner>
      )}
      <p className="text-muted">
        It becomes the test agent of your new live agent and keeps its tasks, keys and play money.
        You get a live key and three free tasks.
      </p>
      {!canGo && <p className="text-muted">You can go live now. The checklist is optional.</p>}
      <Form
        problems={fields}
        onSubmit={() => action.mutate({ name: name.trim(), email: email.trim() })}
      >
        <Field label="Name" value={name} onChange={setName} problem={fields.name} />
        <Field
          label="Contact email"
          type="email"
          autoComplete="email"
          value={email}
          onChange={setEmail}
          problem={fields.email}
        />
        <ActionError error={action.error} />
        <div>
          <Button type="submit" isPending={action.isPending}>
            Go live
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
