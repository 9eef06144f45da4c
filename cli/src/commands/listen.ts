/**
 * `listen --forward-to URL`: forwards events as they happen to a receiver on this machine, which webhooks can't reach.
 *
 * Delivery is in order and without gaps: an event is done once the receiver has responded, and only then is its id
 * saved in .legwork/listen.json. While the receiver is down, the current event is retried and later events wait. After
 * a restart, this command continues after the last event that was done.
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { CursorExpiredError, type Legwork, LegworkError } from '@legwork/sdk'
import { command } from '../command.ts'
import {
  ENV_FILE,
  ignoreEnvFile,
  readEnvFile,
  recall,
  remember,
  writeEnvFile,
} from '../env-file.ts'
import { EXIT, Stop, usage } from '../exit.ts'
import { type Event, forward, isTaken, type Outcome, readReceiver } from '../forward.ts'
import type { Print } from '../print.ts'
import { EVENT_WIDTH, readList, span } from '../words.ts'

const MEMORY = 'listen'
const OWN_SECRET = 'LEGWORK_LISTEN_SECRET'
const WEBHOOK_SECRET = 'LEGWORK_WEBHOOK_SECRET'
/** Long enough to poll rarely, short enough that proxies in between don't cut the connection. */
const HOLD_S = 30
const PAUSES_MS = [500, 1000, 2000, 5000, 10_000, 30_000]
/** Always forwarded, even if the agent isn't subscribed to it: pings are requested explicitly (POST /webhooks/ping). */
const ALWAYS = 'webhook.ping'

export const listen = command({
  name: 'listen',
  takes: '--forward-to URL',
  summary: 'Forward events to a receiver on this machine, signed like webhooks',
  details: [
    '--forward-to URL   localhost:3000/hooks, 3000/hooks or a full URL',
    '--events a,b|all   only these types (default: the ones your agent is subscribed to)',
    '--since EVT|latest start after this event, or from now (default: where it last stopped, or from now)',
    'Press r and Enter to resend the last event. Ctrl-C stops; the next start resumes from there.',
  ],
  options: {
    'forward-to': { type: 'string' },
    events: { type: 'string' },
    since: { type: 'string' },
  },
  words: [0, 0],

  async run({ values, print, legwork, folder, environment, stdin, signal }) {
    if (values['forward-to'] === undefined)
      throw usage('listen needs a URL to forward to', 'Add --forward-to localhost:3000/hooks.')
    const url = readReceiver(values['forward-to'])
    const client = legwork()
    const { agent } = await client.agents.me({ signal })
    const wanted = wantedOf(values.events, agent.events)
    const place = `${agent.id} ${url}`
    const kept = recall<Record<string, string | null>>(folder, MEMORY) ?? {}
    const keep = (after: string | null) => {
      kept[place] = after
      remember(folder, MEMORY, kept)
    }

    const after = await startOf(client, { since: values.since, kept: kept[place], signal })
    keep(after.id)
    const secrets = secretsOf(folder, environment)
    print.step(
      {
        type: 'listening',
        agent_id: agent.id,
        forward_to: url,
        after: after.id,
        secret: secrets[0],
      },
      `Listening for ${agent.name} (${agent.mode}) → ${url}`,
      after.isKept ? `Resuming after ${after.id ?? 'the beginning'}` : 'Starting now',
      wanted === undefined
        ? 'All event types'
        : `Only ${[...wanted].join(', ')}. Use --events all for all types`,
      `Signed with ${secrets[0]!}, written to ${ENV_FILE} as ${OWN_SECRET},`,
      `and with your ${WEBHOOK_SECRET}. Your receiver can verify with either one`,
    )
    print.note(print.style('dim', 'Press r and Enter to resend the last event, Ctrl-C to stop.'))

    const to = { print, url, secrets, signal }
    let last: Event | undefined
    const keyboard = createInterface({ input: stdin })
    keyboard.on('line', (line) => {
      if (line.trim() === 'r' && last !== undefined) void sendAgain(last, to)
    })
    try {
      for await (const { event, next } of eventsBehind(client, {
        after: after.id,
        print,
        signal,
      })) {
        if (event !== undefined && wanted !== undefined && !wanted.has(event.type))
          print.step(
            { type: 'skipped', ...ids(event) },
            print.style(
              'dim',
              `${line(event)}  skipped because your agent isn’t subscribed; use --events all`,
            ),
          )
        else if (event !== undefined) {
          last = event
          if (!(await sendUntilAnswered(event, to))) break
        }
        keep(next)
      }
    } finally {
      keyboard.close()
      stdin.unref?.()
    }
    print.step(
      { type: 'stopped', after: kept[place] ?? null },
      'Stopped. The next start resumes after the last delivered event.',
    )
    return EXIT.done
  },
})

function wantedOf(text: string | undefined, chosen: readonly string[]): Set<string> | undefined {
  if (text === 'all') return undefined
  return new Set(text === undefined ? [...chosen, ALWAYS] : readList(text))
}

/** Where to start: at --since if given, else where the last run stopped, else now. */
async function startOf(
  legwork: Legwork,
  {
    since,
    kept,
    signal,
  }: { since: string | undefined; kept: string | null | undefined; signal: AbortSignal },
): Promise<{ id: string | null; isKept: boolean }> {
  if (since !== undefined && since !== 'latest') return { id: since, isKept: true }
  if (since === undefined && kept !== undefined) return { id: kept, isKept: true }
  const { next_after } = await legwork.events.list({ after: 'latest', limit: 1 }, { signal })
  return { id: next_after, isKept: false }
}

/** This command's own secret, which may be shown on screen, and the agent's, which a receiver may already use. */
function secretsOf(folder: string, environment: Record<string, string | undefined>): string[] {
  const file = readEnvFile(folder)
  const own = file[OWN_SECRET] ?? `whsec_${randomBytes(32).toString('base64')}`
  const theirs = environment[WEBHOOK_SECRET] ?? file[WEBHOOK_SECRET]
  if (file[OWN_SECRET] === undefined || theirs === undefined) {
    ignoreEnvFile(folder)
    writeEnvFile(folder, {
      [OWN_SECRET]: own,
      ...(theirs === undefined ? { [WEBHOOK_SECRET]: own } : {}),
    })
  }
  return [...new Set([own, theirs ?? own])]
}

/** Yields every event after `after`, forever; `next` is the cursor to save once the event is done. */
async function* eventsBehind(
  legwork: Legwork,
  { after, print, signal }: { after: string | null; print: Print; signal: AbortSignal },
): AsyncGenerator<{ event: Event | undefined; next: string | null }> {
  let next = after
  let failures = 0
  while (!signal.aborted) {
    try {
      const page = await legwork.events.list(
        { limit: 100, wait: HOLD_S, ...(next === null ? {} : { after: next }) },
        { signal },
      )
      failures = 0
      for (const event of page.events) yield { event, next: event.id }
      next = page.next_after
      if (page.events.length === 0) yield { event: undefined, next }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CursorExpiredError)
        throw new Stop(EXIT.failed, error.message, 'Start from now: listen --since latest.')
      if (isOurFault(error)) throw error
      const waitMs = pauseAfter(failures)
      failures += 1
      print.step(
        { type: 'disconnected', problem: String(error), retry_in_ms: waitMs },
        print.style('yellow', `Can’t reach Legwork, retrying in ${span(waitMs)}`),
      )
      await pause(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** Tells permanent errors, such as an invalid key, from temporary ones, such as a server restart. */
const isOurFault = (error: unknown) =>
  error instanceof LegworkError &&
  error.status !== undefined &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429

interface To {
  print: Print
  url: string
  secrets: readonly string[]
  signal: AbortSignal
}

/** Returns false if it was aborted before the receiver responded. */
async function sendUntilAnswered(event: Event, { print, ...to }: To): Promise<boolean> {
  for (let attempt = 1; !to.signal.aborted; attempt += 1) {
    const outcome = await forward(event, to)
    if (to.signal.aborted) return false
    if (!outcome.isDown) {
      tellOutcome(event, outcome, { print, attempt })
      return true
    }
    const waitMs = pauseAfter(attempt - 1)
    const why = outcome.status ?? outcome.problem
    const says = `receiver is down (${why}), retrying in ${span(waitMs)}; later events wait`
    print.step(
      { type: 'retrying', ...ids(event), attempt, problem: String(why), retry_in_ms: waitMs },
      `${line(event)}  ${print.style('yellow', says)}`,
    )
    await pause(waitMs, undefined, { signal: to.signal }).catch(() => {})
  }
  return false
}

async function sendAgain(event: Event, { print, ...to }: To): Promise<void> {
  const outcome = await forward(event, to)
  tellOutcome(event, outcome, { print, attempt: 1, isAgain: true })
}

function tellOutcome(
  event: Event,
  outcome: Outcome,
  { print, attempt, isAgain = false }: { print: Print; attempt: number; isAgain?: boolean },
): void {
  const { status, problem, ms } = outcome
  const notes = [
    isAgain ? 'resent' : '',
    attempt > 1 ? `on attempt ${attempt}` : '',
    isTaken(outcome) ? '' : 'not accepted; press r and Enter to resend it',
  ].filter((note) => note !== '')
  const answer = print.style(isTaken(outcome) ? 'green' : 'red', String(status ?? problem))
  print.step(
    { type: 'forwarded', ...ids(event), status: status ?? null, ms, attempt, is_again: isAgain },
    `${line(event)}  ${answer}  ${ms} ms${notes.length > 0 ? `  ${notes.join('; ')}` : ''}`,
  )
}

const ids = ({ id, type }: Event) => ({ event_id: id, event_type: type })
const line = ({ id, type }: Event) =>
  `${new Date().toTimeString().slice(0, 8)}  ${type.padEnd(EVENT_WIDTH)}  ${id}`
const pauseAfter = (failures: number) => PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]!
