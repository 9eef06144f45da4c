/** The frame of every screen: navigation, the agent's name, the test mode badge, and a box that opens any id. */
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  BookOpen,
  FlaskConical,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  MessageCircleQuestion,
  Rocket,
  ScrollText,
  Settings,
  Wallet,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { GoTo } from '../shared/desk/go-to.tsx'
import { DeskShell, type Place } from '../shared/desk/shell.tsx'
import { meQuery, waitingQuery } from './queries.ts'
import { useConsole } from './session.tsx'

const PLACES: (Place & { isForTests?: boolean })[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard },
  { href: '/waiting', label: 'Waiting for you', icon: Inbox },
  { href: '/tasks', label: 'Tasks', icon: ListChecks },
  { href: '/wallet', label: 'Wallet', icon: Wallet },
  { href: '/webhooks', label: 'Webhooks', icon: Webhook },
  { href: '/events', label: 'Events', icon: Activity },
  { href: '/keys', label: 'API keys', icon: KeyRound },
  { href: '/requests', label: 'Requests', icon: ScrollText },
  { href: '/questions', label: 'Ask a person', icon: MessageCircleQuestion },
  { href: '/test', label: 'Test mode', icon: FlaskConical, isForTests: true },
  { href: '/go-live', label: 'Go live', icon: Rocket, isForTests: true },
  { href: '/settings', label: 'Settings', icon: Settings },
  { href: '/docs', label: 'Docs', icon: BookOpen, isElsewhere: true },
]

export function Shell({ children }: { children: ReactNode }) {
  const { agent, isTest } = useConsole()
  const { data } = useQuery({ ...waitingQuery, retry: false })
  const waiting = data?.total ?? 0
  const places = PLACES.filter(({ isForTests }) => isTest || !isForTests).map((place) =>
    place.href === '/waiting' ? { ...place, waiting } : place,
  )
  return (
    <DeskShell
      label="Console"
      owner={agent.name}
      places={places}
      foot={<Outside />}
      bar={
        <>
          <ModePill />
          <KeyPill />
          <GoTo
            label="Open a task, event, request or key by ID"
            placeholder="task_, evt_, req_, key_ …"
            kinds={KINDS}
          />
        </>
      }
    >
      {children}
    </DeskShell>
  )
}

/** Pages of the server, outside of the console. */
function Outside() {
  return (
    <p className="flex flex-wrap gap-x-4 px-2 text-sm">
      {OUTSIDE.map(([href, label]) => (
        <a key={href} href={href} className="inline-flex min-h-7 items-center text-muted">
          {label}
        </a>
      ))}
    </p>
  )
}

const OUTSIDE = [
  ['/help', 'Help'],
  ['/contact', 'Contact'],
] as const

/** Every screen shows a badge in test mode; live mode has none. */
function ModePill() {
  const { isTest } = useConsole()
  if (!isTest) return null
  return (
    <Link
      href="/test"
      className="inline-flex min-h-7 items-center rounded-full bg-warn-soft px-3 py-0.5 text-sm font-semibold text-warn"
    >
      Test mode · play money
    </Link>
  )
}

/** Shows the scopes of a key that lacks some; a key with all of them shows nothing. */
function KeyPill() {
  const scopes = useQuery({ ...meQuery, retry: false }).data?.key.scopes
  if (scopes === undefined || scopes.length === SCOPES_ALL) return null
  return (
    <Link
      href="/keys"
      className="inline-flex min-h-7 items-center rounded-full bg-raised px-3 py-0.5 text-sm text-muted"
    >
      Key scopes: {new Intl.ListFormat('en').format(scopes)}
    </Link>
  )
}

const SCOPES_ALL = 4

/** The page that an id opens, by its prefix. */
const KINDS: Record<string, (id: string) => string> = {
  task: (id) => `/tasks/${id}`,
  evt: (id) => `/events?id=${id}`,
  req: (id) => `/requests/${id}`,
  key: () => '/keys',
  txn: () => '/wallet',
  wqn: (id) => `/questions/${id}`,
}
