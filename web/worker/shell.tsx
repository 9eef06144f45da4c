/** The layout of every screen: the bar with five tabs, and banners such as being offline. */
import { useQuery } from '@tanstack/react-query'
import { Inbox, ListChecks, Search, User, Wallet } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { AppShell } from '../shared/shell.tsx'
import { Notes } from './notes.tsx'
import { unreadQuery } from './queries.ts'
import { useSession } from './session.tsx'
import { withRest } from './text/rest.ts'
import { useText } from './text/use-text.tsx'

const PLACES = [
  {
    href: '/',
    icon: Search,
    label: 'nav.find',
    isHere: (at: string) => at === '/' || /^\/(?:map|task)/.test(at),
  },
  {
    href: '/active',
    icon: ListChecks,
    label: 'nav.active',
    isHere: (at: string) => at.startsWith('/active'),
  },
  {
    href: '/earnings',
    icon: Wallet,
    label: 'nav.earnings',
    isHere: (at: string) => /^\/(?:earnings|payout)/.test(at),
  },
  {
    href: '/inbox',
    icon: Inbox,
    label: 'nav.inbox',
    isHere: (at: string) => at.startsWith('/inbox'),
  },
  {
    href: '/me',
    icon: User,
    label: 'nav.me',
    isHere: (at: string) => /^\/(?:me|board|u)(?:\/|$)/.test(at),
  },
] as const

/**
 * Screens without the tab bar, which need the room or have their own bar: active tasks, forms, screens before joining.
 */
const WITHOUT_BAR =
  /^\/(?:hello|join|check-mail|verify|login|forgot|reset|objection|play|setup|practice|task\/|active\/.|payouts\/|me\/profile)/

export function Shell({ children }: { children: ReactNode }) {
  const text = useText()
  const [here] = useLocation()
  const { worker } = useSession()
  const hasBar = worker !== undefined && worker !== null && !WITHOUT_BAR.test(here)

  return (
    <AppShell skipLabel={text('shell.skip')}>
      <div
        className={`flex min-w-0 flex-1 flex-col overflow-x-clip wide:order-2 ${hasBar ? 'pb-20 wide:pb-0' : ''}`}
      >
        <Notes />
        {children}
      </div>
      {hasBar && here === '/' && <News />}
      {hasBar && <Places here={here} />}
    </AppShell>
  )
}

/** News of a payment is an extra: the app works without it. */
const MoneyNews = lazy(() =>
  withRest(import('./moments/money-news.tsx')).then(
    ({ MoneyNews: component }) => ({ default: component }),
    () => ({ default: () => null }),
  ),
)

function News() {
  const { data } = useQuery(unreadQuery)
  if (data === undefined || data.unread === 0) return null
  return (
    <Suspense>
      <MoneyNews />
    </Suspense>
  )
}

function Places({ here }: { here: string }) {
  const text = useText()
  const { data } = useQuery(unreadQuery)
  const unread = data?.unread ?? 0
  return (
    <nav
      aria-label={text('nav.label')}
      className={
        'fixed inset-x-0 bottom-0 z-20 border-t border-border bg-surface pb-[env(safe-area-inset-bottom)] print:hidden ' +
        'wide:sticky wide:inset-auto wide:top-0 wide:order-1 wide:h-dvh wide:w-56 wide:border-t-0 wide:border-e wide:p-3'
      }
    >
      <ul className="mx-auto flex max-w-160 wide:flex-col wide:gap-1">
        {PLACES.map(({ href, icon: Icon, label, isHere }) => (
          <li key={href} className="min-w-0 flex-1">
            <Link
              href={href}
              aria-current={isHere(here) ? 'page' : undefined}
              className={
                'group flex min-h-16 flex-col items-center justify-center gap-1 text-xs text-muted aria-[current]:text-brand ' +
                'wide:min-h-12 wide:flex-row wide:justify-start wide:gap-3 wide:px-3 wide:text-base'
              }
            >
              <span
                className={
                  'relative flex h-8 w-14 items-center justify-center rounded-full group-aria-[current]:text-on-brand-soft ' +
                  'before:absolute before:inset-0 before:-z-1 before:scale-x-50 before:rounded-full before:bg-brand-soft ' +
                  'before:opacity-0 before:transition-[scale,opacity] before:duration-(--duration-move) before:ease-out ' +
                  'isolate group-aria-[current]:before:scale-x-100 group-aria-[current]:before:opacity-100'
                }
              >
                <Icon size={22} aria-hidden />
                {href === '/inbox' && unread > 0 && (
                  <span
                    aria-hidden
                    className="absolute end-2 top-0 min-w-4 rounded-full bg-accent px-1 text-center text-xs text-on-accent"
                  >
                    <bdi dir="ltr">{unread > 9 ? '9+' : unread}</bdi>
                  </span>
                )}
              </span>
              {href === '/inbox' && unread > 0 ? (
                <>
                  <span aria-hidden className="max-w-full truncate">
                    {text(label)}
                  </span>
                  <span className="sr-only">{text('nav.inboxUnread', { count: unread })}</span>
                </>
              ) : (
                <span className="max-w-full truncate">{text(label)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
