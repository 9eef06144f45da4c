/** The filters, shared by list and map, and stored for the next visit. */
import { useSyncExternalStore } from 'react'
import { NO_WISHES, type Wishes } from './wishes.ts'

const STORAGE_KEY = 'legwork.find'
const listeners = new Set<() => void>()
let wishes = readStored()

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
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(wishes))
  } catch {
    // Storage isn't available: the filters last until the app is closed.
  }
  for (const tell of listeners) tell()
}

function readStored(): Wishes {
  try {
    return {
      ...NO_WISHES,
      ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Wishes>),
    }
  } catch {
    return NO_WISHES
  }
}
