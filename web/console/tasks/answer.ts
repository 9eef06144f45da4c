/** A typed answer in readable form. */
export function answerText(answer: unknown): string {
  if (answer === true) return 'Yes'
  if (answer === false) return 'No'
  if (answer === null || answer === undefined) return '–'
  if (typeof answer === 'object') return JSON.stringify(answer)
  return String(answer as string | number)
}
