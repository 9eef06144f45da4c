/** A browser without scripts, for testing the pages: it keeps cookies and doesn't follow redirects. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { standAt } from './stand.ts'
import { startSandbox } from '../src/server.ts'

export interface Visited {
  status: number
  headers: Headers
  /** Redirect target. */
  location: string | null
  html: string
}

type Fields = Record<string, string>

export type Visitor = ReturnType<typeof visitorAt>

/** A sandbox for one test file, with access to its pages. */
export async function openPages() {
  const server = await startSandbox({ token: 'control', retryDelaysMs: [600_000] })
  after(() => server.stop())
  return {
    ...standAt(server.url, server.token),
    token: server.token,
    visitor: () => visitorAt(server.url),
    /** A visitor who is logged in to the dashboard. */
    async operator() {
      const visitor = visitorAt(server.url)
      await visitor.send('/dashboard/log-in', { token: server.token })
      return visitor
    },
  }
}

function visitorAt(url: string) {
  const cookies = new Map<string, string>()

  async function visit(path: string, init: RequestInit = {}): Promise<Visited> {
    const response = await fetch(new URL(path, url), {
      ...init,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        accept: 'text/html',
        ...(init.headers as Fields | undefined),
      },
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]!.split('=')
      cookies.set(name, value)
    }
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      html: await response.text(),
    }
  }

  return {
    cookies,
    visit,
    /** Posts a form, with the headers of our own pages unless others are given. */
    send: (path: string, fields: Fields = {}, headers: Fields = { origin: url }) =>
      visit(path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    /** Submits a form of a page, overriding the given fields. */
    submit(page: Visited, action: RegExp, fields: Fields = {}) {
      const form = formOf(page.html, action)
      return this.send(form.action, { ...form.fields, ...fields })
    },
  }
}

/** Finds the form whose action matches: its URL, and the fields that a browser would send. */
export function formOf(page: string, action: RegExp): { action: string; fields: Fields } {
  const forms = page.match(/<form\b[^>]*>[^]*?<\/form>/g) ?? []
  const form = forms.find((one) => action.test(attribute(one, 'action') ?? ''))
  assert(form, `no form leads to ${action} in:\n${page}`)
  const fields: Fields = {}
  for (const tag of form.match(/<input\b[^>]*>/g) ?? []) {
    const isChoice = /\btype="(?:radio|checkbox)"/.test(tag)
    if (!isChoice || /\bchecked\b/.test(tag))
      fields[attribute(tag, 'name') ?? ''] = attribute(tag, 'value') ?? ''
  }
  for (const [tag] of form.matchAll(/<select\b[^]*?<\/select>/g)) {
    const options = tag.match(/<option\b[^>]*>/g) ?? []
    const chosen = options.find((option) => /\bselected\b/.test(option)) ?? options[0] ?? ''
    fields[attribute(tag, 'name') ?? ''] = attribute(chosen, 'value') ?? ''
  }
  return { action: attribute(form, 'action') ?? '', fields }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  return value?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}

/** The visible text of a page: without tags, with whitespace collapsed. */
export const textOf = ({ html }: Visited): string =>
  html
    .replaceAll(/<(style|script)\b[^]*?<\/\1>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
