/** The filters, shared by list and map, and stored for the next visit. */
import { useSyncExternalStore } from 'react'
import { NO_WISHES, type Wishes } from './wishes.ts'

const KEPT = 'legwork.find'
const told = new Set<() => void>()
let wishes = readKept()

export function useWishes(): [Wishes, (changes: Partial<Wishes>) => void] {
  return [
    useSyncExternalStore(
      (tell) => {
        told.add(tell)
        return () => told.delete(tell)
      },
      () => wishes,
    ),
    change,
  ]
}

function change(changes: Partial<Wishes>): void {
  wishes = { ...wishes, ...changes }
  try {
    localStorage.setItem(KEPT, JSON.stringify(wishes))
  } catch {
    // Storage isn't available: the filters last until the app is closed.
  }
  for (const tell of told) tell()
}

function readKept(): Wishes {
  try {
    return { ...NO_WISHES, ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Wishes>) }
  } catch {
    return NO_WISHES
  }
}
