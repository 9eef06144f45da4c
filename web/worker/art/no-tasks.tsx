import { Art, Trail } from './art.tsx'

/** A map, and a lens that finds no pin on it. */
export const NoTasksArt = () => (
  <Art>
    <path className="fill-art-paper" d="m28 42 26-9v56l-26 9Zm56 0 26-9v56l-26 9Z" />
    <path className="fill-art-shade" d="m54 33 30 9v56l-30-9Z" />
    <Trail d="M36 84c2-14 12-20 20-17s14 6 20-2" />
    <path strokeWidth="9" d="m122 88 12 13" />
    <path strokeWidth="4" className="stroke-art-spot" d="m122 88 12 13" />
    <circle className="fill-art-paper" cx="106" cy="70" r="23" />
    <path strokeDasharray="4 5" d="M106 83c-2-5-9-9-9-16a9 9 0 0 1 18 0c0 7-7 11-9 16Z" />
  </Art>
)
