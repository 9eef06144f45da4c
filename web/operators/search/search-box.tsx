import { useLocation } from 'wouter'
import { SlashBox } from '../../shared/desk/slash-box.tsx'

/** Searches for any id, name, email address, phone number, photo hash or reference. */
export function SearchBox() {
  const [, go] = useLocation()
  return (
    <SlashBox
      label="Search for an ID, name, email address, phone number or reference"
      placeholder="ID, name, email, phone, reference …"
      onEnter={(text) => go(`/search?q=${encodeURIComponent(text)}`)}
    />
  )
}
