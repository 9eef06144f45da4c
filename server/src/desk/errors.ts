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
    fix: 'Search for it by a name, an email or a reference.',
  },
)
export const colleagueNotFound = defineError(
  404,
  'colleague_not_found',
  'This operator can’t take cases',
  {},
  {
    who: 'operator',
    cause: 'No active operator has this id, or the role doesn’t include the right `note`.',
    fix: 'Choose somebody from the list of colleagues.',
  },
)
export const caseMoved = defineError(
  409,
  'case_moved',
  'Somebody else has this case now',
  {},
  {
    who: 'operator',
    cause: 'A colleague took or released the case while the page was open.',
    fix: 'Load the page again to see who has it.',
  },
)
export const nothingToShow = defineError(
  404,
  'nothing_to_show',
  'There is nothing to show',
  {},
  {
    who: 'operator',
    cause: 'The record has no such data, or it was deleted when its retention period ended.',
    fix: 'Decide with what the page shows.',
  },
)
export const figureNotFound = defineError(
  404,
  'figure_not_found',
  'This board has no figure with rows of this name',
  {},
  {
    who: 'operator',
    cause: 'The figure does not exist, or no rows are behind it.',
    fix: 'Open the board and follow the link of a figure.',
  },
)
