import { type Exit, LINES, type Line } from './states.ts'

const INTRO = `# Waiting states

Every state in which money or a person can wait: who can end it and how, what the clock does, who is told. Made by
\`npm run generate\` from \`server/test/exits/states.ts\`; changes are lost. \`npm run test:exits\` compares the table with the
database, and drives each line to its end with a moved clock.

\`event\` tells the agent by webhook and in GET /events, \`notice\` tells the worker in the app and on devices, \`mail\` goes to
either. What waits for a person is listed by \`ops waiting\` ([waiting-for-people](runbooks/waiting-for-people.md)).
`

/** The complete text of docs/waiting-states.md. */
export function renderStates(): string {
  const ends = LINES.filter(({ exits }) => exits.length === 0)
  return `${INTRO}
## States that end

${LINES.filter(({ exits }) => exits.length > 0)
  .map(renderLine)
  .join('\n')}
## Nothing waits

| state | why |
|---|---|
${ends.map(({ at, waits, why }) => `| ${codes(at)} | ${cell([waits, why!].filter((part) => part !== '').join('. '))} |`).join('\n')}
`
}

function renderLine({ id, at, who, waits, tells = [], exits, alarm, why }: Line): string {
  return `### ${id}

${waits}. ${WHO[who]}${tells.length === 0 ? '' : ` Told at once: ${tells.map(code).join(', ')}.`}

| who ends it | how | what happens | told |
|---|---|---|---|
${exits.map(renderExit).join('\n')}

${[
  ...(why === undefined ? [] : [why]),
  ...(alarm === undefined ? [] : [`Operators: \`${alarm.command}\` reports it (${alarm.after}).`]),
  `In the schema: ${codes(at)}.`,
].join(' ')}
`
}

const WHO = { money: 'Money waits.', person: 'A person waits.', nobody: 'Nobody waits.' } as const

const renderExit = ({ by, how, does, tells }: Exit) =>
  `| ${by} | ${by === 'processor' ? how : code(how)} | ${cell(does)} | ${tells.map(code).join(', ')} |`

const code = (text: string) => `\`${text}\``
const codes = (texts: readonly string[]) => texts.map(code).join(', ')
const cell = (text: string) => text.replaceAll('|', '\\|')
