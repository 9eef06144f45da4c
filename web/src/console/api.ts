/** The agents' API as the console calls it: with the cookie of a session that stands for a key. */
import { type AnswerIn, type BodyIn, openClient } from '../api.ts'
import type { paths } from './api-types.ts'
import type { Coming } from './coming.ts'

type Table = Coming & Omit<paths, keyof Coming>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type Answer<P extends keyof Table, M extends Method = 'get'> = AnswerIn<Table, P, M>
export type Body<P extends keyof Table, M extends Method = 'post'> = BodyIn<Table, P, M>

export const api = openClient<Table>({ endedBy: 'invalid_api_key' })
