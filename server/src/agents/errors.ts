import { z } from 'zod'
import { SCOPES } from '../kit/endpoint.ts'
import { defineError } from '../kit/errors.ts'

export const invalidApiKey = defineError(
  401,
  'invalid_api_key',
  'Missing or invalid API key',
  {},
  {
    hint:
      'Send it as Authorization: Bearer <key>. No key yet? `npx @legwork/cli init` makes one for test mode, ' +
      'without an account',
  },
)
export const unknownApiKey = defineError(
  401,
  'unknown_api_key',
  'This is no valid API key; copy it again, or make a new one',
)
export const agentExists = defineError(
  409,
  'already_registered',
  'This e-mail is already registered; send your current key to get a new one',
)
export const keyNotFound = defineError(
  404,
  'key_not_found',
  'There is no such key',
  {},
  { hint: 'GET /agents/keys lists those that work' },
)
export const tooManyKeys = defineError(
  409,
  'too_many_keys',
  'You have as many keys as you may; delete one first',
)
export const requestNotFound = defineError(
  404,
  'request_not_found',
  'There is no such request of yours; refused and failed ones are kept for 7 days, in the mode of their key',
)
export const lastKey = defineError(
  409,
  'last_key',
  'This is your last key; make another one before you delete it',
)
export const limitedKey = defineError(
  403,
  'limited_key',
  'A limited key can’t make an account of its test agent; use the key that the test agent came with',
)
export const keyTooDeep = defineError(
  409,
  'key_too_deep',
  'A key can have four keys above it at most; make this one with a key further up',
)
export const keyScope = defineError(
  403,
  'key_scope',
  'This key may not do this; use one with the scope that is required',
  { required_scope: z.enum(SCOPES) },
)
export const keyType = defineError(
  403,
  'key_type',
  'This key may not create tasks of this type; use an allowed one, or another key',
  { type: z.string(), allowed_types: z.array(z.string()) },
)
export const CAPS = ['task_max_cents', 'day_max_cents', 'month_max_cents', 'budget_cents'] as const
export const keyCap = defineError(
  402,
  'key_cap',
  'This would go over a cap of this key, or of one above it; spend less, or have the cap raised',
  { cap: z.enum(CAPS), limit_cents: z.int(), spent_cents: z.int(), required_cents: z.int() },
)
export const ownCaps = defineError(
  403,
  'own_caps',
  'A limited key can’t change its own caps; use the key that made it, or one without limits',
)
