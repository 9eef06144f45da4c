/** The worker API, called with the cookie of the worker's session. */
import type { Route } from '@legwork/sdk'
import {
  type AnswerIn,
  type ApiRoutes,
  type Method,
  openClient,
  type PathIn,
} from '../shared/api/client.ts'

type WorkerRoutes = ApiRoutes<Extract<Route, `${string} /worker/${string}`>>

/** The response body of an endpoint: `Answer<'/worker/feed', 'get'>`. */
export type Answer<P extends PathIn<WorkerRoutes>, M extends Method = 'get'> = AnswerIn<
  WorkerRoutes,
  P,
  M
>

export const api = openClient<WorkerRoutes>({ endedBy: 'invalid_token' })
