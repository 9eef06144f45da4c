import { escapeHtml } from '../kit/html.ts'
import { directionOf } from './formats.ts'
import type { Language } from './languages.ts'
import { TEXTS } from './texts.ts'

export interface Mail {
  subject: string
  text: string
  html: string
}

/** A paragraph, a button with its URL, a list of facts, or a command to type. */
type Part = string | { label: string; link: string } | { list: string[] } | { command: string }

/** Renders a mail as plain text and as HTML. */
export function compose(language: Language, subject: string, parts: Part[]): Mail {
  const { greeting, linkIntro } = TEXTS[language]
  const all = [greeting, ...parts, 'Legwork']
  const direction = `lang="${language}" dir="${directionOf(language)}"`
  // Many mail clients remove the html element, so the div repeats its attributes.
  const html = `<!doctype html>
<html ${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div ${direction} style="max-width:34em;margin:0 auto">
${all.map((part) => htmlOf(part, linkIntro)).join('\n')}
</div>
</body>
</html>
`
  return { subject, text: `${all.map(textOf).join('\n\n')}\n`, html }
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part
  if ('link' in part) return part.link
  return 'list' in part
    ? part.list.map((fact) => `- ${fact}`).join('\n')
    : part.command.replaceAll(/^/gm, '    ')
}

const GAP = 'margin:0 0 16px'
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1a56db;color:#ffffff;text-decoration:none'
const LIST = 'padding:0 20px;overflow-wrap:anywhere'
const COMMAND =
  'padding:12px;font-size:14px;border:1px solid #8888;border-radius:8px;white-space:pre-wrap;word-break:break-word'

function htmlOf(part: Part, linkIntro: string): string {
  if (typeof part === 'string') return `<p style="${GAP}">${escapeHtml(part)}</p>`
  if ('list' in part) {
    const facts = part.list.map((fact) => `<li>${escapeHtml(fact)}</li>`)
    return `<ul style="${GAP};${LIST}">\n${facts.join('\n')}\n</ul>`
  }
  if ('command' in part) return `<pre style="${GAP};${COMMAND}">${escapeHtml(part.command)}</pre>`
  const link = escapeHtml(part.link)
  const bare = `<a href="${link}" dir="ltr" style="word-break:break-all">${link}</a>`
  return `<p style="${GAP}"><a href="${link}" style="${BUTTON}">${escapeHtml(part.label)}</a></p>
<p style="${GAP}">${escapeHtml(linkIntro)}<br>${bare}</p>`
}
