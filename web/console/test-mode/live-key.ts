/**
 * The live key, held until the person confirms that they saved it. It is shown once and a test key can't create
 * another, so neither another screen nor a reload may discard it without asking. It is only in memory, never in
 * storage, and is gone when the page is closed.
 */
import { useSyncExternalStore } from 'react'

interface Held {
  /** The test agent's id: the key isn't shown to another agent that signs in on this page. */
  agentId: string
  key: string
}

let held: Held | undefined
const listeners = new Set<() => void>()

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

function hold(next: Held | undefined): void {
  held = next
  if (next === undefined) removeEventListener('beforeunload', askBeforeLeaving)
  else addEventListener('beforeunload', askBeforeLeaving)
  for (const listener of listeners) listener()
}

export const holdLiveKey = (next: Held) => hold(next)
export const forgetLiveKey = () => hold(undefined)

export function useLiveKey(agentId: string): string | undefined {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => held,
  )
  return now?.agentId === agentId ? now.key : undefined
}
