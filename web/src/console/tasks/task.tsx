import { Screen } from '../screen.tsx'

export function Task() {
  return <Screen title="Task">…</Screen>
}
