/** `sandbox work`: play the worker on your own test tasks, in the terminal or in the app. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import type { Legwork } from '@legwork/sdk'
import { LegworkWorker } from '@legwork/sdk/worker'
import { command } from '../command.ts'
import { recall, remember } from '../env-file.ts'
import { EXIT, type ExitCode, usage } from '../exit.ts'
import { plain, type Print, short } from '../print.ts'
import { dollars } from '../words.ts'

const MEMORY = 'worker'
/** Minimum remaining token lifetime for reuse, so that a token doesn't expire in the middle of a task. */
const LEFT_MS_MIN = 60_000
/** A gray 2×2 image, sent when a photo is required and none was given. */
const STAND_IN =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1' +
  'JrAAAAEklEQVQImWM4ISd3Qk6OAUIBAB8mBBGFRCvEAAAAAElFTkSuQmCC'
const CONTENT_TYPES: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.wav': 'audio/wav',
}

type Session = Awaited<ReturnType<Legwork['test']['createWorker']>>
type Card = Awaited<ReturnType<LegworkWorker['feed']['list']>>['tasks'][number]
type Brief = Awaited<ReturnType<LegworkWorker['tasks']['accept']>>['task']

export const sandbox = command({
  name: 'sandbox',
  takes: 'work',
  summary: 'Test mode: act as the worker yourself, for tasks posted with --sim me or --sim nobody',
  details: [
    'Without options it is interactive. With options it does one thing and exits:',
    '--list             show the open tasks',
    '--accept ID        accept a task; with --answer, --say, --file or --not-possible also send the proof',
    '--answer A         the answer: yes, no, a number or a text',
    '--say "…"          a text to send with it',
    '--file FILE        the photo, video or recording (default for a photo: a gray square)',
    '--not-possible     report that it can’t be done; explain with --say',
    '--hand-back ID     hand a task back',
    '--new              act as a new worker, for example for a task that asks several people',
  ],
  options: {
    list: { type: 'boolean' },
    accept: { type: 'string' },
    answer: { type: 'string' },
    say: { type: 'string' },
    file: { type: 'string' },
    'not-possible': { type: 'boolean' },
    'hand-back': { type: 'string' },
    new: { type: 'boolean' },
  },
  words: [1, 1],

  async run({ values, words, print, legwork, folder, baseUrl, stdin, signal }) {
    if (words[0] !== 'work') throw usage(`sandbox has no action ${words[0]}`, 'Use sandbox work.')
    const { session, isMade } = await sessionOf(legwork(), { folder, isNew: values.new === true })
    const worker = new LegworkWorker({
      token: session.token,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    })
    const { id, name } = session.worker
    print.step(
      {
        type: 'worker',
        worker: { id, name },
        app_url: session.app_url,
        expires_at: session.expires_at,
      },
      'You’re acting as a test worker. Nothing here is real.',
      ...(isMade ? [`In a browser: ${session.app_url}`] : []),
    )

    if (values['hand-back'] !== undefined) return handBack(worker, values['hand-back'], print)
    if (values.accept !== undefined) {
      const brief = await accept(worker, values.accept, print)
      const { answer, say, file } = values
      const isPossible = !values['not-possible']
      if (answer !== undefined || say !== undefined || file !== undefined || !isPossible)
        return send(worker, brief, { answer, say, file, isPossible }, print)
      print.next('Send with', `sandbox work --accept ${brief.id} --answer "…"`)
      return EXIT.done
    }
    const cards = await show(worker, print)
    if (values.list || stdin.isTTY !== true) {
      if (cards[0] !== undefined)
        print.next('Accept one with', `sandbox work --accept ${cards[0].id} --answer "…"`)
      return EXIT.done
    }
    return play(worker, cards, { print, stdin, signal })
  },
})

/** Reuses the last worker while its token is valid, so that tasks it accepted can be finished. */
async function sessionOf(
  legwork: Legwork,
  { folder, isNew }: { folder: string; isNew: boolean },
): Promise<{ session: Session; isMade: boolean }> {
  const { agent } = await legwork.agents.me()
  const kept = recall<Session & { agent_id: string }>(folder, MEMORY)
  const isGood =
    kept?.agent_id === agent.id && Date.parse(kept.expires_at) - Date.now() > LEFT_MS_MIN
  if (isGood && !isNew) return { session: kept, isMade: false }
  const session = await legwork.test.createWorker()
  remember(folder, MEMORY, { ...session, agent_id: agent.id })
  return { session, isMade: true }
}

async function show(worker: LegworkWorker, print: Print): Promise<Card[]> {
  const { tasks } = await worker.feed.list()
  for (const [i, card] of tasks.entries())
    print.step(
      { type: 'open_task', task: card },
      `${i + 1}  ${card.id}  you get ${dollars(card.you_earn_cents)}  ${card.proof_required}  ${short(card.title, 50)}`,
    )
  if (tasks.length === 0) {
    print.note('No open tasks for you.')
    print.next('Post one with', 'ask "Is it open?" --sim me')
  }
  return tasks
}

async function accept(worker: LegworkWorker, taskId: string, print: Print): Promise<Brief> {
  const { task, assignment } = await worker.tasks.accept(taskId)
  print.step(
    { type: 'accepted', task, assignment },
    `Accepted ${task.id}; ${task.proof_required} by ${assignment.expires_at.slice(0, 16).replace('T', ' ')}`,
    plain(task.description, { indent: '  ' }),
  )
  return task
}

interface Answers {
  answer: string | undefined
  say: string | undefined
  file: string | undefined
  isPossible: boolean
}

async function send(
  worker: LegworkWorker,
  brief: Brief,
  { answer, say, file, isPossible }: Answers,
  print: Print,
): Promise<ExitCode> {
  const typed = answer === undefined ? undefined : readAnswer(answer, brief.answer_schema)
  const text = say ?? (typed === undefined || brief.answer_schema === null ? answer : undefined)
  const kind = brief.proof_required
  const source =
    file === undefined ? (kind === 'photo' && isPossible ? STAND_IN : undefined) : dataUrlOf(file)
  const { proof, task } = await worker.tasks.proof(brief.id, {
    text:
      text ?? (kind === 'text' ? answer : undefined) ?? (isPossible ? 'Done' : 'It can’t be done'),
    ...(typed === undefined || brief.answer_schema === null ? {} : { answer: typed }),
    ...(source === undefined
      ? {}
      : kind === 'video' || kind === 'audio'
        ? { [kind]: source }
        : { photos: [source] }),
    outcome: isPossible ? 'done' : 'not_possible',
  })
  print.step({ type: 'proof', proof, task }, `Sent. The task is ${task.status}.`)
  print.next('View it as the agent', `task ${brief.id}`)
  return EXIT.done
}

async function handBack(worker: LegworkWorker, taskId: string, print: Print): Promise<ExitCode> {
  const answer = await worker.tasks.release(taskId, { reason: 'other' })
  print.step({ type: 'handed_back', task_id: taskId, ...answer }, `Handed ${taskId} back.`)
  return EXIT.done
}

/** Works through tasks one by one until none are left or the user enters an empty line. */
async function play(
  worker: LegworkWorker,
  first: Card[],
  { print, stdin, signal }: { print: Print; stdin: NodeJS.ReadStream; signal: AbortSignal },
): Promise<ExitCode> {
  const keyboard = createInterface({ input: stdin, output: process.stdout })
  try {
    for (let cards = first; cards.length > 0; cards = await show(worker, print)) {
      const word = await keyboard.question('  Accept which task? (number, or Enter to stop) ', {
        signal,
      })
      if (word.trim() === '') break
      const card = cards[Number(word) - 1]
      if (card === undefined) {
        print.note(`There is no task ${word}.`)
        continue
      }
      const brief = await accept(worker, card.id, print)
      await send(worker, brief, await askFor(keyboard, brief, signal), print)
    }
  } finally {
    keyboard.close()
  }
  return EXIT.done
}

async function askFor(keyboard: Interface, brief: Brief, signal: AbortSignal): Promise<Answers> {
  const question = async (text: string) => (await keyboard.question(text, { signal })) || undefined
  const how = brief.answer_schema === null ? '' : ` (${answerInWords(brief.answer_schema)})`
  const answer = await question(`  Answer${how}: `)
  const say = brief.answer_schema === null ? undefined : await question('  Note (optional): ')
  const kind = brief.proof_required
  const file =
    kind === 'text'
      ? undefined
      : await question(`  ${kind} file${kind === 'photo' ? ' (Enter for a gray square)' : ''}: `)
  return { answer, say, file, isPossible: true }
}

type Schema = NonNullable<Brief['answer_schema']>

function answerInWords(schema: Schema): string {
  const {
    type,
    minimum,
    maximum,
    enum: choices,
  } = schema as {
    type?: string
    minimum?: number
    maximum?: number
    enum?: unknown[]
  }
  if (choices !== undefined) return choices.join(', ')
  if (type === 'boolean') return 'yes or no'
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return type ?? 'JSON'
}

/** Parses `yes`, `no` and numbers as people type them; anything else as JSON, or as plain text. */
function readAnswer(text: string, schema: Brief['answer_schema']): unknown {
  const type = (schema as { type?: string } | null)?.type
  const word = text.trim().toLowerCase()
  if (type === 'boolean') {
    if (['yes', 'y', 'true'].includes(word)) return true
    if (['no', 'n', 'false'].includes(word)) return false
    throw usage(`--answer must be yes or no, not ${text}`)
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function dataUrlOf(file: string): string {
  const contentType = CONTENT_TYPES[path.extname(file).toLowerCase()]
  if (contentType === undefined)
    throw usage(
      `${file} has an unsupported file type`,
      `Supported types: ${Object.keys(CONTENT_TYPES).join(', ')}.`,
    )
  return `data:${contentType};base64,${readFileSync(file).toString('base64')}`
}
