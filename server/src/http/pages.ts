/**
 * The pages that the links in our mails lead to. Opening one changes nothing, since programs that look through mail
 * open every link: its button does. No scripts, nothing from elsewhere; they work on any phone.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ApiError } from '../kit/errors.ts'
import { escapeHtml } from '../kit/html.ts'
import { invalidMailLink } from '../workers/errors.ts'
import { forgotPassword } from '../workers/forgot-password.ts'
import { askForMail, findLink, type Purpose } from '../workers/links.ts'
import { NewPassword } from '../workers/passwords.ts'
import { resendVerification } from '../workers/resend-verification.ts'
import { changePassword, hashForLink, isOpen, resetPassword } from '../workers/reset-password.ts'
import { confirmEmail, verifyEmail } from '../workers/verify-email.ts'
import { readInput } from './input.ts'
import type { ServerParts } from './server.ts'

const BODY_MAX_BYTES = 16_384

/** As the links have it: beside the API, not in it. */
const at = (page: Purpose) => `/${page}`

const Asked = z.object({ token: z.string().max(200).optional().catch(undefined) })
const Form = Asked.extend({
  email: z.string().max(254).optional().catch(undefined),
  password: z.string().max(2000).optional().catch(undefined),
})

interface PagesParts extends Pick<ServerParts, 'db' | 'config'> {
  /** What is noted of any refusal, of an endpoint or a page. */
  refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError
}

export function servePages(server: FastifyInstance, parts: PagesParts): void {
  const { db, config, refuse } = parts

  void server.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
      (_, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
    )
    pages.setErrorHandler((error, request, reply) => {
      const refusal = refuse(error, request, reply)
      const isOver = refusal.code === invalidMailLink.code
      return isOver
        ? show(reply, 400, linkIsOver(request.url.startsWith(at('reset')) ? 'reset' : 'verify'))
        : show(reply, refusal.status, didNotWork(refusal))
    })

    pages.get(at('verify'), { config: { endpoint: verifyEmail } }, async (request, reply) => {
      const { token } = Asked.parse(request.query)
      if (token === undefined) return show(reply, 200, newLink('verify'))
      const link = await findLink(db.reader, { token, purpose: 'verify' })
      if (link && link.used_at !== null) return show(reply, 200, confirmed)
      if (!isOpen(link, request.now)) throw invalidMailLink()
      return show(reply, 200, confirmForm(token))
    })

    pages.post(at('verify'), { config: { endpoint: verifyEmail } }, async (request, reply) => {
      const { token, email } = Form.parse(request.body ?? {})
      const { now } = request
      if (token === undefined) return sendLink(reply, { purpose: 'verify', email, now })
      await db.transaction((tx) => confirmEmail(tx, { token, now }))
      return show(reply, 200, confirmed)
    })

    pages.get(at('reset'), { config: { endpoint: resetPassword } }, async (request, reply) => {
      const { token } = Asked.parse(request.query)
      if (token === undefined) return show(reply, 200, newLink('reset'))
      const link = await findLink(db.reader, { token, purpose: 'reset' })
      if (!isOpen(link, request.now)) throw invalidMailLink()
      return show(reply, 200, passwordForm(token))
    })

    pages.post(at('reset'), { config: { endpoint: resetPassword } }, async (request, reply) => {
      const { token, email, password = '' } = Form.parse(request.body ?? {})
      const { now } = request
      if (token === undefined) return sendLink(reply, { purpose: 'reset', email, now })
      try {
        readInput(NewPassword, password, 'password')
        const password_hash = await hashForLink(db.reader, { token, password, config, now })
        await db.transaction((tx) => changePassword(tx, { token, password_hash, now }))
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
        return show(reply, 400, passwordForm(token, error.message))
      }
      return show(reply, 200, passwordChanged)
    })
  })

  async function sendLink(
    reply: FastifyReply,
    { purpose, email, now }: { purpose: Purpose; email: string | undefined; now: Date },
  ): Promise<FastifyReply> {
    const { body } = purpose === 'verify' ? resendVerification : forgotPassword
    const { data } = body!.safeParse({ email })
    if (data === undefined)
      return show(reply, 400, newLink(purpose, 'This is not an e-mail address.'))
    await db.transaction((tx) => askForMail(tx, { email: data.email, template: purpose, now }))
    return show(reply, 200, mailIsOnItsWay)
  }
}

interface Page {
  title: string
  /** HTML, in which whatever came from outside is escaped already. */
  content: string
}

const confirmed: Page = {
  title: 'Your e-mail is confirmed',
  content: `<p>Your account is active.</p>
<p>What comes next: log in with your e-mail and your password,
say what you can do and where you are, and pick a task.</p>`,
}

const passwordChanged: Page = {
  title: 'Your password is changed',
  content: `<p>You were logged out everywhere.</p>
<p>What comes next: log in with your e-mail and the new password.</p>`,
}

const mailIsOnItsWay: Page = {
  title: 'Look into your mail',
  content: `<p>If there is an account with this address, a mail with a new link is on its way.
It can take a minute.</p>
<p>Nothing there? Look into the folder for spam, too.</p>`,
}

function confirmForm(token: string): Page {
  return {
    title: 'Confirm your e-mail',
    content: `<p>One press, and your account is active.</p>
<form method="post" action="${at('verify')}">
${hiddenToken(token)}
<button>Confirm my e-mail address</button>
</form>
<p class="aside">You did not register? Close this page: nothing has happened.</p>`,
  }
}

function passwordForm(token: string, problem?: string): Page {
  return {
    title: 'Choose a new password',
    content: `${alert(problem)}<form method="post" action="${at('reset')}">
${hiddenToken(token)}
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8"
 aria-describedby="hint">
<p class="aside" id="hint">At least 8 characters; a few words in a row are easy to remember.</p>
<button>Change my password</button>
</form>
<p class="aside">You will be logged out everywhere, and log in with the new one.</p>`,
  }
}

function newLink(purpose: Purpose, problem?: string): Page {
  return {
    title: purpose === 'verify' ? 'Get a new link' : 'Forgotten your password?',
    content: `<p>Write down the e-mail address of your account. We send you a link.</p>
${emailForm(purpose, problem)}`,
  }
}

function linkIsOver(purpose: Purpose): Page {
  const reason =
    purpose === 'verify'
      ? 'It is too old, or not complete.'
      : 'It is too old, was used already, or there is a newer one.'
  return {
    title: 'This link does not work',
    content: `<p>${reason} Get a new one:</p>\n${emailForm(purpose)}`,
  }
}

function didNotWork({ status, message, extra }: ApiError): Page {
  const seconds = Number(extra.retry_after_seconds)
  const wait = seconds > 0 ? `<p>Try again in ${seconds} seconds.</p>` : ''
  const title = status === 429 ? 'That was too often' : 'That did not work'
  return { title, content: `<p>${escapeHtml(message)}.</p>\n${wait}` }
}

const hiddenToken = (token: string) =>
  `<input type="hidden" name="token" value="${escapeHtml(token)}">`

const alert = (problem: string | undefined) =>
  problem === undefined ? '' : `<p role="alert" class="problem">${escapeHtml(problem)}</p>\n`

const emailForm = (purpose: Purpose, problem?: string) =>
  `${alert(problem)}<form method="post" action="${at(purpose)}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button>Send me a link</button>
</form>`

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --quiet: #57606a }
:root { --line: #8c959f; --act: #1a56db; --wrong: #b42318 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #14181d; --quiet: #9da7b3 }
  :root { --line: #6e7681; --act: #7aa7ff; --wrong: #ff9d94 }
}
body { margin: 0; padding: 1.5rem; background: var(--paper); color: var(--ink) }
body { font: 1.0625rem/1.5 system-ui, sans-serif }
main { max-width: 30rem; margin: 8vh auto 0 }
h1 { font-size: 1.5rem; line-height: 1.25 }
label { display: block; margin-bottom: .25rem; font-weight: 600 }
input, button { box-sizing: border-box; width: 100%; min-height: 3rem; padding: .5rem .75rem }
input, button { border-radius: .5rem; font: inherit }
input { border: 1px solid var(--line); background: var(--paper); color: var(--ink) }
button { margin-top: 1rem; border: 0; background: var(--act); color: var(--paper) }
button { font-weight: 600; cursor: pointer }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
.aside { color: var(--quiet); font-size: .9375rem }
.problem { color: var(--wrong); font-weight: 600 }
`

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; ` +
    `form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

function show(reply: FastifyReply, status: number, { title, content }: Page): FastifyReply {
  return reply
    .code(status)
    .headers(HEADERS)
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – Legwork</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`)
}
