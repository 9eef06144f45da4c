import type { Answer } from '../api.ts'

/** A suspended or closed account: the decision, the money owed, the open disputes. */
export type ShutOut = Answer<'/worker/objections'>
