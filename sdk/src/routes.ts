import type { Routes } from './types.ts'

/** `POST /tasks`: the name of a route, from which all else about it follows. */
export type Route = keyof Routes
/** What a route takes as its body. */
export type Body<R extends Route> = Routes[R]['body']
/** What a route takes behind the question mark. */
export type Query<R extends Route> = Routes[R]['query']
/** What a route answers when all went well. */
export type Answer<R extends Route> = Routes[R]['answer']
