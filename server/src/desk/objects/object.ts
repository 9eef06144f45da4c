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
export const maskedFact = (name: string, value: string | null, look: Fact['look']): Fact => ({
  name,
  value,
  as: 'masked',
  ...(value === null ? {} : { look }),
})

export const related = (kind: ObjectKind, id: string | null, title: string): Related[] =>
  id === null ? [] : [{ id, kind, title }]

type Moment = ObjectPage['timeline'][number]

/** A moment of the timeline; none if it has not come. */
export const moment = (
  at: Date | null,
  what: string,
  { who = null, id = null }: { who?: string | null; id?: string | null } = {},
): Moment[] => (at === null ? [] : [{ at: at.toISOString(), what, who, id }])

export const inOrder = (moments: Moment[]): Moment[] =>
  moments.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
