import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type Marketplace } from '../../test/harness.ts'
import { PASSWORD, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const limited = await marketplace({
  settings: { RATE_LIMITS: 'on', LIMIT_GLOBAL_PER_MINUTE: 3 },
})
const strict = await marketplace({ mail: true, settings: { PASSWORD_BLOCKLIST: 'on' } })
const CHOSEN = 'a password of one’s own choice'
const DAY = 86_400_000

async function open(path: string, form?: Record<string, string>, place: Marketplace = market) {
  const { origin } = new URL(place.server.addresses.api!)
  const response = await fetch(origin + path, {
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    redirect: 'manual',
  })
  const html = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    html,
    title: /<h1>(.*?)<\/h1>/.exec(html)?.[1],
  }
}

const isActive = async ({ id }: { id: string }) =>
  (await market.asOwner('select status from workers where id = $1', [id]))[0]!.status === 'active'

describe('the page /verify', () => {
  test('changes nothing by being opened; its button confirms, and says what comes next [5-worker-verify]', async () => {
    const person = await signUp(market, { isVerified: false })
    const link = person.mail.links[0]!

    const first = await open(link.pathname + link.search)
    const wasActive = await isActive(person)
    const pressed = await open('/verify', fieldsOf(first.html))

    assert.equal(first.status, 200)
    assert.equal(first.title, 'Confirm your e-mail')
    assert.equal(wasActive, false)
    assert.equal(pressed.status, 200)
    assert.equal(pressed.title, 'Your e-mail is confirmed')
    assert.match(pressed.html, /What comes next: log in/)
    assert.equal((await person.logIn()).status, 200)
  })

  test('opened or pressed again, says that it is done', async () => {
    const person = await signUp(market)

    const replies = [
      await open(`/verify?token=${person.linkToken}`),
      await open('/verify', { token: person.linkToken }),
    ]

    for (const { status, title } of replies) {
      assert.equal(status, 200)
      assert.equal(title, 'Your e-mail is confirmed')
    }
  })

  test('400 with a link that is over or invented: it offers a new one, which works', async () => {
    const person = await signUp(market, { isVerified: false })
    market.advance(DAY)

    const replies = [
      await open(`/verify?token=${person.linkToken}`),
      await open('/verify', { token: person.linkToken }),
      await open('/verify?token=nonsense'),
    ]
    const asked = await open('/verify', { email: person.email })
    await market.work()
    const again = await market.inbox.mailTo(person.email)
    const pressed = await open('/verify', { token: again.links[0]!.searchParams.get('token')! })

    for (const { status, title, html } of replies) {
      assert.equal(status, 400)
      assert.equal(title, 'This link does not work')
      assert.match(html, /<input id="email"/)
    }
    assert.equal(asked.title, 'Look into your mail')
    assert.equal(pressed.title, 'Your e-mail is confirmed')
  })

  test('says the same to any address, and 400 to what is none', async () => {
    const [unknown, none] = [
      await open('/verify', { email: 'nobody@example.com' }),
      await open('/verify', { email: 'none' }),
    ]

    assert.equal(unknown.status, 200)
    assert.equal(unknown.title, 'Look into your mail')
    assert.equal(none.status, 400)
    assert.match(none.html, /role="alert"[^>]*>This is not an e-mail address\./)
  })
})

describe('the page /reset', () => {
  test('asks for a password, changes it, and says what comes next', async () => {
    const person = await signUp(market)
    const token = await person.forget()

    const form = await open(`/reset?token=${token}`)
    const changed = await open('/reset', { ...fieldsOf(form.html), password: CHOSEN })

    assert.equal(form.status, 200)
    assert.match(form.html, /<label for="password">/)
    assert.match(form.html, /type="password" autocomplete="new-password"/)
    assert.equal(changed.status, 200)
    assert.equal(changed.title, 'Your password is changed')
    assert.equal((await person.logIn(CHOSEN)).status, 200)
    assert.equal((await person.logIn(PASSWORD)).status, 401)
  })

  test('400 for a password that is too short: asks again and keeps the link', async () => {
    const person = await signUp(market)
    const token = await person.forget()

    const short = await open('/reset', { token, password: 'short' })
    const changed = await open('/reset', { ...fieldsOf(short.html), password: CHOSEN })

    assert.equal(short.status, 400)
    assert.match(short.html, /role="alert"[^>]*>password must have at least 8 characters/)
    assert.equal(changed.status, 200)
  })

  test('400 for a common password, where those are refused', async () => {
    const person = await signUp(strict)
    const token = await person.forget()

    const { status, html } = await open('/reset', { token, password: 'password123' }, strict)

    assert.equal(status, 400)
    assert.match(html, /role="alert"[^>]*>password is one of the most common ones/)
  })

  test('400 with a link that was used', async () => {
    const person = await signUp(market)
    const token = await person.forget()
    await open('/reset', { token, password: CHOSEN })

    const replies = [
      await open(`/reset?token=${token}`),
      await open('/reset', { token, password: 'another password' }),
    ]

    for (const { status, title } of replies) {
      assert.equal(status, 400)
      assert.equal(title, 'This link does not work')
    }
    assert.equal((await person.logIn(CHOSEN)).status, 200)
  })

  test('without a link asks for the address and sends one', async () => {
    const person = await signUp(market)

    const page = await open('/reset')
    const asked = await open('/reset', { email: person.email })
    await market.work()

    assert.equal(page.title, 'Forgotten your password?')
    assert.equal(asked.title, 'Look into your mail')
    const mail = await market.inbox.mailTo(person.email)
    assert.equal(mail.links[0]!.pathname, '/reset')
  })
})

describe('every page', () => {
  test('has no scripts, loads nothing, tells nobody its address, and is not kept', async () => {
    const replies = [
      await open('/verify'),
      await open('/reset'),
      await open('/verify?token=x'),
      await open('/reset', { email: 'x' }),
    ]

    for (const { headers, html } of replies) {
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.match(
        headers.get('content-security-policy')!,
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; frame-ancestors 'none'; base-uri/,
      )
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.doesNotMatch(html, /<script|<img|<link|https?:\/\/| style="| on\w+="/)
      assert.match(html, /<html lang="en">/)
      assert.match(html, /<meta name="viewport"/)
      assert.match(html, /prefers-color-scheme: dark/)
    }
  })

  test('escapes the token', async () => {
    const person = await signUp(market)
    await market.asOwner(
      `insert into worker_tokens (token_hash, worker_id, purpose, created_at, expires_at)
       values (encode(sha256('"><script>'), 'hex'), $1, 'reset', $2, $2::timestamptz + interval '1 day')`,
      [person.id, market.now()],
    )

    const { status, html } = await open(`/reset?token=${encodeURIComponent('"><script>')}`)

    assert.equal(status, 200)
    assert(html.includes('value="&quot;&gt;&lt;script&gt;"'))
    assert(!html.includes('<script'))
  })

  test('429 past the limit of the address, as a page', async () => {
    for (let i = 0; i < 3; i += 1) await open('/verify?token=x', undefined, limited)

    const { status, title, headers, html } = await open('/reset', { email: 'a@b.example' }, limited)

    assert.equal(status, 429)
    assert.equal(title, 'That was too often')
    assert.match(headers.get('retry-after')!, /^\d+$/)
    assert.match(html, /Try again in \d+ seconds\./)
    assert.match(headers.get('content-security-policy')!, /default-src 'none'/)
  })

  test('413 and 415 are pages, too', async () => {
    const { origin } = new URL(market.server.addresses.api!)
    const big = await open('/verify', { token: 'x'.repeat(20_000) })
    const xml = await fetch(`${origin}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body: '<x/>',
    })

    assert.equal(big.status, 413)
    assert.equal(big.title, 'That did not work')
    assert.equal(xml.status, 415)
    assert.match(await xml.text(), /<h1>That did not work<\/h1>/)
  })

  test('forms are not taken by the API', async () => {
    const { status, body } = await market.call('POST', '/worker/verify', {
      body: 'token=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    assert.equal(status, 415)
    assert.equal(body.code, 'wrong_content_type')
  })
})

/** The hidden fields of a page's form, as a browser would send them. */
function fieldsOf(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map((match) => [
      match[1]!,
      match[2]!,
    ]),
  )
}
