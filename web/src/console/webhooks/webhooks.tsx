import { Screen } from '../screen.tsx'

export function Webhooks() {
  return <Screen title="Webhooks">…</Screen>
}
