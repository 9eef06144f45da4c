/**
 * Writes the head of a page for search engines and link previews. The build marks title and description with
 * `<!--page-->`; here they get their canonical address and the preview picture, whose URLs must be absolute.
 */
import { escapeHtml } from '../kit/html.ts'

/** 1200 × 630, in web/front/public. */
const PICTURE = '/preview.png'
const PICTURE_ALT = 'Legwork: a paper map with a trail that leads to a pin'

export const HEAD_MARK = '<!--page-->'

interface Visit {
  publicUrl: string
  /** The page's own path; undefined for pages without one, such as the screens of an app. */
  path?: string | undefined
  title?: string
  description?: string
}

export function fillHead(html: string, visit: Visit): string {
  return html.replace(/<!--page-->([^]*?)<!--\/page-->/, (_, block: string) => {
    const title = visit.title === undefined ? read(block, TITLE) : escapeHtml(visit.title)
    const description =
      visit.description === undefined ? read(block, DESCRIPTION) : escapeHtml(visit.description)
    const address = visit.path === undefined ? undefined : escapeHtml(visit.publicUrl + visit.path)
    return [
      `<title>${title}</title>`,
      `<meta name="description" content="${description}">`,
      ...(address === undefined
        ? []
        : [
            `<link rel="canonical" href="${address}">`,
            `<meta property="og:url" content="${address}">`,
          ]),
      '<meta property="og:type" content="website">',
      '<meta property="og:site_name" content="Legwork">',
      `<meta property="og:title" content="${title}">`,
      `<meta property="og:description" content="${description}">`,
      `<meta property="og:image" content="${escapeHtml(visit.publicUrl + PICTURE)}">`,
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      `<meta property="og:image:alt" content="${PICTURE_ALT}">`,
      '<meta name="twitter:card" content="summary_large_image">',
    ].join('\n')
  })
}

const TITLE = /<title>([^<]*)<\/title>/
const DESCRIPTION = /<meta name="description" content="([^"]*)"/

/** Already escaped by the build. */
const read = (block: string, what: RegExp) => what.exec(block)?.[1] ?? ''
