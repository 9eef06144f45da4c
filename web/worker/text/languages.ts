import { closestLanguage } from './closest-language.ts'

/**
 * Supported languages. The messages of the frame and of the feed come first; the rest comes with the first screen that
 * is loaded on demand. The pseudo-language is for tests: `?lang=en-XA`.
 */
export const LANGUAGES = {
  en: {
    name: 'English',
    load: () => import('./en.ts'),
    loadRest: () => import('./en-rest.ts'),
  },
  es: {
    name: 'Español',
    load: () => import('./es.ts'),
    loadRest: () => import('./es-rest.ts'),
  },
  'pt-BR': {
    name: 'Português (Brasil)',
    load: () => import('./pt-br.ts'),
    loadRest: () => import('./pt-br-rest.ts'),
  },
  fr: {
    name: 'Français',
    load: () => import('./fr.ts'),
    loadRest: () => import('./fr-rest.ts'),
  },
  de: {
    name: 'Deutsch',
    load: () => import('./de.ts'),
    loadRest: () => import('./de-rest.ts'),
  },
  ar: {
    name: 'العربية',
    load: () => import('./ar.ts'),
    loadRest: () => import('./ar-rest.ts'),
  },
  'en-XA': {
    name: 'Pseudo',
    load: () => import('./en-xa.ts'),
    loadRest: () => import('./en-xa-rest.ts'),
  },
} as const

export type Language = keyof typeof LANGUAGES

const KEPT = 'legwork.language'

/** From the URL, the stored choice, or the phone's languages, in that order. */
export function chooseLanguage(): Language {
  const asked = supportedFor(new URLSearchParams(location.search).get('lang'))
  if (asked !== undefined) {
    keepLanguage(asked)
    return asked
  }
  for (const tag of [localStorage.getItem(KEPT), ...navigator.languages]) {
    const language = supportedFor(tag)
    if (language !== undefined) return language
  }
  return 'en'
}

export const keepLanguage = (language: Language) => localStorage.setItem(KEPT, language)

const supportedFor = (tag: string | null) =>
  tag === null ? undefined : closestLanguage(tag, Object.keys(LANGUAGES) as Language[])
