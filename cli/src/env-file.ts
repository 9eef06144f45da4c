/** `.env.local`, in which the key of this folder is kept, and `.legwork/`, in which the CLI remembers things. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

export const ENV_FILE = '.env.local'
const MEMORY = '.legwork'
/** Only its owner may read what holds a key. */
const PRIVATE = 0o600
const IGNORES_IT = new Set([
  '.env.local',
  '/.env.local',
  '.env*',
  '.env.*',
  '.env*.local',
  '*.local',
])

export function readEnvFile(folder: string): Record<string, string | undefined> {
  const file = path.join(folder, ENV_FILE)
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** Sets these and leaves every other line as it is. */
export function writeEnvFile(folder: string, values: Record<string, string>): void {
  const file = path.join(folder, ENV_FILE)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').replace(/\n$/, '').split('\n') : []
  const left = { ...values }
  const kept = lines
    .filter((line, i) => line !== '' || i > 0)
    .map((line) => {
      const name = /^\s*(?:export\s+)?([A-Z_a-z]\w*)\s*=/.exec(line)?.[1]
      if (name === undefined || left[name] === undefined) return line
      const changed = `${name}=${left[name]}`
      delete left[name]
      return changed
    })
  const added = Object.entries(left).map(([name, value]) => `${name}=${value}`)
  replaceFile(file, `${[...kept, ...added].join('\n')}\n`)
}

/** Whether a line had to be added. */
export function ignoreEnvFile(folder: string): boolean {
  const file = path.join(folder, '.gitignore')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text.split(/\r?\n/).some((line) => IGNORES_IT.has(line.trim()))) return false
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${ENV_FILE}\n`)
  return true
}

/**
 * Whether git would take the file into a commit though .gitignore names it: it is tracked already, or a later line
 * lets it in again. Without git, or outside of a repository, nothing is taken.
 */
export function isSeenByGit(folder: string): boolean {
  try {
    // A folder of somebody else's must not get a program of its own run.
    const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '-q', ENV_FILE]
    execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
    return false
  } catch (error) {
    // 1 says that it is not ignored; anything else that git could not say.
    return (error as { status?: number | null }).status === 1
  }
}

export function recall<T>(folder: string, name: string): T | undefined {
  const file = path.join(folder, MEMORY, `${name}.json`)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    // Written by hand, or cut off: as if nothing had been kept.
    return undefined
  }
}

export function remember(folder: string, name: string, value: unknown): void {
  const memory = path.join(folder, MEMORY)
  if (!existsSync(memory)) {
    mkdirSync(memory, { recursive: true })
    // It ignores itself, so that nobody's .gitignore has to know it.
    writeFileSync(path.join(memory, '.gitignore'), '*\n')
  }
  replaceFile(path.join(memory, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`)
}

/** Whole or not at all: whoever reads it, and whoever is killed while writing it, never has half of it. */
function replaceFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.tmp`
  writeFileSync(unfinished, text, { mode: PRIVATE })
  renameSync(unfinished, file)
}
