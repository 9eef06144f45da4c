import { Screen } from '../screen.tsx'

export function Requests() {
  return <Screen title="Requests">…</Screen>
}
