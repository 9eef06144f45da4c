import { Screen } from '../screen.tsx'

export function Keys() {
  return <Screen title="API keys">…</Screen>
}
