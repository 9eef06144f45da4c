import { Art, Phone, Trail } from './art.tsx'

/** A photo that leaves a phone as a paper plane. */
export const ProofSentArt = () => (
  <Art size="w-26">
    <Trail d="M72 84c22 12 42 2 44-28" />
    <Phone x={28} y={34}>
      <rect className="fill-art-shade" x="8" y="17" width="24" height="24" rx="4" />
      <path d="m8 36 8-9 6 6 4-4 6 7M15 54h10" />
    </Phone>
    <path className="fill-art-spot" d="m92 40 46-20-14 44-12-16Z" />
    <path d="m112 48 26-28" />
  </Art>
)
