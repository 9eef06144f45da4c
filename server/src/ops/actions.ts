/** The log of operators' commands: who ran which command, its subject and its outcome. */
import { sql } from 'kysely'
import { command, wholeOf } from './command.ts'

const SHOWN = 50
const SHOWN_MAX = 1000

export const actions = command({
  name: 'actions',
  takes: '[--by NAME] [--about ID] [--limit N] [--json]',
  does: 'list operators’ actions, newest first',
  right: 'view',
  isLook: true,
  options: ['--by', '--about', '--limit'],
  async run({ db }, { options }) {
    const { '--by': by, '--about': about, '--limit': limit } = options
    let query = db.reader
      .selectFrom('operator_actions')
      .select(['id', 'at', 'operator', 'command', 'words', 'outcome', 'answer'])
      .orderBy('id', 'desc')
      .limit(limit === undefined ? SHOWN : wholeOf(limit, 'the limit', { max: SHOWN_MAX }))
    if (by !== undefined) query = query.where('operator', '=', by)
    if (about !== undefined) query = query.where(sql<boolean>`${about} = any (words)`)
    return { data: { actions: await query.execute() } }
  },
})
