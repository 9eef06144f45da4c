/** List the decisions that wait for a second operator. */
import { listDecisions, namesOf } from '../decisions/queries.ts'
import { command } from './command.ts'

const SHOWN_MAX = 100

export const decisions = command({
  name: 'decisions',
  takes: '[--json]',
  does: 'list decisions that wait for a second operator',
  right: 'view',
  isLook: true,
  async run({ db }) {
    const rows = await listDecisions(db.shards, { state: 'waiting', limit: SHOWN_MAX })
    const names = await namesOf(db.shards.global.reader, rows)
    return {
      data: {
        decisions: rows.map(
          ({ id, kind, subject, amount_cents, reason, proposed_by, expires_at }) => ({
            id,
            kind,
            subject,
            amount_cents,
            reason,
            proposed_by: names.get(proposed_by) ?? proposed_by,
            expires_at,
          }),
        ),
      },
      isBad: rows.length > 0,
    }
  },
})
