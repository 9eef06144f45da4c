/**
 * What farms of free tasks can earn. Everything is real but the clock: registrations, tasks, proofs, approvals, payouts
 * through the sandbox processor. docs/security.md has the figures.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatCents } from '../../src/kit/money.ts'
import { type Defenses, type Outcome, simulate } from './simulate.ts'

const DAYS = Number(process.env.FARM_DAYS ?? 7)
/** The controls need fewer days to show their loss. */
const BOUNDS_DAYS = Math.min(DAYS, 3)
const CONTROL_DAYS = DAYS > 7 ? 7 : BOUNDS_DAYS
const DAY_MAX_CENTS = 20_000
const RING_MAX_CENTS = 5000

const lossOf = ({ losses }: Outcome) => Object.values(losses).reduce((sum, cents) => sum + cents, 0)

async function run(defenses: Defenses, days = DAYS): Promise<Outcome> {
  const outcome = await simulate(defenses, days)
  const { losses, mostInADay, honest } = outcome
  console.log(
    [
      `${days} days, defenses: ${defenses}`,
      ...Object.entries(losses).map(([name, cents]) => `  ${name}: ${formatCents(cents)}`),
      `  in all: ${formatCents(lossOf(outcome))}`,
      `  most in a day: ${formatCents(mostInADay.all)}, of a ring: ${formatCents(mostInADay.ring)}`,
      `  honest payouts: ${honest.payouts}, delayed: ${honest.delayed}`,
    ].join('\n'),
  )
  return outcome
}

describe('farms of free tasks', () => {
  let loss: number

  test('cost less than the daily bounds, and delay under 1% of honest payouts', async () => {
    const outcome = await run('all')

    loss = lossOf(outcome)
    assert(outcome.mostInADay.all <= DAY_MAX_CENTS)
    assert(outcome.mostInADay.ring <= RING_MAX_CENTS)
    assert(loss <= DAYS * DAY_MAX_CENTS)
    const { payouts, delayed } = outcome.honest
    assert(payouts > 100)
    assert(delayed < payouts / 100, `${delayed} of ${payouts}`)
  })

  test('cost at most the daily bounds, even if no sign gives them away', async () => {
    const outcome = await run('daily bounds only', BOUNDS_DAYS)

    assert(outcome.mostInADay.all <= DAY_MAX_CENTS)
    assert(outcome.mostInADay.ring <= RING_MAX_CENTS)
  })

  test('cost much more without these defenses', async () => {
    const outcome = await run('none', CONTROL_DAYS)

    assert(lossOf(outcome) > 10 * loss, `${lossOf(outcome)} cents`)
    assert(outcome.mostInADay.all > DAY_MAX_CENTS)
    assert(outcome.mostInADay.ring > RING_MAX_CENTS)
  })
})
