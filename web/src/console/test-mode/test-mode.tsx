import { Screen } from '../screen.tsx'

export function TestMode() {
  return <Screen title="Test mode">…</Screen>
}
