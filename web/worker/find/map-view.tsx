import { useQuery } from '@tanstack/react-query'
import { Marker } from 'maplibre-gl'
import { LocateFixed, Minus, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from 'react-aria-components/Button'
import { useText } from '../text/use-text.tsx'
import { boundsOf, canSplit, type Group, groupsOf } from './groups.ts'
import { type Canvas, openCanvas } from './map-canvas.ts'
import { findPosition, usePosition } from './position.ts'
import { appQuery } from './queries.ts'
import { openStreets } from './street-tiles.ts'
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
  const sources = useStreets(canvas)
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
      <div className="absolute inset-0 bg-map-water">
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
      {canvas !== undefined && <Controls canvas={canvas} />}
      <div className="absolute inset-x-2 bottom-2 flex flex-col gap-2">
        {children}
        <p className="self-start rounded-full bg-surface px-2 text-xs text-muted">
          {[text('find.naturalEarth'), ...sources].join(' · ')}
        </p>
      </div>
    </div>
  )
}

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

/** Fits the view to all tasks once; afterwards it stays where the worker moved it. */
function useFirstView(canvas: Canvas | null | undefined, cards: PlacedCard[]): void {
  const { position } = usePosition()
  const isSet = useRef<Canvas>(undefined)
  useEffect(() => {
    const points = [...cards.map(({ near }) => near), ...(position === null ? [] : [position])]
    const bounds = boundsOf(points)
    if (!canvas || isSet.current === canvas || bounds === undefined) return
    isSet.current = canvas
    canvas.fit(bounds, { isAtOnce: true })
  }, [canvas, cards, position])
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

/** Returns the attribution of the street data. */
function useStreets(canvas: Canvas | null | undefined): string[] {
  const { data } = useQuery(appQuery)
  const address = data?.tiles_url ?? null
  const [source, setSource] = useState('')
  useEffect(() => {
    let isOver = false
    if (canvas && address !== null)
      void openStreets(address).then((streets) => {
        if (streets === undefined || isOver) return
        canvas.showStreets(streets)
        setSource(streets.attribution)
      })
    return () => {
      isOver = true
    }
  }, [canvas, address])
  return source === '' ? [] : [source]
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
  const best = Math.max(...members.map(({ you_earn_cents }) => you_earn_cents))
  const isOne = members.length === 1
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={
        isOne
          ? text('find.pin', { money: text.money(best), title: first!.title })
          : text('find.pins', { count: members.length, money: text.money(best) })
      }
      onClick={onPress}
      className="group flex min-h-11 min-w-11 items-center justify-center rounded-full"
    >
      <span
        className={
          'flex items-center justify-center border-2 border-surface bg-brand font-semibold text-on-brand shadow-card ' +
          'group-aria-pressed:bg-text group-aria-pressed:text-bg ' +
          (isOne ? 'h-7 rounded-full px-2.5 text-sm' : 'size-10 rounded-full text-base')
        }
      >
        {isOne ? text.money(best) : text.number(members.length)}
      </span>
    </button>
  )
}

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
