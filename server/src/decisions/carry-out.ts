/** Carries out a decision that is agreed, and records what came of it. */
import type { Db } from '../kit/db.ts'
import { ApiError } from '../kit/errors.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { AnyDecisionKind, By } from './decision.ts'
import { endDecision } from './end-decision.ts'
import { noteDecision } from './note-decision.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'
import type { DecisionRow } from './queries.ts'

interface Agreed {
  row: DecisionRow
  home: Db
  /** The operator who proposed it, for the audit log. */
  by: By
}

export interface CarriedOut {
  state: 'done' | 'agreed'
  result: unknown
}

/**
 * If the process dies between the effect and its record, the decision stays `agreed`, and `resumeDecisions` finishes
 * it. So a failure to record is not recorded as a failure of the decision. It also stays `agreed` while the processor
 * hasn't said what came of a request.
 */
export async function carryOut(
  background: OperatorBackground,
  kind: AnyDecisionKind,
  { row, home, by }: Agreed,
  { isResumed = false }: { isResumed?: boolean } = {},
): Promise<CarriedOut> {
  const given = {
    subject: row.subject,
    input: kind.input.parse(row.input) as unknown,
    reason: row.reason,
    decisionId: row.id,
    operator: row.proposed_by,
  }
  const detail = row.second_by === null ? {} : { second_by: row.second_by }
  const end = (state: 'done' | 'failed', result: unknown) =>
    endDecision(home, row, {
      state,
      ended_at: background.clock.now(),
      result: JSON.stringify(result ?? null),
    })

  let result: unknown
  try {
    const done = isResumed
      ? await kind.findDone?.(background, { ...given, since: row.second_at ?? row.proposed_at })
      : undefined
    result = done ?? (await kind.carryOut(background, given))
  } catch (error) {
    if (error instanceof OutcomeUnknown) return { state: 'agreed', result: error.known }
    await end('failed', { error: error instanceof Error ? error.message : String(error) })
    const code = error instanceof ApiError ? { code: error.code } : {}
    const failed = { action: `${kind.kind}.fail`, row, detail: { ...detail, ...code } }
    await noteDecision(background, by, failed)
    throw error
  }
  await end('done', result)
  await noteDecision(background, by, { action: kind.kind, row, detail })
  return { state: 'done', result }
}
