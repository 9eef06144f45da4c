/** Signs an operator in with a passkey, with the company's account, or with a link in development. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Building2, KeyRound } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { Front } from '../../shared/desk/front.tsx'
import { problemOf } from '../../shared/desk/query-states.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { useLinkToken } from '../../shared/desk/use-link-token.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { api } from '../api.ts'
import { sessionQuery } from '../queries.ts'
import { useEnter } from './enter.ts'
import { hasPasskeys, problemWithPasskey, signInWithPasskey } from './passkey.ts'
import { goToCompany } from './wanted.ts'

/** Instead of a screen that needs a session. That screen appears afterwards, at the same address. */
export function SignIn() {
  return <SignInPage />
}

/** Instead of a screen that was open when its session ended. */
export function SignInAgain() {
  return (
    <SignInPage>
      <Banner tone="warn" isAlert title="You were signed out">
        A session ends when nothing is done for a while, after some hours, or when an administrator
        ends it. Sign in to continue. What you typed is kept.
      </Banner>
    </SignInPage>
  )
}

/** At its own address: links of the development server and errors of the company's sign-in page lead here. */
export function SignInScreen() {
  const token = useLinkToken()
  const error = new URLSearchParams(useSearch()).get('error')
  const session = useQuery(sessionQuery)
  if (token !== undefined) return <ByLink key={token} token={token} />
  if (session.data) return <Redirect to="/" replace />
  return <SignInPage>{error !== null && <CompanyProblem code={error} />}</SignInPage>
}

function SignInPage({ children }: { children?: ReactNode }) {
  return (
    <Front title="Sign in" heading="Operators’ desk" intro="Sign in to continue." isNarrow>
      {children}
      <Panel>
        <WaysIn />
      </Panel>
      <LostPasskey />
    </Front>
  )
}

function WaysIn() {
  const enter = useEnter()
  const [here] = useLocation()
  const search = useSearch()
  const ways = useQuery({
    queryKey: ['ways in'],
    queryFn: ({ signal }) => api.post('/sign-in/begin', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const signIn = useMutation({
    async mutationFn() {
      await signInWithPasskey()
      await enter()
    },
  })
  return (
    <>
      {hasPasskeys() ? (
        <Button isWide isPending={signIn.isPending} onPress={() => signIn.mutate()}>
          <KeyRound size={18} aria-hidden />
          Sign in with a passkey
        </Button>
      ) : (
        <Banner tone="warn" title="This browser can’t use passkeys">
          Open the desk in a current version of Chrome, Edge, Firefox or Safari.
        </Banner>
      )}
      {ways.data?.has_company_account && (
        <Button
          look="secondary"
          isWide
          onPress={() => goToCompany(search === '' ? here : `${here}?${search}`)}
        >
          <Building2 size={18} aria-hidden />
          Sign in with your company account
        </Button>
      )}
      {signIn.error !== null && (
        <Banner tone="bad" isAlert title="You aren’t signed in">
          {problemWithPasskey(signIn.error, 'sign in')}
        </Banner>
      )}
    </>
  )
}

function LostPasskey() {
  return (
    <Panel title="Lost your passkey?">
      <ul className="flex list-disc flex-col gap-1 ps-5 text-muted">
        <li>Use another device or security key that has a passkey of yours.</li>
        <li>
          Otherwise, ask an administrator to send you a new link. It lets you create a passkey on
          the device you have.
        </li>
        <li>
          If a device was stolen, tell an administrator at once. They can remove your passkeys and
          end your sessions.
        </li>
      </ul>
    </Panel>
  )
}

const COMPANY_PROBLEMS: Record<string, string> = {
  oidc_away: 'Your company’s sign-in page can’t be reached. Try again in a few minutes.',
  oidc_failed:
    'Your company’s sign-in page didn’t confirm who you are, or it took too long. Try again.',
  oidc_refused:
    'Your company account has no access to the desk. Ask an administrator to invite its email address, or to enable your account.',
}

function CompanyProblem({ code }: { code: string }) {
  return (
    <Banner tone="bad" isAlert title="You aren’t signed in">
      {COMPANY_PROBLEMS[code] ?? 'Something went wrong. Try again.'}
    </Banner>
  )
}

/** A link of the development server signs in at once. */
function ByLink({ token }: { token: string }) {
  const [, go] = useLocation()
  const enter = useEnter()
  const isStarted = useRef(false)
  const { mutate, error } = useMutation({
    async mutationFn() {
      await api.post('/sign-in/link', { body: { token } })
      await enter()
    },
    onSuccess: () => go('/', { replace: true }),
  })
  useEffect(() => {
    // The link works once, and effects run twice in development.
    if (!isStarted.current) mutate()
    isStarted.current = true
  }, [mutate])
  if (error !== null)
    return (
      <SignInPage>
        <Banner tone="bad" isAlert title="You aren’t signed in">
          {problemOf(error)}. Restart the development server for a new link, or sign in with a
          passkey.
        </Banner>
      </SignInPage>
    )
  return (
    <Front title="Sign in" heading="Operators’ desk" isNarrow>
      <p role="status">Signing you in…</p>
    </Front>
  )
}
