/**
 * Money, times, counts and directions in the language of an email, as in the worker's app. Spanish is Latin American,
 * where a lone `$` means the local currency. Arabic uses the digits 1 2 3; its money is wrapped in an isolate, since a
 * currency sign beside a number would switch sides.
 */
import type { Language } from './languages.ts'

const LOCALES: Record<Language, string> = {
  en: 'en-US',
  es: 'es-MX',
  ar: 'ar-u-nu-latn',
  'pt-BR': 'pt-BR',
  fr: 'fr',
  de: 'de',
}
const LATIN = /\p{Script=Latin}/u
const ARABIC_OR_HEBREW = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

export const directionOf = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr')

/** `$1,234.50`, `USD 1,234.50`, `US$ 1.234,50`. */
export function moneyIn(language: Language, cents: number): string {
  const isFromRight = directionOf(language) === 'rtl'
  const format = new Intl.NumberFormat(isFromRight ? 'en-US' : LOCALES[language], {
    style: 'currency',
    currency: 'USD',
  })
  const money = format.format(cents / 100)
  return isFromRight ? `\u2066${money}\u2069` : money
}

/** `November 16, 2026 at 3:05 PM UTC`. */
export const timeIn = (language: Language, at: Date) =>
  new Intl.DateTimeFormat(LOCALES[language], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at)

/** The forms of a counted noun that a language distinguishes. `#` stands for the number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export function pluralIn(language: Language, count: number, forms: PluralForms): string {
  const form = forms[new Intl.PluralRules(LOCALES[language]).select(count)] ?? forms.other
  return form.replace('#', new Intl.NumberFormat(LOCALES[language]).format(count))
}

/** Isolates text of the other direction, such as a title, so that the sentence around it keeps its order. */
export function isolatedIn(language: Language, text: string): string {
  const hasFromRight = ARABIC_OR_HEBREW.test(text)
  const isApart = directionOf(language) === 'rtl' ? !hasFromRight || LATIN.test(text) : hasFromRight
  return isApart && text !== '' ? `\u2068${text}\u2069` : text
}
