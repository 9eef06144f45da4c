/** The towns of the build: no request tells anyone what a worker looks for, and the search works offline. */
import address from 'virtual:towns'
import { type Country, type Town, townsIn } from './town-search.ts'

let loading: Promise<Town[]> | undefined

export function loadTowns(): Promise<Town[]> {
  loading ??= fetch(address)
    .then((response) => response.json() as Promise<Country[]>)
    .then(townsIn)
  // A failed download is tried again on the next search.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}
