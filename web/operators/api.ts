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
