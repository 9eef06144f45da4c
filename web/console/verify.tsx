/** Opened by the link that confirms an agent's email. Opening it changes nothing; its button does. */
import { CircleCheck } from 'lucide-react'
import { Refusal } from '../shared/api/client.ts'
import { Button } from '../shared/ui/button.tsx'
import { Banner } from '../shared/ui/card.tsx'
import { ActionError } from '../shared/desk/query-states.tsx'
import { api } from './api.ts'
import { Front } from '../shared/desk/front.tsx'
import { Panel } from '../shared/desk/screen.tsx'
import { TextLink } from '../shared/desk/text-link.tsx'
import { useAction } from '../shared/desk/use-action.ts'
import { useLinkToken } from '../shared/desk/use-link-token.ts'

export function Verify() {
  const token = useLinkToken()
  const verify = useAction({
    run: (body: { token: string }, key) => api.post('/agents/verify', { body, key }),
    changes: ['me'],
  })
  const isOver =
    token === undefined || (verify.error instanceof Refusal && verify.error.status === 400)
  return (
    <Front isNarrow title="Confirm your email" heading="Confirm your email address">
      <Panel>
        {verify.isSuccess ? (
          <Banner tone="good" icon={<CircleCheck size={18} aria-hidden />} title="Confirmed">
            If you ever lose your API key, we’ll send the link to a new one to this address.
          </Banner>
        ) : isOver ? (
          <Banner tone="warn" isAlert title="This link has expired">
            Log in to the console and send a new link from Settings. Your API key works either way.
          </Banner>
        ) : (
          <>
            <p className="text-muted">
              This shows that the address belongs to you. Your API key works either way.
            </p>
            <ActionError error={verify.error} />
            <div>
              <Button isPending={verify.isPending} onPress={() => verify.mutate({ token })}>
                Confirm my email address
              </Button>
            </div>
          </>
        )}
        <TextLink href="/">Open the console</TextLink>
      </Panel>
    </Front>
  )
}
