/** Splits the pages into the sections that the search finds: one for each heading that can be linked to. */
import type { Page } from '../layout.ts'
import { addressOf, GUIDES } from '../navigation.ts'
import type { Section } from './find.ts'

const HEADING = /<h([1-6])(?: id="([^"]+)")?[^>]*>[^]*?<\/h\1>/g
const PANEL = /<div class="panel"[^]*?<\/pre>\s*<\/div>/g
/** On the page of an error, the same for many: which endpoints have it, and where to look. */
const AFTER_FIX = /<h2[^]*$/
const SKIPPED = new RegExp(
  [
    '<svg.*?</svg>',
    '<(summary|h4)\\b.*?</\\1>',
    '<div class="caption">.*?</div>',
    '<span class="(?:type|required|caller)">.*?</span>',
  ].join('|'),
  'gs',
)
/** These separate entries; other tags, such as `<a>`, are within a line of text. */
const ENTRY_TAG = /<\/?(?:li|td|th|tr)\b[^>]*>/g
const BLOCK_TAG = /<\/?(?:p|ul|ol|table|h\d|div|section|pre|br|details|blockquote)\b[^>]*>/g

export const sectionsOf = (pages: Page[]): Section[] =>
  pages.flatMap((page) => sectionsOfPage(page))

function sectionsOfPage(page: Page): Section[] {
  const { slug } = page
  const address = addressOf(slug)
  const title = GUIDES.find((guide) => guide.slug === slug)?.title ?? page.title
  const isError = slug.startsWith('errors/')
  const { html } = page
  const names = new Map(page.headings.map(({ anchor, text }) => [anchor, text]))
  // A page about one error is short enough to be a single section.
  const starts = [...html.matchAll(HEADING)].filter(
    ([, level, anchor]) => level === '1' || (anchor !== undefined && !isError),
  )
  return starts.map(({ 0: tag, 2: anchor, index }, i) => {
    const end = starts[i + 1]?.index ?? html.length
    const content = html.slice(index + tag.length, end)
    const prose = content.replaceAll(PANEL, ' ').replace(isError ? AFTER_FIX : '', '')
    // Generated samples repeat what the fields say. Others come last, since sentences make better excerpts.
    const code = slug === 'reference' || isError ? [] : content.match(PANEL)
    const text = plain([prose, ...(code ?? [])].join(' '))
    const isTop = anchor === undefined
    return {
      page: isError ? 'Errors' : title,
      heading: isTop ? (isError ? title : '') : (names.get(anchor) ?? plain(tag)),
      text,
      address: isTop ? address : `${address}#${anchor}`,
      weight: weightOf(slug, anchor),
    }
  })
}

/** Guides explain; the changelog repeats them. Most readers write agents, not an app for workers. */
function weightOf(slug: string, anchor = ''): number {
  if (slug === 'changelog') return 0.3
  if (slug.startsWith('errors/')) return 0.6
  if (slug === 'reference') return /^(?:get|post|put|patch|delete)-worker-/.test(anchor) ? 0.4 : 0.8
  return 1
}

const plain = (html: string) =>
  html
    .replaceAll(SKIPPED, ' ')
    .replaceAll(ENTRY_TAG, ' · ')
    .replaceAll(BLOCK_TAG, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/(?: ?·)+(?= ·|$)|^(?:· ?)+/g, '')
    .trim()
