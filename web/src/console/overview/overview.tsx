import { Screen } from '../screen.tsx'

export function Overview() {
  return <Screen title="Overview">…</Screen>
}
