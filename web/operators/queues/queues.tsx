import { Screen } from '../../shared/desk/screen.tsx'

export function Queues() {
  return <Screen title="Queues">{undefined}</Screen>
}
