import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { labelStep, ticksUpTo } from './ticks.ts'

export interface Bar {
  /** Short, below the bar. */
  label: string
  /** Whole, for who has it read aloud. */
  name: string
  solid: number
  hatched: number
}

interface BarsProps {
  /** What the bars are, in a sentence. */
  caption: string
  bars: Bar[]
  solidLabel: string
  hatchedLabel: string
  nameLabel: string
  /** The smallest step between two lines. */
  least?: number
  write(value: number): string
  writeShort(value: number): string
}

/** Width of a letter of a label, and the room between two labels, in rem. */
const LETTER = 0.46
const GAP = 0.4
const BAR_SHARE = 0.66

/**
 * Bars side by side, each of a solid part and a hatched one on top of it. Words stand outside of the drawing, so that they grow
 * with the text of the phone; who does not see it has a table of the bars that are not empty.
 */
export function Bars({
  caption,
  bars,
  solidLabel,
  hatchedLabel,
  nameLabel,
  least = 1,
  write,
  writeShort,
}: BarsProps) {
  const plot = useRef<HTMLDivElement>(null)
  const hatch = useId()
  const width = useWidthInRem(plot)
  const ticks = ticksUpTo(Math.max(...bars.map(({ solid, hatched }) => solid + hatched)), { least })
  const top = ticks.at(-1)!
  const heightOf = (value: number) => (100 * value) / top
  const slot = 100 / bars.length
  const longest = Math.max(...bars.map(({ label }) => label.length))
  const step = labelStep(longest * LETTER + GAP, width / bars.length)

  return (
    <figure className="flex flex-col gap-2">
      <div aria-hidden className="flex gap-2">
        <div className="flex h-40 flex-col-reverse justify-between text-end text-xs text-muted">
          {ticks.map((tick) => (
            <span key={tick} className="flex h-0 items-center justify-end">
              {writeShort(tick)}
            </span>
          ))}
        </div>
        <div ref={plot} className="flex min-w-0 flex-1 flex-col gap-1">
          <svg className="block h-40 w-full rtl:-scale-x-100">
            <defs>
              <pattern
                id={hatch}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect width="6" height="6" className="fill-surface" />
                <rect width="2.5" height="6" className="fill-brand" />
              </pattern>
            </defs>
            {ticks.map((tick) => (
              <line
                key={tick}
                x1="0"
                x2="100%"
                y1={`${100 - heightOf(tick)}%`}
                y2={`${100 - heightOf(tick)}%`}
                className="stroke-border"
              />
            ))}
            {bars.map(({ solid, hatched, name }, at) => {
              const x = `${slot * (at + (1 - BAR_SHARE) / 2)}%`
              const wide = `${slot * BAR_SHARE}%`
              return (
                <g key={name}>
                  {solid > 0 && (
                    <rect
                      x={x}
                      width={wide}
                      y={`${100 - heightOf(solid)}%`}
                      height={`${heightOf(solid)}%`}
                      rx="3"
                      className="fill-brand"
                    />
                  )}
                  {hatched > 0 && (
                    <rect
                      x={x}
                      width={wide}
                      y={`${100 - heightOf(solid + hatched)}%`}
                      height={`${heightOf(hatched)}%`}
                      rx="3"
                      fill={`url(#${hatch})`}
                      className="stroke-brand"
                    />
                  )}
                </g>
              )
            })}
          </svg>
          <div className="relative h-5 text-xs text-muted">
            {width > 0 &&
              bars.map(({ label, name }, at) =>
                at % step === 0 ? (
                  <span
                    key={name}
                    className="absolute -translate-x-1/2 whitespace-nowrap rtl:translate-x-1/2"
                    style={{ insetInlineStart: `${slot * (at + 0.5)}%` }}
                  >
                    {label}
                  </span>
                ) : null,
              )}
          </div>
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span className="sr-only">{caption}</span>
        <Key mark={<rect width="14" height="14" rx="3" className="fill-brand" />}>{solidLabel}</Key>
        <Key
          mark={
            <rect
              x="0.5"
              y="0.5"
              width="13"
              height="13"
              rx="3"
              fill={`url(#${hatch})`}
              className="stroke-brand"
            />
          }
        >
          {hatchedLabel}
        </Key>
      </figcaption>
      {/* A table takes the width that it needs, even one that nobody sees: the box around it does not. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{nameLabel}</th>
              <th scope="col">{solidLabel}</th>
              <th scope="col">{hatchedLabel}</th>
            </tr>
          </thead>
          <tbody>
            {bars
              .filter(({ solid, hatched }) => solid + hatched > 0)
              .map(({ name, solid, hatched }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{write(solid)}</td>
                  <td>{write(hatched)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

function Key({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg width="14" height="14" aria-hidden>
        {mark}
      </svg>
      {children}
    </span>
  )
}

/** 0 until it is known. */
function useWidthInRem(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setWidth(entry!.contentRect.width / rem)
    })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element])
  return width
}
