/** The layout of every docs page. */
import { escape } from './html.ts'
import type { Heading } from './markdown.ts'
import { addressOf, GUIDES, NAVIGATION } from './navigation.ts'

export interface Page {
  /** The path after `/docs/`. */
  slug: string
  title: string
  lead: string
  html: string
  /** Listed below the page in the navigation. */
  headings: Heading[]
  /** The page's source as Markdown. */
  markdown: string
  /** The guide to highlight in the navigation, if this page isn't listed there itself. */
  under?: string
  isLanding?: boolean
}

export interface Assets {
  css: string
  js: string
  /** The search code and its index, which are loaded when the search first opens. */
  searcher: string
  search: string
  fonts: string[]
}

const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" class="mark"/>
<path d="m9 16.5 5 5L23.5 11" class="tick"/></svg>`

export function layOut(page: Page, assets: Assets): string {
  const at = page.under ?? page.slug
  const navigation = NAVIGATION.map(
    ({ title, guides }) => `<p class="group">${title}</p>
<ul>${guides
      .map(({ slug, title: name }) => {
        const isHere = slug === page.slug
        const isAround = slug === at
        const below = isHere ? contentsOf(page) : ''
        return `<li><a href="${addressOf(slug)}"${isHere ? ' aria-current="page"' : ''}${
          isAround && !isHere ? ' class="around"' : ''
        }>${name}</a>${below}</li>`
      })
      .join('')}</ul>`,
  ).join('\n')
  const twin = `${page.slug === '' ? '/docs/index' : addressOf(page.slug)}.md`
  const title = page.slug === '' ? 'Legwork docs' : `${page.title} · Legwork docs`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<!--page--><title>${escape(title)}</title>
<meta name="description" content="${escape(page.lead)}"><!--/page-->
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg">
${assets.fonts.map((font) => `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`).join('\n')}
<link rel="stylesheet" href="${assets.css}">
<link rel="alternate" type="text/markdown" href="${twin}">
<script type="module" src="${assets.js}"></script>
</head>
<body data-searcher="${assets.searcher}" data-search="${assets.search}">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="home" href="/docs">${MARK}<span>Legwork</span> <span class="kind">Docs</span></a>
<div class="search" data-slot="search"></div>
<div class="tools"><div data-slot="key"></div>
<a class="plain" href="/docs/reference">API</a><a class="plain" href="/console">Console</a></div>
</header>
<details class="menu"><summary>Pages</summary><nav aria-label="Pages menu">${navigation}</nav></details>
<div class="frame">
<nav class="side" aria-label="Pages">${navigation}</nav>
<main id="main"${page.isLanding ? ' class="landing"' : ''}>
<div class="meta"><p>${groupOf(at)}</p>${
    page.markdown === ''
      ? ''
      : `<p><span data-slot="copy-page" data-twin="${twin}"></span><a class="plain" href="${twin}">Markdown</a></p>`
  }</div>
<article>
${page.html}
</article>
<footer class="end">
${neighboursOf(page)}
<p class="legal"><a href="/">Legwork</a> <a href="/help">Help</a> <a href="/contact">Contact</a>
<a href="/legal/terms">Terms</a> <a href="/legal/privacy">Privacy</a> <a href="/legal/imprint">Imprint</a></p>
</footer>
</main>
</div>
</body>
</html>
`
}

/** The navigation group that contains this page. */
const groupOf = (slug: string) =>
  NAVIGATION.find(({ guides }) => guides.some((guide) => guide.slug === slug))?.title ?? ''

function contentsOf({ headings }: Page): string {
  const chapters = headings.filter(({ level }) => level === 2)
  if (chapters.length < 2) return ''
  return `<ul class="contents">${chapters
    .map(({ text, anchor }) => `<li><a href="#${anchor}">${escape(text)}</a></li>`)
    .join('')}</ul>`
}

function neighboursOf(page: Page): string {
  const at = GUIDES.findIndex(({ slug }) => slug === page.slug)
  if (at === -1) return ''
  const [before, after] = [GUIDES[at - 1], GUIDES[at + 1]]
  return `<nav class="neighbours" aria-label="Previous and next page">${
    before
      ? `<a class="before" href="${addressOf(before.slug)}"><span>Previous</span>${before.title}</a>`
      : '<span></span>'
  }${
    after
      ? `<a class="after" href="${addressOf(after.slug)}"><span>Next</span>${after.title}</a>`
      : ''
  }</nav>`
}
