import { Art, Trail } from './art.tsx'

/** A mailbox with its flag down. */
export const NoMessagesArt = () => (
  <Art>
    <Trail d="M20 98c18-10 36 6 54 2" />
    <path className="fill-art-shade" d="M79 74h12v31H79Z" />
    <path className="fill-art-shade" d="M66 30h42a18 18 0 0 1 18 18v28H66Z" />
    <path className="fill-art-paper" d="M66 30a18 18 0 0 1 18 18v28H48V48a18 18 0 0 1 18-18Z" />
    <path d="M58 53h16" />
    <path className="fill-art-spot" d="M100 52h37v15h-14V52" />
  </Art>
)
