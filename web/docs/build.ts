/**
 * Builds the docs as static files: `/docs/…`, a Markdown version of each page, `/llms.txt` and related files. The
 * sources are docs/guide, CHANGELOG.md and openapi.json.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { assetWriter, bundleScript, plainTokens } from '../shared/build/static-site.ts'
import { errorMarkdown, errorTables } from './error-pages.ts'
import { type Assets, layOut, type Page } from './layout.ts'
import { llmsFull, llmsShort } from './llms.ts'
import { type Links, renderMarkdown } from './markdown.ts'
import { addressOf, GUIDES } from './navigation.ts'
import { type Document, errorsOf, operationsOf } from './openapi.ts'
import { escape } from './html.ts'
import { renderReference } from './reference.ts'
import { indexOf } from './search/find.ts'
import { sectionsOf } from './search/sections.ts'

const HERE = import.meta.dirname
const ROOT = path.join(HERE, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const require = createRequire(import.meta.url)

/** The files and folders that it writes. */
export const DOCS_FILES = ['docs', 'llms.txt', 'llms-full.txt', 'auth.md', 'openapi.json']

/** All source files, for detecting changes. */
export const docsSources = () =>
  globSync(['web/docs/**/*', 'docs/guide/**/*'], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .concat(
      [
        'openapi.json',
        'CHANGELOG.md',
        'web/shared/ui/tokens.css',
        'web/shared/build/static-site.ts',
      ].map((file) => path.join(ROOT, file)),
    )
    .sort()

export async function buildDocs(folder: string): Promise<void> {
  const document = JSON.parse(read('openapi.json')) as Document
  const pages = pagesOf(document)
  const assets = await writeAssets(folder, pages)
  const write = (name: string, text: string) => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const page of pages) {
    const name = `docs/${page.slug === '' ? 'index' : page.slug}`
    write(`${name}.html`, layOut(page, assets))
    write(`${name}.md`, page.markdown)
  }
  write('docs/404.html', layOut(LOST, assets))
  write('llms.txt', llmsShort(pages))
  write('llms-full.txt', llmsFull(pages))
  write('auth.md', read('docs/guide/auth.md'))
  write('openapi.json', JSON.stringify(document))
}

const LOST: Page = {
  slug: '404',
  title: 'Page not found',
  lead: 'This page doesn’t exist.',
  headings: [],
  markdown: '',
  html: `<div class="row first"><div class="prose"><h1>Page not found</h1>
<p>The page may have moved. See <a href="/docs">all pages</a>, <a href="/docs/reference">every endpoint</a> or
<a href="/docs/errors">every error</a>.</p></div></div>`,
}

export function pagesOf(document: Document): Page[] {
  const errors = errorsOf(document)
  const anchors = new Map(operationsOf(document).map(({ name, anchor }) => [name, anchor]))
  const links: Links = {
    resolve: resolveLink,
    ofCode(text) {
      const anchor = anchors.get(text.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\?.*$/, ''))
      if (anchor !== undefined) return `/docs/reference#${anchor}`
      return errors.has(text) ? `/docs/errors/${text}` : undefined
    },
    picture: pictureOf,
  }
  const guides = GUIDES.map(({ slug, source }): Page => {
    const extra = slug === 'errors' ? `\n${errorTables(errors)}` : ''
    const markdown = read(source) + extra
    const page = { slug, ...renderMarkdown(markdown, links), isLanding: slug === '' }
    if (slug !== 'reference') return { ...page, markdown: siteMarkdown(markdown) }
    const generated = renderReference(document)
    return {
      ...page,
      html: `${page.html}\n${generated.html}`,
      headings: [...page.headings, ...generated.headings],
      markdown: `${siteMarkdown(markdown)}\n${generated.markdown}`,
    }
  })
  const codes = [...errors].map(([code, error]): Page => {
    const markdown = errorMarkdown(code, error)
    const slug = `errors/${code}`
    const { headings, ...page } = renderMarkdown(markdown, { ...links, resolve: resolveLink })
    return {
      slug,
      ...page,
      headings,
      markdown: siteMarkdown(markdown),
      under: 'errors',
      lead: error.message,
    }
  })
  return [...guides, ...codes]
}

/**
 * Maps a relative link such as `money.md#tips` to its page on the site; files that the site lacks link to the
 * repository.
 */
function resolveLink(href: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const behind = anchor === undefined ? '' : `#${anchor}`
  const source = path.posix.join('docs/guide', file)
  const guide = GUIDES.find((one) => one.source === source)
  if (guide === undefined) throw new Error(`the docs site has no page for ${href}`)
  return addressOf(guide.slug) + behind
}

/** Markdown for readers without HTML: links point to the Markdown pages, and images become their alt text. */
const siteMarkdown = (markdown: string) =>
  markdown
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(
      /\]\(((?!https?:|#|\/)[^)\s]+\.md)(#[^)\s]*)?\)/g,
      (_, file: string, anchor: string | undefined) => {
        const address = resolveLink(file)
        return `](${address === '/docs' ? '/docs/index' : address}.md${anchor ?? ''})`
      },
    )

/** Inlines SVG drawings, so that they use the page's font and its light or dark colors. */
function pictureOf(href: string, alt: string): string {
  const svg = read(path.posix.join('docs/guide', href))
    .replace(/<\?xml[^>]*>\s*/, '')
    .replace(/<style>[^]*?<\/style>\s*/, '')
  const silent = svg.replace('<svg', '<svg aria-hidden="true"')
  return `<span class="drawing" role="img" aria-label="${escape(alt)}" tabindex="0">${silent}</span>`
}

async function writeAssets(folder: string, pages: Page[]): Promise<Assets> {
  const put = assetWriter(folder, 'docs/assets')
  const inter = put(
    'inter.woff2',
    readFileSync(require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
  )
  const mono = put(
    'mono.woff2',
    readFileSync(
      require.resolve(
        '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
      ),
    ),
  )
  const css = `${plainTokens()}\n${readFileSync(path.join(HERE, 'docs.css'), 'utf8')}`
    .replaceAll('INTER', inter)
    .replaceAll('MONO', mono)
  return {
    css: put('docs.css', css),
    js: put('docs.js', await bundleScript(path.join(HERE, 'browser/main.ts'))),
    searcher: put('searcher.js', await bundleScript(path.join(HERE, 'browser/searcher.ts'))),
    search: put('search.json', JSON.stringify(indexOf(sectionsOf(pages)))),
    fonts: [inter],
  }
}
