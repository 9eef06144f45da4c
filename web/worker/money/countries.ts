/** The countries in which workers can be paid, and the one in which the worker probably lives. */
import { queryOptions } from '@tanstack/react-query'
import { type Answer, api } from '../api.ts'
import { ownTimeZone } from '../queries.ts'

interface Point {
  lat: number
  lng: number
}

/** Guesses the country from the place, otherwise from the phone's time zone. */
export const countriesQuery = (place?: Point) =>
  queryOptions({
    queryKey: ['countries', place ?? null],
    queryFn: ({ signal }) =>
      api.get('/worker/app', { query: { ...place, tz: ownTimeZone() }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

type Known = Pick<Answer<'/worker/app'>, 'payout_countries' | 'country'>

/** The worker's country, if it is known and nobody can be paid there. */
export const unpaidCountry = ({ country, payout_countries }: Known): string | undefined =>
  country === null || payout_countries.includes(country) ? undefined : country

/** The country to suggest. The languages of the phone help if its place is unknown. */
export function likelyCountry(
  { country, payout_countries }: Known,
  languages: readonly string[] = navigator.languages,
): string | undefined {
  if (country !== null) return payout_countries.find((code) => code === country)
  const regions = languages.map((tag) => new Intl.Locale(tag).region)
  return regions.find((region) => region !== undefined && payout_countries.includes(region))
}

export const countryIn = (language: string, code: string): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code

/** Countries with names in this language, sorted by its rules. */
export function countriesIn(
  language: string,
  codes: readonly string[],
): { value: string; label: string }[] {
  const order = new Intl.Collator(language)
  return codes
    .map((value) => ({ value, label: countryIn(language, value) }))
    .sort((one, other) => order.compare(one.label, other.label))
}
