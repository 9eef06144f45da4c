/** `trigger EVENT`: runs a test-mode task that causes this event, using only the real API. */
import type { Legwork } from '@legwork/sdk'
import { LegworkWorker } from '@legwork/sdk/worker'
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'
import type { Print } from '../print.ts'

/** How long an event may take to get from the database to the event log. */
const LOG_WAIT_S = 15
const AT_ONCE = { accept_after_s: 0, proof_after_s: 0 }

interface Play {
  legwork: Legwork
  baseUrl: string | undefined
  /** Creates the task and prints a line about it. */
  ask(fields?: { sim?: Sim; people?: number; deadline?: string }): Promise<string>
  /** Advances the agent's test clock, so that scripted workers act immediately. */
  pass(by: '1s' | '1m' | '61m'): Promise<void>
  say(text: string): void
}

type Sim = string | Record<string, unknown>

/** Maps an event type to the shortest scenario that causes it. */
const PLAYS: Record<string, (play: Play) => Promise<string>> = {
  async 'task.accepted'({ ask, pass }) {
    const id = await ask({ sim: { persona: 'happy', accept_after_s: 0, proof_after_s: 3600 } })
    await pass('1s')
    return id
  },
  'task.proof_submitted': proved,
  async 'task.consensus_proof'({ ask, pass }) {
    const id = await ask({ people: 3 })
    await pass('1s')
    return id
  },
  async 'task.completed'(play) {
    const id = await proved(play)
    await play.legwork.tasks.approve(id)
    play.say('approved it')
    return id
  },
  'task.disputed': (play) => disputed(play, 'happy'),
  async 'task.dispute_resolved'(play) {
    const id = await disputed(play, 'happy')
    await play.legwork.tasks.withdrawDispute(id)
    play.say('withdrew the dispute')
    return id
  },
  async 'task.appealed'(play) {
    const id = await disputed(play, 'appeal')
    await play.pass('1m')
    return id
  },
  async 'task.released'({ ask, pass }) {
    const id = await ask({ sim: 'hand_back' })
    await pass('1m')
    return id
  },
  async 'task.expired'({ ask, pass }) {
    const id = await ask({ sim: 'nobody', deadline: '1h' })
    await pass('61m')
    return id
  },
  async 'task.cancelled'({ ask, legwork, say }) {
    const id = await ask({ sim: 'nobody' })
    await legwork.tasks.cancel(id)
    say('canceled it')
    return id
  },
  async 'task.revision_requested'(play) {
    const id = await proved(play)
    await revise(play, id)
    return id
  },
  /** A worker who skips the revision releases the task, and the verdict is up to the agent again. */
  async 'task.approval_due'(play) {
    const id = await play.ask({ sim: 'me' })
    const { token } = await play.legwork.test.createWorker({ name: 'Trigger' })
    const worker = new LegworkWorker({
      token,
      ...(play.baseUrl === undefined ? {} : { baseUrl: play.baseUrl }),
    })
    await worker.tasks.accept(id)
    await worker.tasks.proof(id, { text: 'Done', answer: true })
    play.say('a test worker sent proof')
    await revise(play, id)
    await worker.tasks.release(id, { reason: 'other' })
    play.say('the worker handed it back')
    return id
  },
}

async function proved({ ask, pass }: Play): Promise<string> {
  const id = await ask()
  await pass('1s')
  return id
}

async function disputed({ ask, pass, legwork, say }: Play, persona: string): Promise<string> {
  const id = await ask({ sim: { persona, ...AT_ONCE } })
  await pass('1s')
  await legwork.tasks.dispute(id, { reason: 'Test by legwork trigger.' })
  say('disputed it')
  return id
}

async function revise({ legwork, say }: Play, id: string): Promise<void> {
  await legwork.tasks.requestRevision(id, { note: 'Test by legwork trigger.' })
  say('asked for a revision')
}

export const trigger = command({
  name: 'trigger',
  takes: 'EVENT',
  summary: 'Test mode: trigger an event by running a task with scripted workers',
  details: [
    `EVENT is one of ${Object.keys(PLAYS).join(', ')}.`,
    'This may advance your test clock, which also affects your other test tasks.',
  ],
  options: {},
  words: [1, 1],

  async run({ words, print, legwork, apiKey, baseUrl, signal }) {
    const type = words[0]!
    const act = PLAYS[type]
    if (act === undefined)
      throw usage(
        `trigger doesn’t support ${type}`,
        `Supported events: ${Object.keys(PLAYS).join(', ')}.`,
      )
    if (apiKey?.startsWith('lw_live_'))
      throw usage(
        'trigger works only in test mode, and this is a live key',
        'Use a test key, which starts with lw_test_.',
      )

    const client = legwork()
    const taskId = await act(openPlay(client, print, baseUrl))
    const { events } = await client.events.list(
      { task_id: taskId, type: type as never, wait: LOG_WAIT_S },
      { signal },
    )
    const event = events.at(-1)
    if (event === undefined) {
      print.problem(
        { error: `${type} did not happen`, task_id: taskId },
        `${type} did not happen within ${LOG_WAIT_S} s. View the task: ${print.self} task ${taskId}`,
      )
      return EXIT.failed
    }
    print.step(
      { type: 'triggered', event_type: type, event_id: event.id, task_id: taskId },
      `${print.style('green', type)}  ${event.id}  for ${taskId}`,
    )
    const { agent } = await client.agents.me({ signal })
    const isChosen = agent.events.some((chosen) => chosen === type)
    if (!isChosen)
      print.note(
        `Your agent isn’t subscribed to ${type}. Use --events all with listen to forward it.`,
      )
    print.next(
      'To receive the next one, first run',
      `listen --forward-to localhost:3000/hooks${isChosen ? '' : ' --events all'}`,
    )
    return EXIT.done
  },
})

function openPlay(legwork: Legwork, print: Print, baseUrl: string | undefined): Play {
  const say = (text: string) => print.step({ type: 'step', says: text }, `● ${text}`)
  return {
    legwork,
    baseUrl,
    say,
    async ask({ sim = { persona: 'happy', ...AT_ONCE }, people, deadline } = {}) {
      const { id } = await legwork.verify({
        question: 'Test by legwork trigger: is it open?',
        proof_required: 'text',
        context: { sim },
        ...(people === undefined ? {} : { consensus_count: people }),
        ...(deadline === undefined ? {} : { deadline }),
      })
      say(`posted ${id}${people === undefined ? '' : ` for ${people} people`}`)
      return id
    },
    async pass(by) {
      const { fired } = await legwork.test.advanceClock(by)
      say(
        `advanced your test clock by ${by}: ${fired.map(({ what }) => what).join(', ') || 'nothing was due'}`,
      )
    },
  }
}
