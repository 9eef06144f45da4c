/** Dashboard login: asks once for the control token and remembers it in a cookie. */
import { alert, cookie, cookieOf, field } from '../forms.ts'
import { html } from '../html.ts'
import { frame, type PageAnswer, seeOther, show } from '../layout.ts'
import type { PageCall, PageRoute } from '../route.ts'
import { isSame, issueTicket, readTicket } from '../tickets.ts'

const COOKIE = 'sandbox_dashboard'
const SESSION_SECONDS = 12 * 3600

/** Restricts pages to operators. Uses the machine's clock, so that moving the sandbox's clock logs nobody out. */
export function forOperators(pages: PageRoute[]): PageRoute[] {
  return pages.map((page) => ({
    ...page,
    run(call) {
      const { sandbox, request } = call
      const ticket = cookieOf(request.headers, COOKIE)
      const isIn = readTicket(sandbox.token, { purpose: 'dashboard', ticket, now: new Date() })
      if (isIn !== undefined) return page.run(call)
      const next = page.method === 'GET' ? request.url.pathname : '/dashboard'
      const token = request.url.searchParams.get('token')
      return token === null ? ask(next) : letIn(call, token, next)
    },
  }))
}

export const logInPages: PageRoute[] = [
  {
    method: 'POST',
    path: '/dashboard/log-in',
    run: (call) => letIn(call, call.fields('token'), call.fields('next')),
  },
  {
    method: 'POST',
    path: '/dashboard/log-out',
    run: (call) => seeOther('/dashboard', [keep(call, '', 0)]),
  },
]

function letIn(call: PageCall, token: string, next: string): PageAnswer {
  const to = /^\/dashboard(?:\/|$)/.test(next) ? next : '/dashboard'
  if (!isSame(token, call.sandbox.token))
    return ask(to, 'This token is not valid. The sandbox printed it when it started.')
  const ticket = issueTicket(call.sandbox.token, {
    purpose: 'dashboard',
    subject: 'operator',
    expiresAt: new Date(Date.now() + SESSION_SECONDS * 1000),
  })
  return seeOther(to, [keep(call, ticket, SESSION_SECONDS)])
}

const keep = ({ sandbox }: PageCall, value: string, seconds: number) =>
  cookie(COOKIE, value, {
    path: '/dashboard',
    seconds,
    isSecure: sandbox.publicUrl.startsWith('https:'),
  })

function ask(next: string, problem?: string): PageAnswer {
  const content = html`<form class="card stack" method="post" action="/dashboard/log-in">
<h1>The processor’s dashboard</h1>
<p class="muted">Inspect the sandbox, and act as payers and banks.</p>
${problem && alert(html`<strong>${problem}</strong>`)}
<input type="text" name="username" value="operator" autocomplete="username" hidden>
<input type="hidden" name="next" value="${next}">
${field({
  name: 'token',
  label: 'Control token',
  type: 'password',
  autocomplete: 'current-password',
  hint: 'The value of SANDBOX_TOKEN; if it is not set, the sandbox prints a token when it starts.',
})}
<button class="button wide">Open</button>
</form>`
  const answer = show({ title: 'Dashboard', status: 401, content: frame('one', content) })
  return {
    ...answer,
    headers: { ...answer.headers, 'www-authenticate': 'Bearer realm="sandbox"' },
  }
}
