/** Templates have gaps, in brackets, that the operator replaces before anything is sent: `[what you saw]`. */
export const GAPS_PROBLEM = 'Replace the words in brackets'

/** Finds the first gap of a text; undefined if there is none. */
export function gapOf(text: string): { start: number; end: number } | undefined {
  const found = /\[[^\]\n]+\]/.exec(text)
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
}

/** Selects the first gap, so that typing replaces it. Returns whether there is one. */
export function selectGap(box: HTMLElement | null, text: string): boolean {
  const gap = gapOf(text)
  const field = box?.querySelector('textarea')
  if (gap === undefined || !field) return false
  // The field gets the text of the template with the next paint.
  requestAnimationFrame(() => {
    field.focus()
    field.setSelectionRange(gap.start, gap.end)
  })
  return true
}
