/**
 * Session cookies. The `__Host-` prefix binds a cookie to exactly this host and to https; HttpOnly hides it from
 * scripts. `Lax` keeps it out of cross-site requests; state-changing requests also need our Origin.
 */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export function setCookie(name: string, value: string, { seconds }: { seconds: number }): string {
  return `${name}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}`
}

export const clearCookie = (name: string) => setCookie(name, '', { seconds: 0 })

/**
 * Reads a cookie by name. A browser keeps only one of that name; if there are several values, a neighboring site
 * managed to set one, and we can't tell which is genuine, so none is used.
 */
export function readCookie(name: string, header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    // Not `trim`: it also strips spaces that a browser treats as part of the name, and any site can set such a cookie.
    .map((pair) => pair.replace(/^[ \t]+/, '').replace(/[ \t]+$/, ''))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '')
  const [value, ...others] = new Set(values)
  return others.length === 0 ? value : undefined
}
