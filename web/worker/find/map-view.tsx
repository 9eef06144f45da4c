import { useQuery } from '@tanstack/react-query'
import { Marker } from 'maplibre-gl'
import { Info, LocateFixed, Minus, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from 'react-aria-components/Button'
import { tintOf, TypeIcon } from '../art/type-icon.tsx'
import { profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { boundsAround, boundsOf, canSplit, type Group, groupsOf } from './groups.ts'
import { type Canvas, openCanvas } from './map-canvas.ts'
import type { Streets } from './map-style.ts'
import { PlaceSearch } from './place-search.tsx'
import { findPosition, useGrantedPosition, usePosition } from './position.ts'
import { appQuery } from './queries.ts'
import { searchOwn } from './street-places.ts'
import { openStreets } from './street-tiles.ts'
import type { FoundPlace } from './town-search.ts'
import type { Card, Point } from './wishes.ts'

export type PlacedCard = Card & { near: Point }

/** Tasks as pins with their pay. Everything on the map can also be done in the list below it. */
export function MapView({
  cards,
  chosen,
  onChoose,
  onView,
  children,
}: {
  cards: PlacedCard[]
  chosen: string[]
  onChoose(ids: string[]): void
  /** Called with the ids of visible tasks. */
  onView(ids: string[]): void
  /** Rendered over the lower edge of the map. */
  children?: ReactNode
}) {
  const text = useText()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useCanvas(frame)
  const zoom = useZoom(canvas)
  const groups = useMemo(() => groupsOf(cards, zoom), [cards, zoom])
  const { position } = usePosition()
  const streets = useStreets(canvas)
  const isUncovered = useUncovered(canvas, streets)
  useFirstView(canvas, cards)
  useInSight(canvas, cards, onView)
  useEffect(() => canvas?.showHere(position), [canvas, position])

  const open = ({ members }: Group<PlacedCard>) => {
    if (canSplit(members)) canvas?.fit(boundsOf(members.map(({ near }) => near))!)
    else onChoose(members.map(({ id }) => id))
  }
  if (canvas === null) return <p className="rounded-card bg-raised p-4">{text('find.noMap')}</p>
  return (
    <div className="relative -mx-4 flex min-h-[62dvh] flex-1 wide:mx-0">
      <div className="absolute inset-0 border-y border-border bg-map-land">
        <div ref={frame} className="size-full" />
      </div>
      {canvas !== undefined &&
        groups.map((group) => (
          <Pinned key={group.key} canvas={canvas} at={group}>
            <Pin group={group} isChosen={isChosen(group, chosen)} onPress={() => open(group)} />
          </Pinned>
        ))}
      {canvas !== undefined && position !== null && (
        <Pinned canvas={canvas} at={position}>
          <span
            role="img"
            aria-label={text('find.youAreHere')}
            className="block size-5 rounded-full border-3 border-surface bg-info shadow-card"
          />
        </Pinned>
      )}
      {canvas !== undefined && (
        <>
          <SearchOnMap canvas={canvas} streets={streets ?? undefined} />
          <Controls canvas={canvas} />
        </>
      )}
      <div className="pointer-events-none absolute inset-x-2 bottom-2 flex flex-col gap-2 *:pointer-events-auto">
        <p role="status" className={isUncovered ? NOTICE : 'sr-only'}>
          {isUncovered && (
            <>
              <Info size={18} aria-hidden className="mt-0.5 shrink-0 text-info" />
              {text('find.noStreets')}
            </>
          )}
        </p>
        {children}
        <p className="self-start rounded-field bg-surface px-2 py-0.5 text-xs text-muted">
          {[text('find.naturalEarth'), streets?.attribution].filter(Boolean).join(' · ')}
        </p>
      </div>
    </div>
  )
}

const NOTICE = 'flex gap-2 rounded-field bg-surface p-3 text-sm shadow-card'

const isChosen = ({ members }: Group<PlacedCard>, chosen: string[]) =>
  members.some(({ id }) => chosen.includes(id))

/** undefined while loading, null if the device can't render a map. */
function useCanvas(frame: React.RefObject<HTMLDivElement | null>): Canvas | null | undefined {
  const text = useText()
  const [canvas, setCanvas] = useState<Canvas | null>()
  const [label, language] = [text('find.map'), text.language]
  useEffect(() => {
    let opened: Canvas
    try {
      opened = openCanvas(frame.current!, { label, language })
    } catch {
      setCanvas(null)
      return undefined
    }
    setCanvas(opened)
    return () => {
      setCanvas(undefined)
      opened.close()
    }
  }, [frame, label, language])
  return canvas
}

function useZoom(canvas: Canvas | null | undefined): number {
  const [zoom, setZoom] = useState(1)
  useEffect(() => {
    const tell = () => setZoom(canvas!.map.getZoom())
    canvas?.map.on('zoomend', tell)
    return () => void canvas?.map.off('zoomend', tell)
  }, [canvas])
  return zoom
}

/** So many of the nearest tasks are in the first view. */
const NEAREST = 8

/**
 * Centers the map on the worker once: on the phone's position if it may be used, else on the place in the profile, else
 * on all tasks. Afterwards it stays where the worker moved it.
 */
function useFirstView(canvas: Canvas | null | undefined, cards: PlacedCard[]): void {
  const { position, isPending } = useGrantedPosition()
  const { data: profile, isPending: isProfilePending } = useQuery(profileQuery)
  const home = profile?.worker.location
  const isTouched = useTouched(canvas)
  const view = useRef<{ canvas: Canvas; hasCards: boolean }>(undefined)
  useEffect(() => {
    if (!canvas || isPending || (position === null && isProfilePending)) return
    const set = view.current?.canvas === canvas ? view.current : undefined
    if (set?.hasCards || isTouched.current) return
    const center = position ?? pointOf(home)
    const points = cards.map(({ near }) => near)
    const bounds = center ? boundsAround(center, points, NEAREST) : boundsOf(points)
    if (bounds !== undefined) canvas.fit(bounds, { isAtOnce: true })
    else if (center && set === undefined) canvas.show(center)
    else return
    view.current = { canvas, hasCards: points.length > 0 }
  }, [canvas, cards, position, isPending, home, isProfilePending, isTouched])
}

const pointOf = (home: { lat: number | null; lng: number | null } | null | undefined) =>
  home && home.lat !== null && home.lng !== null ? { lat: home.lat, lng: home.lng } : undefined

/** Whether the worker has moved the map. */
function useTouched(canvas: Canvas | null | undefined) {
  const isTouched = useRef(false)
  useEffect(() => {
    const note = ({ originalEvent }: { originalEvent?: unknown }) => {
      if (originalEvent !== undefined) isTouched.current = true
    }
    canvas?.map.on('movestart', note)
    return () => void canvas?.map.off('movestart', note)
  }, [canvas])
  return isTouched
}

function useInSight(
  canvas: Canvas | null | undefined,
  cards: PlacedCard[],
  onView: (ids: string[]) => void,
): void {
  useEffect(() => {
    const tell = () => {
      const sight = canvas!.map.getBounds()
      onView(cards.filter(({ near }) => sight.contains(near)).map(({ id }) => id))
    }
    if (canvas) tell()
    canvas?.map.on('moveend', tell)
    return () => void canvas?.map.off('moveend', tell)
  }, [canvas, cards, onView])
}

/** undefined while loading, null if the server has no street map or it can't be loaded. */
function useStreets(canvas: Canvas | null | undefined): Streets | null | undefined {
  const { data } = useQuery(appQuery)
  const address = data?.tiles_url
  const [streets, setStreets] = useState<Streets | null>()
  useEffect(() => {
    let isOver = false
    const show = (found: Streets | undefined) => {
      if (isOver) return
      if (found) canvas!.showStreets(found)
      setStreets(found ?? null)
    }
    if (canvas && address !== undefined)
      void (address === null ? Promise.resolve(undefined) : openStreets(address)).then(show)
    return () => {
      isOver = true
    }
  }, [canvas, address])
  return streets
}

/** Whether streets would be shown here, but the street map ends elsewhere. */
function useUncovered(
  canvas: Canvas | null | undefined,
  streets: Streets | null | undefined,
): boolean {
  const [isUncovered, setIsUncovered] = useState(false)
  useEffect(() => {
    let latest = 0
    const check = () => {
      const asked = (latest += 1)
      void canvas!.isUncovered().then((found) => asked === latest && setIsUncovered(found))
    }
    if (!canvas || streets === undefined) return undefined
    check()
    canvas.map.on('moveend', check)
    return () => {
      latest = -1
      canvas.map.off('moveend', check)
    }
  }, [canvas, streets])
  return isUncovered
}

/** Finds towns, quarters of the street map, and streets in sight. */
function SearchOnMap({ canvas, streets }: { canvas: Canvas; streets: Streets | undefined }) {
  const text = useText()
  const [query, setQuery] = useState('')
  const [quarters, setQuarters] = useState<FoundPlace[]>()
  const load = () => {
    if (quarters !== undefined || streets === undefined) return
    setQuarters([])
    void streets.places().then(setQuarters, () => setQuarters(undefined))
  }
  const own = (asked: string) => [
    ...searchOwn(quarters ?? [], asked).map((place) => ({
      ...place,
      detail: text('find.quarter'),
    })),
    ...searchOwn(canvas.streetsInSight(), asked).map((place) => ({
      ...place,
      detail: text('find.street'),
    })),
  ]
  return (
    <div className="absolute start-3 end-17 top-3 max-w-96" onFocus={load}>
      <PlaceSearch
        isFloating
        label={text('find.searchPlace')}
        placeholder={text('find.searchPlace')}
        value={query}
        onChange={setQuery}
        own={own}
        onPick={(place) => {
          setQuery(place.name)
          canvas.show(place)
        }}
      />
    </div>
  )
}

/** Keeps its children at a position on the map. */
function Pinned({ canvas, at, children }: { canvas: Canvas; at: Point; children: ReactNode }) {
  const [element] = useState(() => document.createElement('div'))
  const { lat, lng } = at
  useEffect(() => {
    const marker = new Marker({ element }).setLngLat([lng, lat]).addTo(canvas.map)
    return () => void marker.remove()
  }, [canvas, element, lat, lng])
  return createPortal(children, element)
}

function Pin({
  group: { members },
  isChosen: isOn,
  onPress,
}: {
  group: Group<PlacedCard>
  isChosen: boolean
  onPress(): void
}) {
  const text = useText()
  const [first] = members
  const pay = members.map(({ you_earn_cents }) => you_earn_cents)
  const [least, best] = [Math.min(...pay), Math.max(...pay)]
  const isOne = members.length === 1
  const whole = (cents: number) => text.money(Math.round(cents / 100) * 100, { isShort: true })
  /** In whole dollars: the exact pay is on the card. */
  const range = whole(least) === whole(best) ? whole(best) : `${whole(least)}–${whole(best)}`
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={
        isOne
          ? text('find.pin', { money: text.money(best), title: first!.title })
          : text('find.pins', { count: members.length, money: range })
      }
      onClick={onPress}
      className="group flex min-h-11 min-w-11 items-center justify-center rounded-full"
    >
      {isOne ? (
        <span className={`${PIN} gap-1 bg-surface ps-1 pe-2.5 text-sm text-brand`}>
          <span className={`rounded-full p-1 ${tintOf(first!.type)}`}>
            <TypeIcon type={first!.type} size={16} />
          </span>
          {text.money(best)}
        </span>
      ) : (
        <span aria-hidden className={`${PIN} gap-1.5 bg-brand ps-1 pe-2.5 text-sm text-on-brand`}>
          <span className="flex h-6 min-w-6 items-center justify-center rounded-full bg-surface px-1 text-brand">
            {text.number(members.length)}
          </span>
          <bdi>{range}</bdi>
        </span>
      )}
    </button>
  )
}

const PIN =
  'flex h-8 items-center rounded-full border border-border font-bold whitespace-nowrap shadow-card ' +
  'group-aria-pressed:border-text group-aria-pressed:bg-text group-aria-pressed:text-bg'

function Controls({ canvas }: { canvas: Canvas }) {
  const text = useText()
  const { state } = usePosition()
  const locate = async () => {
    const found = await findPosition()
    if (found !== null) canvas.goTo(found)
  }
  const style =
    'flex size-11 items-center justify-center bg-surface text-text disabled:opacity-60 data-[pressed]:bg-raised'
  return (
    <div className="absolute end-3 top-3 flex flex-col gap-2">
      <div className="flex flex-col overflow-hidden rounded-field border border-border shadow-card">
        <Button aria-label={text('find.zoomIn')} onPress={() => canvas.zoomBy(1)} className={style}>
          <Plus size={22} aria-hidden />
        </Button>
        <Button
          aria-label={text('find.zoomOut')}
          onPress={() => canvas.zoomBy(-1)}
          className={`${style} border-t border-border`}
        >
          <Minus size={22} aria-hidden />
        </Button>
      </div>
      <Button
        aria-label={text('find.whereAmI')}
        isDisabled={state === 'asking'}
        onPress={() => void locate()}
        className={`${style} rounded-field border border-border shadow-card`}
      >
        <LocateFixed size={22} aria-hidden />
      </Button>
    </div>
  )
}
