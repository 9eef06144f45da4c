import { Screen } from '../screen.tsx'

export function NewTask() {
  return <Screen title="New task">…</Screen>
}
