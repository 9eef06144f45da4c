/** The agents' API, called with the cookie of a session that was started with an API key. */
import type { Route } from '@legwork/sdk'
import {
  type AnswerIn,
  type ApiRoutes,
  type BodyIn,
  type Method,
  openClient,
  type PathIn,
} from '../shared/api/client.ts'

type AgentRoutes = ApiRoutes<Exclude<Route, `${string} /worker/${string}`>>

/** The response body of an endpoint: `Answer<'/tasks', 'get'>`. */
export type Answer<P extends PathIn<AgentRoutes>, M extends Method = 'get'> = AnswerIn<
  AgentRoutes,
  P,
  M
>
/** The request body of an endpoint. */
export type Body<P extends PathIn<AgentRoutes>, M extends Method = 'post'> = BodyIn<
  AgentRoutes,
  P,
  M
>

export const api = openClient<AgentRoutes>({ endedBy: 'invalid_api_key' })
