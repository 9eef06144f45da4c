/** Every kind of decision. */
import type { AnyDecisionKind } from './decision.ts'
import { releasePayout } from './kinds/release-payout.ts'
import { ruleAppeal } from './kinds/rule-on-appeal.ts'

export const DECISION_KINDS: readonly AnyDecisionKind[] = [ruleAppeal, releasePayout]
