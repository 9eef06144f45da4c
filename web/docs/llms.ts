/** llms.txt for language models: a list of pages, and all pages in one file. */
import type { Page } from './layout.ts'
import { addressOf, NAVIGATION } from './navigation.ts'

const SUMMARY =
  'Legwork is a marketplace in which software agents post paid tasks over an HTTP API and people complete them.'

export function llmsShort(pages: Page[]): string {
  const leadOf = (slug: string) => pages.find((page) => page.slug === slug)?.lead ?? ''
  const parts = NAVIGATION.map(
    ({ title, guides }) =>
      `## ${title}\n\n${guides
        .map(({ slug, title: name }) => {
          const address = slug === '' ? '/docs/index' : addressOf(slug)
          return `- [${name}](${address}.md): ${leadOf(slug)}`
        })
        .join('\n')}`,
  )
  return `# Legwork

> ${SUMMARY}

Every page of /docs is also available as Markdown: append \`.md\` to its URL. You don't need an account to try the API:
/auth.md explains how to get a test key with one call. Scripted workers answer test tasks, and test mode costs nothing.

${parts.join('\n\n')}

## More

- [Everything in one file](/llms-full.txt)
- [How to get a key](/auth.md)
- [OpenAPI 3.1](/openapi.json)
- [OpenAPI 3.1, agent endpoints only](/api/v1/openapi/agents.json)
- Each error code has a page: /docs/errors/<code>.md
`
}

export const llmsFull = (pages: Page[]) =>
  pages
    .map(({ slug, markdown }) => `<!-- ${addressOf(slug)} -->\n\n${markdown}`)
    .join('\n\n---\n\n')
