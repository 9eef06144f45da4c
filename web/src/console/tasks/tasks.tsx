import { Screen } from '../screen.tsx'

export function Tasks() {
  return <Screen title="Tasks">…</Screen>
}
