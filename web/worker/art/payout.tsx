import { Art, Coin, Pin, Trail } from './art.tsx'

/** A coin on its way from a pin to a bank. */
export const PayoutArt = () => (
  <Art size="w-26">
    <Trail d="M36 84c2-22 14-34 34-36" />
    <Pin x={34} y={96} />
    <rect className="fill-art-paper" x="80" y="54" width="50" height="38" />
    <path className="fill-art-shade" d="m74 54 31-20 31 20Z" />
    <path d="M92 60v26m13-26v26m13-26v26" />
    <rect className="fill-art-shade" x="74" y="92" width="62" height="9" rx="3" />
    <Coin x={56} y={54} />
  </Art>
)
