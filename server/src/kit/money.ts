import assert from 'node:assert/strict'

/** The share of a settlement that the marketplace keeps, in hundredths of a percent. */
export const COMMISSION_BASIS_POINTS = 1800

/** Rounded down, once per settlement: the odd cent is the workers'. */
export function commissionCents(grossCents: number): number {
  assert(Number.isSafeInteger(grossCents) && grossCents >= 0)
  return Math.floor((grossCents * COMMISSION_BASIS_POINTS) / 10_000)
}

/** Splits cents over `ways` so that nothing is lost; the odd cents go to the first ones. */
export function splitCents(totalCents: number, ways: number): number[] {
  assert(Number.isSafeInteger(totalCents) && totalCents >= 0 && ways > 0)
  const share = Math.floor(totalCents / ways)
  const odd = totalCents - share * ways
  return Array.from({ length: ways }, (_, i) => share + (i < odd ? 1 : 0))
}

/** `$12.34`, `-$1.00`. */
export function formatCents(cents: number): string {
  const whole = Math.abs(cents)
  const text = `$${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
  return cents < 0 ? `-${text}` : text
}
