/** A browser without a window: it follows redirects, and keeps cookies for each host. */
const REDIRECTS_MAX = 10

export function openVisitor() {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: URL) => {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    return jar
  }

  async function step(url: URL): Promise<Response> {
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
    return response
  }

  return {
    cookies: (origin: string) => jarOf(new URL(origin)),
    /** Follows redirects until `stopsAt`, which it does not open, or until a page. Returns every address. */
    async go(start: string, stopsAt: (url: URL) => boolean = () => false): Promise<URL[]> {
      const visited = [new URL(start)]
      for (let i = 0; i < REDIRECTS_MAX; i += 1) {
        const here = visited.at(-1)!
        if (stopsAt(here)) return visited
        const response = await step(here)
        await response.body?.cancel()
        const next = response.headers.get('location')
        if (next === null) return visited
        visited.push(new URL(next, here))
      }
      throw new Error(`more than ${REDIRECTS_MAX} redirects from ${start}`)
    },
  }
}
