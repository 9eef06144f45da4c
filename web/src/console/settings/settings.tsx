import { Screen } from '../screen.tsx'

export function Settings() {
  return <Screen title="Settings">…</Screen>
}
