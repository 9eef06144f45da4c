/** Phone numbers as people write them: whether they can be dialed, their E.164 form, and which must not be called. */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js'
import { isEmergencyNumber } from './emergency-numbers.ts'

export const NUMBER_LENGTH_MAX = 40

/** Used if neither the number nor the task tells the country. */
const DEFAULT_COUNTRY = 'US'
/** Has no emergency numbers of its own, only those that phones recognize everywhere. */
const NO_COUNTRY = ''
/** Shorter national numbers are short codes, which have no meaning after a country code. */
const NATIONAL_DIGITS_MIN = 7
const KEYPAD = ['ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ']
/** As in 1-800-FLOWERS; fewer letters are more likely a remark. */
const VANITY_LETTERS_MIN = 3

export interface ReadNumber {
  /** E.164, with ` x<extension>` if there is one; as written if it can't be normalized. */
  number: string
  isNormalized: boolean
}

/** Returns a number to dial, or a problem for a 400; `problem` follows the field's name. */
export function readPhoneNumber(
  written: string,
  country: string | undefined,
): ReadNumber | { problem: string } {
  if (Array.from(written).length > NUMBER_LENGTH_MAX)
    return { problem: `must have at most ${NUMBER_LENGTH_MAX} characters` }
  // Contact lists wrap numbers in invisible bidi marks.
  const text = written.replaceAll(/[\p{Cf}\p{Cc}]/gu, '').trim()
  const plain = asciiDigits(text)
  if (!/\d/.test(plain))
    return { problem: 'must be a phone number with digits, such as +1 415 555 2671' }
  if (/@|:\/\//.test(plain))
    return { problem: 'must be a phone number, not an email or web address' }
  const emergency = emergencyIn(plain, country)
  if (emergency !== undefined) return { problem: refusalOf(emergency, country) }
  const parsed = parse(plain, country)
  return parsed === undefined
    ? { number: text, isNormalized: false }
    : { number: e164(parsed), isNormalized: true }
}

/** The country of a number in E.164, if it is clear. */
export const countryOfNumber = (number: string): string | undefined =>
  parsePhoneNumberFromString(number)?.country

function refusalOf(number: string, country: string | undefined): string {
  const isOrdinaryElsewhere = country === undefined && !isEmergencyNumber(number, NO_COUNTRY)
  return [
    `must not be an emergency number (${number}): workers can’t call emergency services for you`,
    'If someone is in danger, call emergency services yourself',
    ...(isOrdinaryElsewhere ? ['If this is an ordinary number in your country, set location'] : []),
  ].join('. ')
}

/**
 * Converts full-width, Arabic, Devanagari and all other decimal digits to 0 to 9. Each Unicode block of digits starts
 * with a zero.
 */
function asciiDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let zero = code
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String((code - zero) % 10)
  })
}

function parse(text: string, country: string | undefined): PhoneNumber | undefined {
  const number = withoutLetters(text.replace(/^tel:/i, ''))
  const national = (country ?? DEFAULT_COUNTRY) as CountryCode
  const parsed = parsePhoneNumberFromString(number, national)
  if (number.startsWith('+')) return parsed?.isPossible() ? parsed : undefined
  if (number.replaceAll(/\D/g, '').length < NATIONAL_DIGITS_MIN) return undefined
  if (parsed?.isValid()) return parsed
  const abroad = number.startsWith('00') && parsePhoneNumberFromString(number.replace(/^00/, '+'))
  return abroad && abroad.isValid() ? abroad : undefined
}

const e164 = ({ number, ext }: PhoneNumber) => (ext === undefined ? number : `${number} x${ext}`)

/** Converts `1-800-FLOWERS` to digits by the phone keypad; other letters, such as an extension's, are kept. */
function withoutLetters(text: string): string {
  const [, head = '', letters = ''] = /^([+\d\s().-]*\d[\s().-]*)([A-Z\d\s.-]+)$/i.exec(text) ?? []
  const isVanity =
    letters.replaceAll(/[^A-Z]/gi, '').length >= VANITY_LETTERS_MIN && !/^ext/i.test(letters)
  return isVanity ? head + letters.replaceAll(/[A-Z]/gi, keyOf) : text
}

const keyOf = (letter: string) =>
  String(KEYPAD.findIndex((letters) => letters.includes(letter.toUpperCase())) + 2)

/**
 * The emergency number that dialing this text would call, if any. It may follow `tel:`, a country code, an outside-line
 * or caller-ID-blocking prefix, and precede an extension or a pause.
 */
function emergencyIn(text: string, country: string | undefined): string | undefined {
  const dialed = text
    .replace(/^tel:/i, '')
    .replace(/^\s*[*#]+\d{2}[*#]*/, '')
    .replace(/(?<=\d)\s*(?:[;,#]|(?:ext(?:ension|n)?|x|p|w)\.?\s*\d).*$/i, '')
    .replaceAll(/[^\d+\s().-]/g, '')
    .trim()
  const digits = dialed.replaceAll(/\D/g, '')
  const isWithCode = dialed.startsWith('+')
  const candidates: [digits: string, country: string | undefined][] = [
    [digits, isWithCode ? NO_COUNTRY : country],
  ]
  // The outside-line prefix is a separated digit: 9-911, but not 9-1-1.
  const [, behind] = /^[019][\s().-]+(\d{2,}[\d\s().-]*)$/.exec(dialed) ?? []
  if (behind !== undefined) candidates.push([behind.replaceAll(/\D/g, ''), country])
  const abroad = isWithCode ? digits : /^(?:00|011)(\d+)$/.exec(digits)?.[1]
  for (const [code, countries] of abroad === undefined ? [] : countriesByCode())
    if (abroad!.startsWith(code))
      for (const of of countries) candidates.push([abroad!.slice(code.length), of])
  return candidates.find(([number, of]) => isEmergencyNumber(number, of))?.[0]
}

let byCode: Map<string, string[]> | undefined

function countriesByCode(): Map<string, string[]> {
  byCode ??= Map.groupBy(getCountries(), (country) => getCountryCallingCode(country))
  return byCode
}
