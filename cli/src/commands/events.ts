/** `events`: lists recent events; `events resend EVT` sends one to your webhook again. */
import type { Legwork } from '@legwork/sdk'
import { command } from '../command.ts'
import { EXIT, usage } from '../exit.ts'
import { EVENT_WIDTH, readCount, span } from '../words.ts'

const LIMIT = '20'
/** The log is read oldest first; after this many pages the user has to name a task or a starting event. */
const PAGES_MAX = 50

type Events = Awaited<ReturnType<Legwork['events']['list']>>['events']

export const events = command({
  name: 'events',
  takes: '[resend EVT]',
  summary: 'List events, or resend one to your webhook',
  details: [
    '--task ID   only events of this task',
    '--type T    only events of this type',
    '--since EVT only events after this one',
    `--limit N   how many of the latest (default: ${LIMIT})`,
  ],
  options: {
    task: { type: 'string' },
    type: { type: 'string' },
    since: { type: 'string' },
    limit: { type: 'string', default: LIMIT },
  },
  words: [0, 2],

  async run({ values, words, print, legwork }) {
    const [action, id] = words
    if (action !== undefined) {
      if (action !== 'resend' || id === undefined)
        throw usage('events takes no argument, or resend and an event id')
      const delivery = await legwork().events.redeliver(id)
      print.step(
        { type: 'resent', delivery },
        `Resending ${delivery.event_id} to ${delivery.url} ${when(delivery.next_try_at)}`,
      )
      return EXIT.done
    }

    const { found, isCut } = await latest(legwork(), values)
    for (const event of found) {
      const at = event.created_at.slice(0, 19).replace('T', ' ')
      const task = (event.data as { task?: { id: string } }).task
      print.step(
        { ...event, type: 'event', event_type: event.type },
        [at, event.type.padEnd(EVENT_WIDTH), event.id, task?.id ?? ''].join('  '),
      )
    }
    if (isCut) print.note('There are more events. Continue with --since and the last id.')
    const last = found.at(-1)
    if (last === undefined) print.note('No events yet.')
    else print.next('Resend it with', `events resend ${last.id}`)
    return EXIT.done
  },
})

async function latest(
  legwork: Legwork,
  values: {
    task?: string | undefined
    type?: string | undefined
    since?: string | undefined
    limit: string
  },
): Promise<{ found: Events; isCut: boolean }> {
  const count = readCount(values.limit, '--limit')
  let found: Events = []
  let after = values.since
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const {
      events: more,
      has_more,
      next_after,
    } = await legwork.events.list({
      limit: 100,
      ...(after === undefined ? {} : { after }),
      ...(values.task === undefined ? {} : { task_id: values.task }),
      ...(values.type === undefined ? {} : { type: values.type as never }),
    })
    found = [...found, ...more].slice(-count)
    if (!has_more || next_after === null) return { found, isCut: false }
    after = next_after
  }
  return { found, isCut: true }
}

function when(at: string): string {
  const ms = Date.parse(at) - Date.now()
  return ms < 1000 ? 'now' : `in ${span(ms)}, because the URL has been failing`
}
