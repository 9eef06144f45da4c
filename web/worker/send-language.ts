/** Tells the server the language of the app, in which it writes its emails. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from './api.ts'
import { sessionQuery } from './queries.ts'
import { useSession } from './session.tsx'
import type { Language } from './text/languages.ts'
import { useText } from './text/use-text.tsx'

/** The pseudo-language is unknown to the server. */
export const knownLanguage = (language: Language) => (language === 'en-XA' ? 'en' : language)

/**
 * Sends the language if the server knows another one: after a login, after a change under Me, or because an earlier
 * attempt failed. A failure is ignored, since the next start tries again.
 */
export function useSendLanguage(): void {
  const client = useQueryClient()
  const { worker } = useSession()
  const app_language = knownLanguage(useText().language)
  const isUnknown = Boolean(worker && worker.app_language !== app_language)
  useEffect(() => {
    if (!isUnknown) return
    api
      .put('/worker/profile', { body: { app_language } })
      .then(() => client.invalidateQueries({ queryKey: sessionQuery.queryKey }))
      .catch(() => undefined)
  }, [client, isUnknown, app_language])
}
