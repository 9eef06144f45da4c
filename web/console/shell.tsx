/** The frame of every screen: navigation, the agent's name, the test mode badge, and a box that opens any id. */
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  BookOpen,
  FlaskConical,
  History,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  MessageCircleQuestion,
  Rocket,
  ScrollText,
  Settings,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { GoTo } from '../shared/desk/go-to.tsx'
import { DeskShell, type Place } from '../shared/desk/shell.tsx'
import { ModeSwitch } from './people/mode-switch.tsx'
import { ROLES } from './people/words.ts'
import { meQuery, waitingQuery } from './queries.ts'
import { useConsole } from './session.tsx'

/** `right`: what a person needs for the page; keys are shown all pages. */
const PLACES: (Place & { isForTests?: boolean; right?: string; isForPeople?: boolean })[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard },
  { href: '/waiting', label: 'Waiting for you', icon: Inbox },
  { href: '/tasks', label: 'Tasks', icon: ListChecks },
  { href: '/wallet', label: 'Wallet', icon: Wallet, right: 'wallet' },
  { href: '/webhooks', label: 'Webhooks', icon: Webhook, right: 'integration' },
  { href: '/events', label: 'Events', icon: Activity, right: 'proofs' },
  { href: '/keys', label: 'API keys', icon: KeyRound, right: 'integration' },
  { href: '/requests', label: 'Requests', icon: ScrollText, right: 'integration' },
  { href: '/questions', label: 'Ask a person', icon: MessageCircleQuestion },
  { href: '/test', label: 'Test mode', icon: FlaskConical, isForTests: true },
  { href: '/go-live', label: 'Go live', icon: Rocket, isForTests: true },
  { href: '/people', label: 'People', icon: Users },
  { href: '/activity', label: 'Activity', icon: History, isForPeople: true },
  { href: '/settings', label: 'Settings', icon: Settings },
  { href: '/docs', label: 'Docs', icon: BookOpen, isElsewhere: true },
]

export function Shell({ children }: { children: ReactNode }) {
  const { agent, person, isTest } = useConsole()
  const { data } = useQuery({ ...waitingQuery, retry: false })
  const waiting = data?.total ?? 0
  const rights = person?.rights as readonly string[] | undefined
  const places = PLACES.filter(
    ({ isForTests, isForPeople, right }) =>
      (isTest || !isForTests) &&
      (person !== undefined || !isForPeople) &&
      (rights === undefined || right === undefined || rights.includes(right)),
  ).map((place) => (place.href === '/waiting' ? { ...place, waiting } : place))
  return (
    <DeskShell
      label="Console"
      owner={agent.name}
      places={places}
      foot={<Outside />}
      bar={
        <>
          <ModeSwitch />
          <ModePill />
          {person === undefined ? <KeyPill /> : <PersonPill />}
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

/** Shows the name and the role of the person who is logged in. */
function PersonPill() {
  const { person } = useConsole()
  if (person === undefined) return null
  return (
    <Link
      href="/people"
      className="inline-flex min-h-7 items-center rounded-full bg-raised px-3 py-0.5 text-sm text-muted"
    >
      <bdi>{person.name}</bdi>, {ROLES[person.role].label}
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
  person: () => '/people',
  wqn: (id) => `/questions/${id}`,
}
