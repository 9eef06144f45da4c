import { Search } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useText } from '../text/use-text.tsx'
import { INPUT } from '../../shared/ui/field.tsx'
import { type FoundPlace, QUERY_MIN, searchTowns, type Town } from './town-search.ts'
import { loadTowns } from './towns.ts'

const RESULTS_MAX = 6

/**
 * A text field that suggests towns while typing, with the keyboard pattern of a combobox. The list is part of the page,
 * not a popover, so that the on-screen keyboard doesn't cover it.
 */
export function PlaceSearch({
  label,
  value,
  onChange,
  onPick,
  own = NONE,
  isFloating = false,
  placeholder,
  problem,
}: {
  label: string
  value: string
  onChange(text: string): void
  onPick(place: FoundPlace): void
  /** Places that are found before towns, for example quarters of the street map. */
  own?: (query: string) => FoundPlace[]
  /** Over a map: the label is only for screen readers, and the list covers what is below. */
  isFloating?: boolean
  placeholder?: string
  problem?: string | undefined
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const { found, hasNothing } = useSuggestions(value, { isOpen, own })
  const close = () => {
    setIsOpen(false)
    setAt(-1)
  }
  const pick = (place: FoundPlace) => {
    close()
    onPick(place)
    input.current?.blur()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') close()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setAt((Math.max(at, step === 1 ? -1 : 0) + step + found.length) % found.length)
    }
    // On the map, Enter without a highlighted place takes the best one. In a form, it sends the text as it is.
    const chosen = found[isFloating ? Math.max(0, at) : at]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      pick(chosen)
    }
  }
  return (
    <div className="relative flex flex-col gap-1">
      <label htmlFor={id} className={isFloating ? 'sr-only' : 'text-sm font-semibold'}>
        <bdi>{label}</bdi>
      </label>
      <div className="relative">
        <Search
          size={20}
          aria-hidden
          className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          id={id}
          role="combobox"
          name="town"
          autoComplete={isFloating ? 'off' : 'address-level2'}
          enterKeyHint="search"
          dir="auto"
          maxLength={200}
          value={value}
          placeholder={placeholder}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-invalid={problem !== undefined}
          aria-activedescendant={found[at] && `${id}-${at}`}
          {...(problem === undefined
            ? {}
            : { 'aria-describedby': `${id}-problem`, 'data-invalid': true })}
          onChange={({ currentTarget }) => {
            setIsOpen(true)
            setAt(-1)
            onChange(currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
          className={`${INPUT} ps-10 ${isFloating ? 'shadow-card' : ''}`}
        />
      </div>
      <Suggestions id={id} {...{ label, found, at, isFloating, hasNothing }} onPick={pick} />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-sm font-semibold text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

function useSuggestions(
  query: string,
  { isOpen, own }: { isOpen: boolean; own(query: string): FoundPlace[] },
): { found: FoundPlace[]; hasNothing: boolean } {
  const { language } = useText()
  const towns = useTowns(isOpen)
  const countries = useMemo(() => new Intl.DisplayNames(language, { type: 'region' }), [language])
  if (!isOpen) return { found: [], hasNothing: false }
  const countryName = (code: string) => countries.of(code) ?? code
  const found = [
    ...own(query),
    ...searchTowns(towns ?? [], query, { limit: RESULTS_MAX, countryName }),
  ].slice(0, RESULTS_MAX)
  const isLong = query.trim().length > QUERY_MIN
  return { found, hasNothing: isLong && towns !== undefined && found.length === 0 }
}

/** The list, and what a screen reader says about it. */
function Suggestions({
  id,
  label,
  found,
  at,
  isFloating,
  hasNothing,
  onPick,
}: {
  id: string
  label: string
  found: FoundPlace[]
  /** Index of the highlighted place; -1 if there is none. */
  at: number
  isFloating: boolean
  hasNothing: boolean
  onPick(place: FoundPlace): void
}) {
  const text = useText()
  const box =
    'rounded-field border border-border bg-surface shadow-card ' +
    (isFloating ? 'absolute inset-x-0 top-full z-10 mt-1' : '')
  return (
    <>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={found.length === 0}
        className={`overflow-hidden ${box}`}
      >
        {found.map((place, i) => (
          <li
            key={place.key}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === at}
            // Before the field loses its focus, which would close the list.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(place)}
            className="flex min-h-11 cursor-pointer flex-wrap items-baseline gap-x-2 px-3 py-2.5 aria-selected:bg-raised"
          >
            <bdi className="font-medium">{place.name}</bdi>
            <bdi className="text-sm text-muted">{place.detail}</bdi>
          </li>
        ))}
      </ul>
      <p role="status" className={hasNothing ? `p-3 text-sm ${box}` : 'sr-only'}>
        {hasNothing && text('place.notFound')}
        {found.length > 0 && text('place.found', { count: found.length })}
      </p>
    </>
  )
}

const NONE = () => []

/** Loaded when they are first needed. */
function useTowns(isWanted: boolean): Town[] | undefined {
  const [towns, setTowns] = useState<Town[]>()
  useEffect(() => {
    let isOver = false
    // Offline before the first search: the server looks up the name later, and the map works without.
    if (isWanted && towns === undefined)
      void loadTowns().then(
        (loaded) => !isOver && setTowns(loaded),
        () => {},
      )
    return () => {
      isOver = true
    }
  }, [isWanted, towns])
  return towns
}
