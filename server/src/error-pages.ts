/**
 * All errors, collected from their declarations (`defineError`), and the texts that are generated from them: one
 * documentation page per error code, and the table in docs/api.md.
 */
import * as agents from './agents/errors.ts'
import * as decisions from './decisions/errors.ts'
import * as desk from './desk/errors.ts'
import * as disputes from './disputes/errors.ts'
import * as email from './email/errors.ts'
import * as files from './files/errors.ts'
import * as kit from './kit/errors.ts'
import { type ErrorDefinition, type ErrorGuidance, extraFieldsOf } from './kit/errors.ts'
import * as notices from './notices/errors.ts'
import * as oauth from './oauth/errors.ts'
import * as operators from './operators/errors.ts'
import * as payouts from './payouts/errors.ts'
import * as processor from './processor/errors.ts'
import * as questions from './questions/errors.ts'
import * as screening from './screening/errors.ts'
import * as targets from './targets/errors.ts'
import * as tasks from './tasks/errors.ts'
import * as testMode from './test-mode/errors.ts'
import * as wallet from './wallet/errors.ts'
import * as webhooks from './webhooks/errors.ts'
import * as workers from './workers/errors.ts'

const FILES = [
  agents,
  decisions,
  desk,
  disputes,
  email,
  files,
  kit,
  notices,
  oauth,
  operators,
  payouts,
  processor,
  questions,
  screening,
  targets,
  tasks,
  testMode,
  wallet,
  webhooks,
  workers,
]

/** All declared errors, sorted by status and then by code. */
export const errorDefinitions: readonly ErrorDefinition[] = FILES.flatMap((file) =>
  Object.values<unknown>(file),
)
  .filter(isDefinition)
  .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))

function isDefinition(value: unknown): value is ErrorDefinition {
  return typeof value === 'function' && 'cause' in value
}

export const errorPages: Readonly<Record<string, Omit<ErrorGuidance, 'hint'>>> = Object.fromEntries(
  errorDefinitions.map(({ code, who, cause, fix }) => [code, { who, cause, fix }]),
)

/** Renders the table in docs/api.md. */
export function renderErrorTable(): string {
  const rows = errorDefinitions.map((error) => {
    const fields = extraFieldsOf(error).map((name) => `\`${name}\``)
    const cells = [error.status, `\`${error.code}\``, error.who, error.cause, fields.join(', ')]
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['| status | code | who gets it | cause | more fields |', '|---|---|---|---|---|', ...rows]
    .join('\n')
    .replaceAll('  |', ' |')
}
