/** Parses form submissions: fields, cookies, and whether the form came from one of our pages. */
import type { IncomingHttpHeaders } from 'node:http'
import { html, type Html, type Piece } from './html.ts'
import { icon } from './icons.ts'

const FIELD_LENGTH_MAX = 500

/** Form fields as trimmed text; a missing field is empty. */
export type Fields = (name: string) => string

export function readFields(body: string): Fields {
  const fields = new URLSearchParams(body)
  return (name) => (fields.get(name) ?? '').trim().slice(0, FIELD_LENGTH_MAX)
}

/**
 * CSRF check: whether a form was sent by one of our pages. Browsers say so in one of two headers, which no page can
 * change. A client that sends neither is not a browser, so it holds no cookie that could be misused.
 */
export function isFromHere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

export function cookieOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  return headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([found]) => found === name)?.[1]
}

export function cookie(
  name: string,
  value: string,
  { path, seconds, isSecure }: { path: string; seconds: number; isSecure: boolean },
): string {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Maps a field to its error message. */
export type Problems = Record<string, string>

interface FieldOptions {
  name: string
  label: Piece
  value?: string | undefined
  problem?: string | undefined
  hint?: string | undefined
  type?: string
  autocomplete?: string
  inputmode?: 'numeric' | 'decimal'
  placeholder?: string
  maxlength?: number
  isOptional?: boolean
  isReadOnly?: boolean
  /** For a select: pairs of value and text. */
  options?: readonly (readonly [string, string])[]
}

export function field(options: FieldOptions): Html {
  const { name, label, value = '', problem, hint } = options
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  const shared = html`id="${name}" name="${name}"${
    options.autocomplete && html` autocomplete="${options.autocomplete}"`
  }${!options.isOptional && !options.isReadOnly && html` required`}${
    described !== '' && html` aria-describedby="${described}"`
  }${problem !== undefined && html` aria-invalid="true"`}`

  const control = options.options
    ? html`<select ${shared}>${options.options.map(
        ([key, text]) =>
          html`<option value="${key}"${key === value && html` selected`}>${text}</option>`,
      )}</select>`
    : html`<input ${shared} value="${value}" type="${options.type ?? 'text'}"${
        options.inputmode && html` inputmode="${options.inputmode}"`
      }${options.placeholder && html` placeholder="${options.placeholder}"`}${
        options.maxlength && html` maxlength="${options.maxlength}"`
      }${options.isReadOnly && html` readonly`}${options.type === 'text' && html` dir="auto"`}>`

  return html`<div class="field">
<label for="${name}">${label}${options.isOptional && html` <span class="optional">(optional)</span>`}</label>
${control}
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problem && html`<p class="wrong" id="${name}-problem">${icon('warning')}${problem}</p>`}
</div>`
}

/** An error summary at the top, with focus; each line links to its field. */
export function problemList(problems: Problems): Html | undefined {
  const entries = Object.entries(problems)
  if (entries.length === 0) return undefined
  return alert(html`<strong>${
    entries.length === 1 ? 'One field needs your attention' : 'Some fields need your attention'
  }</strong>
<ul>${entries.map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`)}</ul>`)
}

/** Takes the focus, so that screen readers announce it at once: `autofocus` does this without a script. */
export function alert(text: Piece): Html {
  return html`<div class="alert danger" role="alert" tabindex="-1" autofocus>
${icon('warning')}<div>${text}</div></div>`
}

export function done(text: Piece): Html {
  return html`<div class="alert good" role="status">${icon('check')}<div>${text}</div></div>`
}
