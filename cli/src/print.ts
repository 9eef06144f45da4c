/**
 * All that the CLI says. For people: one line per step, colours on a terminal only, a line that is rewritten while it
 * waits. For scripts (`--json`): one object per line on stdout, and nothing else there.
 */
import { stripVTControlCharacters, styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

export interface Stream {
  write(text: string): unknown
  isTTY?: boolean | undefined
}

export interface Print {
  isJson: boolean
  /** A step that was done: its object for scripts, its lines for people. */
  step(data: Record<string, unknown>, ...lines: string[]): void
  /** Only for people: what to type next, what to know. */
  note(...lines: string[]): void
  /** What to type next. */
  next(label: string, command: string): void
  /** What is going on at this moment; on a terminal it is overwritten by what comes after it. */
  status(text: string): void
  /** To stderr, in either form. */
  problem(data: Record<string, unknown>, ...lines: string[]): void
  style(style: Style, text: string): string
  /** How one calls this program. */
  self: string
}

export function openPrint({
  stdout,
  stderr,
  isJson,
  self,
  environment,
}: {
  stdout: Stream
  stderr: Stream
  isJson: boolean
  self: string
  environment: Record<string, string | undefined>
}): Print {
  const isTerminal = stdout.isTTY === true && !isJson
  const mayColour = (stream: Stream) =>
    stream.isTTY === true && !isJson && !environment.NO_COLOR && environment.TERM !== 'dumb'
  const style = (name: Style, text: string, stream = stdout) =>
    mayColour(stream) ? styleText(name, text, { validateStream: false }) : text
  let isStatusShown = false

  const clear = () => {
    if (isStatusShown) stdout.write('\r\u001B[2K')
    isStatusShown = false
  }
  const toStdout = (line: string) => {
    clear()
    stdout.write(`${line.trimEnd()}\n`)
  }

  return {
    isJson,
    self,
    style,
    step(data, ...lines) {
      if (isJson) toStdout(jsonLine(data))
      else for (const line of lines) toStdout(`  ${line}`)
    },
    note(...lines) {
      if (!isJson) for (const line of lines) toStdout(`  ${line}`)
    },
    next(label, command) {
      if (!isJson) toStdout(`  ${label}:  ${style('cyan', `${self} ${command}`)}`)
    },
    status(text) {
      if (!isTerminal) return
      clear()
      stdout.write(`  ${style('dim', text)}`)
      isStatusShown = true
    },
    problem(data, ...lines) {
      clear()
      if (isJson) stderr.write(`${jsonLine(data)}\n`)
      else
        for (const [i, line] of lines.entries())
          stderr.write(`  ${i === 0 ? style('red', line, stderr) : line}\n`)
    },
  }
}

/** What a terminal would obey, apart from the end of a line and the tabulator. */
const COMMANDING =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/**
 * Text of somebody else, made harmless for a terminal: no colours, no moved cursor, no title, no text that runs
 * backwards. A worker's answer must not be able to look like a line of this program's own, so it is also indented.
 */
export function plain(text: string, { indent = '' }: { indent?: string } = {}): string {
  const harmless = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(COMMANDING, '')
  return harmless.split('\n').join(`\n  ${indent}`)
}

/** In one line, and no longer than fits. */
export function short(text: string, length: number): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  return letters.length <= length ? line : `${letters.slice(0, length - 1).join('')}…`
}

function jsonLine(data: Record<string, unknown>): string {
  // JSON leaves these as they are, and some terminals obey them.
  return JSON.stringify(data).replace(
    /[\u007F-\u009F]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
