/** Pages of the list of tasks. The entry script requests the first one while the app itself is still loading. */
import { api } from '../api.ts'
import { askedOf, type Wishes } from './wishes.ts'

/** A few screens on a phone; more pages load while scrolling. */
const PAGE_SIZE = 20

/** Without a cursor: the first page. */
export const loadPage = (
  asked: ReturnType<typeof askedOf>,
  { cursor = '', signal }: { cursor?: string; signal?: AbortSignal } = {},
) =>
  api.get('/worker/feed', {
    query: { ...asked, limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) },
    ...(signal && { signal }),
  })

export const loadFirstPage = (wishes: Wishes) => loadPage(askedOf(wishes, null))
