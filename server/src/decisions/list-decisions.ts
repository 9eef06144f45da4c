/**
 * List decisions, newest first: those that wait for a second operator, or all.
 *
 *   called by   an operator
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { Limit } from '../kit/page.ts'
import { DECISION_KINDS } from './kinds.ts'
import { listDecisions as list, namesOf } from './queries.ts'
import { canUndo } from './undo.ts'
import { DecisionView, viewDecision } from './views.ts'

export const listDecisions = deskOperation({
  method: 'GET',
  path: '/decisions',
  name: 'listDecisions',
  right: 'view',
  summary: 'Decisions, newest first',
  query: z.object({
    state: z.enum(['waiting', 'all']).default('waiting'),
    subject: z.string().max(200).optional(),
    cursor: z.string().max(100).optional(),
    limit: Limit,
  }),
  success: {
    status: 200,
    body: z.object({ decisions: z.array(DecisionView), next_cursor: z.string().nullable() }),
  },
  errors: [],

  async handler({ background, query: { state, subject, cursor, limit } }) {
    const { shards } = background.db
    const rows = await list(shards, {
      state: state === 'waiting' ? state : undefined,
      subject,
      before: cursor,
      limit: limit + 1,
    })
    const shown = rows.slice(0, limit)
    const names = await namesOf(shards.global.reader, shown)
    return {
      decisions: shown.flatMap((row) => {
        const kind = DECISION_KINDS.find((one) => one.kind === row.kind)
        return kind ? [viewDecision({ row, kind, names, canUndo: canUndo(kind, row) })] : []
      }),
      next_cursor: rows.length > limit ? shown.at(-1)!.id : null,
    }
  },
})
