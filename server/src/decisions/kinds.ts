/** Every kind of decision. */
import { invalidField } from '../kit/errors.ts'
import type { AnyDecisionKind } from './decision.ts'
import { unknownKind } from './errors.ts'
import { releasePayout } from './kinds/release-payout.ts'
import { ruleAppeal } from './kinds/rule-on-appeal.ts'

export const DECISION_KINDS: readonly AnyDecisionKind[] = [ruleAppeal, releasePayout]

export function findKind(kind: string): AnyDecisionKind {
  const found = DECISION_KINDS.find((one) => one.kind === kind)
  if (found === undefined) throw unknownKind()
  return found
}

/** Checks the input of a kind, which is a part of the request's body. */
export function readInputOf(kind: AnyDecisionKind, input: unknown): unknown {
  const read = kind.input.safeParse(input)
  if (read.success) return read.data
  const issue = read.error.issues[0]!
  throw invalidField(['input', ...issue.path].join('.'), issue.message)
}
