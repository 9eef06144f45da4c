/** The agents' API, called with the cookie of a session that was started with an API key. */
import type { Route } from '@legwork/sdk'
import {
  type AnswerIn,
  type BodyIn,
  type Method,
  openClient,
  type PathIn,
} from '../shared/api/client.ts'

type AgentRoute = Exclude<Route, `${string} /worker/${string}`>

/** The response body of an endpoint: `Answer<'/tasks', 'get'>`. */
export type Answer<P extends PathIn<AgentRoute>, M extends Method = 'get'> = AnswerIn<
  AgentRoute,
  P,
  M
>
/** The request body of an endpoint. */
export type Body<P extends PathIn<AgentRoute>, M extends Method = 'post'> = BodyIn<AgentRoute, P, M>

export const api = openClient<AgentRoute>({ endedBy: 'invalid_api_key' })
