/**
 * `node deploy/pin-images.ts <folder> <image of the server, with its digest>`: copies deploy/ into the folder, with
 * every image named by its digest instead of a tag that its publisher can move. The release workflow runs it, and
 * attaches the folder to the release. It fails if one image is left without a digest.
 *
 * The digest is computed from what the registry sends, so a registry can't name another one. Only registries on this
 * machine are asked without TLS.
 */
import { createHash } from 'node:crypto'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const TIMEOUT_MS = 30_000
const FILES = ['compose.yaml', 'compose.trial.yaml', 'kubernetes/**/*.yaml']
const OURS = [`$\{LEGWORK_IMAGE:-legwork:latest}`, 'legwork']
const PINNED = /^\S+@sha256:[0-9a-f]{64}$/
const IMAGE_LINE = /^(\s*(?:- )?image(?:Name)?: )(\S+)$/gm
/** An index of several platforms comes first: its digest is right on each of them. */
const ACCEPT = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ')

/** Returns the reference with its tag and the digest that the tag has now. */
export async function pin(reference: string): Promise<string> {
  if (PINNED.test(reference)) return reference
  const { base, repository, tag } = locate(reference)
  const url = `${base}/v2/${repository}/manifests/${tag}`
  const first = await get(url, {})
  const response =
    first.status === 401
      ? await get(url, { authorization: `Bearer ${await tokenFor(first)}` })
      : first
  if (!response.ok) throw new Error(`${reference}: the registry answers ${response.status}`)
  const body = Buffer.from(await response.arrayBuffer())
  return `${reference}@sha256:${createHash('sha256').update(body).digest('hex')}`
}

/** `caddy:2` is `library/caddy` of Docker Hub; a first part with a dot or a port is a registry. */
function locate(reference: string): { base: string; repository: string; tag: string } {
  const match = /^(?:([^/]+[.:][^/]*|localhost)\/)?([^:]+):([^:/]+)$/.exec(reference)
  if (!match)
    throw new Error(`${reference}: an image without a tag is whatever its publisher wants`)
  const [, host, repository, tag] = match as unknown as [string, string | undefined, string, string]
  if (host === undefined)
    return {
      base: 'https://registry-1.docker.io',
      repository: repository.includes('/') ? repository : `library/${repository}`,
      tag,
    }
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host) ? 'http' : 'https'
  return { base: `${scheme}://${host}`, repository, tag }
}

const get = (url: string, headers: Record<string, string>) =>
  fetch(url, {
    headers: { accept: ACCEPT, ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })

/** A registry gives anyone a token to read public images, and says where. */
async function tokenFor(response: Response): Promise<string> {
  const challenge = response.headers.get('www-authenticate') ?? ''
  const { realm, ...scope } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  )
  if (realm === undefined) throw new Error(`the registry asks for something else: ${challenge}`)
  const asked = await get(`${realm}?${new URLSearchParams(scope)}`, {})
  const { token, access_token } = (await asked.json()) as Record<string, string>
  if (!asked.ok || !(token ?? access_token)) throw new Error(`${realm} gives no token`)
  return (token ?? access_token)!
}

/** Copies the files with pinned images; returns what each image became. */
export async function pinImages({
  from,
  to,
  server,
}: {
  from: string
  to: string
  server: string
}): Promise<Map<string, string>> {
  if (!PINNED.test(server)) throw new Error(`${server} has no digest`)
  cpSync(from, to, { recursive: true, filter: (file) => !/\.test\.ts$|\/\.env$/.test(file) })
  const pinned = new Map<string, string>(OURS.map((name) => [name, server]))
  const files = globSync(FILES, { cwd: to })
  for (const name of files) {
    const file = path.join(to, name)
    const text = readFileSync(file, 'utf8')
    for (const [, , reference] of text.matchAll(IMAGE_LINE))
      if (!pinned.has(reference!)) pinned.set(reference!, await pin(reference!))
    const changed = text
      .replaceAll(
        IMAGE_LINE,
        (_, start: string, reference: string) => start + pinned.get(reference),
      )
      // A release is not built by its users, and an overlay must not choose its image.
      .replaceAll(/^\s*build: \{.*\n/gm, '')
      .replaceAll(/^images:\n(?:^[ #-].*\n)+/gm, '')
    writeFileSync(file, changed)
    refuseUnpinned(name, changed)
  }
  return pinned
}

function refuseUnpinned(name: string, text: string): void {
  for (const [, key, value] of text.matchAll(/^\s*(?:- )?(image(?:Name)?|newTag): *(.*)$/gm))
    if (key === 'newTag' || !PINNED.test(value!)) throw new Error(`${name}: ${value} has no digest`)
}

if (import.meta.main) {
  const [to, server] = process.argv.slice(2)
  if (to === undefined || server === undefined) {
    console.error('Usage: pin-images.ts <folder> <image of the server, with its digest>')
    process.exit(2)
  }
  const pinned = await pinImages({ from: import.meta.dirname, to, server })
  for (const [name, reference] of pinned) console.log(`${name} → ${reference}`)
}
