/**
 * `node deploy/make-sbom.ts <root of the image>`: prints the software bill of materials (SPDX 2.3) of what the image
 * holds: npm packages, Debian packages and Node. The Containerfile stores it in the image as /app/sbom.spdx.json, and
 * the release workflow attaches it to the release.
 *
 * `npm sbom` lists only npm packages, and by the lockfile; this lists the files that were copied.
 *
 *   VERSION, CREATED     of the image; CREATED is ISO 8601, by default now
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A name and a version as SPDX, package managers and scanners know them. */
interface Component {
  name: string
  version: string
  /** An SPDX license expression, if the package declares one. */
  license?: string | undefined
  purl: string
}

interface Manifest {
  name?: string
  version?: string
  license?: unknown
}

const LICENSE = /^[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*$|^\([\w.+ -]+\)$/

/** The output of dpkg-query for a package. */
const FORMAT =
  ['Package', 'Version', 'Architecture'].map((field) => `\${${field}}`).join(' ') + String.raw`\n`

const readManifest = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest

/** Each folder of node_modules with a name and a version. Nested manifests of builds have neither. */
function npmPackages(root: string): Component[] {
  const found = globSync('**/node_modules/{@*/*,[!@.]*}/package.json', {
    cwd: path.join(root, 'app'),
  })
  return found.flatMap((file) => {
    const { name, version, license } = readManifest(path.join(root, 'app', file))
    if (name === undefined || version === undefined) return []
    return {
      name,
      version,
      license: typeof license === 'string' && LICENSE.test(license) ? license : undefined,
      purl: `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`,
    }
  })
}

/** The Debian packages that the copied programs and libraries belong to. */
function debianPackages(root: string): Component[] {
  const files = globSync(['bin/*', 'usr/bin/*', '{,usr/}lib{,64}/**/*.so*'], { cwd: root })
  // Debian 12 knows some of these files below / and others below /usr.
  const paths = files.flatMap((file) => [
    `/${file}`,
    file.startsWith('usr/') ? `/${file.slice(4)}` : `/usr/${file}`,
  ])
  const owners = query('dpkg-query', ['--search', ...paths])
    .split('\n')
    .flatMap((line) => /^([\w.+-]+)(?::\w+)?: /.exec(line)?.[1] ?? [])
  const shown = query('dpkg-query', ['--show', `--showformat=${FORMAT}`, ...new Set(owners)])
  return shown
    .trim()
    .split('\n')
    .map((line) => {
      const [name, version, architecture] = line.split(' ') as [string, string, string]
      const query = `arch=${architecture}&distro=debian-12`
      return {
        name,
        version,
        purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?${query}`,
      }
    })
}

/** `dpkg-query` exits with 1 if it doesn't know one of many paths. */
function query(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? '')
  }
}

function render(components: Component[], { version, created }: Record<string, string>): string {
  const packages = components.map(({ name, version: versionInfo, license, purl }) => ({
    name,
    SPDXID: `SPDXRef-${createHash('sha256').update(purl).digest('hex').slice(0, 16)}`,
    versionInfo,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license ?? 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    externalRefs: [
      { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl },
    ],
  }))
  const image = {
    name: 'legwork',
    SPDXID: 'SPDXRef-image',
    versionInfo: version,
    primaryPackagePurpose: 'CONTAINER',
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: 'Apache-2.0',
    copyrightText: 'NOASSERTION',
  }
  const content = createHash('sha256').update(JSON.stringify(packages)).digest('hex')
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `legwork-${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/legwork-${version}-${content}`,
    creationInfo: { created, creators: ['Tool: legwork-make-sbom'] },
    packages: [image, ...packages],
    relationships: [
      relate('SPDXRef-DOCUMENT', 'DESCRIBES', image.SPDXID),
      ...packages.map(({ SPDXID }) => relate(image.SPDXID, 'CONTAINS', SPDXID)),
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const relate = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string) => ({
  spdxElementId,
  relationshipType,
  relatedSpdxElement,
})

const [root = '/image'] = process.argv.slice(2)
if (!existsSync(path.join(root, 'app/node_modules'))) throw new Error(`${root} holds no image`)
const node: Component = {
  name: 'node',
  version: process.versions.node,
  license: 'MIT',
  purl: `pkg:generic/node@${process.versions.node}`,
}
// A package can be in the image more than once, below different others.
const components = new Map(
  [node, ...debianPackages(root), ...npmPackages(root)].map((one) => [one.purl, one]),
)
const created = process.env.CREATED || new Date().toISOString()
process.stdout.write(
  render(
    [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    { version: process.env.VERSION || '0.0.0', created: `${created.slice(0, 19)}Z` },
  ),
)
