/** Shows an agent's text as structure. The text is untrusted: it is only ever rendered as text, never as HTML. */
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TextId } from '../text/use-text.tsx'
import { useText } from '../text/use-text.tsx'
import { telLink } from '../active/brief-rules.ts'
import type { Block, Fact } from './blocks.ts'
import { readSpans, shownAddress, type Span } from './spans.ts'

/** `canCall`: phone numbers are links. */
interface Shown {
  canCall?: boolean
  isScript?: boolean
}

export function Blocks({ blocks, ...shown }: { blocks: Block[] } & Shown) {
  if (blocks.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, at) => (
        <OneBlock key={at} block={block} {...shown} />
      ))}
    </div>
  )
}

function OneBlock({ block, ...shown }: { block: Block } & Shown) {
  switch (block.kind) {
    case 'heading':
      return (
        <h3 dir="auto" className="font-semibold">
          <Spans text={block.text} {...shown} />
        </h3>
      )
    case 'paragraph':
      return (
        <p dir="auto" className="whitespace-pre-line">
          <Spans text={block.text} {...shown} />
        </p>
      )
    case 'quote':
      return <Quote text={block.text} {...shown} />
    case 'list':
      return <List {...block} {...shown} />
    case 'options':
      return <Options options={block.facts} />
    case 'facts':
      return <Facts facts={block.facts} {...shown} />
    case 'dialogue':
      return <Dialogue lines={block.facts} {...shown} />
  }
}

export function Quote({ text, ...shown }: { text: string } & Shown) {
  return (
    <blockquote className="rounded-card bg-surface p-4 shadow-card">
      <p dir="auto" className="border-s-4 border-border ps-3 text-title whitespace-pre-line">
        <Spans text={text} {...shown} />
      </p>
    </blockquote>
  )
}

/** The marks are drawn beside the items, so that they stay in place if an item has the other direction. */
function List({ items, isOrdered, ...shown }: { items: string[]; isOrdered: boolean } & Shown) {
  const text = useText()
  const Element = isOrdered ? 'ol' : 'ul'
  return (
    <Element className="flex flex-col gap-1">
      {items.map((item, at) => (
        <li key={at} className="flex gap-2">
          <span aria-hidden className="min-w-4 shrink-0 text-muted">
            {isOrdered ? `${text.number(at + 1)}.` : '•'}
          </span>
          <span dir="auto" className="min-w-0 flex-1">
            <Spans text={item} {...shown} />
          </span>
        </li>
      ))}
    </Element>
  )
}

/** Two are side by side if there is room for both; more are stacked. */
export function Options({ options }: { options: Fact[] }) {
  return (
    <ul className={`grid gap-2 ${options.length === 2 ? TWO_COLUMNS : ''}`}>
      {options.map(({ name, value }) => (
        <li key={name} className="flex items-start gap-3 rounded-card bg-surface p-4 shadow-card">
          <Letter>{name}</Letter>
          <span dir="auto" className="min-w-0 flex-1 text-title wrap-anywhere">
            <Spans text={value} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const TWO_COLUMNS = 'grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))]'

/** The letter of an option or the number of a step, in a circle. */
export const Letter = ({ children }: { children: ReactNode }) => (
  <span className="flex size-7 shrink-0 items-center justify-center rounded-full bg-brand-soft text-sm font-semibold text-on-brand-soft">
    {children}
  </span>
)

/** Names that the server writes, which the app translates. */
const OWN_NAMES: Record<string, TextId> = { Goal: 'brief.goal', Tone: 'brief.tone' }

export function Facts({ facts, ...shown }: { facts: Fact[] } & Shown) {
  const text = useText()
  return (
    <dl className="flex flex-col divide-y divide-border rounded-card bg-surface px-4 shadow-card">
      {facts.map(({ name, value }, at) => (
        <div key={at} className="flex flex-wrap gap-x-4 gap-y-1 py-3">
          <dt dir="auto" className="w-28 grow-0 text-sm leading-6 text-muted wrap-anywhere">
            {OWN_NAMES[name] === undefined ? name : text(OWN_NAMES[name])}
          </dt>
          <dd dir="auto" className="min-w-0 flex-1 basis-44 whitespace-pre-line">
            <Spans text={value} {...shown} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Dialogue({ lines, ...shown }: { lines: Fact[] } & Shown) {
  return (
    <dl className="flex flex-col gap-3">
      {lines.map(({ name, value }, at) => (
        <div key={at} className="flex flex-col">
          <dt dir="auto" className="text-sm font-normal text-muted">
            {name}
          </dt>
          <dd dir="auto">
            <Spans text={value} {...shown} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Spans({ text, isScript = false, canCall = false }: { text: string } & Shown) {
  return readSpans(text, { isScript }).map((span, at) => (
    <OneSpan key={at} span={span} canCall={canCall} />
  ))
}

function OneSpan({ span: { kind, text, href }, canCall }: { span: Span; canCall: boolean }) {
  switch (kind) {
    case 'text':
      return text
    case 'strong':
      return <strong>{text}</strong>
    case 'blank':
      return (
        <mark className="rounded-sm bg-brand-soft px-1 text-on-brand-soft">
          <bdi>{text}</bdi>
        </mark>
      )
    case 'pause':
      return (
        <em className="font-normal text-muted">
          (<bdi>{text}</bdi>)
        </em>
      )
    case 'phone': {
      const tel = canCall ? telLink(text) : null
      return tel === null ? (
        <bdi dir="ltr">{text}</bdi>
      ) : (
        <a href={tel} dir="ltr" className="font-semibold text-brand underline">
          {text}
        </a>
      )
    }
    case 'link':
      return (
        <a {...OUTSIDE} href={href} className="font-semibold break-all text-brand underline">
          <bdi dir="auto">{text}</bdi>
        </a>
      )
  }
}

/** The page gets neither a handle of our window nor the address that it was opened from. */
const OUTSIDE = { target: '_blank', rel: 'noopener noreferrer nofollow' }

/** The web page that a task is about. */
export function PageLink({ page }: { page: string }) {
  const text = useText()
  const shown = shownAddress(page)
  if (shown === null) return null
  return (
    <a
      {...OUTSIDE}
      href={shown.href}
      className="flex min-h-control items-center gap-3 rounded-card bg-surface p-4 shadow-card"
    >
      <ExternalLink size={20} aria-hidden className="shrink-0 text-brand" />
      <span className="flex min-w-0 flex-col">
        <span className="font-semibold text-brand">{text('brief.openPage')}</span>
        <span dir="ltr" className="text-sm break-all text-muted">
          {shown.text}
        </span>
      </span>
    </a>
  )
}
