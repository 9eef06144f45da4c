/** Loaded when the search first opens, so that no page pays for it before. */
import { type Found, openSearch, type SearchData } from '../search/find.ts'

export async function loadSearch(address: string): Promise<(question: string) => Found[]> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`)
  return openSearch((await response.json()) as SearchData)
}
