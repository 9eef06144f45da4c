/**
 * The layout of server-rendered pages: no external resources, light or dark by system setting, works without scripts.
 */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { ApiError } from '../kit/errors.ts'
import { escapeHtml } from '../kit/html.ts'

export interface Page {
  title: string
  /** HTML; all untrusted text must already be escaped. */
  content: string
  /** Refreshes automatically after this many seconds. */
  refreshSeconds?: number
}

export function didNotWork({ status, message, extra }: ApiError): Page {
  const seconds = Number(extra.retry_after_seconds)
  const wait = seconds > 0 ? `<p>Try again in ${seconds} seconds.</p>` : ''
  const title = status === 429 ? 'Too many attempts' : 'Something went wrong'
  return { title, content: `<p>${escapeHtml(message)}.</p>\n${wait}` }
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f5; --paper: #ffffff; --ink: #12211a }
:root { --quiet: #4c5b53; --edge: #d5dcd6; --line: #7b8a82; --act: #0a6b4a; --on-act: #ffffff }
:root { --wrong: #b3261e; --focus: #1b5ea8 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1411; --paper: #151e1a; --ink: #ecf2ee }
  :root { --quiet: #a9b8b0; --edge: #2c3a33; --line: #71827a; --act: #4cd3a0; --on-act: #06281b }
  :root { --wrong: #ff9d94; --focus: #8fc1ff }
}
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink) }
body { font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
header, main { box-sizing: border-box; max-width: 28rem; margin-inline: auto }
header { display: flex; align-items: center; gap: .625rem; margin-block: 4vh 1rem; font-weight: 700 }
header svg { width: 1.75rem; height: 1.75rem; flex: none }
header rect { fill: var(--act) }
header path { fill: none; stroke: var(--on-act); stroke-width: 3 }
header path { stroke-linecap: round; stroke-linejoin: round }
main { padding: 1.5rem 1.25rem; background: var(--paper) }
main { border: 1px solid var(--edge); border-radius: 1rem }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
h1, main { font-variant-numeric: tabular-nums }
p { margin: 0 0 .75rem }
main > :last-child { margin-bottom: 0 }
form { margin: 1rem 0 }
label { display: block; margin-bottom: .25rem; font-weight: 600 }
input, button { box-sizing: border-box; width: 100%; min-height: 3rem; padding: .5rem .75rem }
input, button { border-radius: .75rem; font: inherit }
input { border: 1px solid var(--line); background: var(--paper); color: var(--ink) }
button { margin-top: 1rem; border: 0; background: var(--act); color: var(--on-act) }
button { font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
a { color: var(--act) }
.act { display: inline-flex; align-items: center; min-height: 2.75rem; font-weight: 600 }
code { font: .9375em ui-monospace, monospace; overflow-wrap: anywhere }
.aside { color: var(--quiet); font-size: .9375rem }
input + .aside { margin-top: .375rem }
.problem { color: var(--wrong); font-weight: 600 }
@media (forced-colors: active) {
  header rect { fill: ButtonText }
  header path { stroke: ButtonFace }
}
`

const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true">
<rect width="32" height="32" rx="9"/><path d="m9 16.5 5 5L23.5 11"/></svg>`

/**
 * Refreshes the content in place: a full reload would lose the reader's scroll position and focus. With scripts
 * disabled, the page does reload.
 */
const LOOK_AGAIN = `
const look = () => setTimeout(async () => {
  const main = document.querySelector('main')
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok) return look()
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const news = next.querySelector('main')
  if (news.textContent !== main.textContent) main.replaceChildren(...news.childNodes)
  document.title = next.title
  main.dataset.again = news.dataset.again ?? ''
  if (main.dataset.again) look()
}, Number(document.querySelector('main').dataset.again) * 1000)
look()
`
const sha256 = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src ${sha256(STYLE)}; script-src ${sha256(LOOK_AGAIN)}; connect-src 'self'; ` +
    `form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function show(
  reply: FastifyReply,
  status: number,
  { title, content, refreshSeconds }: Page,
): FastifyReply {
  return reply
    .code(status)
    .headers(HEADERS)
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${reload(refreshSeconds)}
<title>${escapeHtml(title)} – Legwork</title>
<style>${STYLE}</style>
</head>
<body>
<header>${MARK}Legwork</header>
<main${again(refreshSeconds)}>
<h1>${escapeHtml(title)}</h1>
${content}
</main>${refreshSeconds === undefined ? '' : `\n<script>${LOOK_AGAIN}</script>`}
</body>
</html>
`)
}

const again = (seconds: number | undefined) =>
  seconds === undefined ? '' : ` data-again="${seconds}"`

const reload = (seconds: number | undefined) =>
  seconds === undefined
    ? ''
    : `\n<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`
