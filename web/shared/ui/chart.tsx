import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { labelStep, ticksUpTo } from './ticks.ts'

export interface Bar {
  /** Short label below the bar. */
  label: string
  /** Full name, for screen readers. */
  name: string
  solid: number
  hatched: number
}

interface BarsProps {
  /** One sentence that describes the chart. */
  caption: string
  bars: Bar[]
  solidLabel: string
  hatchedLabel: string
  nameLabel: string
  /** The smallest step between two grid lines. */
  least?: number
  write(value: number): string
  writeShort(value: number): string
}

/** Bars, each with a solid part and a hatched part on top of it. */
export function Bars({ bars, solidLabel, hatchedLabel, ...props }: BarsProps) {
  return (
    <StackedBars
      {...props}
      series={[
        { label: solidLabel, tone: 'brand' },
        { label: hatchedLabel, tone: 'brand', isHatched: true },
      ]}
      bars={bars.map(({ label, name, solid, hatched }) => ({
        label,
        name,
        parts: [solid, hatched],
      }))}
    />
  )
}

/** Never rely on color alone: of two series with the same tone, one is hatched. */
export interface Series {
  label: string
  tone: keyof typeof FILLS
  isHatched?: boolean
}

const FILLS = {
  brand: 'fill-brand',
  info: 'fill-info',
  warn: 'fill-warn',
  danger: 'fill-danger',
}
const STROKES = {
  brand: 'stroke-brand',
  info: 'stroke-info',
  warn: 'stroke-warn',
  danger: 'stroke-danger',
}

interface StackedProps extends Pick<BarsProps, 'caption' | 'nameLabel' | 'least'> {
  series: Series[]
  /** Each bar has one part per series; the first is at the bottom. */
  bars: { label: string; name: string; parts: number[] }[]
  write(value: number): string
  writeShort(value: number): string
}

/** Width of a label's letter, and the gap between two labels, in rem. */
const LETTER = 0.46
const GAP = 0.4
const BAR_SHARE = 0.66

const sum = (parts: number[]) => parts.reduce((total, part) => total + part, 0)

/**
 * Stacked bars. Labels are outside of the SVG, so that they scale with the phone's text size. Screen readers get a
 * table of the non-empty bars.
 */
export function StackedBars({
  caption,
  series,
  bars,
  nameLabel,
  least = 1,
  write,
  writeShort,
}: StackedProps) {
  const plot = useRef<HTMLDivElement>(null)
  const id = useId()
  const width = useWidthInRem(plot)
  const ticks = ticksUpTo(Math.max(...bars.map(({ parts }) => sum(parts))), { least })

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
          <Plot id={id} series={series} bars={bars} ticks={ticks} />
          <BarLabels bars={bars} width={width} />
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span className="sr-only">{caption}</span>
        {series.map((one) => (
          <Key
            key={one.label}
            mark={<rect x="0.5" y="0.5" width="13" height="13" rx="3" {...lookOf(one, id)} />}
          >
            {one.label}
          </Key>
        ))}
      </figcaption>
      <DataTable
        caption={caption}
        nameLabel={nameLabel}
        series={series}
        bars={bars}
        write={write}
      />
    </figure>
  )
}

/** The bars and grid lines. */
function Plot({
  id,
  series,
  bars,
  ticks,
}: Pick<StackedProps, 'series' | 'bars'> & { id: string; ticks: number[] }) {
  const top = ticks.at(-1)!
  const heightOf = (value: number) => (100 * value) / top
  const slot = 100 / bars.length
  const hatched = [...new Set(series.filter(({ isHatched }) => isHatched).map(({ tone }) => tone))]
  return (
    <svg className="block h-40 w-full rtl:-scale-x-100">
      <defs>
        {hatched.map((tone) => (
          <pattern
            key={tone}
            id={`${id}-${tone}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" className="fill-surface" />
            <rect width="2.5" height="6" className={FILLS[tone]} />
          </pattern>
        ))}
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
      {bars.map(({ parts, name }, at) => (
        <g key={name}>
          {parts.map((part, index) =>
            part > 0 ? (
              <rect
                key={series[index]!.label}
                x={`${slot * (at + (1 - BAR_SHARE) / 2)}%`}
                width={`${slot * BAR_SHARE}%`}
                y={`${100 - heightOf(sum(parts.slice(0, index + 1)))}%`}
                height={`${heightOf(part)}%`}
                rx="3"
                {...lookOf(series[index]!, id)}
              />
            ) : null,
          )}
        </g>
      ))}
    </svg>
  )
}

/** The pattern of a hatched series is defined in the plot. */
function lookOf({ tone, isHatched }: Series, id: string) {
  return isHatched
    ? { className: STROKES[tone], fill: `url(#${id}-${tone})` }
    : { className: FILLS[tone] }
}

/** Labels below the bars. Some are left out if there is no space for all. */
function BarLabels({ bars, width }: Pick<StackedProps, 'bars'> & { width: number }) {
  const slot = 100 / bars.length
  const longest = Math.max(...bars.map(({ label }) => label.length))
  const step = labelStep(longest * LETTER + GAP, width / bars.length)
  return (
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
  )
}

/** The non-empty bars, for screen readers. */
function DataTable({
  caption,
  nameLabel,
  series,
  bars,
  write,
}: Pick<StackedProps, 'caption' | 'nameLabel' | 'series' | 'bars' | 'write'>) {
  return (
    // A table takes the width it needs even if hidden, so hide the box around it instead.
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{nameLabel}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ parts }) => sum(parts) > 0)
            .map(({ name, parts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {parts.map((part, index) => (
                  <td key={series[index]!.label}>{write(part)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
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

/** 0 until measured. */
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
