/** Data shared by the look-ups of several kinds of records. */

/** Something that waits: what ends it, when the timer acts, and which command an operator can run. */
export interface Wait {
  what: string
  /** When the timer ends it; null if only a person can. */
  until: Date | null
  next: string | null
}

/** `a…@example.com`: enough to recognize an address that you already know. */
export const masked = (email: string) => email.replace(/^(.).*(?=@)/u, '$1…')
