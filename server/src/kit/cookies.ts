/**
 * Cookies that carry a session. The prefix `__Host-` binds one to this very host and to https, and no script can read
 * it. `Lax` keeps it out of what other sites send; requests that change something also need an Origin of ours.
 */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export function setCookie(name: string, value: string, { seconds }: { seconds: number }): string {
  return `${name}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}`
}

export const clearCookie = (name: string) => setCookie(name, '', { seconds: 0 })

/**
 * What the header `Cookie` has under this name. A browser keeps one of that name; where there are others, a site beside
 * ours has found a way to write one, and nobody knows which is the person's: then it is none.
 */
export function readCookie(name: string, header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    // Not `trim`: it also cuts off spaces that to a browser belong to the name, which is then anybody's to set.
    .map((pair) => pair.replace(/^[ \t]+/, '').replace(/[ \t]+$/, ''))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '')
  const [value, ...others] = new Set(values)
  return others.length === 0 ? value : undefined
}
