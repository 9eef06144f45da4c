/** The frame of the front page and of the legal pages. */
import { MARK } from './art.ts'

export interface Assets {
  css: string
  js: string
  /** Preloaded, so that they are there before the first paint. */
  fonts: string[]
}

export interface Frame {
  title: string
  description: string
  content: string
  /** Data for search engines. */
  data?: object
  hasScript?: boolean
}

const LINKS = [
  ['/#example', 'Try it'],
  ['/#prices', 'Prices'],
  ['/#safety', 'Safety'],
  ['/docs', 'Docs'],
  ['/console', 'Console'],
] as const

/** `/about#prices` on phones, where `/` is the app: links within the front page have no path there. */
const preloadOf = (font: string) =>
  `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`

const linkOf = ([href, name]: readonly [string, string], isFront: boolean) =>
  `<a href="${isFront ? href.replace('/#', '#') : href.replace('/#', '/about#')}">${name}</a>`

export function layOut(
  { title, description, content, data, hasScript = false }: Frame,
  assets: Assets,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<!--page--><title>${title}</title>
<meta name="description" content="${description}"><!--/page-->
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f7f5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0d1411" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${assets.fonts.map(preloadOf).join('\n')}
<link rel="stylesheet" href="${assets.css}">
${hasScript ? `<script type="module" src="${assets.js}"></script>\n` : ''}${
  data === undefined ? '' : `<script type="application/ld+json">${JSON.stringify(data)}</script>\n`
}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div class="wrap">
<a class="home" href="/">${MARK}<span>Legwork</span></a>
<nav aria-label="Main">${LINKS.map((link) => linkOf(link, hasScript)).join('')}
<a class="button quiet" href="/login">Log in</a></nav>
</div></header>
<main id="main">
${content}
</main>
<footer class="bottom"><div class="wrap">
<a class="home" href="/">${MARK}<span>Legwork</span></a>
<nav aria-label="Legal and help">
<a href="/help">Help</a>
<a href="/contact">Contact</a>
<a href="/legal/terms">Terms</a>
<a href="/legal/privacy">Privacy</a>
<a href="/legal/imprint">Imprint</a>
<a href="/.well-known/security.txt">Report a vulnerability</a></nav>
</div></footer>
</body>
</html>
`
}
