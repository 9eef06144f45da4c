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
