/** Reads and writes `.env.local`, which holds this folder's key, and `.legwork/`, which holds the CLI's own state. */
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
/** Only the owner may read files that hold a key. */
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

/** Sets these values and leaves every other line unchanged. */
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

/** Returns true if a line had to be added. */
export function ignoreEnvFile(folder: string): boolean {
  const file = path.join(folder, '.gitignore')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text.split(/\r?\n/).some((line) => IGNORES_IT.has(line.trim()))) return false
  appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${ENV_FILE}\n`)
  return true
}

/**
 * Whether git would commit the file although .gitignore lists it: it is already tracked, or a later line re-includes
 * it. False without git or outside a repository.
 */
export function isSeenByGit(folder: string): boolean {
  try {
    // Disables fsmonitor, because the config of an untrusted repository could use it to run a program.
    const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '-q', ENV_FILE]
    execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
    return false
  } catch (error) {
    // Exit code 1 means "not ignored"; any other code means that git couldn't tell.
    return (error as { status?: number | null }).status === 1
  }
}

export function recall<T>(folder: string, name: string): T | undefined {
  const file = path.join(folder, MEMORY, `${name}.json`)
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    // Edited by hand or truncated: treat it as missing.
    return undefined
  }
}

export function remember(folder: string, name: string, value: unknown): void {
  const memory = path.join(folder, MEMORY)
  if (!existsSync(memory)) {
    mkdirSync(memory, { recursive: true })
    // The folder ignores itself, so projects don't need an entry in their own .gitignore.
    writeFileSync(path.join(memory, '.gitignore'), '*\n')
  }
  replaceFile(path.join(memory, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`)
}

/** Writes the file atomically: neither a reader nor a crash during the write ever leaves a partial file. */
function replaceFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}.tmp`
  writeFileSync(unfinished, text, { mode: PRIVATE })
  renameSync(unfinished, file)
}
