/** Cases: who works on which subject, and what operators noted. Both are in the global schema. */
import type { z } from 'zod'
import type { Reader, Shards } from '../kit/db.ts'
import type { Assignment, Colleague, Note } from './views.ts'

const NOTES_MAX = 200

/** Who works on these subjects. */
export async function assignmentsOf(
  { global: { reader } }: Shards,
  subjects: readonly string[],
): Promise<Map<string, z.input<typeof Assignment>>> {
  if (subjects.length === 0) return new Map()
  const rows = await reader
    .selectFrom('case_assignments')
    .selectAll()
    .where('subject', 'in', subjects)
    .execute()
  const names = await namesOf(
    reader,
    rows.flatMap(({ operator_id, handed_by }) => [operator_id, handed_by]),
  )
  return new Map(
    rows.map(({ subject, operator_id, since, handed_by, words }) => [
      subject,
      {
        operator: names(operator_id),
        since: since.toISOString(),
        handed_by: handed_by === null ? null : names(handed_by),
        words,
      },
    ]),
  )
}

/** The subjects that an operator has taken. */
export async function subjectsOf(
  { global: { reader } }: Shards,
  operatorId: string,
): Promise<string[]> {
  const rows = await reader
    .selectFrom('case_assignments')
    .select('subject')
    .where('operator_id', '=', operatorId)
    .execute()
  return rows.map(({ subject }) => subject)
}

/** The newest notes about a subject, oldest first. */
export async function notesOf(
  { global: { reader } }: Shards,
  subject: string,
): Promise<z.input<typeof Note>[]> {
  const rows = await reader
    .selectFrom('case_notes')
    .select(['id', 'operator_id', 'text', 'created_at'])
    .where('subject', '=', subject)
    .orderBy('id', 'desc')
    .limit(NOTES_MAX)
    .execute()
  const names = await namesOf(
    reader,
    rows.map(({ operator_id }) => operator_id),
  )
  return rows.reverse().map(({ id, operator_id, text, created_at }) => ({
    id,
    operator: names(operator_id),
    text,
    at: created_at.toISOString(),
  }))
}

/** The names of operators. Before the first one existed, commands ran under the name of a system user. */
export async function namesOf(
  global: Reader,
  ids: readonly (string | null)[],
): Promise<(id: string) => z.input<typeof Colleague>> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  const rows =
    known.length === 0
      ? []
      : await global
          .selectFrom('operators')
          .select(['id', 'name'])
          .where('id', 'in', known)
          .execute()
  const byId = new Map(rows.map(({ id, name }) => [id, name]))
  return (id) => ({ id, name: byId.get(id) ?? id })
}
