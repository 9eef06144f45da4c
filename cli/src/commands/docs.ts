/** `docs`: prints the address of a documentation page. */
import { ERROR_CLASSES } from '@legwork/sdk'
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'

/** Maps a search word to its documentation page. */
const PAGES: Record<string, string> = {
  quickstart: 'quickstart',
  task: 'how-a-task-lives',
  asking: 'asking-well',
  proof: 'proof-and-consensus',
  money: 'money',
  webhooks: 'webhooks',
  test: 'test-mode',
  mcp: 'mcp',
  errors: 'errors',
  limits: 'limits',
  keys: 'keys',
  sdk: 'sdk',
  cli: 'cli',
  reference: 'reference',
}

export const docs = command({
  name: 'docs',
  takes: '[PAGE]',
  summary: 'Open the documentation: prints the link',
  details: [`PAGE is one of ${Object.keys(PAGES).join(', ')}, or an error code.`],
  options: {},
  words: [0, 1],

  async run({ words, print, baseUrl }) {
    const site = new URL('/docs', baseUrl ?? 'https://legwork.example')
    const [word] = words
    const page = word === undefined ? undefined : pageOf(word)
    const url = page === undefined ? site.href : `${site.href}/${page}`
    print.step({ type: 'docs', url, markdown_url: page && `${url}.md` }, url)
    if (page !== undefined) print.note(`As Markdown: ${url}.md`)
    return EXIT.done
  },
})

function pageOf(word: string): string {
  if (Object.hasOwn(PAGES, word)) return PAGES[word]!
  if (Object.hasOwn(ERROR_CLASSES, word)) return `errors/${word}`
  throw usage(
    `There is no page ${word}`,
    `Pages: ${Object.keys(PAGES).join(', ')}, or any error code.`,
  )
}
