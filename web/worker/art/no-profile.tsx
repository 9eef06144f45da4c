import { Art, Phone, Pin, Trail } from './art.tsx'

/** A profile on a phone whose picture is missing, on the way to a pin that is missing, too. */
export const NoProfileArt = () => (
  <Art>
    <Trail d="M22 98c12-12 22 2 34-6m52 8c10-8 16 4 24-2" />
    <Phone x={60} y={26}>
      <circle className="fill-art-shade" strokeDasharray="4 5" cx="20" cy="27" r="10" />
      <path className="fill-art-spot" d="M9 45h22v9H9Z" />
      <path d="M12 61h16" />
    </Phone>
    <Pin x={132} y={92} isMissing />
  </Art>
)
