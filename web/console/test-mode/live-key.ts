/**
 * The live key that going live has made, until whoever made it says that they have kept it: it is shown once and no
 * test key makes another, so neither another screen nor a reload may take it away unasked. It is in no storage, and
 * ends with the page.
 */
import { useSyncExternalStore } from 'react'

interface Held {
  /** Of the test agent: another one that signs in on this page is not shown it. */
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
