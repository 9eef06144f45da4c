import { Art, Coin, Pin, Trail } from './art.tsx'

/** A coin on its way from a pin to a wallet. */
export const NoEarningsArt = () => (
  <Art>
    <Trail d="M34 84c4-24 20-36 40-34" />
    <Pin x={32} y={92} />
    <path className="fill-art-shade" d="m72 62 44-18a5 5 0 0 1 7 4v18Z" />
    <rect className="fill-art-paper" x="66" y="60" width="66" height="42" rx="8" />
    <path className="fill-art-shade" d="M132 73h-14a8 8 0 0 0 0 16h14Z" />
    <Coin x={80} y={40} />
  </Art>
)
