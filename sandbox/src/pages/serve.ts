/** Routes all pages of the sandbox, and checks where forms come from. */
import type { Sandbox } from '../sandbox.ts'
import { checkoutPages } from './checkout.ts'
import { dashboardPages } from './dashboard/pages.ts'
import { expressPages } from './express.ts'
import { isFromHere, readFields } from './forms.ts'
import { ASSETS, message, type PageAnswer, seeOther } from './layout.ts'
import type { PageRequest, PageRoute } from './route.ts'
import { setupPages } from './setup.ts'

const PAGES: PageRoute[] = [
  { method: 'GET', path: '/', run: () => seeOther('/dashboard') },
  ...checkoutPages,
  ...setupPages,
  ...expressPages,
  ...dashboardPages,
]

/** Returns undefined if no page has this URL and the client is not a browser. */
export async function servePage(
  sandbox: Sandbox,
  request: PageRequest,
): Promise<PageAnswer | undefined> {
  const asset = ASSETS[request.url.pathname]
  if (asset !== undefined) return asset

  const found = PAGES.flatMap((page) => {
    const ids = match(page.path, request.url.pathname)
    return ids === undefined ? [] : [{ page, ids }]
  })
  if (found.length === 0)
    return request.headers.accept?.includes('text/html') ? noPage() : undefined
  const hit = found.find(({ page }) => page.method === request.method)
  if (hit === undefined) return wrongMethod(found.map(({ page }) => page.method))
  if (request.method === 'POST' && !isFromHere(request.headers)) return fromElsewhere()
  return hit.page.run({ sandbox, request, ids: hit.ids, fields: readFields(request.body) })
}

/** The values of the path parameters; undefined if the path doesn't match. */
function match(path: string, pathname: string): string[] | undefined {
  const [wanted, given] = [path.split('/'), pathname.split('/')]
  if (wanted.length !== given.length) return undefined
  const ids: string[] = []
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(':') && given[at] !== '') ids.push(decode(given[at]!))
    else if (part !== given[at]) return undefined
  }
  return ids
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // Not a valid escape: looked up unchanged, and not found.
  }
}

function noPage(): PageAnswer {
  return message({
    title: 'Page not found',
    text: 'The link is incomplete or wrong.',
    status: 404,
    link: { to: '/dashboard', text: 'Go to the dashboard' },
  })
}

function wrongMethod(methods: string[]): PageAnswer {
  const answer = message({
    title: 'This page can’t be opened this way',
    text: 'Open it in a browser.',
    status: 405,
  })
  return { ...answer, headers: { ...answer.headers, allow: methods.join(', ') } }
}

function fromElsewhere(): PageAnswer {
  return message({
    title: 'This form came from another site',
    text: 'Nothing was changed. Open the page here and submit the form again.',
    status: 403,
  })
}
