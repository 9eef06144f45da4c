/** The worker API, called with the cookie of the worker's session. */
import type { Route } from '@legwork/sdk'
import { type AnswerIn, type Method, openClient, type PathIn } from '../shared/api/client.ts'

type WorkerRoute = Extract<Route, `${string} /worker/${string}`>

/** The response body of an endpoint: `Answer<'/worker/feed', 'get'>`. */
export type Answer<P extends PathIn<WorkerRoute>, M extends Method = 'get'> = AnswerIn<
  WorkerRoute,
  P,
  M
>

export const api = openClient<WorkerRoute>({ endedBy: 'invalid_token' })
