/** The layout of every page: the notice that no real money moves, the style, and the security headers. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Html, html } from './html.ts'

export interface PageAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

export interface Page {
  title: string
  /** Everything below the notice. */
  content: Html
  status?: number
  /** External URLs that a form on this page may redirect to. */
  leadsTo?: (string | null | undefined)[]
}

export const MERCHANT = 'Legwork'

const read = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8')
const STYLE = read('style.css')
const STYLE_HASH = `'sha256-${hash('sha256', STYLE, 'base64')}'`

const asset = (type: string, text: string) => ({
  status: 200,
  headers: { 'content-type': type, 'cache-control': 'public, max-age=300' },
  body: text,
})

/** The only static files. */
export const ASSETS: Record<string, PageAnswer> = {
  '/pages/enhance.js': asset('text/javascript; charset=utf-8', read('enhance.js')),
  '/pages/icon.svg': asset('image/svg+xml', read('icon.svg')),
}

export function show({ title, content, status = 200, leadsTo = [] }: Page): PageAnswer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(leadsTo),
      // Not no-referrer: with it browsers send `Origin: null`, and the CSRF check needs the origin.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    body: whole(title, content).toString(),
  }
}

function whole(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} – ${MERCHANT} sandbox</title>
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
<style>${new Html(STYLE)}</style>
<script src="/pages/enhance.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<aside class="notice" aria-label="Sandbox">Sandbox: no real money moves</aside>
${content}
</body>
</html>
`
}

/** After a successful POST, redirects the browser to a GET, so that a reload repeats nothing. */
export function seeOther(location: string, cookies: string[] = []): PageAnswer {
  return {
    status: 303,
    headers: {
      location,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: '',
  }
}

/** The body of a page: one column, or two side by side if there is room. */
export function frame(width: 'one' | 'middle' | 'two', content: Html, action?: Html): Html {
  return html`<div class="frame ${width}">
<header class="bar">${brand('Legwork')}${action}</header>
<main id="main" tabindex="-1">${content}</main>
</div>`
}

export function brand(name: string, href?: string): Html {
  const inside = html`<svg viewBox="0 0 32 32" aria-hidden="true"
><rect width="32" height="32" rx="9" /><path d="m9 16.5 5 5L23.5 11" /></svg>${name}`
  return href === undefined
    ? html`<span class="brand">${inside}</span>`
    : html`<a class="brand" href="${href}">${inside}</a>`
}

/** A page that only shows a status message, with a link to continue. */
export function message({
  title,
  text,
  status,
  link,
}: {
  title: string
  text: string
  status: number
  link?: { to: string; text: string } | undefined
}): PageAnswer {
  const content = html`<div class="card stack">
<h1>${title}</h1>
<p>${text}</p>
${link && html`<p><a class="button wide" href="${link.to}">${link.text}</a></p>`}
</div>`
  return show({ title, status, content: frame('one', content) })
}

/** Returns the URL only if a link or redirect may safely use it: never a script. */
export function outside(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** Chromium also applies `form-action` to a form's redirects, so the merchant's return URL has to be listed. */
function policy(leadsTo: (string | null | undefined)[]): string {
  const origins = leadsTo.map(outside).flatMap((address) => {
    if (address === undefined) return []
    const { origin, protocol, hostname } = new URL(address)
    return hostname.startsWith('[') ? protocol : origin // CSP has no syntax for IPv6 addresses.
  })
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    "script-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...new Set(origins)].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
