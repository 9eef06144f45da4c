import assert from 'node:assert/strict'

/**
 * The share of a settlement that the marketplace keeps, in hundredths of a percent, for tasks that are created from now
 * on. A task stores the rate it was created with (`tasks.commission_basis_points`), and what happens to its money
 * follows from that one. The other packages and the documents get this rate by `npm run generate`.
 */
export const COMMISSION_BASIS_POINTS = 1800

/** The same for people: `18 %`. */
export const COMMISSION_PERCENT = `${COMMISSION_BASIS_POINTS / 100} %`

/** Rounded down, once per settlement: the odd cent is the workers'. The rate is the task's own. */
export function commissionCents(grossCents: number, basisPoints: number): number {
  assert(Number.isSafeInteger(grossCents) && grossCents >= 0)
  assert(Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints <= 10_000)
  assert(Number.isSafeInteger(grossCents * basisPoints))
  return Math.floor((grossCents * basisPoints) / 10_000)
}

/** Splits cents over `ways` so that nothing is lost; the odd cents go to the first ones. */
export function splitCents(totalCents: number, ways: number): number[] {
  assert(Number.isSafeInteger(totalCents) && totalCents >= 0 && ways > 0)
  const share = Math.floor(totalCents / ways)
  const odd = totalCents - share * ways
  return Array.from({ length: ways }, (_, i) => share + (i < odd ? 1 : 0))
}

/**
 * Splits cents in proportion to whole weights so that nothing is lost, by the largest remainder: everyone gets their
 * exact share rounded down, and the odd cents go to those who lost most by that, among equals to the first ones.
 */
export function splitByWeight(totalCents: number, weights: number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  assert(Number.isSafeInteger(totalCents) && totalCents >= 0 && all > 0)
  assert(weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0))
  assert(Number.isSafeInteger(totalCents * all))
  const exact = weights.map((weight, i) => ({ i, lost: (totalCents * weight) % all }))
  const shares = weights.map((weight, i) => (totalCents * weight - exact[i]!.lost) / all)
  const odd = totalCents - shares.reduce((sum, share) => sum + share, 0)
  // The sort is stable: equals stay in their order.
  for (const { i } of exact.sort((a, b) => b.lost - a.lost).slice(0, odd)) shares[i]! += 1
  return shares
}

/** `$12.34`, `-$1.00`. */
export function formatCents(cents: number): string {
  const whole = Math.abs(cents)
  const text = `$${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
  return cents < 0 ? `-${text}` : text
}
