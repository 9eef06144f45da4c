/** The search of the docs finds every page, answers what developers type, and says when there is nothing. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { pagesOf } from '../build.ts'
import { addressOf } from '../navigation.ts'
import type { Document } from '../openapi.ts'
import { type Found, indexOf, openSearch, type SearchData } from './find.ts'
import { sectionsOf } from './sections.ts'
import { SYNONYMS } from './synonyms.ts'

const KIB = 1024
const INDEX_MAX = 125 * KIB

const file = path.join(import.meta.dirname, '../../../openapi.json')
const pages = pagesOf(JSON.parse(readFileSync(file, 'utf8')) as Document)
const json = JSON.stringify(indexOf(sectionsOf(pages)))
const data = JSON.parse(json) as SearchData
const find = openSearch(data)

const textOf = (pieces: Found['excerpt']) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `[${piece.found}]`)).join('')

describe('the index', () => {
  test('has every page, and every heading that has an address', () => {
    const known = new Set(data.sections.map(({ address }) => address))
    const missing = pages.flatMap(({ slug, html }) => {
      const isError = slug.startsWith('errors/')
      const anchors = isError ? [] : [...html.matchAll(/<h\d id="([^"]+)"/g)]
      return [
        addressOf(slug),
        ...anchors.map(([, anchor]) => `${addressOf(slug)}#${anchor}`),
      ].filter((address) => !known.has(address))
    })
    assert.deepEqual(missing, [])
    assert.equal(known.size, data.sections.length, 'each address once')
  })

  test('has the text of the pages, without markup', () => {
    const money = data.sections.find(({ address }) => address === '/docs/money#refunds')!
    assert.equal(money.page, 'Money')
    assert.equal(money.heading, 'Refunds')
    assert.match(money.text, /support/)
    for (const { text, address } of data.sections)
      assert(!/<\/?(?:p|div|span|code|a|li|td)\b|&(?:#|quot|lt|amp)/.test(text), address)
  })

  test('is small enough for a phone', () => {
    const bytes = brotliCompressSync(json).length
    assert(bytes <= INDEX_MAX, `${bytes} bytes`)
  })
})

/** A question → the beginning of an address that must be among the first three. */
const QUESTIONS: Record<string, string> = {
  'how do I pay out a worker': '/docs/money#payouts',
  'get my money back': '/docs/money#refunds',
  refund: '/docs/money#refunds',
  'judge two designs': '/docs/reference#post-gut-check',
  'where is my key': '/docs/keys',
  'create an api key': '/docs/reference#post-agents-keys',
  'verify a hook': '/docs/webhooks',
  'webhook signature': '/docs/webhooks#receive-a-webhook',
  'accept work': '/docs/reference#post-tasks-id-approve',
  'reject bad proof': '/docs/reference#post-tasks-id-dispute',
  'how do disputes work': '/docs/how-a-task-lives',
  insufficient_funds: '/docs/errors/insufficient_funds',
  'not enough money': '/docs/errors/insufficient_funds',
  '429 too many requests': '/docs/limits#rate-limits',
  'idempotency key': '/docs/limits#idempotent-retries',
  'retry without creating a task twice': '/docs/limits#idempotent-retries',
  'cancel a task': '/docs/reference#post-tasks-id-cancel',
  'top up wallet': '/docs/money#deposits',
  'how much does it cost': '/docs/reference#get-quote',
  'commission fee': '/docs/money#what-a-task-costs',
  'several workers answer the same question': '/docs/proof-and-consensus#consensus',
  'rotate webhook secret': '/docs/webhooks#rotate-the-secret',
  'sandbox with fake workers': '/docs/test-mode',
  'advance the clock': '/docs/test-mode#the-test-clock',
  'call a phone number': '/docs/reference#post-call',
  'ask for a better photo': '/docs/reference#post-tasks-id-request-revision',
  'pagination of tasks': '/docs/reference#get-tasks',
  'long polling': '/docs/webhooks#polling',
  'mcp server claude': '/docs/mcp',
  'install the cli': '/docs/quickstart#install',
  'POST /tasks/:id/approve': '/docs/reference#post-tasks-id-approve',
  'task.completed event': '/docs/webhooks#events',
  'invalid api key': '/docs/errors/invalid_api_key',
  'what is forbidden': '/docs/what-may-be-asked',
  'limit what a key can spend': '/docs/keys',
  'run it on localhost': '/docs/on-your-machine',
  'replay events after an outage': '/docs/webhooks#after-an-outage',
  'recover a lost key': '/docs/reference#post-agents-recover',
  'prompt injection': '/docs/proof-and-consensus#data-never-instructions',
  'typescript sdk': '/docs/sdk',
  'python sdk': '/docs/python',
}

describe('a question that a developer types', () => {
  for (const [question, address] of Object.entries(QUESTIONS))
    test(`leads to ${address}: ${question}`, () => {
      const first = find(question)
        .slice(0, 3)
        .map((found) => found.address)
      assert(
        first.some((one) => one.startsWith(address)),
        first.join(' '),
      )
    })

  for (const [question, address] of [
    ['webhok signatrue', '/docs/webhooks'],
    ['aprove task', '/docs/reference#post-tasks-id-approve'],
    ['depositt', '/docs/money#deposits'],
    ['idempotancy', '/docs/errors/idempotency_'],
    ['consensis', '/docs/proof-and-consensus'],
  ] as const)
    test(`may have a typing error: ${question}`, () => {
      const first = find(question).slice(0, 3)
      assert(
        first.some((found) => found.address.startsWith(address)),
        first.map((found) => found.address).join(' '),
      )
    })

  test('may be unfinished, in any case, in singular or plural', () => {
    assert.deepEqual(find('webho')[0]!.page, 'Webhooks')
    assert.deepEqual(find('REFUNDS'), find('refund'))
  })

  test('finds nothing without a word that says something', () => {
    for (const question of ['', '  ', '?', 'how do I', 'qzxwv plumbus'])
      assert.deepEqual(find(question), [], question)
  })
})

describe('a result', () => {
  test('shows the words that were found, in the heading and in a part of the text', () => {
    const refunds = find('money back').find(({ address }) => address === '/docs/money#refunds')!
    assert.equal(refunds.page, 'Money')
    assert.equal(textOf(refunds.heading), '[Refunds]')
    assert.match(textOf(refunds.excerpt), /^…\s.*\[money\] \[back\].*\s…$/)
  })

  test('leaves room for other pages', () => {
    const addresses = find('webhook').map(({ address }) => address.split('#')[0])
    assert.equal(addresses.filter((address) => address === '/docs/webhooks').length, 3)
  })
})

describe('the synonyms', () => {
  test('lead from each phrase to a section with the term', () => {
    const useless = Object.entries(SYNONYMS).flatMap(([term, phrases]) => {
      const wanted = new Set(find(term).map(({ address }) => address))
      return phrases
        .filter((phrase) => !find(phrase).some(({ address }) => wanted.has(address)))
        .map((phrase) => `${phrase} → ${term}`)
    })
    assert.deepEqual(useless, [])
  })
})
