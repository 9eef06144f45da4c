/** All operations of the operators' desk. */
import type { AnyDeskOperation } from './kit/desk-operation.ts'
import { endSession } from './operators/end-session.ts'
import { showSession } from './operators/show-session.ts'

export const deskOperations: readonly AnyDeskOperation[] = [showSession, endSession]
