import type { DataOf } from '../command.ts'
import type { doNotContact } from '../do-not-contact.ts'

export const renderDoNotContact = ({ id, kind, state, due_at }: DataOf<typeof doNotContact>) => [
  state === 'confirmed'
    ? `${id}: tasks with this ${kind} are refused until ${due_at!.toISOString()}`
    : `${id}: tasks with this ${kind} are possible`,
]
