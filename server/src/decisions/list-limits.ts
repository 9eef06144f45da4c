/**
 * List the limits above which a decision needs two operators.
 *
 *   called by   an operator; `ops limits`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { DECISION_KINDS } from './kinds.ts'
import { namesOf } from './queries.ts'
import { LimitView } from './views.ts'

export const listLimits = deskOperation({
  method: 'GET',
  path: '/limits',
  name: 'listLimits',
  right: 'view',
  summary: 'Amounts above which a decision needs two operators',
  success: { status: 200, body: z.object({ limits: z.array(LimitView) }) },
  errors: [],

  handler: async ({ background }) => ({
    limits: await readLimits(background.db.shards.global.reader),
  }),
})

export async function readLimits(global: Reader): Promise<z.output<typeof LimitView>[]> {
  const rows = await global.selectFrom('two_person_limits').selectAll().orderBy('kind').execute()
  const people = rows.map(({ changed_by }) => ({ proposed_by: changed_by ?? '', second_by: null }))
  const names = await namesOf(global, people)
  return rows.map(({ kind, over_cents, changed_by, changed_at }) => ({
    kind,
    title: DECISION_KINDS.find((one) => one.kind === kind)?.title ?? kind,
    over_cents,
    changed_by:
      changed_by === null ? null : { id: changed_by, name: names.get(changed_by) ?? changed_by },
    changed_at: changed_at.toISOString(),
  }))
}
