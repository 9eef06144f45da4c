/**
 * `node scripts/release-notes.ts <tag>`: prints the section of CHANGELOG.md for a release, such as v0.2.0. It fails if
 * there is none, or if a published package has another version, so that a tag can't release something else than it
 * says. The release workflow runs it first.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '..')
const TAG = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/

/** The workspaces that npm publishes: all that are not private. */
export function publishedWorkspaces(): { folder: string; name: string; version: string }[] {
  const { workspaces } = readJson('package.json') as { workspaces: string[] }
  return workspaces.flatMap((folder) => {
    const manifest = readJson(`${folder}/package.json`) as Record<string, string | boolean>
    const { name, version } = manifest as Record<string, string>
    return manifest.private ? [] : { folder, name: name!, version: version! }
  })
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))

export function releaseNotes(tag: string, changelog: string): string {
  const version = TAG.exec(tag)?.[1]
  if (version === undefined) throw new Error(`${tag} is not a tag such as v1.2.3`)
  const heading = new RegExp(String.raw`^## ${RegExp.escape(version)}(?: \(.*\))?\n`, 'm')
  const start = heading.exec(changelog)
  if (!start) throw new Error(`CHANGELOG.md has no section for ${version}`)
  const rest = changelog.slice(start.index + start[0].length)
  const end = rest.search(/^## /m)
  return `${(end === -1 ? rest : rest.slice(0, end)).trim()}\n`
}

function refuseOtherVersions(version: string): void {
  const versions = publishedWorkspaces().map((one) => [`${one.folder}/package.json`, one.version])
  const python = path.join(ROOT, 'python/pyproject.toml')
  if (existsSync(python))
    versions.push([
      'python/pyproject.toml',
      /^version = "(.*)"$/m.exec(readFileSync(python, 'utf8'))?.[1] ?? 'none',
    ])
  for (const [file, own] of versions)
    if (own !== version) throw new Error(`${file} has the version ${own}, not ${version}`)
}

if (import.meta.main) {
  const tag = process.argv[2] ?? ''
  const notes = releaseNotes(tag, readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8'))
  refuseOtherVersions(tag.slice(1))
  process.stdout.write(notes)
}
