/**
 * A small picture of the way to a task, before it is accepted: a straight line on the street map, from the phone or the
 * place in the profile to the area of the task. The exact place isn't known yet, so the area is a circle.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { profileQuery } from '../queries.ts'
import { useText } from '../text/use-text.tsx'
import { usePosition } from './position.ts'
import { appQuery } from './queries.ts'
import { type Drawing, drawingOf, HEIGHT, pictureOf, WIDTH } from './route-drawing.ts'
import { openArchive } from './street-archive.ts'
import { type Card, minutesOf, type Point } from './wishes.ts'

export function RoutePreview({ near, task }: { near: Point; task: Card }) {
  const text = useText()
  const { position } = usePosition()
  const { data: profile } = useQuery(profileQuery)
  const { data: app } = useQuery(appQuery)
  const from = position ?? pointOf(profile?.worker.location)
  const picture = pictureOf(from, near)
  const drawing = useDrawing(app?.tiles_url ?? null, { from, near })
  const { way, isWalk } = minutesOf(task)
  const [start, end] = [from && picture.at(from), picture.at(near)]
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden
        className="aspect-[34/15] w-full rounded-field bg-map-land"
      >
        {drawing !== undefined && (
          <>
            <path d={drawing.green} className="fill-map-green" />
            <path d={drawing.water} className="fill-map-water" />
            <g fill="none" strokeLinecap="round" className="stroke-map-road">
              <path d={drawing.streets} strokeWidth={1.2} />
              <path d={drawing.mainRoads} strokeWidth={2.5} />
            </g>
          </>
        )}
        {start && (
          <path
            d={`M${start.join(' ')}L${end.join(' ')}`}
            strokeWidth={2.5}
            strokeDasharray="1 6"
            strokeLinecap="round"
            className="stroke-text"
          />
        )}
        <circle
          cx={end[0]}
          cy={end[1]}
          r={picture.areaRadius}
          className="fill-brand/20 stroke-brand"
        />
        <circle
          cx={end[0]}
          cy={end[1]}
          r={5}
          className="fill-brand stroke-surface"
          strokeWidth={2}
        />
        {start && (
          <circle
            cx={start[0]}
            cy={start[1]}
            r={6}
            className="fill-info stroke-surface"
            strokeWidth={2.5}
          />
        )}
      </svg>
      <figcaption className="text-sm text-muted">
        {task.distance_km !== null && from !== null
          ? text(isWalk ? 'find.routeWalk' : 'find.routeRide', {
              distance: text.distance(Math.max(0.1, task.distance_km)),
              time: text.duration(Math.max(1, Math.round(way / 2))),
            })
          : text('find.routeUnknown')}
      </figcaption>
    </figure>
  )
}

type Place = { lat: number | null; lng: number | null } | null | undefined

/** A place whose name couldn't be looked up has no coordinates. */
const pointOf = (place: Place): Point | null =>
  place && place.lat !== null && place.lng !== null ? { lat: place.lat, lng: place.lng } : null

/** undefined until the tiles are read, or if there are none: then the line is drawn on empty land. */
function useDrawing(
  address: string | null,
  { from, near }: { from: Point | null; near: Point },
): Drawing | undefined {
  const [drawing, setDrawing] = useState<Drawing>()
  const [fromLat, fromLng] = [from?.lat, from?.lng]
  const { lat, lng } = near
  useEffect(() => {
    let isOver = false
    const start =
      fromLat === undefined || fromLng === undefined ? null : { lat: fromLat, lng: fromLng }
    if (address !== null)
      void drawingOf(openArchive(address), pictureOf(start, { lat, lng })).then(
        (found) => !isOver && setDrawing(found),
        () => {},
      )
    return () => {
      isOver = true
    }
  }, [address, fromLat, fromLng, lat, lng])
  return drawing
}
