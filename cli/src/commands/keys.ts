/** `keys`: manages the agent's API keys, including keys with their own limits for sub-agents. */
import type { Key, Legwork, NewKey } from '@legwork/sdk'
import { command } from '../command.ts'
import { EXIT, type ExitCode, usage } from '../exit.ts'
import { plain, type Print } from '../print.ts'
import { dollars, readCents, readList, span } from '../words.ts'

export const keys = command({
  name: 'keys',
  takes: '[list | create NAME | rotate ID | revoke ID]',
  summary: 'List, create, rotate and revoke API keys',
  details: [
    'create NAME [--scopes create,review,read,manage] [--types verification,…] [--task-max 5.00]',
    '            [--day-max 20.00] [--month-max 200.00] [--budget 50.00] [--expires 2027-01-31]',
    'rotate ID   replaces a key; the old one works for another 24 h',
    'revoke ID   revokes a key and all keys created with it',
  ],
  options: {
    scopes: { type: 'string' },
    types: { type: 'string' },
    'task-max': { type: 'string' },
    'day-max': { type: 'string' },
    'month-max': { type: 'string' },
    budget: { type: 'string' },
    expires: { type: 'string' },
  },
  words: [0, 2],

  async run({ values, words, print, legwork }) {
    const [action = 'list', word] = words
    if (action === 'list') return list(legwork(), print)
    if (action !== 'create' && action !== 'rotate' && action !== 'revoke')
      throw usage(`keys has no action ${action}`, 'Use list, create, rotate or revoke.')
    if (word === undefined)
      throw usage(`keys ${action} needs ${action === 'create' ? 'a name' : 'the id of a key'}`)

    if (action === 'revoke') {
      await legwork().keys.delete(word)
      print.step({ type: 'revoked', id: word }, `Revoked ${word} and every key created with it.`)
      return EXIT.done
    }
    if (action === 'rotate') {
      const { key, old_expires_at } = await legwork().keys.rotate(word)
      const left = span(Date.parse(old_expires_at) - Date.now())
      showNew(key, print, { old_expires_at })
      print.note(`The old key works for another ${left}.`)
      return EXIT.done
    }
    showNew(await legwork().keys.create({ name: word, ...limitsOf(values) }), print)
    return EXIT.done
  },
})

async function list(legwork: Legwork, print: Print): Promise<ExitCode> {
  for (const key of await legwork.keys.list())
    print.step(
      { type: 'key', key },
      `${key.id}  ${key.prefix}…  ${plain(key.name)}  ${limitsInWords(key)}  ${lastUse(key)}`,
    )
  print.next('Create one', 'keys create NAME --scopes create,read --day-max 20.00')
  return EXIT.done
}

function showNew(key: NewKey, print: Print, more: object = {}): void {
  print.step(
    { type: 'key', key, ...more },
    `${key.id}  ${plain(key.name)}  ${limitsInWords(key)}`,
    `${print.style('bold', key.api_key)}  (shown only once; save it now)`,
  )
}

function limitsInWords({ scopes, types, caps }: Key): string {
  const parts = [
    scopes.join(', '),
    types === null ? '' : `only ${types.join(', ')}`,
    ...[
      ['per task', caps.task_max_cents] as const,
      ['per day', caps.day_max_cents] as const,
      ['per month', caps.month_max_cents] as const,
      ['in total', caps.budget_cents] as const,
    ].map(([per, cents]) => (cents === null ? '' : `${dollars(cents)} ${per}`)),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

const lastUse = ({ last_used_at }: Key) =>
  last_used_at === null ? 'never used' : `used ${span(Date.now() - Date.parse(last_used_at))} ago`

/** Maps an option to the field that it sets, in cents. */
const CAPS = {
  'task-max': 'task_max_cents',
  'day-max': 'day_max_cents',
  'month-max': 'month_max_cents',
  budget: 'budget_cents',
} as const

function limitsOf(
  values: { [name in keyof typeof CAPS | 'scopes' | 'types' | 'expires']?: string | undefined },
) {
  const { scopes, types, expires } = values
  const caps = Object.entries(CAPS).flatMap(([option, field]) => {
    const text = values[option as keyof typeof CAPS]
    return text === undefined ? [] : [[field, readCents(text, `--${option}`)] as const]
  })
  return {
    ...(Object.fromEntries(caps) as { [name in (typeof CAPS)[keyof typeof CAPS]]?: number }),
    ...(scopes === undefined ? {} : { scopes: readList(scopes) as Key['scopes'] }),
    ...(types === undefined ? {} : { types: readList(types) as NonNullable<Key['types']> }),
    ...(expires === undefined ? {} : { expires_at: timeOf(expires) }),
  }
}

function timeOf(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw usage(
      `--expires ${text} is not a valid date`,
      'Use a date such as 2027-01-31, or an ISO 8601 time.',
    )
  return at.toISOString()
}
