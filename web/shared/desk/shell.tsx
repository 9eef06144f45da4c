/** What is around every screen: the places, whose console it is, test mode, and a box that takes any id. */
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  BookOpen,
  Check,
  FlaskConical,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Menu,
  Rocket,
  ScrollText,
  Search,
  Settings,
  Wallet,
  Webhook,
} from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { IconButton } from '../ui/button.tsx'
import { INPUT } from '../ui/field.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { count } from './figures.ts'
import { meQuery, waitingQuery } from './queries.ts'
import { useConsole } from './session.tsx'

interface Place {
  href: string
  label: string
  icon: LucideIcon
  isForTests?: boolean
}

const PLACES: Place[] = [
  { href: '/', label: 'Overview', icon: LayoutDashboard },
  { href: '/waiting', label: 'Waiting for you', icon: Inbox },
  { href: '/tasks', label: 'Tasks', icon: ListChecks },
  { href: '/wallet', label: 'Wallet', icon: Wallet },
  { href: '/webhooks', label: 'Webhooks', icon: Webhook },
  { href: '/events', label: 'Events', icon: Activity },
  { href: '/keys', label: 'API keys', icon: KeyRound },
  { href: '/requests', label: 'Requests', icon: ScrollText },
  { href: '/test', label: 'Test mode', icon: FlaskConical, isForTests: true },
  { href: '/go-live', label: 'Go live', icon: Rocket, isForTests: true },
  { href: '/settings', label: 'Settings', icon: Settings },
]

export function Shell({ children }: { children: ReactNode }) {
  const [here] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setIsOpen(false), [here])
  return (
    <div className="flex min-h-dvh flex-col wide:flex-row">
      <a
        href="#content"
        className="skip sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-field focus:bg-surface focus:p-3"
      >
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col gap-4 overflow-y-auto border-e border-border bg-surface p-3 wide:flex">
        <Owner />
        <Places here={here} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-2 border-b border-border bg-surface px-4 py-2 wide:px-8">
          <div className="wide:hidden">
            <IconButton label="Menu" onPress={() => setIsOpen(true)}>
              <Menu size={20} aria-hidden />
            </IconButton>
          </div>
          <ModePill />
          <KeyPill />
          <GoTo />
        </header>
        {children}
      </div>
      <Sheet title="Menu" closeLabel="Close" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Owner />
        <Places here={here} />
      </Sheet>
    </div>
  )
}

function Owner() {
  const { agent } = useConsole()
  return (
    <div className="flex min-h-9 items-center gap-2 px-2 font-semibold">
      <span className="flex size-6 shrink-0 items-center justify-center rounded-field bg-brand text-on-brand">
        <Check size={16} strokeWidth={3} aria-hidden />
      </span>
      <span className="min-w-0" dir="auto">
        {agent.name}
      </span>
    </div>
  )
}

/** Test mode says so on every screen; in live mode there is nothing to say. */
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

/** What a limited key may do; one without limits needs no word. */
function KeyPill() {
  const scopes = useQuery({ ...meQuery, retry: false }).data?.key.scopes
  if (scopes === undefined || scopes.length === SCOPES_ALL) return null
  return (
    <Link
      href="/keys"
      className="inline-flex min-h-7 items-center rounded-full bg-raised px-3 py-0.5 text-sm text-muted"
    >
      This key may {new Intl.ListFormat('en').format(scopes)}
    </Link>
  )
}

const SCOPES_ALL = 4

const PLACE =
  'flex min-h-9 items-center gap-3 rounded-field px-2 py-1 text-muted hover:bg-raised hover:text-text ' +
  'aria-[current]:bg-brand-soft aria-[current]:font-medium aria-[current]:text-on-brand-soft'

function Places({ here }: { here: string }) {
  const { isTest } = useConsole()
  const { data } = useQuery({ ...waitingQuery, retry: false })
  const waiting = data?.total ?? 0
  const isHere = (href: string) =>
    href === '/' ? here === '/' : here === href || here.startsWith(`${href}/`)
  return (
    <nav aria-label="Console" className="flex flex-1 flex-col">
      <ul className="flex flex-col gap-1">
        {PLACES.filter(({ isForTests }) => isTest || !isForTests).map(
          ({ href, label, icon: Icon }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={isHere(href) ? 'page' : undefined}
                className={`group ${PLACE}`}
              >
                <Icon size={18} aria-hidden />
                <span className="min-w-0 flex-1">{label}</span>
                {href === '/waiting' && waiting > 0 && (
                  <span className="min-w-6 rounded-full bg-warn-soft px-1.5 text-center text-sm font-semibold text-warn">
                    {count(waiting)}
                  </span>
                )}
              </Link>
            </li>
          ),
        )}
        <li>
          <a href="/docs" className={PLACE}>
            <BookOpen size={18} aria-hidden />
            Docs
          </a>
        </li>
      </ul>
    </nav>
  )
}

/** What an id of each kind opens. */
const KINDS: Record<string, (id: string) => string> = {
  task: (id) => `/tasks/${id}`,
  evt: (id) => `/events?id=${id}`,
  req: (id) => `/requests/${id}`,
  key: () => '/keys',
  txn: () => '/wallet',
}

function GoTo() {
  const [, go] = useLocation()
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  return (
    <form
      role="search"
      className="ms-auto flex w-full max-w-96 min-w-0 flex-1 basis-56 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        const id = input.current!.value.trim()
        const kind = KINDS[id.split('_')[0]!]
        setProblem(kind === undefined || !id.includes('_') ? 'No id that opens here' : undefined)
        if (kind !== undefined && id.includes('_')) {
          input.current!.value = ''
          input.current!.blur()
          go(kind(id))
        }
      }}
    >
      <div className="relative">
        <Search
          size={16}
          aria-hidden
          className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          type="search"
          aria-label="Go to a task, event, request or key by its id"
          placeholder="task_, evt_, req_, key_ …"
          autoComplete="off"
          spellCheck={false}
          className={`${INPUT} ps-9 pe-8 font-mono text-sm`}
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute end-2 top-1/2 hidden -translate-y-1/2 rounded-field border border-border px-1.5 font-mono text-xs text-muted wide:block"
        >
          /
        </kbd>
      </div>
      {problem !== undefined && (
        <span role="alert" className="text-sm text-danger">
          {problem}
        </span>
      )}
    </form>
  )
}

/** `/` leads there from anywhere but where one types. */
function useSlash(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [input])
}

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role=dialog]') !== null
