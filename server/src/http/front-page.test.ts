import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { buildWeb } from '../../../web/build.ts'
import { QUESTION, SAMPLE } from '../../../web/front/example.ts'
import { marketplace, startOn } from '../../test/harness.ts'
import { readConfig } from '../config.ts'
import { COMMISSION_BASIS_POINTS, commissionCents, formatCents } from '../kit/money.ts'
import { SESSION_COOKIE } from '../workers/session-cookie.ts'
import { opensApp } from './front-door.ts'
import { LEGAL_PATHS, templatesShown } from './legal-pages.ts'
import { renderPlainMarkdown } from './plain-markdown.ts'

await buildWeb({ isQuiet: true })
const PUBLIC_URL = 'https://legwork.example'
const market = await marketplace({ settings: { PUBLIC_URL } })
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-legal-'))
after(() => rmSync(folder, { recursive: true }))

const HTML = { accept: 'text/html,*/*;q=0.8' }
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36'
const PHONE =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const GOOGLEBOT = `${PHONE} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`
const FRONT = /<h1>Your software can’t knock on a door/

async function open(target: string, headers: Record<string, string> = {}, from = market.server) {
  const response = await fetch(new URL(target, from.addresses.api), {
    headers: { ...HTML, ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('who gets the app at /', () => {
  for (const [who, url, headers, isApp] of [
    ['a desktop browser', '/', { 'user-agent': DESKTOP, 'sec-ch-ua-mobile': '?0' }, false],
    ['a browser without client hints', '/', { 'user-agent': DESKTOP }, false],
    ['curl', '/', { 'user-agent': 'curl/8.9.1' }, false],
    ['a program without a name', '/', {}, false],
    ['an Android phone', '/', { 'user-agent': PHONE, 'sec-ch-ua-mobile': '?1' }, true],
    ['an iPhone', '/', { 'user-agent': IPHONE }, true],
    [
      'a phone that asks for the desktop site',
      '/',
      { 'user-agent': DESKTOP, 'sec-ch-ua-mobile': '?0' },
      false,
    ],
    [
      'the search engine that pretends to be a phone',
      '/',
      { 'user-agent': GOOGLEBOT, 'sec-ch-ua-mobile': '?1' },
      false,
    ],
    ['a link preview', '/', { 'user-agent': 'facebookexternalhit/1.1 Mobile' }, false],
    ['the installed app', '/?app', { 'user-agent': DESKTOP }, true],
    [
      'a worker with a session',
      '/',
      { 'user-agent': DESKTOP, cookie: `${SESSION_COOKIE}=x` },
      true,
    ],
    ['another cookie', '/', { 'user-agent': DESKTOP, cookie: 'theme=dark' }, false],
    ['a link with a campaign', '/?utm_source=app', { 'user-agent': DESKTOP }, false],
  ] as [string, string, Record<string, string>, boolean][])
    test(`${who}: ${isApp ? 'the app' : 'the front page'}`, async () => {
      assert.equal(opensApp({ url, headers }), isApp)

      const { status, text } = await open(url, headers)

      assert.equal(status, 200)
      assert.equal(FRONT.test(text), !isApp)
      assert.equal(text.includes('<div id="app">'), isApp)
    })

  test('no shared cache stores it, and the response names what it depends on', async () => {
    for (const agent of [DESKTOP, PHONE]) {
      const { headers } = await open('/', { 'user-agent': agent })

      assert.equal(headers.get('cache-control'), 'private, no-cache')
      for (const name of ['cookie', 'sec-ch-ua-mobile', 'user-agent'])
        assert(headers.get('vary')!.includes(name), name)
    }
  })

  test('an entity tag of the app does not match the front page', async () => {
    const app = await open('/', { 'user-agent': PHONE })

    const { status } = await open('/', {
      'user-agent': DESKTOP,
      'if-none-match': app.headers.get('etag')!,
    })

    assert.equal(status, 200)
  })

  test('/about is the front page for everyone, the screens of the app stay where they are', async () => {
    assert.match((await open('/about', { 'user-agent': PHONE })).text, FRONT)
    for (const target of ['/hello', '/join', '/login', '/verify?token=x', '/index.html'])
      assert.match((await open(target, { 'user-agent': DESKTOP })).text, /<div id="app">/)
    for (const target of ['/front.html', '/legal.html'])
      assert.doesNotMatch((await open(target)).text, /\{\{legwork|<!--content-->/)
  })
})

describe('the figures of the front page', () => {
  test('are those of the code and the default settings', async () => {
    const { text } = await open('/')
    const fee = commissionCents(QUESTION.budget_cents, COMMISSION_BASIS_POINTS)
    const said = text
      .replaceAll('</dt>', ' ')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')

    for (const words of [
      `One price: ${COMMISSION_BASIS_POINTS / 100}% of what you approve`,
      `Our fee, ${COMMISSION_BASIS_POINTS / 100}% − ${formatCents(fee)}`,
      `The worker gets ${formatCents(QUESTION.budget_cents - fee)}`,
      'New agents get three free tasks, up to $20 each',
      'Deposits start at $5.',
      'has 72 hours to appeal',
      'The agent has 48 hours to reply or withdraw',
      'within 5 minutes',
      '$1,000 of play money',
    ])
      assert(said.includes(words), words)
    assert.doesNotMatch(text, /\{\{/)
  })

  test('follow the settings of the server', async () => {
    const server = await startOn(market.url, {
      settings: { FREE_TASKS: 1, DEPOSIT_MIN_CENTS: 1250, APPEAL_HOURS: 96 },
      clockOverride: market.server.clock,
    })

    const { text } = await open('/', {}, server)

    await server.stop()
    assert.match(text, /<b>one free task<\/b>/)
    assert.match(text, /<b>\$12\.50<\/b>/)
    assert.match(text, /has 96 hours to appeal/)
  })

  test('name the time of automatic approval of a $20 task', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2000 })

    const { text } = await open('/')

    const { auto_approve_after } = body.task as { auto_approve_after: number }
    assert(
      text.replaceAll('\n', ' ').includes(`up to $20 within ${auto_approve_after / 3600} hours`),
    )
  })

  test('the sample run asks what the live one asks, and pays what the code pays', () => {
    const [, asked] = SAMPLE
    const { settlement } = SAMPLE.at(-1)!.answer as {
      settlement: {
        gross_cents: number
        commission_cents: number
        workers: { net_cents: number }[]
      }
    }

    assert.deepEqual(asked!.body, QUESTION)
    assert.equal(settlement.gross_cents, QUESTION.budget_cents)
    assert.equal(
      settlement.commission_cents,
      commissionCents(QUESTION.budget_cents, COMMISSION_BASIS_POINTS),
    )
    assert.equal(
      settlement.workers[0]!.net_cents,
      settlement.gross_cents - settlement.commission_cents,
    )
  })
})

describe('for search engines and link previews', () => {
  for (const [target, title, canonical] of [
    ['/', 'Legwork: people do what your software can’t', '/'],
    ['/about', 'Legwork: people do what your software can’t', '/'],
    ['/hello', 'Get paid for small tasks near you – Legwork', '/hello'],
    ['/docs', 'Legwork docs', '/docs'],
    ['/docs/money', 'Money · Legwork docs', '/docs/money'],
    ['/legal/terms', 'Terms – Legwork', '/legal/terms'],
  ] as const)
    test(`${target} has a title, a canonical address and a picture`, async () => {
      const { text, headers } = await open(target)

      assert.equal(/<title>([^<]*)<\/title>/.exec(text)?.[1], title)
      assert(text.includes(`<link rel="canonical" href="${PUBLIC_URL}${canonical}">`))
      assert(text.includes(`<meta property="og:image" content="${PUBLIC_URL}/preview.png">`))
      assert.match(text, /<meta name="description" content="[^"]{20,}">/)
      assert.equal(headers.get('x-robots-tag'), null)
    })

  for (const target of ['/u/worker_x', '/console', '/login', '/task/task_1', '/docs/nowhere'])
    test(`${target} is not listed`, async () => {
      assert.equal((await open(target)).headers.get('x-robots-tag'), 'noindex')
    })

  test('the picture is a PNG of 1200 × 630', async () => {
    const response = await fetch(new URL('/preview.png', market.server.addresses.api))
    const bytes = Buffer.from(await response.arrayBuffer())

    assert.equal(response.headers.get('content-type'), 'image/png')
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630])
  })

  test('robots.txt names the sitemap, whose pages all exist', async () => {
    const robots = await open('/robots.txt', { accept: '*/*' })
    const { text, headers } = await open('/sitemap.xml', { accept: '*/*' })
    const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, url]) => new URL(url!).pathname,
    )

    assert.match(robots.text, /^Sitemap: https:\/\/legwork\.example\/sitemap\.xml$/m)
    assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8')
    for (const page of ['/', '/hello', '/docs', '/docs/quickstart', ...LEGAL_PATHS])
      assert(paths.includes(page), page)
    assert(!paths.includes('/docs/404'))
    for (const page of paths.filter((one) => !one.startsWith('/docs/errors/'))) {
      const { status, text: html } = await open(page)
      assert.equal(status, 200, page)
      assert(html.includes(`<link rel="canonical" href="${PUBLIC_URL}${page}">`), page)
    }
  })
})

test('every link and file of the front page and the legal pages exists', async () => {
  for (const target of ['/', ...LEGAL_PATHS]) {
    const { text } = await open(target)
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

    for (const [, link] of text.matchAll(/ (?:href|src)="([/#][^"]*)"/g)) {
      if (link!.startsWith('#')) assert(ids.includes(link!.slice(1)), `${target}: ${link}`)
      else assert.equal((await open(link!)).status, 200, `${target}: ${link}`)
    }
  }
})

describe('the legal pages', () => {
  test('are marked as templates or without an address, except help and forms, until they are replaced', async () => {
    for (const target of LEGAL_PATHS) {
      const { status, text } = await open(target)

      assert.equal(status, 200)
      const isOurs = ['/help', '/contact', '/do-not-contact'].includes(target)
      assert.equal(text.includes('Template: not legal text yet.'), !isOurs, target)
      assert.equal(text.includes('No email address yet.'), target === '/contact', target)
      assert.doesNotMatch(text, /\{\{|<!--content-->/)
      assert.equal(text.match(/<h1>/g)?.length, 1)
    }
  })

  test('show the operator’s company and texts', async () => {
    const terms = path.join(folder, 'terms.md')
    const privacy = path.join(folder, 'privacy.md')
    writeFileSync(terms, '# Our terms\n\n1. Be **kind**.\n2. <script>alert(1)</script>\n')
    writeFileSync(privacy, 'We store nothing.')
    const settings = {
      LEGAL_COMPANY: 'Moor & Weg GmbH',
      LEGAL_ADDRESS: 'Moorweg 12, 22880 Wedel',
      LEGAL_EMAIL: 'hello@legwork.example',
      LEGAL_REGISTER: 'HRB 1234',
      LEGAL_TERMS_FILE: terms,
      LEGAL_PRIVACY_FILE: privacy,
    }
    const server = await startOn(market.url, { settings, clockOverride: market.server.clock })

    const pages = await Promise.all(LEGAL_PATHS.map((target) => open(target, {}, server)))

    await server.stop()
    const [imprint, ownTerms, ownPrivacy, help, contact] = pages.map(({ text }) => text)
    for (const text of pages) assert.doesNotMatch(text.text, /class="template"/)
    assert.match(imprint!, /Moor &amp; Weg GmbH/)
    assert.match(imprint!, /HRB 1234/)
    assert.match(imprint!, /<a href="mailto:hello@legwork\.example">/)
    assert.match(ownTerms!, /<h1>Our terms<\/h1>/)
    assert.match(ownTerms!, /<li>Be <strong>kind<\/strong>\.<\/li>/)
    assert.doesNotMatch(ownTerms!, /<script>alert/)
    assert.match(ownPrivacy!, /<h1>Privacy<\/h1>\n<p>We store nothing\.<\/p>/)
    assert.match(help!, /Write to hello@legwork\.example/)
    assert.match(contact!, /<a href="mailto:hello@legwork\.example">/)
    assert.match(contact!, /<td>24 hours<\/td>/)
    assert.match(contact!, /<td>3 days<\/td>/)
  })

  test('the server knows which ones are templates, and refuses a file that does not exist', () => {
    assert.deepEqual(templatesShown(readConfig({})), [
      '/legal/imprint',
      '/legal/terms',
      '/legal/privacy',
      '/contact',
    ])
    assert(!templatesShown(readConfig({ SUPPORT_EMAIL: 'a@b.example' })).includes('/contact'))
    assert.throws(() => readConfig({ LEGAL_TERMS_FILE: '/nowhere.md' }), /must be a file/)
  })
})

describe('Markdown of the operator', () => {
  for (const [markdown, html] of [
    ['## A\nb', '<h2>A</h2>\n<p>b</p>'],
    ['- a\n  b\n- c', '<ul><li>a b</li><li>c</li></ul>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](https://a.example/?b=1&c)', '<p><a href="https://a.example/?b=1&amp;c">x</a></p>'],
    ['*a* and `b`', '<p><em>a</em> and <code>b</code></p>'],
    ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
  ] as const)
    test(JSON.stringify(markdown), () => {
      assert.equal(renderPlainMarkdown(markdown).html, html)
    })
})
