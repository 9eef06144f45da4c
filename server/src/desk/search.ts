/**
 * Search for anything: an id, an email, a name, a phone number, a photo's hash, or a reference of the processor. The
 * log has who searched and for which kind of thing, but not the words, which may be personal.
 *
 *   called by   an operator with the right `view`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from '../operators/audit.ts'
import { findHits, hintFor } from './find-hits.ts'

const TEXT_MAX = 300

export const search = deskOperation({
  method: 'GET',
  path: '/search',
  name: 'search',
  right: 'view',
  summary: 'Search by id, email, name, phone number, photo hash or processor reference',
  query: z.object({ q: z.string().trim().min(1).max(TEXT_MAX) }),
  success: {
    status: 200,
    body: z.object({
      hits: z.array(
        z.object({
          id: z.string().describe('Of an object page, or of an operator'),
          kind: z.string(),
          title: z.string(),
          why: z.string().describe('What matched, such as `email` or `photo hash`'),
        }),
      ),
      hint: z.string().nullable().describe('If nothing was found: what to try instead'),
    }),
  },
  errors: [],

  async handler({ background, query: { q }, operator, now }) {
    const { kind, subject, hits } = await findHits({ background, text: q, now })
    const detail = { kind, hits: hits.length }
    await background.db.shards.global.transaction((tx) =>
      appendAudit(tx, { operator, action: 'search', subject, detail }, { now }),
    )
    return { hits, hint: hits.length === 0 ? hintFor(q) : null }
  },
})
