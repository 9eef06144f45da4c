import type { SoonRoutes } from './soon.ts'
import type { Routes } from './types.ts'

type AllRoutes = Routes & Omit<SoonRoutes, keyof Routes>

/** `POST /tasks`: the name of a route, from which all else about it follows. */
export type Route = keyof AllRoutes
/** What a route takes as its body. */
export type Body<R extends Route> = AllRoutes[R]['body']
/** What a route takes behind the question mark. */
export type Query<R extends Route> = AllRoutes[R]['query']
/** What a route answers when all went well. */
export type Answer<R extends Route> = AllRoutes[R]['answer']
