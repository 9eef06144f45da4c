/** Supported languages. The pseudo-language is for tests: `?lang=en-XA`. */
export const LANGUAGES = {
  en: { name: 'English', load: () => import('./en.ts') },
  es: { name: 'Español', load: () => import('./es.ts') },
  'pt-BR': { name: 'Português (Brasil)', load: () => import('./pt-br.ts') },
  ar: { name: 'العربية', load: () => import('./ar.ts') },
  'en-XA': { name: 'Pseudo', load: () => import('./en-xa.ts') },
} as const

export type Language = keyof typeof LANGUAGES

const KEPT = 'legwork.language'

/** From the URL, the stored choice, or the phone's languages, in that order. */
export function chooseLanguage(): Language {
  const asked = new URLSearchParams(location.search).get('lang')
  if (asked !== null && isLanguage(asked)) {
    keepLanguage(asked)
    return asked
  }
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages]
  for (const tag of wanted) {
    if (tag === null) continue
    if (isLanguage(tag)) return tag
    const base = tag.split('-')[0]!
    if (isLanguage(base)) return base
  }
  return 'en'
}

export const keepLanguage = (language: Language) => localStorage.setItem(KEPT, language)

const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag)
