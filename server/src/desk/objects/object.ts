/** What the page of an object is made of: each kind of object reads its own part, `get-object.ts` adds the rest. */
import { z } from 'zod'
import type { Background } from '../../kit/job.ts'
import type { Fact, ObjectKind, ObjectPage, Related } from '../views.ts'

export const ObjectId = z.string().min(1).max(300).describe('The id of an object page')

type Part =
  | 'text'
  | 'proofs'
  | 'timeline'
  | 'money'
  | 'trust'
  | 'access'
  | 'linked'
  | 'related'
  | 'thread'

export type Found = Pick<ObjectPage, 'id' | 'kind' | 'title' | 'status' | 'mode'> & {
  facts: readonly (Fact | undefined)[]
  /** Decisions about it are recorded under these subjects too, beside its id. */
  subjects?: readonly string[]
} & Partial<Pick<ObjectPage, Part>>

export interface Sought {
  background: Background
  id: string
  now: Date
}

export type Finder = (sought: Sought) => Promise<Found | undefined>

export const textFact = (name: string, value: string | number | boolean | null): Fact => ({
  name,
  value,
  as: 'text',
})
export const moneyFact = (name: string, cents: number | null): Fact => ({
  name,
  value: cents,
  as: 'money',
})
export const timeFact = (name: string, at: Date | null): Fact => ({
  name,
  value: at?.toISOString() ?? null,
  as: 'time',
})
export const idFact = (name: string, id: string | null): Fact => ({ name, value: id, as: 'id' })
/** The next step in words, if there is nothing to decide here or something to do first. */
export const nextFact = (step: string | null): Fact | undefined =>
  step === null ? undefined : textFact('Next step', step)
export const maskedFact = (name: string, value: string | null, look: Fact['look']): Fact => ({
  name,
  value,
  as: 'masked',
  ...(value === null ? {} : { look }),
})

export const related = (kind: ObjectKind, id: string | null, title: string): Related[] =>
  id === null ? [] : [{ id, kind, title }]

const KINDS_OF_IDS: Readonly<Record<string, [kind: ObjectKind, title: string]>> = {
  po: ['payout', 'Payout'],
  txn: ['deposit', 'Deposit'],
  rfd: ['refund', 'Refund'],
  wd: ['withdrawal', 'Withdrawal'],
  task: ['task', 'Task'],
  worker: ['worker', 'Worker'],
  agent: ['agent', 'Agent'],
}

/** A record known only by its id, whose prefix says what it is. */
export function relatedById(id: string): Related[] {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]{26}$/.exec(id) ?? []
  const [kind, title] = KINDS_OF_IDS[prefix] ?? []
  return kind === undefined ? [] : [{ id, kind, title: title! }]
}

type Moment = ObjectPage['timeline'][number]

/** A moment of the timeline; none if it has not come. */
export const moment = (
  at: Date | null,
  what: string,
  { who = null, id = null }: { who?: string | null; id?: string | null } = {},
): Moment[] => (at === null ? [] : [{ at: at.toISOString(), what, who, id }])

export const inOrder = (moments: Moment[]): Moment[] =>
  moments.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
