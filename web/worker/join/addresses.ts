/** Only whether it could be an address at all: whether it is one, the mail to it tells. */
export const looksLikeEmail = (text: string) =>
  /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text.trim())

/** How to open the mail app of a phone, where there is a way to. */
export function mailAppOf(userAgent: string): string | undefined {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'message://'
  if (/Android/.test(userAgent))
    return 'intent://#Intent;action=android.intent.action.MAIN;category=android.intent.category.APP_EMAIL;end'
  return undefined
}

/** A way within the app, and to nowhere else: what stands in an address may be anybody's. */
export function wayWithin(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/'
  const { origin, pathname, search } = new URL(next, 'https://here.invalid')
  return origin === 'https://here.invalid' ? pathname + search : '/'
}
