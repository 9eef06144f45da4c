/** Finds in a task what is to be judged or said, the steps, and the facts. Pure rules. */
import type { Answer } from '../api.ts'
import { type Block, type Fact, factsOf, readBlocks } from './blocks.ts'

type TaskType = Answer<'/worker/feed'>['tasks'][number]['type']

export interface BriefSource {
  type: TaskType
  /** As shown above the brief. */
  title: string
  description: string
  /** Only workers who hold the task get it. */
  context?: Record<string, unknown> | null
}

export interface Brief {
  blocks: Block[]
  /** List items of the description. */
  steps: string[]
  /** The text, options or page that the worker judges. */
  subject: Block[]
  page: string | null
  script: Block[]
  /** `1-10` */
  scale: string | null
  /** Facts that only the worker who accepted the task sees, such as a code. */
  details: Fact[]
}

const SCALE = /(?:^|\n)Answer with a (?:whole )?number on the scale ([^\n]{1,40})\.$/
const SAY = /(?:^|\n)Say: /
/** Shown elsewhere, or for programs only. */
const SHOWN_FIELDS = [
  'question',
  'mission',
  'situation',
  'goal',
  'tone',
  'checklist',
  'content',
  'script',
  'scale',
  'url',
  'location',
  'person',
  'number',
  'number_written',
  'sim',
]

export function readBrief(task: BriefSource): Brief {
  const { type, context = null } = task
  const isJudged = type === 'gut_check' || type === 'vibe_reader'
  let rest = withoutTitle(task)
  const cut = (text: string) => {
    const at = rest.indexOf(text)
    if (at >= 0) rest = `${rest.slice(0, at)}\n\n${rest.slice(at + text.length)}`
    return at >= 0
  }

  const scale = SCALE.exec(rest.trimEnd())
  if (scale !== null) rest = rest.trimEnd().slice(0, scale.index)
  let script = textIn(context, 'script')
  if (script !== null) cut(`Say: ${script}`)
  else if (type === 'voice_proxy') {
    const said = SAY.exec(rest)
    if (said !== null) {
      script = rest.slice(said.index + said[0].length)
      rest = rest.slice(0, said.index)
    }
  }
  const content = isJudged ? textIn(context, 'content') : null
  if (content !== null) cut(content)
  const unsaid = ['question', 'mission', 'situation']
    .flatMap((name) => textIn(context, name) ?? [])
    .filter((text) => !task.description.includes(text))

  const { page, blocks: read } = withoutPage(readBlocks([rest, ...unsaid].join('\n\n')), context)
  const { blocks, subject } =
    content === null && isJudged ? splitJudged(read) : { blocks: read, subject: [] }
  const steps = blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
  return {
    blocks: blocks.filter(({ kind }) => kind !== 'list'),
    steps: steps.length > 0 ? steps : textsIn(context?.checklist),
    subject: content === null ? subject : readBlocks(content).map(quoted),
    page,
    script: script === null ? [] : readBlocks(script),
    scale: scale?.[1] ?? textIn(context, 'scale'),
    details: detailsOf(context),
  }
}

/** The description without a first sentence that the title repeats. */
function withoutTitle(task: BriefSource): string {
  const description = task.description.trim()
  const { title } = task
  const rest = description.slice(title.length)
  const isRepeated =
    description.startsWith(title) && (/[.!?…]$/.test(title) ? /^(?:\s|$)/ : /^(?:\n|$)/).test(rest)
  return isRepeated ? rest : description
}

/** Takes the page to look at out of the facts. */
function withoutPage(
  blocks: Block[],
  context: BriefSource['context'],
): { page: string | null; blocks: Block[] } {
  const named = blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : [])).find(isPage)
  const page = textIn(context, 'url') ?? named?.value ?? null
  if (page === null || !/^https?:\/\//i.test(page)) return { page: null, blocks }
  const others = blocks.map((block) =>
    block.kind === 'facts'
      ? { ...block, facts: block.facts.filter((fact) => !isPage(fact)) }
      : block,
  )
  return {
    page,
    blocks: others.filter((block) => block.kind !== 'facts' || block.facts.length > 0),
  }
}

const isPage = ({ name, value }: Fact) => name === 'Page' && /^https?:\/\/\S+$/i.test(value)

/** Quotations and options are judged, and so is what follows a paragraph that ends with a question. */
function splitJudged(all: Block[]): { blocks: Block[]; subject: Block[] } {
  const asked = all.findIndex(
    (block) => block.kind === 'paragraph' && /[?？؟]["”»]?$/.test(block.text),
  )
  const isSubject = (block: Block, at: number) =>
    block.kind === 'quote' ||
    block.kind === 'options' ||
    (asked >= 0 && at > asked && block.kind !== 'list')
  return {
    blocks: all.filter((block, at) => !isSubject(block, at)),
    subject: all.filter(isSubject).map(quoted),
  }
}

const quoted = (block: Block): Block =>
  block.kind === 'paragraph' ? { kind: 'quote', text: block.text } : block

function detailsOf(context: BriefSource['context']): Fact[] {
  const others = Object.entries(context ?? {}).filter(([name]) => !SHOWN_FIELDS.includes(name))
  return factsOf(Object.fromEntries(others))
}

export function textIn(
  from: Record<string, unknown> | null | undefined,
  name: string,
): string | null {
  const value = from?.[name]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
