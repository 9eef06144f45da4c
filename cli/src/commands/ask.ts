/** `ask`: posts a task; with --wait, waits until there is proof to review. */
import { type Legwork, readTaskType, TASK_TYPES, type TaskType } from '@legwork/sdk'
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'
import { nextSteps, rememberTask } from '../task-words.ts'
import { WAIT_USUAL, waitForPeople } from '../wait.ts'
import { dollars, readCents, readCount, readJson, readSpanMs } from '../words.ts'

const PROOFS = ['photo', 'video', 'audio', 'text'] as const

/** Maps a task type to the SDK call that creates it, with the field name that the call uses for the question. */
const TYPES = {
  verification: (legwork, text, rest) => legwork.verify({ question: text, ...rest }),
  voice_proxy: (legwork, text, rest) => legwork.call({ description: text, ...rest }),
  gut_check: (legwork, text, rest) => legwork.gutCheck({ question: text, ...rest }),
  field_mission: (legwork, text, rest) => legwork.field({ mission: text, ...rest }),
  empathy_escalation: (legwork, text, rest) => legwork.escalate({ situation: text, ...rest }),
  vibe_reader: (legwork, text, rest) => legwork.vibe({ question: text, ...rest }),
  custom: (legwork, text, { budget_cents = TASK_TYPES.custom.budgetCents, ...rest }) =>
    legwork.tasks.create({ description: text, budget_cents, ...rest }),
} satisfies Record<TaskType, (legwork: Legwork, text: string, rest: Rest) => unknown>

interface Rest {
  location?: string | { lat: number; lng: number }
  proof_required?: (typeof PROOFS)[number]
  budget_cents?: number
  consensus_count?: number
  deadline?: string
  number?: string
  scale?: string
  context?: Record<string, unknown>
}

export const ask = command({
  name: 'ask',
  takes: '"…"',
  summary: 'Post a task for a person',
  details: [
    '--photo --video --audio --text   the proof you want (default: depends on the type)',
    '--where PLACE                    an address, or coordinates such as 53.598,9.723',
    '--type TYPE                      verification (default), voice_proxy, gut_check, field_mission,',
    '                                 empathy_escalation, vibe_reader, custom',
    '--budget 5.00                    dollars, or cents as 500c (default: depends on the type)',
    '--people N                       ask several people and compare their answers',
    '--deadline 2h                    30m, 2h, 3d, or an ISO 8601 time',
    '--number +49…                    the number to call (voice_proxy)',
    '--scale 1-10                     ask for a number in this range (gut_check, vibe_reader)',
    '--sim PERSONA                    test mode: the scripted worker (happy, slow, nobody, blurry, far, late,',
    '                                 hand_back, disagree, appeal, injection, me), or JSON with its timing and answer',
    `--wait [${WAIT_USUAL}]                     wait until there is proof`,
    '--out FOLDER                     where --wait saves photos and recordings (default: this folder)',
  ],
  options: {
    photo: { type: 'boolean' },
    video: { type: 'boolean' },
    audio: { type: 'boolean' },
    text: { type: 'boolean' },
    where: { type: 'string' },
    type: { type: 'string', default: 'verification' },
    budget: { type: 'string' },
    people: { type: 'string' },
    deadline: { type: 'string' },
    number: { type: 'string' },
    scale: { type: 'string' },
    sim: { type: 'string' },
    wait: { type: 'string' },
    out: { type: 'string', default: '.' },
  },
  alone: { wait: WAIT_USUAL },
  words: [1, 1],

  async run({ values, words, print, legwork, folder, signal }) {
    const type = readTaskType(values.type)
    if (type === undefined)
      throw usage(`Unknown type ${values.type}`, `Types: ${Object.keys(TYPES).join(', ')}.`)
    const timeoutMs = values.wait === undefined ? undefined : readSpanMs(values.wait, '--wait')
    const client = legwork()

    const task = await TYPES[type](client, words[0]!, restOf(values))
    rememberTask(task.id, folder)
    const locked =
      task.funding === 'free'
        ? `${dollars(task.escrow_cents)} locked, a free task`
        : `${dollars(task.escrow_cents)} locked`
    const consoleUrl = new URL(`/console/tasks/${task.id}`, client.baseUrl).href
    print.step(
      { type: 'created', task, console_url: consoleUrl },
      `${task.id}  ${locked}${task.mode === 'test' ? ' (test)' : ''}`,
      consoleUrl,
    )

    if (timeoutMs !== undefined)
      return waitForPeople(task.id, { legwork: client, print, signal, timeoutMs, out: values.out })
    nextSteps(task, print)
    return EXIT.done
  },
})

function restOf(
  values: {
    [name in (typeof PROOFS)[number]]?: boolean | undefined
  } & {
    [name in 'where' | 'budget' | 'people' | 'deadline' | 'number' | 'scale' | 'sim']?:
      | string
      | undefined
  },
): Rest {
  const proofs = PROOFS.filter((proof) => values[proof])
  if (proofs.length > 1) throw usage(`Choose one kind of proof, not ${proofs.join(' and ')}`)
  const { where, budget, people, deadline, number, scale, sim } = values
  return {
    ...(where === undefined ? {} : { location: placeOf(where) }),
    ...(proofs[0] === undefined ? {} : { proof_required: proofs[0] }),
    ...(budget === undefined ? {} : { budget_cents: readCents(budget, '--budget') }),
    ...(people === undefined ? {} : { consensus_count: readCount(people, '--people') }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(number === undefined ? {} : { number }),
    ...(scale === undefined ? {} : { scale }),
    ...(sim === undefined ? {} : { context: { sim: readSim(sim) } }),
  }
}

/** Coordinates, or an address as text. */
function placeOf(text: string): string | { lat: number; lng: number } {
  const [, lat, lng] = /^\s*(-?\d{1,2}\.\d+)\s*,\s*(-?\d{1,3}\.\d+)\s*$/.exec(text) ?? []
  return lat === undefined ? text : { lat: Number(lat), lng: Number(lng) }
}

const readSim = (text: string) => (text.startsWith('{') ? readJson(text, '--sim') : text)
