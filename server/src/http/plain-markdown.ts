/**
 * Markdown for the operator's legal texts: headings, paragraphs, lists, tables, links, bold, italics and code. Anything
 * else stays as written, and HTML is escaped, so such a text can't add a script or a form to our pages.
 */
import { escapeHtml } from '../kit/html.ts'

export interface PlainPage {
  /** The first heading of level 1, as text. */
  title: string | undefined
  /** Without that heading. */
  html: string
}

export function renderPlainMarkdown(markdown: string): PlainPage {
  const blocks = markdown
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .flatMap((block) => splitHeading(block.replace(/^\n+|\s+$/g, '')))
    .filter((block) => block !== '')
  const at = blocks.findIndex((block) => block.startsWith('# '))
  return {
    title: at === -1 ? undefined : blocks[at]!.slice(2).trim(),
    html: blocks
      .filter((_, i) => i !== at)
      .map((block) => renderBlock(block))
      .join('\n'),
  }
}

/** A heading needs no empty line below it. */
function splitHeading(block: string): string[] {
  const [first = '', ...rest] = block.split('\n')
  return /^#{1,6} /.test(first) ? [first, ...splitHeading(rest.join('\n'))] : [block]
}

function renderBlock(block: string): string {
  const [, signs, heading] = /^(#{1,6}) (.*)$/.exec(block) ?? []
  if (signs !== undefined) {
    const level = Math.max(2, signs.length)
    return `<h${level}>${renderInline(heading!)}</h${level}>`
  }
  const lines = block.split('\n')
  if (isTable(lines)) return renderTable(lines)
  if (/^[-*] /.test(block)) return `<ul>${renderItems(lines, /^[-*] /)}</ul>`
  if (/^\d+[.)] /.test(block)) return `<ol>${renderItems(lines, /^\d+[.)] /)}</ol>`
  return `<p>${renderInline(lines.map((line) => line.trim()).join(' '))}</p>`
}

/** A line without a marker continues the item above it. */
function renderItems(lines: string[], marker: RegExp): string {
  const items: string[] = []
  for (const line of lines)
    if (marker.test(line)) items.push(line.replace(marker, ''))
    else items.push(`${items.pop()!} ${line.trim()}`)
  return items.map((item) => `<li>${renderInline(item)}</li>`).join('')
}

const isTable = ([first = '', second = '']: string[]) =>
  first.startsWith('|') && /^\|(?: ?:?-+:? ?\|)+$/.test(second.trim())

function renderTable([head = '', , ...rows]: string[]): string {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
  const row = (line: string, tag: 'td' | 'th') =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${renderInline(cell.trim())}</${tag}>`)
      .join('')}</tr>`
  const body = rows.map((line) => row(line, 'td')).join('')
  const table = `<table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table>`
  return `<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>`
}

/** Addresses that a link may have; others, such as `javascript:`, stay text. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|mailto:|tel:|\/|#)[^\s)]*)\)/g

const renderInline = (text: string) =>
  escapeHtml(text)
    .replaceAll(LINK, '<a href="$2">$1</a>')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
