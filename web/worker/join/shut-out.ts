import type { Answer } from '../api.ts'

/** A suspended or closed account: the decision, the money that is owed, the disputes that are open. */
export type ShutOut = Answer<'/worker/objections'>
