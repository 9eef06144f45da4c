/**
 * The asker of a question is a worker or an agent. The question is on the shard of its asker, whose id is in one of two
 * columns.
 */
import type { Selectable } from 'kysely'
import type { Schema } from '../kit/schema.ts'

export type Question = Selectable<Schema['questions']>

export interface Asker {
  kind: 'worker' | 'agent'
  id: string
}

export const columnOf = ({ kind }: Asker) => `${kind}_id` as const

export const askerOf = ({
  worker_id,
  agent_id,
}: Pick<Question, 'worker_id' | 'agent_id'>): Asker =>
  worker_id === '' ? { kind: 'agent', id: agent_id } : { kind: 'worker', id: worker_id }
