/**
 * The cookie that carries a worker's token in a browser. Its prefix binds it to this very host and to https, and no
 * script can read it. `Lax` keeps it out of what other sites send; requests that change something also need an Origin
 * of ours.
 */

export const SESSION_COOKIE = '__Host-legwork'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const setSessionCookie = (token: string, { days }: { days: number }) =>
  `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${days * 86_400}`

export const clearSessionCookie = () => `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`

/**
 * What the header `Cookie` has under our name. A browser keeps one of that name; where there are others, a site beside
 * ours has found a way to write one, and nobody knows which is the worker's: then it is none.
 */
export function readSessionCookie(header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    // Not `trim`: it also cuts off spaces that to a browser belong to the name, which is then anybody's to set.
    .map((pair) => pair.replace(/^[ \t]+/, '').replace(/[ \t]+$/, ''))
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '')
  const [value, ...others] = new Set(values)
  return others.length === 0 ? value : undefined
}
