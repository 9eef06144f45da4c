import { Screen } from '../screen.tsx'

export function Request() {
  return <Screen title="Request">…</Screen>
}
