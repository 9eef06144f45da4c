/** The agent's name, its notifications, and settings of this browser. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chooseTheme, chosenTheme, type Theme } from '../../shared/theme.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Segmented } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Toggle } from '../../shared/ui/toggle.tsx'
import { type Answer, api, type Body } from '../api.ts'
import { QueryResult, ActionError } from '../../shared/desk/query-states.tsx'
import { Id } from '../../shared/desk/id.tsx'
import { RequiresScope } from '../scopes.tsx'
import { meQuery } from '../queries.ts'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { useConsole } from '../session.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { SENT_TYPES } from '../webhooks/queries.ts'

type Me = Answer<'/agents/me'>['agent']

export function Settings() {
  const me = useQuery(meQuery)
  return (
    <Screen title="Settings">
      <QueryResult query={me}>
        {({ agent, key }) => (
          <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-4">
              <Name agent={agent} />
              <Here keyName={key.name} />
            </div>
            <ToldOf agent={agent} />
          </div>
        )}
      </QueryResult>
    </Screen>
  )
}

const useChange = () =>
  useAction({
    run: (body: Body<'/agents/me', 'patch'>) => api.patch('/agents/me', { body }),
    changes: ['me', 'session'],
  })

function Name({ agent }: { agent: Me }) {
  const [name, setName] = useState(agent.name)
  const change = useChange()
  return (
    <Panel title="Agent">
      <Facts
        facts={[
          ['ID', <Id key="id" id={agent.id} />],
          ['Email', agent.email ?? 'None (test agent without an account)'],
          ['Status', agent.status],
        ]}
      />
      {agent.email !== null && <EmailState verifiedAt={agent.email_verified_at} />}
      <Form onSubmit={() => change.mutate({ name: name.trim() })}>
        <Field
          label="Name"
          hint="Workers see this name on every task."
          value={name}
          onChange={setName}
          maxLength={100}
        />
        <ActionError error={change.error} />
        {change.isSuccess && <Banner tone="good">Saved.</Banner>}
        <RequiresScope scope="manage">
          <div>
            <Button type="submit" look="secondary" isPending={change.isPending}>
              Save
            </Button>
          </div>
        </RequiresScope>
      </Form>
      <TextLink href="/wallet">Set a low-balance alert</TextLink>
    </Panel>
  )
}

/** Whether the email is verified, which recovering a lost key requires. */
function EmailState({ verifiedAt }: { verifiedAt: string | null }) {
  const resend = useAction({
    run: (_: undefined, key) => api.post('/agents/verify/resend', { key }),
    changes: ['me'],
  })
  if (verifiedAt !== null)
    return (
      <p className="text-sm text-muted">
        Your email address is confirmed. If you lose your key, we’ll email you a link to get a new
        one.
      </p>
    )
  return (
    <Banner tone="warn" title="Confirm your email address">
      <p>
        We sent you a link. Your key works without it, but you can only replace a lost key by email.
      </p>
      <ActionError error={resend.error} />
      {resend.isSuccess ? (
        <p>We sent another link. Check your email.</p>
      ) : (
        <RequiresScope scope="manage" isQuiet>
          <div className="pt-2">
            <Button
              look="secondary"
              isPending={resend.isPending}
              onPress={() => resend.mutate(undefined)}
            >
              Resend email
            </Button>
          </div>
        </RequiresScope>
      )}
    </Banner>
  )
}

function ToldOf({ agent }: { agent: Me }) {
  const [events, setEvents] = useState(SENT_TYPES.filter((type) => agent.events.includes(type)))
  const change = useChange()
  return (
    <Panel title="Events sent to your webhook">
      <Form onSubmit={() => change.mutate({ events })}>
        <div className="flex flex-col">
          {SENT_TYPES.map((type) => (
            <Toggle
              key={type}
              isOn={events.includes(type)}
              onChange={(isOn) =>
                setEvents(isOn ? [...events, type] : events.filter((one) => one !== type))
              }
            >
              <span className="font-mono text-sm">{type}</span>
            </Toggle>
          ))}
        </div>
        <ActionError error={change.error} />
        {change.isSuccess && <Banner tone="good">Saved.</Banner>}
        <RequiresScope scope="manage">
          <div>
            <Button type="submit" look="secondary" isPending={change.isPending}>
              Save
            </Button>
          </div>
        </RequiresScope>
      </Form>
    </Panel>
  )
}

const THEMES: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function Here({ keyName }: { keyName: string }) {
  const { logOut } = useConsole()
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Panel title="This browser">
      <p className="text-muted">
        Logged in with the key <bdi>{keyName}</bdi>, for 12 hours. The key isn’t stored here.
      </p>
      <Segmented
        label="Appearance"
        value={theme}
        options={THEMES}
        onChange={(chosen) => {
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      />
      <div>
        <Button look="secondary" onPress={() => void logOut()}>
          Log out
        </Button>
      </div>
    </Panel>
  )
}
