import { Art, Phone, Pin, Trail } from './art.tsx'

/** A phone with a check mark, the way to a pin, and a clock. */
export const AcceptedArt = () => (
  <Art size="w-26">
    <Trail d="M80 94c14 10 30 7 40-8" />
    <Phone x={38} y={30}>
      <path className="fill-art-shade" d="M8 24a12 12 0 0 1 24 0v16a12 12 0 0 1-24 0Z" />
      <path d="m14 33 5 5 8-11" />
    </Phone>
    <Pin x={122} y={84} />
    <circle className="fill-art-spot" cx="102" cy="36" r="14" />
    <path d="M102 28v8l6 4" />
  </Art>
)
