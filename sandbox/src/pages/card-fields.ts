/** The card fields that a payer fills in. */
import type { Fields, Problems } from './forms.ts'

/** "4242 4242 4242 4242" */
export const inGroups = (number: string): string => number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')

/** Parses a card and reports what is wrong with each field. */
export function readCard(
  fields: Fields,
  now: Date,
): { number: string; name: string; problems: Problems } {
  const number = fields('number').replaceAll(/[\s-]/g, '')
  const name = fields('name')
  const problems: Problems = {}
  if (!/^\d{12,19}$/.test(number) || !hasCheckDigit(number))
    problems.number = 'This card number is not valid. Check it again.'

  const end = readExpiry(fields('expiry'))
  if (end === undefined) problems.expiry = 'Enter it as 12 / 34.'
  else if (end <= now) problems.expiry = 'This card has expired.'

  if (!/^\d{3,4}$/.test(fields('cvc'))) problems.cvc = 'The CVC has 3 or 4 digits.'
  if (name === '') problems.name = 'Enter the name on the card.'
  return { number, name, problems }
}

/** The first moment when the card is expired: the end of its month. */
export function readExpiry(typed: string): Date | undefined {
  const match = /^(0?[1-9]|1[0-2])\s*[/ .-]?\s*(?:20)?(\d{2})$/.exec(typed)
  return match ? new Date(Date.UTC(2000 + Number(match[2]), Number(match[1]), 1)) : undefined
}

/** Luhn check: the last digit is a checksum, which catches most typos. */
export function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
