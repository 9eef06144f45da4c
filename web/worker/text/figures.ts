/**
 * How each language writes numbers and money, for the app and its service worker. Spanish is that of Latin America,
 * where a `$` alone is the money of one's own country. Arabic has the digits 1 2 3 on every phone; and its money stands
 * in an isolate, since a minus or a currency beside a number would change sides.
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

/** Cents are left out where there are none and `isShort`. */
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
  numberIn(language, value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })

/**
 * A sentence that begins with a name, where the direction is told by the first letter: it is that of the sentence.
 */
export function begun(language: string, sentence: string): string {
  if (!/^[\u2066\u2068]/.test(sentence)) return sentence
  return (directionOf(language) === 'rtl' ? '\u200F' : '\u200E') + sentence
}

/**
 * What is filled into a sentence of the other direction, such as the name of an agent, keeps its own order and leaves
 * that of the sentence alone: a question mark at its end stays there.
 */
export function isolated(language: string, filledIn: string): string {
  const isFromRight = LETTERS_FROM_RIGHT.test(filledIn)
  // A number alone, such as that of a telephone, would be turned as well, part by part.
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
