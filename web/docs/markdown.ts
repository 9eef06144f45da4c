/**
 * Renders Markdown as rows: text on the left and its code on the right, which stays visible while scrolling. On narrow
 * screens they stack in source order.
 */
import { Marked, type Token, type Tokens } from 'marked'
import { readInfo } from './fences.ts'
import { anchorOf, escape } from './html.ts'
import { type Block, panelsOf } from './panel.ts'

export interface Heading {
  level: number
  text: string
  anchor: string
}

export interface Rendered {
  title: string
  /** The first paragraph, without formatting. */
  lead: string
  headings: Heading[]
  html: string
}

export interface Links {
  /** The address on the site for a link in the source. */
  resolve(href: string): string
  /** Where inline code such as `POST /tasks` or `insufficient_funds` links to; undefined for no link. */
  ofCode(text: string): string | undefined
  /** The markup of the image at this address. */
  picture(href: string, alt: string): string
}

export function renderMarkdown(source: string, links: Links): Rendered {
  const headings: Heading[] = []
  const seen = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const plain = plainOf(text)
        const count = seen.get(plain) ?? 0
        seen.set(plain, count + 1)
        const anchor = anchorOf(plain) + (count === 0 ? '' : `-${count}`)
        headings.push({ level: depth, text: plain, anchor })
        const words = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${words}</h1>\n`
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${words}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escape(links.resolve(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        return links.picture(href, text)
      },
      codespan({ text }) {
        const code = `<code>${escape(text)}</code>`
        const target = links.ofCode(text)
        return target === undefined ? code : `<a href="${escape(target)}">${code}</a>`
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        // An empty header cell isn't a heading, so it becomes a `<td>`.
        const head = cells(token.header, 'th').replaceAll('<th></th>', '<td></td>')
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })

  const tokens = marked.lexer(source)
  const parse = (some: Token[]) =>
    marked.parser(Object.assign([...some], { links: tokens.links }) as typeof tokens)
  const rows = rowsOf(tokens)
  const html = rows
    .map(({ prose, blocks }, at) => {
      const proseHtml = parse(prose)
      const kind = blocks.length > 0 ? 'row with-code' : 'row'
      const code =
        blocks.length > 0
          ? `<div class="code"><div class="sticky">${panelsOf(blocks)}</div></div>`
          : ''
      return `<div class="${kind}${at === 0 ? ' first' : ''}"><div class="prose">${proseHtml}</div>${code}</div>`
    })
    .join('\n')
  const first = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? '',
    lead: plainOf(first?.text ?? '').replaceAll('\n', ' '),
    headings,
    html,
  }
}

interface Row {
  prose: Token[]
  blocks: Block[]
}

/** A new row starts where text follows code, and at each chapter. */
function rowsOf(tokens: Token[]): Row[] {
  const rows: Row[] = [{ prose: [], blocks: [] }]
  for (const token of tokens) {
    const row = rows.at(-1)!
    if (token.type === 'code') {
      const { lang, text } = token as Tokens.Code
      row.blocks.push({ ...readInfo(lang ?? ''), code: `${text}\n` })
    } else if (token.type === 'html' && token.raw.startsWith('<!--')) {
      continue
    } else if (token.type !== 'space') {
      const isChapter = token.type === 'heading' && (token as Tokens.Heading).depth === 2
      if (row.blocks.length > 0 || (isChapter && row.prose.length > 0))
        rows.push({ prose: [token], blocks: [] })
      else row.prose.push(token)
    }
  }
  return rows
}

const plainOf = (text: string) =>
  text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
