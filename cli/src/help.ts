/** The output of `help` and `--help`. */
import type { Command } from './command.ts'
import type { Print } from './print.ts'

export function helpForAll(commands: readonly Command[], print: Print): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return [
    'Ask people to do things in the world.',
    '',
    `Usage: ${print.self} COMMAND … [--json]`,
    '',
    ...commands.map(({ name, summary }) => `${print.style('cyan', name.padEnd(width))}${summary}`),
    '',
    `${print.self} COMMAND --help says more of one.`,
    '--json prints one JSON object per line, and nothing else, on stdout.',
    'Exit codes: 0 done · 1 disputed or failed · 2 usage · 3 still working, with its id · 4 no funds',
    'The key is LEGWORK_API_KEY of the environment or of .env.local; LEGWORK_URL names another server.',
  ]
}

export function helpFor({ name, takes, summary, details = [] }: Command, print: Print): string[] {
  return [
    summary,
    '',
    `Usage: ${print.self} ${[name, takes].filter((part) => part !== '').join(' ')} [--json]`,
    ...(details.length === 0 ? [] : ['', ...details]),
  ]
}
