/** Gives the queries of the list of tasks what was requested early. A retry requests it again. */
import type { QueryClient } from '@tanstack/react-query'
import { api } from './api.ts'
import type { Early } from './early.ts'
import { loadFirstPage } from './find/first-page.ts'
import { feedQuery } from './find/queries.ts'
import { storedWishes } from './find/stored-wishes.ts'
import { profileQuery } from './queries.ts'

export function expectEarly(client: QueryClient, { page, profile }: Early): void {
  const wishes = storedWishes()
  const tasks = {
    ...feedQuery(wishes, null),
    queryFn: firstThen(page, () => loadFirstPage(wishes)),
  }
  const own = { ...profileQuery, queryFn: firstThen(profile, () => api.get('/worker/profile')) }
  // The screens show the errors.
  client.infiniteQuery(tasks).catch(() => undefined)
  client.query(own).catch(() => undefined)
}

function firstThen<T>(early: Promise<T>, load: () => Promise<T>): () => Promise<T> {
  let first: Promise<T> | undefined = early
  return () => {
    const answer = first ?? load()
    first = undefined
    return answer
  }
}
