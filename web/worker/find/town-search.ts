/** Search in the towns of the build. */
import type { Point } from './wishes.ts'

export interface FoundPlace extends Point {
  /** Unique in a list of results. */
  key: string
  name: string
  /** The country, or what kind of place it is. */
  detail: string
}

export interface Town extends Point {
  name: string
  /** ISO 3166-1 alpha-2. */
  country: string
  /** Larger towns have a larger one. */
  size: number
  /** The name as it is searched. */
  plain: string
}

/** A country, its towns' names, latitudes and longitudes in hundredths of a degree, and a letter for their size. */
export type Country = [code: string, names: string, lats: number[], lngs: number[], sizes: string]

export const townsIn = (countries: Country[]): Town[] =>
  countries.flatMap(([country, names, lats, lngs, sizes]) =>
    names.split('|').map((name, i) => ({
      name,
      country,
      lat: lats[i]! / 100,
      lng: lngs[i]! / 100,
      size: sizes.charCodeAt(i),
      plain: plainOf(name),
    })),
  )

/** Letters that don't consist of a basic letter and a mark. */
const SPECIAL: Record<string, string> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
}

/** Without case, accents and punctuation. */
export const plainOf = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßłøđıæœðþ]/g, (letter) => SPECIAL[letter]!)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export const QUERY_MIN = 2

/** “Hamburg”, “hamb”, “Hamburg, Germany”: the largest towns first, those that start with the text before others. */
export function searchTowns(
  towns: Town[],
  query: string,
  { limit, countryName }: { limit: number; countryName(code: string): string },
): FoundPlace[] {
  const [asked = '', ...around] = query.split(',').map(plainOf)
  if (asked.length < QUERY_MIN) return []
  const isWithin = ({ country }: Town) =>
    around.every((one) => plainOf(countryName(country)).startsWith(one) || plainOf(country) === one)
  const rank = ({ plain, size }: Town) =>
    size + (plain === asked ? 60 : 0) + (plain.startsWith(asked) ? 30 : 0)
  return towns
    .filter((town) => startsWord(town.plain, asked) && isWithin(town))
    .sort((a, b) => rank(b) - rank(a))
    .slice(0, limit)
    .map(({ name, country, lat, lng }) => ({
      key: `${name} ${country} ${lat} ${lng}`,
      name,
      detail: countryName(country),
      lat,
      lng,
    }))
}

/** Whether any word of a plain name starts with the plain text. */
export const startsWord = (plain: string, asked: string) =>
  plain.startsWith(asked) || plain.includes(` ${asked}`)
