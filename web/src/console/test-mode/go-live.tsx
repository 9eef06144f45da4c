import { Screen } from '../screen.tsx'

export function GoLive() {
  return <Screen title="Go live">…</Screen>
}
