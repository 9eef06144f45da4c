/** The output of `help` and `--help`. */
import type { Command } from './command.ts'
import type { Print } from './print.ts'

export function helpForAll(commands: readonly Command[], print: Print): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return [
    'Ask people to do things in the real world.',
    '',
    `Usage: ${print.self} COMMAND … [--json]`,
    '',
    ...commands.map(({ name, summary }) => `${print.style('cyan', name.padEnd(width))}${summary}`),
    '',
    `Run ${print.self} COMMAND --help for details.`,
    '--json prints only JSON to stdout, one object per line.',
    'Exit codes: 0 done · 1 disputed or failed · 2 usage error · 3 still in progress · 4 insufficient funds',
    'LEGWORK_API_KEY is read from the environment or from .env.local. LEGWORK_URL sets another server.',
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
