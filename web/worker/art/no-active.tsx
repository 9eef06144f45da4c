import { Art, Phone, Pin, Trail } from './art.tsx'

/** A phone with an empty list, and the way to a first pin. */
export const NoActiveArt = () => (
  <Art>
    <Trail d="M44 92c14 12 28 10 36-2" />
    <Pin x={40} y={86} />
    <Phone x={84} y={28}>
      <rect className="fill-art-spot" x="8" y="17" width="9" height="9" rx="3" />
      <rect className="fill-art-shade" x="8" y="33" width="9" height="9" rx="3" />
      <rect className="fill-art-shade" x="8" y="49" width="9" height="9" rx="3" />
      <path d="M23 21.5h9m-9 16h6m-6 16h8" />
    </Phone>
  </Art>
)
