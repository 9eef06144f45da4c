/** Candidates for a decision about an object. `choices.ts` offers the ones that their preview allows. */
import type { z } from 'zod'
import type { ReasonId } from './reasons.ts'
import type { FieldView } from './views.ts'

export type Field = z.input<typeof FieldView>

export interface Candidate {
  label: string
  kind: string
  subject: string
  input?: Record<string, unknown>
  /** The fields that the operator has to fill in. */
  fields?: Field[]
  /** Values of required fields, for asking whether the choice exists. */
  probe?: Record<string, unknown>
  /** It takes something from a person. */
  isDanger?: boolean
  /** The reasons to start from; without them, nobody but operators reads the reason. */
  reasons?: readonly ReasonId[]
}

export interface Found {
  candidates: Candidate[]
  /** The worker who reads the reason; agents read English. */
  workerId?: string
}

export const cents = (label: string, { isRequired = true } = {}): Field => ({
  name: 'amount_cents',
  label,
  type: 'cents',
  is_required: isRequired,
})
