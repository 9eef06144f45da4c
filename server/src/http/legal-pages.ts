/**
 * Imprint, terms, privacy, help and contact. The operator supplies the company in `LEGAL_…` and the texts as Markdown
 * files; until then our templates are shown, with a banner. Our texts are in server/legal and name figures as
 * page-facts.ts does.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../config.ts'
import { contactOf, type Facts, factsOf, fillFacts } from './page-facts.ts'
import { fillHead } from './page-head.ts'
import { renderPlainMarkdown } from './plain-markdown.ts'

const OURS = path.join(import.meta.dirname, '../../legal')

interface LegalPage {
  title: string
  description: string
  /** The operator's own file, if the settings name one. */
  own?: (config: Config) => string | undefined
  /** Whether it shows a template as long as nobody replaces it. */
  isTemplate(config: Config): boolean
  banner?: string
  /** HTML after the text. */
  form?: string
}

const BANNER = `<p class="template" role="note"><strong>Template: not legal text yet.</strong>
The operator of this server must replace it before real people use it.</p>`

const NO_ADDRESS = `<p class="template" role="note"><strong>No email address yet.</strong>
The operator of this server must set one before real people use it.</p>`

/** Sent by web/front/browser/do-not-contact.ts. */
const NO_CONTACT_FORM = `<form id="do-not-contact" class="ask">
<label for="kind">What should we protect?</label>
<select id="kind" name="kind">
<option value="phone">My phone number</option>
<option value="place">My address</option>
<option value="person">Me, by my email address</option>
</select>
<label for="value">The number with its country code, the address with its house number, or the email address</label>
<input id="value" name="value" required maxlength="300" autocomplete="off">
<label for="reason">What happened? (optional)</label>
<textarea id="reason" name="reason" rows="4" maxlength="1000"></textarea>
<label for="email">Your email address, for our answer (optional)</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email">
<button class="button" type="submit">Send request</button>
<p role="status"></p>
</form>
<noscript><p>This form needs JavaScript. Without it, write to us: <a href="/contact">Contact</a>.</p></noscript>
<script type="module" src="/do-not-contact.js"></script>`

const PAGES: Record<string, LegalPage> = {
  '/legal/imprint': {
    title: 'Imprint',
    description: 'Who runs this marketplace, and how to reach them.',
    isTemplate: ({ LEGAL_COMPANY, LEGAL_ADDRESS, LEGAL_EMAIL }) =>
      [LEGAL_COMPANY, LEGAL_ADDRESS, LEGAL_EMAIL].includes(undefined),
  },
  '/legal/terms': {
    title: 'Terms',
    description: 'The rules for people who do tasks and for those who post them.',
    own: ({ LEGAL_TERMS_FILE }) => LEGAL_TERMS_FILE,
    isTemplate: ({ LEGAL_TERMS_FILE }) => LEGAL_TERMS_FILE === undefined,
  },
  '/legal/privacy': {
    title: 'Privacy',
    description: 'What we store about you, why, for how long, and who sees it.',
    own: ({ LEGAL_PRIVACY_FILE }) => LEGAL_PRIVACY_FILE,
    isTemplate: ({ LEGAL_PRIVACY_FILE }) => LEGAL_PRIVACY_FILE === undefined,
  },
  '/help': {
    title: 'Help',
    description:
      'Answers for people who do tasks and for those who post them, and how to reach us.',
    isTemplate: () => false,
  },
  '/contact': {
    title: 'Contact',
    description:
      'How to reach a person, how long it takes, how to object to a decision and report abuse.',
    isTemplate: (config) => contactOf(config) === undefined,
    banner: NO_ADDRESS,
  },
  '/do-not-contact': {
    title: 'Don’t contact me',
    description: 'Ask us not to send workers to your phone number, your address or you.',
    isTemplate: () => false,
    form: NO_CONTACT_FORM,
  },
}

export const LEGAL_PATHS = Object.keys(PAGES)

/** The pages that still show our templates, for a warning at startup. */
export const templatesShown = (config: Config) =>
  LEGAL_PATHS.filter((address) => PAGES[address]!.isTemplate(config))

/** The layout comes from the build, with marks for what differs. */
export function renderLegalPage(
  address: string,
  { layout, config }: { layout: string; config: Config },
): string {
  const page = PAGES[address]!
  const facts = factsOf(config)
  const { title = page.title, html } = renderPlainMarkdown(sourceOf(address, { config, facts }))
  const content = [
    `<h1>${title}</h1>`,
    ...(page.isTemplate(config) ? [page.banner ?? BANNER] : []),
    html,
    ...(page.form === undefined ? [] : [page.form]),
  ].join('\n')
  return fillHead(layout, {
    publicUrl: facts.public_url,
    path: address,
    title: `${title} – Legwork`,
    description: page.description,
  }).replace('<!--content-->', () => content)
}

function sourceOf(address: string, { config, facts }: { config: Config; facts: Facts }): string {
  const own = PAGES[address]!.own?.(config)
  if (own !== undefined) return readFileSync(own, 'utf8')
  const text = readFileSync(path.join(OURS, `${path.basename(address)}.md`), 'utf8')
  // The Markdown renderer escapes them.
  const filled = fillFacts(text, facts, { escape: (value) => value })
  return address === '/legal/imprint' ? `${filled}\n\n${companyOf(config)}` : filled
}

/** As a table, with a dash for what the settings lack but an imprint needs. */
function companyOf(config: Config): string {
  const rows = [
    ['Company', config.LEGAL_COMPANY ?? '–'],
    ['Address', config.LEGAL_ADDRESS ?? '–'],
    ['Email', config.LEGAL_EMAIL === undefined ? '–' : mailLink(config.LEGAL_EMAIL)],
    ['Phone', config.LEGAL_PHONE],
    ['Represented by', config.LEGAL_REPRESENTATIVES],
    ['Register', config.LEGAL_REGISTER],
    ['Tax ID', config.LEGAL_TAX_ID],
  ].filter(([, value]) => value !== undefined)
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n')
}

const mailLink = (email: string) => `[${email}](mailto:${email})`
