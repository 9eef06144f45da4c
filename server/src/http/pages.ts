/**
 * The pages that the links in our mails lead to. Opening one changes nothing, since programs that look through mail
 * open every link: its button does. No scripts, nothing from elsewhere; they work on any phone.
 */
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
import { didNotWork, type Page, show } from './page-layout.ts'
import type { ServerParts } from './server.ts'

const BODY_MAX_BYTES = 16_384

/** As the links have it: beside the API, not in it. */
const at = (page: Purpose) => `/${page}`

const Asked = z.object({ token: z.string().max(200).optional().catch(undefined) })
const Form = Asked.extend({
  email: z.string().max(254).optional().catch(undefined),
  password: z.string().max(2000).optional().catch(undefined),
})

export interface PagesParts extends Pick<ServerParts, 'db' | 'config'> {
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
