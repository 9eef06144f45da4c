import { defineError } from '../../kit/errors.ts'

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
