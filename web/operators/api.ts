/** The desk's API, called with the cookie of an operator's session. Its types are generated from the server. */
import {
  type AnswerIn,
  type BodyIn,
  type Method,
  openClient,
  type PathIn,
} from '../shared/api/client.ts'
import type { Routes } from './types.ts'

/** The response body of an operation: `Answer<'/queues', 'get'>`. */
export type Answer<P extends PathIn<Routes>, M extends Method = 'get'> = AnswerIn<Routes, P, M>
/** The request body of an operation. */
export type Body<P extends PathIn<Routes>, M extends Method = 'post'> = BodyIn<Routes, P, M>

export const api = openClient<Routes>({ base: '/desk/api', endedBy: 'not_signed_in' })

export type Right = Answer<'/session'>['rights'][number]
export type Queue = Answer<'/queues'>['queues'][number]
export type QueueRow = Answer<'/queues/{name}'>['rows'][number]
/** Any record, with everything that a decision about it needs. */
export type Case = Answer<'/objects/{id}'>['object']
export type Proof = Case['proofs'][number]
export type Choice = Case['choices'][number]
export type Field = Choice['fields'][number]
export type Preview = Answer<'/decisions/preview', 'post'>
export type Effect = Preview['effect']
export type Decision = Answer<'/decisions/{id}'>['decision']
export type Made = Answer<'/decisions', 'post'>['decision']
export type Look = Answer<'/looks', 'post'>['look']
export type LookWhat = Body<'/looks'>['what']
