import { Art, Phone, Pin, Trail } from './art.tsx'

/** A phone that takes a picture of a shop. */
export const WithPhoneArt = ({ size }: { size: string }) => (
  <Art size={size}>
    <Trail d="M95 98c12 5 22 1 29-9" />
    <Phone x={48} y={30}>
      <path className="fill-art-shade" d="M9 30v19h22V30M17 49V39h7v10" />
      <path
        className="fill-art-spot"
        d="M9 18h22l5 11a4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-8 0 4 4 0 0 1-8 0Z"
      />
      <circle cx="20" cy="60" r="4" />
    </Phone>
    <Pin x={126} y={82} />
  </Art>
)
