import { type Exit, LINES, type Line } from './states.ts'

const INTRO = `# Waiting states

This document lists every state in which money or a person can wait: who can end it and how, what the clock does, and who
is notified. \`npm run generate\` creates it from \`server/test/exits/states.ts\`; don't edit it. \`npm run test:exits\` compares
the table with the database, and drives each state to its end with an advanced clock.

An \`event\` notifies the agent by webhook and in GET /events, a \`notice\` notifies the worker in the app and on devices, and a
\`mail\` goes to either. \`ops waiting\` lists what waits for an operator
([waiting-for-people](runbooks/waiting-for-people.md)).
`

/** The complete text of docs/waiting-states.md. */
export function renderStates(): string {
  const ends = LINES.filter(({ exits }) => exits.length === 0)
  return `${INTRO}
## States that end

${LINES.filter(({ exits }) => exits.length > 0)
  .map(renderLine)
  .join('\n')}
## States in which nothing waits

| state | why |
|---|---|
${ends.map(({ at, waits, why }) => `| ${codes(at)} | ${cell([waits, why!].filter((part) => part !== '').join('. '))} |`).join('\n')}
`
}

function renderLine({ id, at, who, waits, tells = [], exits, queue, alarm, why }: Line): string {
  return `### ${id}

${waits}. ${WHO[who]}${tells.length === 0 ? '' : ` Notified on entry: ${tells.map(code).join(', ')}.`}

| who ends it | how | what happens | notified |
|---|---|---|---|
${exits.map(renderExit).join('\n')}

${[
  ...(why === undefined ? [] : [why]),
  ...(alarm === undefined ? [] : [`Operators: \`${alarm.command}\` reports it (${alarm.after}).`]),
  ...(queue === undefined ? [] : [`On the desk: ${code(queue)}.`]),
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
