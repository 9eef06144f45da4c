import { Screen } from '../screen.tsx'

export function Events() {
  return <Screen title="Events">…</Screen>
}
