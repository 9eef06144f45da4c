/**
 * Take a case, or hand it over to a colleague with a few words.
 *
 *   called by   an operator with the right `note`
 *   moves       a case: unassigned or with somebody → with somebody
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { hasRight, type Role } from '../kit/rights.ts'
import { appendAudit } from '../operators/audit.ts'
import { assignmentsOf } from './cases.ts'
import { caseMoved, colleagueNotFound, objectNotFound } from './errors.ts'
import { findObject } from './objects/find-object.ts'
import { ObjectId } from './objects/object.ts'
import { Assignment } from './views.ts'

const WORDS_MAX = 500

export const assignCase = deskOperation({
  method: 'PUT',
  path: '/cases/:id/assignment',
  name: 'assignCase',
  right: 'note',
  summary: 'Take a case, or hand it over',
  params: z.object({ id: ObjectId }),
  body: z.object({
    operator_id: z.string().max(50),
    words: z.string().trim().min(1).max(WORDS_MAX).optional().describe('For the next operator'),
    from: z
      .string()
      .max(50)
      .nullable()
      .optional()
      .describe('Who had it when the page was loaded; if somebody else has it now: 409'),
  }),
  success: { status: 200, body: z.object({ assignment: Assignment }) },
  errors: [objectNotFound, colleagueNotFound, caseMoved],

  async handler({ background, params, body, operator, now }) {
    const { shards } = background.db
    const found = await findObject({ background, id: params.id, now })
    if (found === undefined) throw objectNotFound()
    const subject = found.id
    const next = await shards.global.reader
      .selectFrom('operators')
      .select(['id', 'role'])
      .where('id', '=', body.operator_id)
      .where('status', '=', 'active')
      .executeTakeFirst()
    if (next === undefined || !hasRight(next.role as Role, 'note')) throw colleagueNotFound()
    await shards.global.transaction(async (tx) => {
      const row = {
        operator_id: next.id,
        since: now,
        handed_by: next.id === operator.id ? null : operator.id,
        words: body.words ?? null,
      }
      // Somebody who takes the case at the same time waits for this row, also for one that is not there yet.
      const before = await tx
        .insertInto('case_assignments')
        .values({ subject, ...row })
        .onConflict((conflict) => conflict.column('subject').doNothing())
        .returning('subject')
        .executeTakeFirst()
      let from: string | null = null
      if (before === undefined) {
        const current = await tx
          .selectFrom('case_assignments')
          .select('operator_id')
          .where('subject', '=', subject)
          .forUpdate()
          .executeTakeFirst()
        from = current?.operator_id ?? null
        await tx.updateTable('case_assignments').set(row).where('subject', '=', subject).execute()
      }
      if (body.from !== undefined && body.from !== from) throw caseMoved()
      await appendAudit(
        tx,
        {
          operator,
          action: 'case.assign',
          subject,
          detail: { from, to: next.id },
          words: body.words,
        },
        { now },
      )
    })
    const assignment = (await assignmentsOf(shards, [subject])).get(subject)
    if (assignment === undefined) throw caseMoved()
    return { assignment }
  },
})
