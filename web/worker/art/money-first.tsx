import { Art, Coin, Pin, Trail } from './art.tsx'

/** A coin behind a lock, before anybody sets out. */
export const MoneyFirstArt = ({ size }: { size: string }) => (
  <Art size={size}>
    <Trail d="M95 97c12 5 22 2 29-8" />
    <path strokeWidth="8" d="M42 58V44a18 18 0 0 1 36 0v14" />
    <path strokeWidth="3" className="stroke-art-shade" d="M42 58V44a18 18 0 0 1 36 0v14" />
    <rect className="fill-art-paper" x="30" y="54" width="60" height="48" rx="10" />
    <Coin x={60} y={78} />
    <Pin x={126} y={82} />
  </Art>
)
