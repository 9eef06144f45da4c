/** The filters of the last visit. */
import { NO_WISHES, type Wishes } from './wishes.ts'

const STORAGE_KEY = 'legwork.find'

export function storedWishes(): Wishes {
  try {
    return {
      ...NO_WISHES,
      ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Wishes>),
    }
  } catch {
    return NO_WISHES
  }
}

export function storeWishes(wishes: Wishes): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(wishes))
  } catch {
    // Storage isn't available: the filters last until the app is closed.
  }
}
