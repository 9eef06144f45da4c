/** Makes a decision on the command line. One that needs a second operator is recorded and not carried out. */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { decide } from '../decisions/decide.ts'
import type { DecisionKind } from '../decisions/decision.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { ShellOperator } from '../operators/find-shell-operator.ts'
import { CommandRefused } from './command.ts'

export async function decideNow<Schema extends z.ZodType, Result>(
  background: OperatorBackground,
  kind: DecisionKind<Schema, Result>,
  given: { subject: string; input: z.output<Schema>; reason: string; by: ShellOperator },
): Promise<Result> {
  const made = await decide(background, kind, { ...given, requestKey: randomUUID() })
  if (made.state === 'done') return made.result!
  throw new CommandRefused(
    `Recorded as ${made.decision_id}. A second operator must agree by ${made.expires_at!.toISOString()}: ` +
      `ops agree ${made.decision_id}`,
  )
}
