/** The frame of every screen: the places that the role may see, the search box, and who is signed in. */
import { useQuery } from '@tanstack/react-query'
import {
  Gauge,
  Gavel,
  Inbox,
  LogOut,
  Moon,
  Power,
  Scale,
  ScrollText,
  Sun,
  Users,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { DeskShell, type Place } from '../shared/desk/shell.tsx'
import { chooseTheme, chosenTheme } from '../shared/theme.ts'
import { IconButton } from '../shared/ui/button.tsx'
import type { Right } from './api.ts'
import { LastDecisionBar, LastDecisionProvider } from './decide/last-decision.tsx'
import { IdleWarning } from './idle.tsx'
import { KeysHelp } from './keys-help.tsx'
import { queuesQuery } from './queries.ts'
import { SearchBox } from './search/search-box.tsx'
import { useDesk } from './session.tsx'
import { ROLE_NAMES } from './who/roles.tsx'

const PLACES: (Place & { right: Right })[] = [
  { href: '/', label: 'Queues', icon: Inbox, right: 'view' },
  { href: '/decisions', label: 'Decisions', icon: Gavel, right: 'view' },
  { href: '/boards', label: 'Boards', icon: Gauge, right: 'view' },
  { href: '/switches', label: 'Switches', icon: Power, right: 'view' },
  { href: '/limits', label: 'Limits', icon: Scale, right: 'view' },
  { href: '/team', label: 'Operators', icon: Users, right: 'staff' },
  { href: '/audit', label: 'Audit log', icon: ScrollText, right: 'staff' },
]

export function Shell({ children }: { children: ReactNode }) {
  const { can } = useDesk()
  const { data } = useQuery({ ...queuesQuery, retry: false })
  const waiting = (data?.queues ?? [])
    .filter(({ right }) => can(right))
    .reduce((sum, { count }) => sum + count, 0)
  const places = PLACES.filter(({ right }) => can(right)).map((place) =>
    place.href === '/' ? { ...place, waiting } : place,
  )
  return (
    <LastDecisionProvider>
      <DeskShell
        label="Desk"
        owner="Legwork desk"
        places={places}
        bar={<SearchBox />}
        foot={<Person />}
      >
        <LastDecisionBar />
        <IdleWarning />
        {children}
        <KeysHelp />
      </DeskShell>
    </LastDecisionProvider>
  )
}

function Person() {
  const { operator, signOut } = useDesk()
  return (
    <div className="flex items-center gap-1 border-t border-border ps-2 pt-2">
      <Link
        href="/account"
        className="flex min-h-9 min-w-0 flex-1 flex-col justify-center hover:underline"
      >
        <span className="sr-only">Your account: </span>
        <span className="truncate font-medium" dir="auto">
          {operator.name}
        </span>
        <span className="text-sm text-muted">{ROLE_NAMES[operator.role]}</span>
      </Link>
      <ThemeButton />
      <IconButton label="Sign out" onPress={() => void signOut()}>
        <LogOut size={18} aria-hidden />
      </IconButton>
    </div>
  )
}

const isDarkNow = () => {
  const theme = chosenTheme()
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

function ThemeButton() {
  const [isDark, setIsDark] = useState(isDarkNow)
  return (
    <IconButton
      label={isDark ? 'Light theme' : 'Dark theme'}
      onPress={() => {
        chooseTheme(isDark ? 'light' : 'dark')
        setIsDark(!isDark)
      }}
    >
      {isDark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
    </IconButton>
  )
}
