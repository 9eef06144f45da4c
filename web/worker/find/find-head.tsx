/** Above both the list and the map: today's earnings, the switch between list and map, and filters. */
import { useQuery } from '@tanstack/react-query'
import { List, Map as MapIcon, SlidersHorizontal } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Link } from 'wouter'
import { earningsQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { Chip } from '../../shared/ui/choice.tsx'
import { findPosition, usePosition } from './position.ts'
import { useWishes } from './use-wishes.ts'
import { countSet } from './wishes.ts'

const FilterSheet = lazy(async () => ({
  default: (await import('./filter-sheet.tsx')).FilterSheet,
}))

export function FindHead({ shown }: { shown: 'list' | 'map' }) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <Today />
        <Views shown={shown} />
      </div>
      <Filters />
      <NoPosition shown={shown} />
    </>
  )
}

function Today() {
  const text = useText()
  const { data } = useQuery(earningsQuery('day'))
  return (
    <Link
      href="/earnings"
      className="flex min-h-11 flex-col justify-center rounded-field leading-tight"
    >
      <span className="text-sm text-muted">{text('find.today')}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <strong className="text-xl">{data === undefined ? '–' : text.money(data.net_cents)}</strong>
        {data !== undefined && (
          <span className="text-sm text-muted">{text('find.done', { count: data.tasks })}</span>
        )}
      </span>
    </Link>
  )
}

const VIEWS = [
  { view: 'list', href: '/', icon: List, label: 'find.list' },
  { view: 'map', href: '/map', icon: MapIcon, label: 'find.map' },
] as const

function Views({ shown }: { shown: 'list' | 'map' }) {
  const text = useText()
  return (
    <nav aria-label={text('find.views')} className="flex rounded-card bg-raised p-1">
      {VIEWS.map(({ view, href, icon: Icon, label }) => (
        <Link
          key={view}
          href={href}
          replace
          aria-current={view === shown ? 'page' : undefined}
          className={
            'flex min-h-11 items-center gap-2 rounded-field px-3 text-sm font-medium ' +
            'aria-[current]:bg-surface aria-[current]:shadow-card'
          }
        >
          <Icon size={18} aria-hidden />
          {text(label)}
        </Link>
      ))}
    </nav>
  )
}

function Filters() {
  const text = useText()
  const [wishes, change] = useWishes()
  const { state } = usePosition()
  const [isOpen, setIsOpen] = useState(false)
  const set = countSet(wishes)
  const wantNear = (isOn: boolean) => {
    change({ place: isOn ? 'near' : 'any' })
    if (isOn && state !== 'known') void findPosition()
  }
  return (
    <>
      <div
        role="group"
        aria-label={text('find.filter')}
        className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none]"
      >
        <Button
          onPress={() => setIsOpen(true)}
          aria-label={text('find.moreFilters', { count: set })}
          className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-full border border-control"
        >
          <SlidersHorizontal size={20} aria-hidden />
          {set > 0 && (
            <span
              aria-hidden
              className="absolute -end-1 -top-1 min-w-5 rounded-full bg-brand px-1 text-center text-xs leading-5 font-semibold text-on-brand"
            >
              {text.number(set)}
            </span>
          )}
        </Button>
        <Chip isOn={wishes.place === 'near'} onChange={wantNear}>
          {text('find.nearMe')}
        </Chip>
        <Chip
          isOn={wishes.place === 'remote'}
          onChange={(isOn) => change({ place: isOn ? 'remote' : 'any' })}
        >
          {text('card.remote')}
        </Chip>
        <Chip isOn={wishes.isShort} onChange={(isShort) => change({ isShort })}>
          {text('find.short')}
        </Chip>
      </div>
      {isOpen && (
        <Suspense>
          <FilterSheet onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The position was requested, by “Near me” or the map, but isn't known. */
function NoPosition({ shown }: { shown: 'list' | 'map' }) {
  const text = useText()
  const [{ place }] = useWishes()
  const { state } = usePosition()
  if (shown === 'list' && place !== 'near') return null
  if (state !== 'denied' && state !== 'failed') return null
  return (
    <p role="status" className="text-sm text-warn">
      {text(state === 'denied' ? 'find.placeDenied' : 'find.placeFailed')}
    </p>
  )
}
