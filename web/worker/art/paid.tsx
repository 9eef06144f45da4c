import { Art, Coin, Pin } from './art.tsx'

/** The way is done, and the coin is in the wallet. */
export const PaidArt = () => (
  <Art size="w-26">
    <path d="M38 98c10 5 18 5 28 1" />
    <Pin x={34} y={92} />
    <path className="fill-art-shade" d="m68 60 48-18a5 5 0 0 1 7 4v16Z" />
    <Coin x={92} y={46} />
    <rect className="fill-art-paper" x="62" y="58" width="70" height="44" rx="8" />
    <path className="fill-art-shade" d="M132 72h-14a8 8 0 0 0 0 16h14Z" />
  </Art>
)
