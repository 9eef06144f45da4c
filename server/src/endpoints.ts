/** The table of all routes, in the order of the specification. */
import { createKey } from './agents/create-key.ts'
import { deleteKey } from './agents/delete-key.ts'
import { listKeys } from './agents/list-keys.ts'
import { register } from './agents/register.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { cancel } from './tasks/cancel.ts'
import { create } from './tasks/create.ts'
import { call, escalate, field, gutCheck, verify, vibe } from './tasks/create-typed.ts'
import { get as getTask } from './tasks/get.ts'
import { getStats } from './tasks/get-stats.ts'
import { list } from './tasks/list.ts'
import { get as getWallet } from './wallet/get.ts'

export const endpoints: readonly AnyEndpoint[] = [
  create,
  list,
  getTask,
  cancel,
  verify,
  call,
  gutCheck,
  field,
  escalate,
  vibe,
  getWallet,
  getStats,
  register,
  listKeys,
  createKey,
  deleteKey,
]
