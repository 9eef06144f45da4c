/** The agents' API as the console calls it: with the cookie of a session that stands for a key. */
import { type AnswerIn, type BodyIn, openClient } from '../api.ts'
import type { paths } from './api-types.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type Answer<P extends keyof paths, M extends Method = 'get'> = AnswerIn<paths, P, M>
export type Body<P extends keyof paths, M extends Method = 'post'> = BodyIn<paths, P, M>

export const api = openClient<paths>({ endedBy: 'invalid_api_key' })
