/** The countries in which the processor opens accounts, by their common names. */

const CODES =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU ' +
  'IE IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'

const names = new Intl.DisplayNames('en', { type: 'region' })

export const COUNTRIES: readonly (readonly [string, string])[] = CODES.split(' ')
  .map((code) => [code, names.of(code) ?? code] as const)
  .sort(([, one], [, other]) => one.localeCompare(other))

export const isCountry = (code: string): boolean => COUNTRIES.some(([found]) => found === code)
