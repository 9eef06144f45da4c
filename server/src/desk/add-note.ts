/**
 * Write a note about a case, for colleagues.
 *
 *   called by   an operator with the right `note`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { mintId } from '../kit/ids.ts'
import { appendAudit } from '../operators/audit.ts'
import { objectNotFound } from './errors.ts'
import { findObject } from './objects/find-object.ts'
import { ObjectId } from './objects/object.ts'
import { Note } from './views.ts'

const TEXT_MAX = 2000

export const addNote = deskOperation({
  method: 'POST',
  path: '/cases/:id/notes',
  name: 'addNote',
  right: 'note',
  summary: 'Write a note about a case',
  params: z.object({ id: ObjectId }),
  body: z.object({ text: z.string().trim().min(1).max(TEXT_MAX) }),
  success: { status: 201, body: z.object({ note: Note }) },
  errors: [objectNotFound],

  async handler({ background, params, body: { text }, operator, now }) {
    const found = await findObject({ background, id: params.id, now })
    if (found === undefined) throw objectNotFound()
    const subject = found.id
    const id = mintId('nte', now, 0)
    await background.db.shards.global.transaction(async (tx) => {
      await tx
        .insertInto('case_notes')
        .values({ id, subject, operator_id: operator.id, text, created_at: now })
        .execute()
      await appendAudit(
        tx,
        { operator, action: 'case.note', subject, detail: { note_id: id } },
        { now },
      )
    })
    const { id: operatorId, name } = operator
    return { note: { id, operator: { id: operatorId, name }, text, at: now.toISOString() } }
  },
})
