/** Checks all docs pages: no broken links, nothing that our content security policy forbids, nothing missing. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { pagesOf } from './build.ts'
import { callOf } from './curl.ts'
import type { Fence } from './fences.ts'
import { fencesOf } from './test/fences-of.ts'
import { layOut } from './layout.ts'
import { llmsFull, llmsShort } from './llms.ts'
import { addressOf, GUIDES } from './navigation.ts'
import { type Document, errorsOf, operationsOf } from './openapi.ts'
import { samplesOf } from './samples.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(path.join(ROOT, 'openapi.json'), 'utf8')) as Document
const pages = pagesOf(document)
const assets = { css: '/a.css', js: '/a.js', searcher: '/b.js', search: '/a.json', fonts: [] }
const shown = new Map(pages.map((page) => [addressOf(page.slug), layOut(page, assets)]))
/** External links, and pages and files outside the docs. front-page.test.ts checks the links to the server's pages. */
const ELSEWHERE =
  /^(?:https?:|\/(?:$|help$|contact$|legal\/|console|icon\.svg|a\.(?:css|js)|openapi\.json|llms))/

describe('the docs pages', () => {
  test('have no broken links', () => {
    const broken = [...shown].flatMap(([address, html]) =>
      [...html.matchAll(/href="([^"]+)"/g)]
        .map(([, href]) => href!)
        .filter((href) => {
          if (ELSEWHERE.test(href)) return false
          const [target, anchor] = href.split('#')
          const to = target === '' ? address : target!.replace(/(?:\/index)?\.md$/, '')
          const page = shown.get(to)
          return page === undefined || (anchor && !page.includes(`id="${anchor}"`))
        })
        .map((href) => `${address}: ${href}`),
    )
    assert.deepEqual([...new Set(broken)], [])
  })

  test('link to Markdown pages in their Markdown version', () => {
    const wrong = pages.flatMap(({ slug, markdown }) =>
      [...markdown.replaceAll(/^```[^]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, href]) => href!)
        .filter((href) => !/^(?:https?:|#|\/docs\/[\w/-]+\.md(?:#|$))/.test(href))
        .map((href) => `${slug}: ${href}`),
    )
    assert.deepEqual(wrong, [])
  })

  test('have no inline scripts or styles', () => {
    for (const [address, html] of shown) {
      assert(
        !/<style|\sstyle=|\son\w+="|javascript:/.test(html.replaceAll(/<pre[^]*?<\/pre>/g, '')),
        address,
      )
      assert.deepEqual(
        [...html.matchAll(/<script[^>]*>([^<]*)/g)].map(([, inside]) => inside),
        [''],
        address,
      )
    }
  })

  test('have one h1 each and skip no heading level', () => {
    for (const [address, html] of shown) {
      const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
      assert.equal(levels.filter((level) => level === 1).length, 1, address)
      assert(
        levels.every((level, i) => i === 0 || level <= levels[i - 1]! + 1),
        address,
      )
    }
  })

  test('list every guide, endpoint and error in the navigation', () => {
    const written = globSync('docs/guide/*.md', { cwd: ROOT }).filter(
      (file) => !file.endsWith('/auth.md'),
    )
    const sources = GUIDES.map(({ source }) => source).filter((source) => source !== 'CHANGELOG.md')
    assert.deepEqual(sources.sort(), written.sort())

    const reference = shown.get('/docs/reference')!
    for (const { anchor, name } of operationsOf(document))
      assert.equal(reference.split(`id="${anchor}"`).length, 2, name)
    for (const code of errorsOf(document).keys()) {
      assert(shown.has(`/docs/errors/${code}`), code)
      assert(shown.get('/docs/errors')!.includes(`href="/docs/errors/${code}"`), code)
    }
  })

  test('explain the cause and the fix of every error', () => {
    const silent = [...errorsOf(document)].filter(([, { cause, fix }]) => !cause || !fix)
    assert.deepEqual(
      silent.map(([code]) => code),
      [],
    )
  })

  test('are listed in llms.txt and complete in llms-full.txt', () => {
    const short = llmsShort(pages)
    for (const { slug } of GUIDES)
      assert(short.includes(`(${slug === '' ? '/docs/index' : addressOf(slug)}.md)`), slug)
    const full = llmsFull(pages)
    for (const { markdown } of pages) assert(full.includes(markdown))
  })
})

describe('a curl sample is parsed', () => {
  for (const [command, call] of [
    ['curl $LEGWORK_URL/wallet', { method: 'GET', path: '/wallet', body: undefined }],
    [
      `curl -X POST $LEGWORK_URL/tasks/$TASK_ID/cancel \\\n  -H "x: y"`,
      { method: 'POST', path: '/tasks/$TASK_ID/cancel', body: undefined },
    ],
    [
      `TASK_ID=$(curl -s $LEGWORK_URL/tasks --json '{\n  "a": 1\n}' | head -1)`,
      { method: 'POST', path: '/tasks', body: '{\n  "a": 1\n}' },
    ],
    [
      'curl "$LEGWORK_URL/events?limit=1&wait=5"',
      { method: 'GET', path: '/events?limit=1&wait=5', body: undefined },
    ],
    ['curl $LEGWORK_URL/a; curl $LEGWORK_URL/b', undefined],
    ['echo 1\ncurl $LEGWORK_URL/a', undefined],
    ['curl https://example.com', undefined],
  ] as const)
    test(`as ${call ? `${call.method} ${call.path}` : 'no API call'}: ${command.slice(0, 40)}`, () => {
      assert.deepEqual(callOf(command), call)
    })
})

/** Pages whose samples have no Python beside them, and why. */
const WITHOUT_PYTHON: Record<string, string> = {
  'docs/guide/sdk.md': 'the page about the TypeScript SDK; python.md is the one about Python',
  'docs/guide/quickstart.md': 'python.md is the quickstart in Python',
  'docs/guide/frameworks.md':
    'each sample is for a framework of one language; Python has a section',
  'docs/guide/on-your-machine.md':
    'a tour in one shell, whose commands share functions and variables',
}

describe('every sample that is in TypeScript or curl', () => {
  const isCode = ({ language, code }: Fence) =>
    language === 'ts' || (language === 'bash' && /\bcurl\b/.test(code))

  for (const source of [...GUIDES.map((guide) => guide.source), 'docs/guide/auth.md'])
    test(`has Python beside it: ${source}`, () => {
      const frames = framesOf(fencesOf(readFileSync(path.join(ROOT, source), 'utf8')))
      const without = frames
        .filter((frame) => frame.some(isCode))
        .filter((frame) => !frame.some(({ language, about }) => language === 'python' && about.tab))
        .map(([first]) => `${source}:${first!.line}`)
      if (WITHOUT_PYTHON[source] === undefined) assert.deepEqual(without, [])
      else assert(without.length > 0, `${source} needs no exception`)
    })

  test('has Python beside it: the reference', () => {
    for (const operation of operationsOf(document)) {
      const samples = new Map(samplesOf(operation).map(({ about, code }) => [about.tab, code]))
      assert(samples.has('curl') && samples.has('Python'), operation.name)
      // Both SDKs have the same calls for agents; only the TypeScript one has those of the console's pages.
      const isOfConsole = operation.path.startsWith('/console/')
      if (!isOfConsole && /\blegwork\./i.test(samples.get('TypeScript') ?? ''))
        assert.match(samples.get('Python')!, /\blegwork\./i, operation.name)
    }
  })
})

/** Blocks with tabs, without text between them, share a frame. */
function framesOf(fences: Fence[]): Fence[][] {
  const frames: Fence[][] = []
  for (const fence of fences) {
    const last = frames.at(-1)?.at(-1)
    const isNext = last !== undefined && fence.line === last.line + last.code.split('\n').length + 2
    if (isNext && last.about.tab && fence.about.tab) frames.at(-1)!.push(fence)
    else frames.push([fence])
  }
  return frames
}

describe('a code block', () => {
  test('has attributes after its language', () => {
    const fence = '```'
    const json = `${fence}json answer=POST /tasks tab=MCP\n{}\n${fence}`
    const page = `# A\n\n${json}\n\n${fence}bash background\na\nb\n${fence}\n`

    assert.deepEqual(fencesOf(page), [
      { language: 'json', about: { answer: 'POST /tasks', tab: 'MCP' }, code: '{}\n', line: 3 },
      { language: 'bash', about: { background: '' }, code: 'a\nb\n', line: 7 },
    ])
  })
})
