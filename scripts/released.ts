/**
 * Reads the last release from server/migrations/released.json, and its files from git. CONTRIBUTING.md says who updates
 * the file.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const RELEASED_FILE = 'server/migrations/released.json'

export interface Released {
  version: string
  commit: string
  /** Migrations up to this one are released. */
  last_migration: string
}

/** The last release, or undefined before the first one. */
export function readReleased(root: string): Released | undefined {
  const file = path.join(root, RELEASED_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Released) : undefined
}

/** The output of git, or undefined if it fails, as for a commit that a shallow clone lacks. */
export function git(root: string, ...args: string[]): Buffer | undefined {
  try {
    // In a container, the checkout may belong to another user.
    return execFileSync('git', ['-c', `safe.directory=${root}`, '-C', root, ...args], {
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}

/** Whether this clone has the commit. A shallow clone may lack it: `git fetch --unshallow` gets it. */
export const hasCommit = (root: string, commit: string) =>
  git(root, 'cat-file', '-e', `${commit}^{commit}`) !== undefined
