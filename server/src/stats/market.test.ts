import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addPopulations, combineMarkets, type MarketPart } from './market.ts'

const part = (
  cents: number[],
  { agents = 3, seconds = cents.map(() => 600) } = {},
): MarketPart => ({
  type: 'verification',
  agents,
  cents,
  seconds,
})

describe('combineMarkets', () => {
  test('computes quartiles from the tasks of all shards', () => {
    const parts = [
      [part([700, 400, 500], { agents: 2, seconds: [60, 120, 180] })],
      [],
      [part([600, 800])],
    ]

    const market = combineMarkets(parts).get('verification')

    assert.deepEqual(market, {
      tasks: 5,
      lowCents: 500,
      usualCents: 600,
      highCents: 700,
      minutes: 3,
    })
  })

  test('interpolates between two values', () => {
    const market = combineMarkets([[part([100, 200, 300])], [part([400, 500, 700])]])

    assert.equal(market.get('verification')!.usualCents, 350)
    assert.equal(market.get('verification')!.highCents, 475)
  })

  test('tells a price if enough agents and tasks are in all shards together', () => {
    const alone = part([100, 200, 300], { agents: 2 })

    assert.equal(combineMarkets([[alone]]).size, 0)
    assert.equal(combineMarkets([[alone], [alone]]).size, 1)
    assert.equal(combineMarkets([[part([1, 2, 3, 4, 5, 6], { agents: 2 })]]).size, 0)
    assert.equal(combineMarkets([[part([1, 2])], [part([3, 4])]]).size, 0)
    assert.equal(combineMarkets([]).size, 0)
  })
})

describe('addPopulations', () => {
  test('adds the workers of a cell, wherever their shards are', () => {
    const parts = [
      new Map([
        ['a', 3],
        ['b', 1],
      ]),
      new Map(),
      new Map([['a', 4]]),
    ]

    assert.deepEqual(
      addPopulations(parts),
      new Map([
        ['a', 7],
        ['b', 1],
      ]),
    )
  })
})
