/** Two lines of a task for its card: what is to be judged or said, or the first instructions. Pure rules. */
import type { Block, Fact } from './blocks.ts'
import { type BriefSource, readBrief } from './read-brief.ts'

export interface Excerpt {
  shown: { kind: 'options'; options: Fact[] } | { kind: 'quote' | 'text'; text: string } | null
  scale: string | null
  steps: number
}

/** More than two lines of a card can show. */
const LENGTH_MAX = 240

export function excerptOf(task: Omit<BriefSource, 'context'>): Excerpt {
  const { blocks, subject, page, script, scale, steps } = readBrief(task)
  const options = subject.find((block) => block.kind === 'options')
  const judged = textOf([...script, ...subject])
  const sentences = blocks.filter(({ kind }) => kind === 'paragraph')
  const told = textOf(sentences) || plain(steps.join(' · ')) || textOf(blocks)
  return {
    shown:
      options !== undefined
        ? { kind: 'options', options: options.facts }
        : judged !== ''
          ? { kind: 'quote', text: judged }
          : page !== null
            ? { kind: 'quote', text: plain(page) }
            : told === ''
              ? null
              : { kind: 'text', text: told },
    scale,
    steps: steps.length,
  }
}

const textOf = (blocks: Block[]) =>
  plain(
    blocks
      .map((block) =>
        'text' in block
          ? block.text
          : block.kind === 'list'
            ? block.items.join(' · ')
            : block.facts.map(({ value }) => value).join(' · '),
      )
      .join(' '),
  )

/** Without marks and line breaks. Simpler than the spans of the task's page, because every first visit loads it. */
const plain = (text: string) =>
  text
    .slice(0, LENGTH_MAX)
    .replaceAll(/https?:\/\/(?:www\.)?|\*\*|__|`/gi, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
