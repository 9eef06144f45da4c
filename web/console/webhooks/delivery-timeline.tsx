import { useId } from 'react'
import { clockTime, day } from '../../shared/desk/figures.ts'
import { hasGoneWell } from './outcomes.ts'
import type { Delivery } from './queries.ts'

const DAY_MS = 86_400_000
const HEIGHT = 96
const PAD = 10
/** Wide enough to tell apart two attempts at nearly the same time. */
const WIDTH = 1000

/** Plots delivery attempts over time: a dot is a success, its height the duration; a cross is a failure. */
export function DeliveryTimeline({
  deliveries,
  forged,
}: {
  deliveries: Delivery[]
  forged: ReadonlySet<string>
}) {
  const title = useId()
  const times = deliveries.map(({ created_at }) => Date.parse(created_at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const slowest = Math.max(1, ...deliveries.map(({ duration_ms }) => duration_ms))
  const x = (at: number) => (first === last ? 50 : 1 + (98 * (at - first)) / (last - first))
  const y = (ms: number) => HEIGHT - PAD - ((HEIGHT - 2 * PAD) * ms) / slowest
  const write = (at: number) => {
    const iso = new Date(at).toISOString()
    return last - first > DAY_MS ? `${day(iso)}, ${clockTime(iso)}` : clockTime(iso)
  }
  const failedCount = deliveries.filter((one) => !hasGoneWell(one, forged)).length
  return (
    <figure className="flex flex-col gap-1">
      <svg
        role="img"
        aria-labelledby={title}
        className="block w-full overflow-visible"
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <title id={title}>
          {`${deliveries.length} attempts, ${failedCount} failed, the slowest took ${slowest} ms`}
        </title>
        <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} className="stroke-border" />
      </svg>
      <div aria-hidden className="relative -mt-25 mb-1 h-24">
        {deliveries.map((one) => {
          const { id, created_at, duration_ms, status } = one
          const isWell = hasGoneWell(one, forged)
          return (
            <span
              key={id}
              title={`${clockTime(created_at)} · ${status ?? 'no response'} · ${duration_ms} ms`}
              className={
                'absolute flex size-3 -translate-x-1/2 -translate-y-1/2 items-center justify-center leading-none ' +
                (isWell ? 'rounded-full bg-brand' : 'text-lg font-bold text-danger')
              }
              style={{ left: `${x(Date.parse(created_at))}%`, top: `${y(duration_ms)}px` }}
            >
              {isWell ? '' : '×'}
            </span>
          )
        })}
      </div>
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{write(first)}</span>
        <span className="order-last flex w-full flex-wrap gap-x-4 wide:order-none wide:w-auto">
          <span>
            <span aria-hidden className="inline-block size-2.5 rounded-full bg-brand" /> accepted
            (height = ms)
          </span>
          <span>
            <span aria-hidden className="font-bold text-danger">
              ×
            </span>{' '}
            failed
          </span>
        </span>
        <span>{write(last)}</span>
      </figcaption>
    </figure>
  )
}
