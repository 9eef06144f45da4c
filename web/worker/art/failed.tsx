import { Art, Phone, Pin, Trail } from './art.tsx'

const TWO_SHORES =
  'M6 90c0-28 14-58 42-68 16-6 28 4 28 18 0 16-10 24-6 38s-2 30-18 32-46 4-46-20Zm94-6c-6-14-8-30 6-42s48 2 48 38c0 24-14 30-30 30s-20-12-24-26Z'

/** A phone and a pin, and the way between them broken off. */
export const FailedArt = () => (
  <Art land={TWO_SHORES}>
    <Trail d="M64 62c2-7 5-12 9-15m24-4c14 2 24 14 27 27" />
    <Phone x={20} y={32}>
      <path d="M10 33a14 14 0 0 1 20 0m-15 6a7 7 0 0 1 10 0m-5 6v0" />
    </Phone>
    <Pin x={126} y={100} />
    <path className="stroke-art-spot" strokeWidth="4" d="m80 38 9 9m0-9-9 9" />
  </Art>
)
