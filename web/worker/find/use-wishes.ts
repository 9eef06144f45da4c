/** The filters, shared by list and map, and stored for the next visit. */
import { useSyncExternalStore } from 'react'
import { storedWishes, storeWishes } from './stored-wishes.ts'
import type { Wishes } from './wishes.ts'

const listeners = new Set<() => void>()
let wishes = storedWishes()

export function useWishes(): [Wishes, (changes: Partial<Wishes>) => void] {
  return [
    useSyncExternalStore(
      (tell) => {
        listeners.add(tell)
        return () => listeners.delete(tell)
      },
      () => wishes,
    ),
    change,
  ]
}

function change(changes: Partial<Wishes>): void {
  wishes = { ...wishes, ...changes }
  storeWishes(wishes)
  for (const tell of listeners) tell()
}
