/** A page for each error code: what it means, its causes, and what to do. */
import type { ErrorPage } from './openapi.ts'
import { exampleOf } from './schema.ts'

const ENDPOINTS_MAX = 12
/** Fields that every error has. */
const COMMON_FIELDS = new Set(['error', 'code', 'request_id', 'hint', 'doc_url'])

export function errorMarkdown(code: string, error: ErrorPage): string {
  const { status, message, hint, cause, fix, endpoints, schema } = error
  const example = schema ? (exampleOf(schema) as Record<string, unknown>) : {}
  const own = Object.entries(example).filter(([field]) => !COMMON_FIELDS.has(field))
  const body = {
    error: message,
    code,
    request_id: 'req_01m7fh382revhrpf3ec4gb30ke',
    ...Object.fromEntries(own),
    ...(hint === undefined ? {} : { hint }),
    doc_url: `https://legwork.example/docs/errors/${code}`,
  }
  const shown = endpoints.slice(0, ENDPOINTS_MAX)
  const more = endpoints.length - shown.length
  return [
    `# ${code}`,
    `**${status}** · ${sentence(message)}`,
    cause ? `**Why.** ${cause}` : '',
    fix || hint ? `**What to do.** ${fix ?? sentence(hint!)}` : '',
    `\`\`\`json error=${code}\n${JSON.stringify(body, null, 2)}\n\`\`\``,
    shown.length > 0
      ? `## Where\n\n${shown.map((name) => `- \`${name}\``).join('\n')}${more > 0 ? `\n- and ${more} more` : ''}`
      : '',
    'The `request_id` of the answer finds the call in the console, under Requests, with what was sent and answered.',
    'All codes: [Errors](errors.md).',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Who can get the error → the page's name for them. */
const READERS: Record<string, string> = {
  anyone: 'Everybody',
  agent: 'Agents',
  worker: 'Workers',
  operator: 'Operators of a server',
  processor: 'The payment processor',
}

export function errorTables(errors: Map<string, ErrorPage>): string {
  const byReader = Map.groupBy(errors, ([, { who = 'anyone' }]) => who)
  return Object.entries(READERS)
    .flatMap(([who, title]) => {
      const rows = byReader
        .get(who)
        ?.map(
          ([code, { status, message }]) =>
            `| ${status} | \`${code}\` | ${sentence(message).replaceAll('|', '\\|')} |`,
        )
      return rows
        ? [`### ${title}\n\n| status | code | says |\n|---|---|---|\n${rows.join('\n')}\n`]
        : []
    })
    .join('\n')
}
