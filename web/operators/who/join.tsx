/** Opened by an emailed link: an invitation, or a link to create a new passkey. Opening it changes nothing. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Building2, KeyRound } from 'lucide-react'
import { useLocation } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { Front } from '../../shared/desk/front.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Facts, Panel } from '../../shared/desk/screen.tsx'
import { useLinkToken } from '../../shared/desk/use-link-token.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { type Answer, api } from '../api.ts'
import { useEnter } from './enter.ts'
import { createPasskey, hasPasskeys, problemWithPasskey } from './passkey.ts'
import { May, ROLE_NAMES } from './roles.tsx'
import { goToCompany } from './wanted.ts'

type Invitation = Answer<'/invitations/begin', 'post'>

const open = (token: string, signal?: AbortSignal) =>
  api.post('/invitations/begin', { body: { token }, ...(signal && { signal }) })

const isEnded = (error: unknown) => error instanceof Refusal && error.code === 'operator_link_ended'

export function Join() {
  const token = useLinkToken()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => open(token!, signal),
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isNew = invitation.data?.purpose !== 'passkey'
  return (
    <Front
      title={isNew ? 'Join' : 'New passkey'}
      heading={isNew ? 'Join the operators’ desk' : 'Create a new passkey'}
      intro="A passkey replaces a password. Your device keeps it, and asks for your finger, your face or its PIN when you sign in."
      isNarrow
    >
      {token === undefined || isEnded(invitation.error) ? (
        <LinkEnded />
      ) : (
        <QueryResult query={invitation} rows={1}>
          {(found) => <Create key={token} token={token} invitation={found} />}
        </QueryResult>
      )}
    </Front>
  )
}

function LinkEnded() {
  return (
    <Panel>
      <Banner tone="warn" isAlert title="This link doesn’t work anymore">
        It was already used, has expired, or a newer link replaced it.
      </Banner>
      <ul className="flex list-disc flex-col gap-1 ps-5">
        <li>If you have a passkey, sign in.</li>
        <li>If you got several emails, open the link in the newest one.</li>
        <li>Otherwise, ask an administrator to send you a new link.</li>
      </ul>
      <div>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </div>
    </Panel>
  )
}

function Create({ token, invitation }: { token: string; invitation: Invitation }) {
  const { name, email, role, may, has_company_account } = invitation
  const [, go] = useLocation()
  const enter = useEnter()
  const create = useMutation({
    async mutationFn() {
      // Each attempt needs a new challenge.
      const asked = await open(token)
      const passkey = await createPasskey(asked)
      const { challenge_id } = asked
      await api.post('/invitations/finish', { body: { token, challenge_id, passkey } })
      await enter()
    },
    onSuccess: () => go('/', { replace: true }),
  })
  if (isEnded(create.error)) return <LinkEnded />
  return (
    <Panel>
      <Facts
        facts={[
          ['Name', <bdi key="name">{name}</bdi>],
          ['Email', email],
          ['Role', ROLE_NAMES[role]],
          ['You may', <May key="may" may={may} />],
        ]}
      />
      {create.error !== null && (
        <Banner tone="bad" isAlert title="You don’t have a passkey yet">
          {problemWithPasskey(create.error, 'create')}
        </Banner>
      )}
      {hasPasskeys() ? (
        <Button isWide isPending={create.isPending} onPress={() => create.mutate()}>
          <KeyRound size={18} aria-hidden />
          Create a passkey
        </Button>
      ) : (
        <Banner tone="warn" title="This browser can’t use passkeys">
          Open the link in a current version of Chrome, Edge, Firefox or Safari.
        </Banner>
      )}
      {has_company_account && (
        <Button look="secondary" isWide onPress={() => goToCompany('/join')}>
          <Building2 size={18} aria-hidden />
          Use your company account instead
        </Button>
      )}
      <p className="text-sm text-muted">
        Create it on the device that you work with. You can add passkeys of other devices under Your
        account.
      </p>
    </Panel>
  )
}
