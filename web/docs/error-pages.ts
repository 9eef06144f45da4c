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
  const hiddenCount = endpoints.length - shown.length
  const rest = hiddenCount > 0 ? `\n- and ${hiddenCount} more` : ''
  return [
    `# ${code}`,
    `**${status}** · ${sentence(message)}`,
    cause ? `**Cause.** ${cause}` : '',
    fix || hint ? `**Fix.** ${fix ?? sentence(hint!)}` : '',
    `\`\`\`json error=${code}\n${JSON.stringify(body, null, 2)}\n\`\`\``,
    shown.length > 0
      ? `## Endpoints\n\n${shown.map((name) => `- \`${name}\``).join('\n')}${rest}`
      : '',
    'Look up the `request_id` in the console under Requests to see the request and the response.',
    'All codes: [Errors](errors.md).',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Who can get the error → the page's name for them. */
const READERS: Record<string, string> = {
  anyone: 'Everyone',
  agent: 'Agents',
  worker: 'Workers',
  operator: 'Server operators',
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
        ? [`### ${title}\n\n| status | code | message |\n|---|---|---|\n${rows.join('\n')}\n`]
        : []
    })
    .join('\n')
}
