/**
 * All output of the CLI. For people: one line per step, colors only on a terminal, and a status line that is rewritten
 * while waiting. For scripts (`--json`): one object per line on stdout, and nothing else there.
 */
import { stripVTControlCharacters, styleText } from 'node:util'

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

export interface Stream {
  write(text: string): unknown
  isTTY?: boolean | undefined
}

export interface Print {
  isJson: boolean
  /** A completed step: the object for scripts, the lines for people. */
  step(data: Record<string, unknown>, ...lines: string[]): void
  /** For people only: hints and side information. */
  note(...lines: string[]): void
  /** Suggests the next command to type. */
  next(label: string, command: string): void
  /** Current activity; on a terminal, the next output overwrites it. */
  status(text: string): void
  /** Goes to stderr in both output modes. */
  problem(data: Record<string, unknown>, ...lines: string[]): void
  style(style: Style, text: string): string
  /** The name that the user runs this program by. */
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

/** Characters that control a terminal, except newline and tab. */
const COMMANDING =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/**
 * Makes untrusted text safe for a terminal: no colors, cursor movement, window titles or right-to-left overrides. The
 * text is also indented, so that a worker's answer can't pass for one of this program's own lines.
 */
export function plain(text: string, { indent = '' }: { indent?: string } = {}): string {
  const harmless = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(COMMANDING, '')
  return harmless.split('\n').join(`\n  ${indent}`)
}

/** Collapses text to one line and truncates it to `length`. */
export function short(text: string, length: number): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  return letters.length <= length ? line : `${letters.slice(0, length - 1).join('')}…`
}

function jsonLine(data: Record<string, unknown>): string {
  // JSON.stringify leaves these unescaped, and some terminals interpret them.
  return JSON.stringify(data).replace(
    /[\u007F-\u009F]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
