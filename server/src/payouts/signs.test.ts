import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Facts, scoreOf, signsOf } from './signs.ts'

const DAY = 86_400_000
const REVIEW = 60
const HONEST: Facts = {
  funding: 'free',
  linked: {},
  sameText: [],
  isAgentInRing: false,
  past: { count: 10, freeCount: 3, cents: 10_000, freeCents: 2000 },
  circle: { agents: 3, coWorkers: 5 },
  tookMs: 20 * 60_000,
  workerAgeMs: 30 * DAY,
}
const freeOnly = { count: 6, freeCount: 6, cents: 5000, freeCents: 5000 }

const found = (facts: Partial<Facts>) => {
  const signs = signsOf({ ...HONEST, ...facts })
  return [signs.map(({ sign }) => sign).toSorted(), scoreOf(signs) >= REVIEW] as const
}

describe('signs of fraud', () => {
  for (const [name, facts, signs, isHeld] of [
    ['none for ordinary work', {}, [], false],
    ['a first day', { workerAgeMs: 1000 }, ['new_worker'], false],
    ['only free tasks', { past: freeOnly }, ['mostly_free_tasks'], false],
    ['few free tasks', { past: { ...freeOnly, freeCount: 2, count: 2 } }, [], false],
    [
      'a shared network',
      { linked: { 'network address': ['worker_2'] } },
      ['same_network_address'],
      false,
    ],
    ['a shared text', { sameText: ['worker_2'] }, ['same_text'], false],
    [
      'a shared text and photo',
      { sameText: ['worker_2'], linked: { photo: ['worker_2'] } },
      ['same_photo', 'same_text'],
      true,
    ],
    ['a shared device', { linked: { device: ['worker_2'] } }, ['same_device'], false],
    [
      'a shared bank account',
      { linked: { 'bank account': ['worker_2'] } },
      ['same_bank_account'],
      true,
    ],
    [
      'agents who know nobody else',
      { circle: { agents: 4, coWorkers: 4 } },
      ['closed_circle'],
      false,
    ],
    [
      'many agents who know nobody else',
      { circle: { agents: 8, coWorkers: 3 } },
      ['closed_circle'],
      true,
    ],
    [
      'an agent on the network of several workers, paying from its wallet',
      {
        funding: 'wallet',
        isAgentInRing: true,
        linked: { 'network address': ['worker_2'] },
        workerAgeMs: 1000,
      },
      ['agent_in_ring', 'new_worker', 'same_network_address'],
      false,
    ],
    ['a small market', { circle: { agents: 30, coWorkers: 14 } }, [], false],
    [
      'a farm’s agents, and nothing but free tasks',
      { circle: { agents: 4, coWorkers: 0 }, past: freeOnly },
      ['closed_circle', 'mostly_free_tasks'],
      true,
    ],
    [
      'nothing but free tasks, approved in seconds',
      { past: freeOnly, tookMs: 4000 },
      ['approved_in_seconds', 'mostly_free_tasks'],
      true,
    ],
    [
      'habits, but paid from a wallet',
      { funding: 'wallet', past: freeOnly, tookMs: 4000, circle: { agents: 9, coWorkers: 0 } },
      [],
      false,
    ],
  ] as [string, Partial<Facts>, string[], boolean][])
    test(`${name}: ${isHeld ? 'an operator decides' : 'the payout is sent'}`, () => {
      assert.deepEqual(found(facts), [signs, isHeld])
    })
})
