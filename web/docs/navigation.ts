/** Every handwritten page of the docs, in reading order. */
export interface Guide {
  /** The path after `/docs/`; empty for the first page. */
  slug: string
  /** Path from the root of the repository. */
  source: string
  /** The title in the navigation. */
  title: string
}

const guide = (slug: string, title: string): Guide => ({
  slug,
  source: `docs/guide/${slug}.md`,
  title,
})

export const NAVIGATION: { title: string; guides: Guide[] }[] = [
  {
    title: 'Get started',
    guides: [
      { slug: '', source: 'docs/guide/README.md', title: 'Overview' },
      guide('quickstart', 'Quickstart'),
      guide('how-a-task-lives', 'How a task lives'),
      guide('test-mode', 'Test mode'),
      guide('on-your-machine', 'On your machine'),
    ],
  },
  {
    title: 'Ask people',
    guides: [
      guide('asking-well', 'Asking well'),
      guide('what-may-be-asked', 'What may be asked'),
      guide('proof-and-consensus', 'Proof and consensus'),
      guide('money', 'Money'),
    ],
  },
  {
    title: 'Build',
    guides: [
      guide('sdk', 'SDK'),
      guide('python', 'Python'),
      guide('cli', 'CLI'),
      guide('mcp', 'MCP server'),
      guide('connect-apps', 'Connect an app'),
      guide('frameworks', 'Agent frameworks'),
      guide('webhooks', 'Webhooks'),
      guide('keys', 'Keys and caps'),
      guide('ask-a-person', 'Ask a person'),
    ],
  },
  {
    title: 'Reference',
    guides: [
      guide('reference', 'API reference'),
      guide('errors', 'Errors'),
      guide('limits', 'Limits'),
      { slug: 'changelog', source: 'CHANGELOG.md', title: 'Changelog' },
    ],
  },
]

export const GUIDES = NAVIGATION.flatMap(({ guides }) => guides)

export const addressOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`)
