/**
 * Requests the first tasks and the profile while the app itself is still loading, so that the first render has the
 * list. The entry script calls it.
 */
import { type Answer, api } from './api.ts'
import { loadFirstPage } from './find/first-page.ts'
import { storedWishes } from './find/stored-wishes.ts'

export interface Early {
  page: ReturnType<typeof loadFirstPage>
  profile: Promise<Answer<'/worker/profile'>>
}

/** Undefined on other screens, and for somebody who isn't logged in. */
export async function requestEarly(
  session: Promise<Answer<'/worker/session'>>,
): Promise<Early | undefined> {
  if (location.pathname !== '/') return undefined
  const { worker, is_waiting } = await session
  if (!worker || is_waiting) return undefined
  const early = { page: loadFirstPage(storedWishes()), profile: api.get('/worker/profile') }
  // Avoids unhandled rejections; the screens get the errors.
  for (const answer of Object.values(early)) answer.catch(() => undefined)
  return early
}
