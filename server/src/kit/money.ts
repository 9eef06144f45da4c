import assert from 'node:assert/strict'

/**
 * The marketplace's share of a settlement, in hundredths of a percent, for newly created tasks. A task stores the rate
 * it was created with (`tasks.commission_basis_points`), and all its money uses that rate. Other packages and documents
 * get this rate through `npm run generate`.
 */
export const COMMISSION_BASIS_POINTS = 1800

/** Display form: `18 %`. */
export const COMMISSION_PERCENT = `${COMMISSION_BASIS_POINTS / 100} %`

/** Rounded down, once per settlement, so the odd cent goes to the workers. The rate is the task's own. */
export function commissionCents(grossCents: number, basisPoints: number): number {
  assert(Number.isSafeInteger(grossCents) && grossCents >= 0)
  assert(Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints <= 10_000)
  assert(Number.isSafeInteger(grossCents * basisPoints))
  return Math.floor((grossCents * basisPoints) / 10_000)
}

/** Splits cents into `ways` shares without losing any; the first shares get the odd cents. */
export function splitCents(totalCents: number, ways: number): number[] {
  assert(Number.isSafeInteger(totalCents) && totalCents >= 0 && ways > 0)
  const share = Math.floor(totalCents / ways)
  const odd = totalCents - share * ways
  return Array.from({ length: ways }, (_, i) => share + (i < odd ? 1 : 0))
}

/**
 * Splits cents in proportion to integer weights without losing any, by the largest remainder method: each share is
 * rounded down, and the odd cents go to the shares that lost most by that; ties go to the first ones.
 */
export function splitByWeight(totalCents: number, weights: number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  assert(Number.isSafeInteger(totalCents) && totalCents >= 0 && all > 0)
  assert(weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0))
  assert(Number.isSafeInteger(totalCents * all))
  const exact = weights.map((weight, i) => ({ i, lost: (totalCents * weight) % all }))
  const shares = weights.map((weight, i) => (totalCents * weight - exact[i]!.lost) / all)
  const odd = totalCents - shares.reduce((sum, share) => sum + share, 0)
  // The sort is stable, so ties keep their order.
  for (const { i } of exact.sort((a, b) => b.lost - a.lost).slice(0, odd)) shares[i]! += 1
  return shares
}

/** `$12.34`, `-$1.00`. */
export function formatCents(cents: number): string {
  const whole = Math.abs(cents)
  const text = `$${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
  return cents < 0 ? `-${text}` : text
}
