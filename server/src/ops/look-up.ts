/** Data that the look-ups of several kinds of records share. */

/** Something that waits: what ends it, when the clock acts, and what an operator can run. */
export interface Wait {
  what: string
  /** When the clock ends it; null where only a person does. */
  until: Date | null
  next: string | null
}

/** `a…@example.com`: enough to recognize an address that one knows. */
export const masked = (email: string) => email.replace(/^(.).*(?=@)/u, '$1…')
