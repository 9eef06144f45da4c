import { Screen } from '../screen.tsx'

export function Waiting() {
  return <Screen title="Waiting for you">…</Screen>
}
