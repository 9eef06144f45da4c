import type { Routes } from './types.ts'

/** The name of a route, such as `POST /tasks`. */
export type Route = keyof Routes
/** The request body of a route. */
export type Body<R extends Route> = Routes[R]['body']
/** The query parameters of a route. */
export type Query<R extends Route> = Routes[R]['query']
/** The successful response of a route. */
export type Answer<R extends Route> = Routes[R]['answer']
