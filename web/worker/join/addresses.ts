/** Only a rough check: the verification email shows whether the address exists. */
export const looksLikeEmail = (text: string) =>
  /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim())

/** A link that opens the phone's mail app, if there is one. */
export function mailAppOf(userAgent: string): string | undefined {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'message://'
  if (/Android/.test(userAgent))
    return 'intent://#Intent;action=android.intent.action.MAIN;category=android.intent.category.APP_EMAIL;end'
  return undefined
}

/** Allows only paths within the app, since anyone can craft the URL: prevents open redirects. */
export function wayWithin(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/'
  const { origin, pathname, search } = new URL(next, 'https://here.invalid')
  return origin === 'https://here.invalid' ? pathname + search : '/'
}
