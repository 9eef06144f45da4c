/** Opened by the link that logs a person in, or invites them. Opening it changes nothing; its button does. */
import { useMutation } from '@tanstack/react-query'
import { Refusal } from '../shared/api/client.ts'
import { Button } from '../shared/ui/button.tsx'
import { Banner } from '../shared/ui/card.tsx'
import { ActionError } from '../shared/desk/query-states.tsx'
import { Front } from '../shared/desk/front.tsx'
import { Panel } from '../shared/desk/screen.tsx'
import { TextLink } from '../shared/desk/text-link.tsx'
import { useLinkToken } from '../shared/desk/use-link-token.ts'
import { api } from './api.ts'
import { ROLES } from './people/words.ts'
import type { Role } from './people/queries.ts'

interface Choice {
  id: string
  name: string
  role: Role
}

export function Enter() {
  const token = useLinkToken()
  const enter = useMutation({
    mutationFn: (body: { token: string; agent_id?: string }) =>
      api.post('/console/people/session', { body, key: crypto.randomUUID() }),
    // A full page load, so that nothing is left of an earlier session.
    onSuccess: () => location.assign('/console'),
  })
  const refusal = enter.error instanceof Refusal ? enter.error : undefined
  const choices = refusal?.code === 'choose_agent' ? (refusal.extra.agents as Choice[]) : undefined
  const isOver = token === undefined || refusal?.status === 400
  return (
    <Front isNarrow title="Log in" heading="Log in to the console">
      <Panel>
        {isOver ? (
          <>
            <Banner tone="warn" isAlert title="This link has expired">
              It was already used, is too old, or you no longer have access. Ask for a new link on
              the login page.
            </Banner>
            <TextLink href="/">Go to login</TextLink>
          </>
        ) : choices ? (
          <>
            <p>Choose the agent that you want to work with:</p>
            <ul className="flex flex-col gap-2" aria-label="Agents">
              {choices.map(({ id, name, role }) => (
                <li key={id}>
                  <Button
                    look="secondary"
                    isPending={enter.isPending && enter.variables?.agent_id === id}
                    onPress={() => enter.mutate({ token, agent_id: id })}
                  >
                    <bdi>{name}</bdi> ({ROLES[role].label})
                  </Button>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <p className="text-muted">The link works once, in this browser.</p>
            <ActionError error={enter.error} />
            <div>
              <Button isPending={enter.isPending} onPress={() => enter.mutate({ token })}>
                Log in
              </Button>
            </div>
          </>
        )}
      </Panel>
    </Front>
  )
}
