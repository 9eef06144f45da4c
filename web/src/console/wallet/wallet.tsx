import { Screen } from '../screen.tsx'

export function Wallet() {
  return <Screen title="Wallet">…</Screen>
}
