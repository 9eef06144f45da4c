import { Art, Pin, Trail } from './art.tsx'

/** A podium whose first place is free. */
export const NoLeadersArt = () => (
  <Art>
    <Trail d="M24 98c0-30 14-52 36-54" />
    <path className="fill-art-shade" d="M40 104V84h30v20m26 0V90h30v14" />
    <path className="fill-art-paper" d="M68 104V66h30v38" />
    <path d="M30 104h106" />
    <path className="fill-art-spot" d="m83 74 3 6 6 1-4.5 4.5 1 6.5-5.5-3-5.5 3 1-6.5L74 81l6-1Z" />
    <Pin x={83} y={60} isMissing />
  </Art>
)
