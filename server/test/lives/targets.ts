import type { Target } from '../figures.ts'
import type { Verdict } from './check.ts'

/** The figures of a fault test that every fault shares, each with its target. */
export const targetsOf = (verdict: Verdict): Target[] => [
  { figure: 'tasks', value: verdict.begun },
  { figure: 'acknowledged requests', value: verdict.acknowledged, min: 1 },
  { figure: 'acknowledged requests that were lost', value: verdict.lost, max: 0 },
  { figure: 'effects that happened twice', value: verdict.doubled, max: 0 },
  { figure: 'responses to one key that differ', value: verdict.mismatched, max: 0 },
  { figure: 'responses 5xx other than 503', value: verdict.other5xx, max: 0 },
  { figure: 'refusals that no race explains', value: verdict.refused, max: 0 },
  { figure: 'broken ledger invariants', value: verdict.breaks, max: 0 },
]
