import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { git, hasCommit, readReleased, RELEASED_FILE } from '../../../scripts/released.ts'

export const ROOT = path.join(import.meta.dirname, '../../..')

export interface Release {
  name: string
  /** The root of its checkout. */
  folder: string
}

/** The release of this checkout: what is about to be deployed. */
export const NEXT: Release = { name: 'next', folder: ROOT }

/** Checks out the last release into a temporary folder, ready to run. */
export async function checkOutLast(): Promise<Release & { remove(): Promise<void> }> {
  const startedAt = performance.now()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-released-'))
  const { commit, name } = commitOfLast()
  const files = git(ROOT, 'archive', '--format=tar', commit)
  assert(files, `git can't read commit ${commit}`)
  execFileSync('tar', ['-x', '-C', folder], { input: files })
  const packages = installPackages(folder)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`checked out ${name} (${commit.slice(0, 12)}), packages ${packages}, in ${seconds} s`)
  return { name, folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

function commitOfLast(): { commit: string; name: string } {
  const released = readReleased(ROOT)
  assert(released, `${RELEASED_FILE} does not exist`)
  const { version, commit } = released
  if (hasCommit(ROOT, commit)) return { commit, name: version }
  const oldest = git(ROOT, 'rev-list', 'HEAD')?.toString().trim().split('\n').at(-1)
  assert(oldest, 'this test needs a git clone, to check out the last release')
  console.log(
    `THIS RUN PROVES LESS: the clone lacks the commit of release ${version}, so its oldest commit stands in. ` +
      'Run `git fetch --unshallow` first.',
  )
  return { commit: oldest, name: `commit ${oldest.slice(0, 12)}` }
}

/** Links our packages if they include those of the release in the same versions; otherwise npm installs its own. */
function installPackages(folder: string): 'linked' | 'installed' {
  const ours = versionsIn(ROOT)
  const areIncluded = [...versionsIn(folder)].every((version) => ours.has(version))
  if (!areIncluded || process.env.UPGRADE_PACKAGES === 'install') {
    const omit = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    execFileSync('npm', ['ci', '--silent', ...omit], { cwd: folder, stdio: ['ignore', 2, 2] })
    return 'installed'
  }
  const from = path.join(ROOT, 'node_modules')
  const to = path.join(folder, 'node_modules')
  mkdirSync(path.join(to, '@legwork'), { recursive: true })
  for (const name of readdirSync(from))
    if (name !== '@legwork') symlinkSync(path.join(from, name), path.join(to, name))
  // The release's own packages, not ours.
  for (const name of readdirSync(path.join(from, '@legwork')))
    if (existsSync(path.join(folder, name)))
      symlinkSync(path.join(folder, name), path.join(to, '@legwork', name))
  return 'linked'
}

/** Every package that runs in production, with its version. */
function versionsIn(folder: string): Set<string> {
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; link?: boolean }>
  }
  return new Set(
    Object.entries(lock.packages)
      .filter(([place, { dev, link }]) => place.startsWith('node_modules/') && !dev && !link)
      .map(([place, { version }]) => `${place}@${version}`),
  )
}

/** Whether the server's source of a release has this string literal. */
export const mentions = ({ folder }: Release, literal: string) =>
  globSync('server/src/**/*.ts', { cwd: folder }).some((file) =>
    readFileSync(path.join(folder, file), 'utf8').includes(`'${literal}'`),
  )
