/** The layout of a desktop app: a sidebar, which is a menu on phones, and a top bar. */
import { Check, type LucideIcon, Menu } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { AppShell } from '../shell.tsx'
import { IconButton } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { count } from './figures.ts'

export interface Place {
  href: string
  label: string
  icon: LucideIcon
  /** Number of waiting items; 0 shows no badge. */
  waiting?: number
  /** Links outside this app. */
  isElsewhere?: boolean
}

export function DeskShell({
  label,
  owner,
  places,
  bar,
  foot,
  children,
}: {
  /** Accessible name of the navigation. */
  label: string
  /** The account's name, above the navigation. */
  owner: string
  places: Place[]
  /** Content of the top bar. */
  bar: ReactNode
  /** Below the navigation. */
  foot?: ReactNode
  children: ReactNode
}) {
  const [here] = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => setIsOpen(false), [here])
  const navigation = (
    <>
      <Owner name={owner} />
      <Places label={label} places={places} here={here} />
      {foot}
    </>
  )
  return (
    <AppShell skipLabel="Skip to content">
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col gap-4 overflow-y-auto border-e border-border bg-surface p-3 wide:flex">
        {navigation}
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-2 border-b border-border bg-surface px-4 py-2 wide:px-8">
          <div className="wide:hidden">
            <IconButton label="Menu" onPress={() => setIsOpen(true)}>
              <Menu size={20} aria-hidden />
            </IconButton>
          </div>
          {bar}
        </header>
        {children}
      </div>
      <Sheet title="Menu" closeLabel="Close" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        {navigation}
      </Sheet>
    </AppShell>
  )
}

function Owner({ name }: { name: string }) {
  return (
    <div className="flex min-h-9 items-center gap-2 px-2 font-semibold">
      <span className="flex size-6 shrink-0 items-center justify-center rounded-field bg-brand text-on-brand">
        <Check size={16} strokeWidth={3} aria-hidden />
      </span>
      <span className="min-w-0" dir="auto">
        {name}
      </span>
    </div>
  )
}

const PLACE =
  'flex min-h-9 items-center gap-3 rounded-field px-2 py-1 text-muted hover:bg-raised hover:text-text ' +
  'aria-[current]:bg-brand-soft aria-[current]:font-medium aria-[current]:text-on-brand-soft'

function Places({ label, places, here }: { label: string; places: Place[]; here: string }) {
  return (
    <nav aria-label={label} className="flex flex-1 flex-col">
      <ul className="flex flex-col gap-1">
        {places.map((place) => (
          <li key={place.href}>
            <PlaceLink place={place} here={here} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PlaceLink({ place, here }: { place: Place; here: string }) {
  const { href, label, icon: Icon, waiting = 0, isElsewhere = false } = place
  const isHere = href === '/' ? here === '/' : here === href || here.startsWith(`${href}/`)
  if (isElsewhere)
    return (
      <a href={href} className={PLACE}>
        <Icon size={18} aria-hidden />
        {label}
      </a>
    )
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined} className={`group ${PLACE}`}>
      <Icon size={18} aria-hidden />
      <span className="min-w-0 flex-1">{label}</span>
      {waiting > 0 && (
        <span className="min-w-6 rounded-full bg-warn-soft px-1.5 text-center text-sm font-semibold text-warn">
          {count(waiting)}
        </span>
      )}
    </Link>
  )
}
