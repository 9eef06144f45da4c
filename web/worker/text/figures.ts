/**
 * Number and money formats of each language, for the app and its service worker. Spanish is Latin American, where a
 * lone `$` means the local currency. The other languages need no special locale: `US$ 4,50` in `pt-BR` and `4,50 $US`
 * in `fr` are clear. Arabic uses the digits 1 2 3 on every phone; its money is wrapped in an isolate, since a minus or
 * currency sign beside a number would switch sides.
 */
const LOCALES: Record<string, string> = { 'en-XA': 'en', es: 'es-MX', ar: 'ar-u-nu-latn' }
const FROM_RIGHT = /^(?:ar|fa|he|ur)\b/
const LETTERS_FROM_LEFT = /\p{Script=Latin}/u
const LETTERS_FROM_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

export const localeOf = (language: string) => LOCALES[language] ?? language

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  FROM_RIGHT.test(language) ? 'rtl' : 'ltr'

/** Also for fields in which money is typed. */
export const moneyLocaleOf = (language: string) =>
  directionOf(language) === 'rtl' ? 'en' : localeOf(language)

export function numberIn(
  language: string,
  value: number,
  options?: Intl.NumberFormatOptions,
): string {
  return numberFormat(localeOf(language), options).format(value)
}

/** With `isShort`, whole dollars have no cents. */
export function moneyIn(language: string, cents: number, { isShort = false } = {}): string {
  const options: Intl.NumberFormatOptions = {
    style: 'currency',
    currency: 'USD',
    ...(isShort && cents % 100 === 0 ? { maximumFractionDigits: 0 } : {}),
  }
  const money = numberFormat(moneyLocaleOf(language), options).format(cents / 100)
  return directionOf(language) === 'ltr' ? money : `\u2066${money}\u2069`
}

export const distanceIn = (language: string, km: number): string =>
  km < 1 ? unitIn(language, Math.round(km * 100) * 10, 'meter') : unitIn(language, km, 'kilometer')

export const unitIn = (language: string, value: number, unit: string): string =>
  numberIn(language, value, {
    style: 'unit',
    unit,
    // German would abbreviate days to the uncommon `Tg.`.
    unitDisplay: language === 'de' && unit === 'day' ? 'long' : 'short',
    maximumFractionDigits: 1,
  })

/**
 * Sets the direction of a sentence that starts with an isolated name, where the name's first letter would decide it.
 */
export function begun(language: string, sentence: string): string {
  if (!/^[\u2066\u2068]/.test(sentence)) return sentence
  return (directionOf(language) === 'rtl' ? '\u200F' : '\u200E') + sentence
}

/**
 * Isolates text of the other direction, such as an agent's name, within a sentence, so that both keep their order: a
 * question mark at the end stays there.
 */
export function isolated(language: string, filledIn: string): string {
  const isFromRight = LETTERS_FROM_RIGHT.test(filledIn)
  // In right-to-left text, a bare number such as a phone number would also be reordered, part by part.
  const isApart =
    directionOf(language) === 'rtl' ? !isFromRight || LETTERS_FROM_LEFT.test(filledIn) : isFromRight
  return isApart && filledIn !== '' ? `\u2068${filledIn}\u2069` : filledIn
}

const numbers = new Map<string, Intl.NumberFormat>()
function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options)
  numbers.set(key, format)
  return format
}
