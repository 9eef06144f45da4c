import { mountApp } from '../shared/mount-app.tsx'
import { App } from './app.tsx'
import type { Early } from './early.ts'
import { expectEarly } from './expect-early.ts'
import { waitForInstall } from './install.ts'
import { keepLanguage as keepLanguageForWorker } from './offline-db.ts'
import { openQueries, restoreKept, type SessionAnswer, sessionQuery } from './queries.ts'
import { followScreens } from './screen-motion.ts'
import { SessionProvider } from './session.tsx'
import { directionOf, localeOf } from './text/figures.ts'
import type { Language } from './text/languages.ts'
import { expectRest } from './text/rest.ts'
import { type Messages, TextProvider } from './text/use-text.tsx'

export async function start({
  language,
  words,
  loadRest,
  typefaces,
  session,
  early,
}: {
  language: Language
  words: Promise<{ default: object }>
  loadRest: () => Promise<{ default: object }>
  typefaces: { apply(): void }
  session: Promise<SessionAnswer>
  early: Promise<Early | undefined>
}): Promise<void> {
  waitForInstall()
  const client = openQueries()
  const [{ default: first }] = await Promise.all([words, restoreKept(client)])
  const messages: Messages = { ...first }
  expectRest(messages, loadRest)
  // The early session request replaces what is stored; if it failed, components fetch the session again.
  client
    .query({ ...sessionQuery, queryFn: () => session, staleTime: 0, retry: false })
    .catch(() => undefined)
  early.then(
    (first) => first && expectEarly(client, first),
    // The session failed, and the screens ask for it again.
    () => undefined,
  )
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
  typefaces.apply()
  followScreens()

  mountApp({
    locale: localeOf(language),
    client,
    children: (
      <TextProvider language={language} messages={messages}>
        <SessionProvider>
          <App />
        </SessionProvider>
      </TextProvider>
    ),
  })

  if ('serviceWorker' in navigator && import.meta.env.PROD) {
    const register = () => void navigator.serviceWorker.register('/sw.js')
    // Register only after the page has loaded, which may have happened during the awaits above.
    if (document.readyState === 'complete') register()
    else addEventListener('load', register)
  }
  void keepLanguageForWorker(language)
}
