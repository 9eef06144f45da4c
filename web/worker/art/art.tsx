import type { ReactNode } from 'react'

const LAND = 'M6 96C6 60 34 16 84 14c42-2 70 28 70 64 0 26-24 32-72 32S6 114 6 96Z'

/** The frame of every illustration: the land it stands on, and one line weight. See web/shared/DESIGN.md. */
export function Art({
  land = LAND,
  size = 'w-44 max-w-[50vw]',
  children,
}: {
  land?: string
  size?: string
  children: ReactNode
}) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`${size} text-on-brand-soft rtl:-scale-x-100`}
    >
      <path stroke="none" className="fill-art-land" d={land} />
      {children}
    </svg>
  )
}

/** A pin with its tip at `x`, `y`. A missing one is only an outline. */
export function Pin({ x, y, isMissing = false }: { x: number; y: number; isMissing?: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path
        className={isMissing ? 'fill-art-paper' : 'fill-brand'}
        {...(isMissing ? { strokeDasharray: '4 5' } : {})}
        d="M0 0C-3-7-12-13-12-22a12 12 0 0 1 24 0C12-13 3-7 0 0Z"
      />
      {!isMissing && <circle className="fill-art-paper" cy="-22" r="4.5" />}
    </g>
  )
}

export const Trail = ({ d }: { d: string }) => <path strokeDasharray="5 7" d={d} />

/** A phone of 40 by 70 with its top left corner at `x`, `y`. */
export function Phone({ x, y, children }: { x: number; y: number; children?: ReactNode }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect className="fill-art-paper" width="40" height="70" rx="8" />
      <path d="M17 6h6" />
      {children}
    </g>
  )
}

/** A coin around `x`, `y`. */
export const Coin = ({ x, y }: { x: number; y: number }) => (
  <g transform={`translate(${x} ${y})`}>
    <circle className="fill-art-spot" r="11" />
    <path d="M-5 0a5 5 0 0 1 5-5" />
  </g>
)
