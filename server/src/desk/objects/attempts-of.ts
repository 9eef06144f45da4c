/** The requests to the processor about a payout, a refund or a withdrawal. */
import type { Selectable } from 'kysely'
import type { Reader } from '../../kit/db.ts'
import type { Schema } from '../../kit/schema.ts'
import type { ObjectPage } from '../views.ts'
import { moment } from './object.ts'

type Attempt = Selectable<Schema['processor_attempts']>

/** Oldest first. */
export const attemptsOf = (reader: Reader, subjectId: string): Promise<Attempt[]> =>
  reader
    .selectFrom('processor_attempts')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .orderBy('attempt')
    .execute()

export const attemptMoments = (attempts: readonly Attempt[]): ObjectPage['timeline'] =>
  attempts.flatMap(({ attempt, begun_at, ended_at, outcome, code }) => [
    ...moment(begun_at, `Attempt ${attempt} begun`),
    ...moment(ended_at, `Attempt ${attempt}: ${outcome}${code === null ? '' : `, ${code}`}`),
  ])
