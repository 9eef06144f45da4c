import { defineError } from '../kit/errors.ts'

export const queueNotFound = defineError(
  404,
  'queue_not_found',
  'This queue does not exist',
  {},
  {
    who: 'operator',
    cause: 'No queue has this name; it may have been renamed.',
    fix: 'Open the list of queues.',
  },
)
export const objectNotFound = defineError(
  404,
  'object_not_found',
  'Nothing has this id',
  {},
  {
    who: 'operator',
    cause: 'The id is misspelled, or the record was deleted when its retention period ended.',
    fix: 'Search for it.',
  },
)
