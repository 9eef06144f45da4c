/** The languages of our emails to workers, which are those of the worker's app. Emails to agents are in English. */
import type { Selectable } from 'kysely'
import type { Schema } from '../kit/schema.ts'

export type Language = Selectable<Schema['workers']>['app_language']

export const LANGUAGES = ['en', 'es', 'ar', 'pt-BR', 'fr', 'de'] as const satisfies Language[]

/** The first supported language of an Accept-Language header: `fr-CA, en;q=0.8` → `fr`. English if there is none. */
export function languageAskedFor(header: string | undefined): Language {
  const asked = (header ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const quality = parameters.find((text) => text.startsWith('q='))
    return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
  })
  // The sort is stable, so tags of equal quality keep their order.
  for (const { tag, quality } of asked.sort((a, b) => b.quality - a.quality)) {
    const language = LANGUAGES.find((supported) => baseOf(supported) === baseOf(tag))
    if (language !== undefined && quality > 0) return language
  }
  return 'en'
}

const baseOf = (tag: string) => tag.split('-')[0]
