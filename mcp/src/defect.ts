/** The text that tells a model about an unexpected error. It never sees the error itself, which may quote anything. */
export const DEFECT =
  'Something went wrong on our side. Try again in a minute. If it happens again, tell the person you work for.'
