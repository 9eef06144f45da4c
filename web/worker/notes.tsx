/** Banners above every screen: test mode, offline, updates, an expiring session, a closing account, the app to install. */
import { useQuery } from '@tanstack/react-query'
import { Download, FlaskConical, LogIn, RefreshCw, WifiOff } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { useInstall } from './install.ts'
import { useOnline } from '../shared/online.ts'
import { useUpdate } from './phone/update.ts'
import { useSending } from './phone/use-outbox.ts'
import { profileQuery } from './queries.ts'
import { useSession } from './session.tsx'
import { withRest } from './text/rest.ts'
import { useText } from './text/use-text.tsx'
import { Button, ButtonLink } from '../shared/ui/button.tsx'
import { Banner, Tag } from '../shared/ui/card.tsx'

const DAY_MS = 86_400_000

export function Notes() {
  const isOnline = useOnline()
  const { worker } = useSession()
  useSending()
  return (
    <div className="mx-auto flex w-full max-w-160 flex-col gap-2 px-4 not-empty:pt-3">
      {worker?.mode === 'test' && <TestMode />}
      {!isOnline && <Offline />}
      <NewVersion />
      {worker && <SessionEnds />}
      {worker && <AccountCloses />}
      {worker && <InstallOffer />}
    </div>
  )
}

function TestMode() {
  const text = useText()
  return (
    <p role="status">
      <Tag tone="warn" icon={<FlaskConical size={16} aria-hidden />}>
        {text('shell.test')}
      </Tag>
    </p>
  )
}

function Offline() {
  const text = useText()
  return (
    <Banner tone="warn" icon={<WifiOff size={20} aria-hidden />}>
      {text('shell.offline')}
    </Banner>
  )
}

function NewVersion() {
  const text = useText()
  const use = useUpdate()
  if (use === undefined) return null
  return (
    <Banner
      tone="info"
      icon={<RefreshCw size={20} aria-hidden />}
      action={
        <Button look="quiet" onPress={use}>
          {text('shell.update')}
        </Button>
      }
    >
      {text('shell.updateReady')}
    </Banner>
  )
}

function SessionEnds() {
  const text = useText()
  const [here] = useLocation()
  const { expiresAt } = useSession()
  if (expiresAt === null || Date.parse(expiresAt) - Date.now() >= DAY_MS) return null
  return (
    <Banner
      tone="info"
      icon={<LogIn size={20} aria-hidden />}
      action={
        <ButtonLink look="quiet" href={`/login?next=${encodeURIComponent(here)}`}>
          {text('shell.logIn')}
        </ButtonLink>
      }
    >
      {text('shell.sessionEnds', { when: text.ago(expiresAt) })}
    </Banner>
  )
}

const Closing = lazy<ComponentType<{ closesAt: string }>>(() =>
  withRest(import('./me/closing-banner.tsx')).then(
    ({ ClosingBanner }) => ({ default: ClosingBanner }),
    // The same message is on the screen of the account.
    () => ({ default: () => null }),
  ),
)

/** Few workers close their account, so its banner isn't part of the first load. */
function AccountCloses() {
  const [here] = useLocation()
  const { data } = useQuery(profileQuery)
  const closesAt = data?.worker.closes_at ?? null
  if (closesAt === null || here === '/me/close') return null
  return (
    <Suspense>
      <Closing closesAt={closesAt} />
    </Suspense>
  )
}

const DISMISSED = 'legwork.install'

/** Shown only after the first payment, when people know whether they want the app. It is in /me as well. */
function InstallOffer() {
  const text = useText()
  const [here] = useLocation()
  const install = useInstall()
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED) !== null)
  const { data } = useQuery({ ...profileQuery, enabled: install !== undefined && !isDismissed })
  const isPaid = (data?.worker.stats.completed ?? 0) > 0
  if (install === undefined || isDismissed || !isPaid || here !== '/') return null
  return (
    <Banner
      tone="good"
      icon={<Download size={20} aria-hidden />}
      title={text('install.title')}
      action={
        <div className="flex flex-wrap gap-2">
          <Button onPress={() => void install()}>{text('install.do')}</Button>
          <Button
            look="quiet"
            onPress={() => {
              localStorage.setItem(DISMISSED, 'later')
              setIsDismissed(true)
            }}
          >
            {text('install.later')}
          </Button>
        </div>
      }
    >
      {text('install.why')}
    </Banner>
  )
}
